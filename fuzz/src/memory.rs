//! Places sources and destinations in memory, and checks the memory around them.
//!
//! Without the feature `exact`, they lie in memory between guard pages, which is reused: at its end, at its beginning,
//! or somewhere inside. With `exact`, they lie in separate allocations that end exactly where they do, for
//! AddressSanitizer.

use std::fmt::Debug;

use fastutf::Isa;

#[cfg(not(feature = "exact"))]
mod guarded;

/// How many elements on either side of a slice are painted.
const MARGIN: usize = 64;

/// A byte or a code unit.
pub trait Element: Copy + Default + PartialEq + Debug + 'static {
    /// The elements of a destination before a test. The pattern is not a filler, and rarely part of a result.
    const PATTERN: Self;
    /// An array of the pattern: arrays are compared much faster than elements.
    const PAINTED: &[Self];
    /// The elements before and after a source: an incomplete character, and elements that could complete one. They
    /// would mislead a kernel that reads them.
    const BEFORE: Self;
    const BEHIND: Self;

    #[cfg(not(feature = "exact"))]
    fn with_pool<R>(body: impl FnOnce(&mut Vec<&'static mut [Self]>) -> R) -> R;
}

macro_rules! element {
    ($type:ty, $pattern:literal, $before:literal, $behind:literal) => {
        impl Element for $type {
            const PATTERN: Self = $pattern;
            const PAINTED: &[Self] = &[$pattern; 1024];
            const BEFORE: Self = $before;
            const BEHIND: Self = $behind;

            #[cfg(not(feature = "exact"))]
            fn with_pool<R>(body: impl FnOnce(&mut Vec<&'static mut [Self]>) -> R) -> R {
                thread_local!(static POOL: std::cell::RefCell<Vec<&'static mut [$type]>> = const {
                    std::cell::RefCell::new(Vec::new())
                });
                POOL.with_borrow_mut(body)
            }
        }
    };
}

element!(u8, 0xA5, 0xF0, 0x80);
element!(u16, 0xA5B6, 0xD83D, 0xDCA9);

/// The place of a slice, from a byte of the input.
#[derive(Clone, Copy)]
pub struct Place(pub u8);

impl Place {
    /// 0 to 63: the distance of its start from a multiple of 64, if possible.
    pub fn offset(self) -> usize {
        usize::from(self.0 & 63)
    }
}

/// A slice in its place.
pub struct Placed<T: Element> {
    #[cfg(feature = "exact")]
    memory: Box<[T]>,
    #[cfg(not(feature = "exact"))]
    memory: &'static mut [T],
    start: usize,
    len: usize,
}

#[cfg(feature = "exact")]
impl<T: Element> Placed<T> {
    /// The slice begins `place.offset()` elements from the beginning of its allocation, and ends with it.
    fn allocate(place: Place, len: usize) -> Self {
        let start = place.offset();
        Self { memory: vec![T::default(); start + len].into_boxed_slice(), start, len }
    }
}

#[cfg(not(feature = "exact"))]
impl<T: Element> Placed<T> {
    fn allocate(place: Place, len: usize) -> Self {
        let enough = (len + 3 * MARGIN).max(1 << 14);
        let used = T::with_pool(|pool| pool.pop());
        let memory = used.filter(|memory| memory.len() >= enough).unwrap_or_else(|| guarded::guarded(enough));
        let start = match place.0 >> 6 {
            0 | 1 => memory.len() - len,
            2 => 0,
            _ => MARGIN + place.offset(),
        };
        Self { memory, start, len }
    }
}

#[cfg(not(feature = "exact"))]
impl<T: Element> Drop for Placed<T> {
    fn drop(&mut self) {
        T::with_pool(|pool| pool.push(std::mem::take(&mut self.memory)));
    }
}

impl<T: Element> Placed<T> {
    /// A source, which `fill` fills.
    pub fn source(place: Place, len: usize, fill: impl FnOnce(&mut [T])) -> Self {
        let mut placed = Self::allocate(place, len);
        let [before, slice, behind] = placed.parts_mut();
        before.fill(T::BEFORE);
        fill(slice);
        behind.fill(T::BEHIND);
        placed
    }

    pub fn copy(place: Place, elements: &[T]) -> Self {
        Self::source(place, elements.len(), |slice| slice.copy_from_slice(elements))
    }

    pub fn get(&self) -> &[T] {
        &self.memory[self.start..][..self.len]
    }

    pub fn get_mut(&mut self) -> &mut [T] {
        &mut self.memory[self.start..][..self.len]
    }

    /// The slice, and the painted elements before and after it.
    fn parts_mut(&mut self) -> [&mut [T]; 3] {
        let (before, rest) = self.memory.split_at_mut(self.start);
        let (slice, behind) = rest.split_at_mut(self.len);
        let (nearest, most) = (before.len().saturating_sub(MARGIN), behind.len().min(MARGIN));
        [&mut before[nearest..], slice, &mut behind[..most]]
    }
}

/// A destination that detects writes around it.
pub struct Buffer<T: Element>(Placed<T>);

impl<T: Element> Buffer<T> {
    pub fn new(place: Place, len: usize) -> Self {
        let mut placed = Placed::allocate(place, len);
        placed.parts_mut().into_iter().for_each(|part| part.fill(T::PATTERN));
        Self(placed)
    }

    pub fn get(&mut self) -> &mut [T] {
        self.0.get_mut()
    }

    /// Asserts that it starts with `written`, and that nothing around it has been written to. Then restores the pattern.
    #[track_caller]
    pub fn assert_holds(&mut self, written: &[T], isa: Isa, operation: &str) {
        let [before, slice, behind] = self.0.parts_mut();
        assert_eq!(slice[..written.len()], *written, "{operation} on {isa}");
        for part in [before, behind] {
            let untouched = part.chunks(T::PAINTED.len()).all(|chunk| *chunk == T::PAINTED[..chunk.len()]);
            assert!(untouched, "{operation} on {isa} wrote outside the buffer: {part:02X?}");
        }
        slice.fill(T::PATTERN);
    }
}
