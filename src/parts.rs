//! Parts of slices that begin somewhere inside.

/// Parts of a slice, for texts. [`Output`](crate::output::Output) has methods of the same names.
pub(crate) trait Parts {
    type Element;

    /// The `len` elements from `at` on, if there are that many. Panics if `at` is out of bounds.
    fn part_at(&self, at: usize, len: usize) -> Option<&Self>;
    /// The `N` elements from `at` on, if there are that many. Panics if `at` is out of bounds.
    fn chunk_at<const N: usize>(&self, at: usize) -> Option<&[Self::Element; N]>;
    /// The `len` elements from `at` on. Panics if there are fewer.
    fn expect_part(&self, at: usize, len: usize) -> &Self;
    /// The `N` elements from `at` on. Panics if there are fewer.
    fn expect_chunk<const N: usize>(&self, at: usize) -> &[Self::Element; N];
}

impl<T> Parts for [T] {
    type Element = T;

    #[inline(always)]
    fn part_at(&self, at: usize, len: usize) -> Option<&Self> {
        let Some(rest) = self.get(at..) else { out_of_bounds() };
        rest.get(..len)
    }

    #[inline(always)]
    fn chunk_at<const N: usize>(&self, at: usize) -> Option<&[T; N]> {
        let Some(rest) = self.get(at..) else { out_of_bounds() };
        rest.first_chunk()
    }

    #[inline(always)]
    fn expect_part(&self, at: usize, len: usize) -> &Self {
        match self.part_at(at, len) {
            Some(part) => part,
            None => out_of_bounds(),
        }
    }

    #[inline(always)]
    fn expect_chunk<const N: usize>(&self, at: usize) -> &[T; N] {
        match self.chunk_at(at) {
            Some(chunk) => chunk,
            None => out_of_bounds(),
        }
    }
}

/// The panic of code that asks for more than a slice has.
///
/// It has no arguments, so a kernel with a hundred checks of bounds has one call of it: an index that names its place and
/// its bounds takes 70 bytes of a program.
#[cold]
#[inline(never)]
pub(crate) fn out_of_bounds() -> ! {
    panic!("out of bounds: this is a bug in fastutf");
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::vec::Vec;

    use super::*;
    use crate::output::Output;

    /// What `part` returns, or that it panics.
    fn outcome<R>(part: impl FnOnce() -> R) -> Result<R, ()> {
        catch_unwind(AssertUnwindSafe(part)).map_err(drop)
    }

    #[test]
    #[cfg_attr(panic = "abort", ignore = "NOT TESTED: panics end this program")]
    fn all_parts() {
        const N: usize = 2;
        let all: Vec<u8> = (0..6).collect();
        let numbers = || (0..8).chain([usize::MAX]);
        for (src, at, len) in (0..=all.len())
            .flat_map(|end| numbers().map(move |at| (end, at)))
            .flat_map(|(end, at)| numbers().map(move |len| (end, at, len)))
            .map(|(end, at, len)| (&all[..end], at, len))
        {
            let want = src.get(at..).ok_or(()).map(|rest| rest.get(..len));
            let whole = want.and_then(|part| part.ok_or(()));
            assert_eq!(outcome(|| src.part_at(at, len)), want, "{at}, {len}");
            assert_eq!(outcome(|| src.expect_part(at, len)), whole, "{at}, {len}");

            // The same of an output, by where they are.
            let mut memory = src.to_vec();
            let (start, output) = (memory.as_ptr().addr(), Output::over(&mut memory));
            let place = |part: &mut Output| (core::ptr::from_mut(part).addr() - start, part.len());
            let want_place = want.map(|part| part.map(|part| (at, part.len())));
            assert_eq!(outcome(|| output.part_at(at, len).map(place)), want_place, "{at}, {len}");
            assert_eq!(outcome(|| place(output.expect_part(at, len))), whole.map(|part| (at, part.len())));

            if len == N {
                let chunk = |part: &[u8]| <[u8; N]>::try_from(part).unwrap();
                assert_eq!(outcome(|| src.chunk_at::<N>(at).copied()), want.map(|part| part.map(chunk)));
                assert_eq!(outcome(|| *src.expect_chunk::<N>(at)), whole.map(chunk));
                assert_eq!(outcome(|| output.chunk_at::<N>(at).map(place)), want_place);
            }
        }
    }
}
