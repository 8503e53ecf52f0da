//! Whether a short text is ASCII, in so little code that callers of public functions can have a copy of it.
//!
//! Most strings are short, and most of these are ASCII. Calling a kernel takes longer than checking such a string. One
//! branch tells up to 16 bytes from up to 64. Below it, there is no branch on the length, since it would be mispredicted:
//! loads of a fixed size overlap.

#[cfg(all(test, fastutf_proofs))]
#[path = "../proof/short_ascii.rs"]
mod proof;

use core::hint::select_unpredictable;

use super::NOT_ASCII;

/// The maximum length of a text that is looked at.
const MOST: usize = 64;

/// Whether `src` is so short that [`is_short_ascii`] knows whether it is ASCII. In builds without optimisation, nothing is:
/// there, a call of the standard library is faster.
#[inline]
pub(crate) fn is_short(src: &[u8]) -> bool {
    !cfg!(fastutf_scalar_default) && src.len() <= MOST
}

/// Whether `src` is short and ASCII.
#[inline]
pub(crate) fn is_short_ascii(src: &[u8]) -> bool {
    if !is_short(src) {
        return false;
    }
    let Some(first) = src.first() else { return true };
    // Text in a script other than Latin returns here, before the branches below.
    if !first.is_ascii() {
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
        return (all as u64 | (all >> 64) as u64) & NOT_ASCII == 0;
    }
    // No branches on lengths up to 16, which are the hardest to predict: where a load does not fit, it reads zeros.
    let eights = select_unpredictable(src.len() >= 8, src, &[0; 8]);
    let fours = select_unpredictable(src.len() >= 4, src, &[0; 4]);
    let (Some(first_8), Some(last_8)) = (eights.first_chunk(), eights.last_chunk()) else { return false };
    let (Some(first_4), Some(last_4)) = (fours.first_chunk(), fours.last_chunk()) else { return false };
    let ones = src[src.len() / 2] | src[src.len() - 1];
    let eights = u64::from_ne_bytes(*first_8) | u64::from_ne_bytes(*last_8);
    let fours = u32::from_ne_bytes(*first_4) | u32::from_ne_bytes(*last_4);
    (eights | u64::from(fours) | u64::from(ones)) & NOT_ASCII == 0
}
