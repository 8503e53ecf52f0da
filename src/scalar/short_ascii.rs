//! Whether a short text is ASCII, in so little code that callers of public functions can have a copy of it.
//!
//! Most strings are short, and most of these are ASCII. Calling a kernel takes longer than checking such a string. Lengths
//! fall into four ranges (1 to 3, 4 to 7, 8 to 16, 17 to 64), with a branch for each: mispredicted less often than a branch
//! for every length. Within a range, loads of a fixed size overlap.

/// The longest text that is looked at.
const MOST: usize = 64;

/// Whether `src` is ASCII and at most [`MOST`] bytes long. In builds without optimization always `false`: there, a call
/// of the standard library is faster.
#[inline]
pub(crate) fn is_short_ascii(src: &[u8]) -> bool {
    if cfg!(fastutf_scalar_default) {
        return false;
    }
    let Some(first) = src.first() else { return true };
    // Text in another script than Latin leaves here: it should not take the branches below in vain.
    if src.len() > MOST || !first.is_ascii() {
        return false;
    }
    if let (true, Some(first), Some(last)) = (src.len() > 16, src.first_chunk::<16>(), src.last_chunk::<16>()) {
        // Where the two loads between those start. Up to 32 bytes, they are the same as those.
        let inner = (src.len() - 16).min(16);
        let (Some(second), Some(third)) = (src[inner..].first_chunk(), src[..src.len() - inner].last_chunk())
        else {
            return false;
        };
        let number = |bytes: &[u8; 16]| u128::from_ne_bytes(*bytes);
        let all = number(first) | number(second) | number(third) | number(last);
        (all as u64 | (all >> 64) as u64) & 0x8080_8080_8080_8080 == 0
    } else if let (Some(first), Some(last)) = (src.first_chunk(), src.last_chunk()) {
        (u64::from_ne_bytes(*first) | u64::from_ne_bytes(*last)) & 0x8080_8080_8080_8080 == 0
    } else if let (Some(first), Some(last)) = (src.first_chunk(), src.last_chunk()) {
        (u32::from_ne_bytes(*first) | u32::from_ne_bytes(*last)) & 0x8080_8080 == 0
    } else {
        (src[src.len() / 2] | src[src.len() - 1]).is_ascii()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_length_with_another_byte_anywhere() {
        for len in 0..=MOST + 1 {
            let src = &mut [0x7F; MOST + 1][..len];
            assert_eq!(is_short_ascii(src), len <= MOST && !cfg!(fastutf_scalar_default), "{len}");
            for at in 0..len {
                src[at] = 0x80;
                assert!(!is_short_ascii(src), "{len} with one at {at}");
                src[at] = 0x7F;
            }
        }
    }
}
