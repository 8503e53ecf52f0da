//! Whether the tests reach every path of the kernels. With a wrong constant, a fast loop might never run, though
//! all results are right. So a loop or special case says `path!("its name")` when it has done some work. A test
//! finds these names in the sources, and fails if nothing reaches one.

/// Records, in this crate's own tests, that a path has been taken. Otherwise does nothing.
macro_rules! path {
    ($name:expr) => {
        #[cfg(all(test, fastutf_proofs))]
        $crate::kernels::coverage::tests::note(file!(), $name);
    };
}

/// A question that a kernel asks a few bytes of the text without a vector: `plain!(bytes => bytes[0] >= 0xC0)`, where `bytes`
/// is a reference to an array. It is the expression itself; in this crate's own tests, a proof may answer in its place, for any
/// text (`proof`). The question must be a disjunction of questions to each byte, or a number that is a sum over the bytes.
macro_rules! plain {
    ($bytes:ident => $ask:expr) => {{
        #[cfg(not(all(test, fastutf_proofs)))]
        let answer = $ask;
        #[cfg(all(test, fastutf_proofs))]
        let answer = $crate::kernels::coverage::tests::plain($bytes, |$bytes| $ask);
        answer
    }};
}

#[cfg(all(test, fastutf_proofs))]
pub(crate) mod tests;
