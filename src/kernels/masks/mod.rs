//! What 64 bytes of text are, as bit masks with the first byte as bit 0.

#[cfg(fastutf_x86)]
pub(crate) mod avx512;
#[cfg(all(test, fastutf_proofs))]
#[path = "../../proof/masks.rs"]
mod proof;

#[cfg(feature = "positions")]
use crate::sections::Masks;
use crate::simd::Lanes;

/// The bytes of UTF-8 that are no continuations, and those from F0 on.
#[inline(always)]
pub(crate) fn utf8<S: Lanes>(isa: S, block: &[u8; 64]) -> (u64, u64) {
    let (mut starts, mut from_f0) = (isa.empty_mask(), isa.empty_mask());
    let mut k = 0;
    while k < 64 {
        let bytes = isa.load(block, k);
        starts = isa.add_to_mask(starts, k, isa.gt_i8(bytes, isa.splat8(0xBF)));
        // As a signed number, ASCII is greater, too.
        from_f0 = isa.add_to_mask(from_f0, k, isa.gt_i8(bytes, isa.splat8(0xEF)) & bytes);
        k += S::WIDTH;
    }
    (isa.finished_mask(starts), isa.finished_mask(from_f0))
}

/// The same, and line feeds and carriage returns.
#[cfg(feature = "positions")]
#[inline(always)]
pub(crate) fn text<S: Lanes>(isa: S, block: &[u8; 64]) -> Masks {
    let (starts, from_f0) = utf8(isa, block);
    let (mut line_feeds, mut returns) = (isa.empty_mask(), isa.empty_mask());
    let mut k = 0;
    while k < 64 {
        let bytes = isa.load(block, k);
        line_feeds = isa.add_to_mask(line_feeds, k, isa.eq8(bytes, isa.splat8(b'\n')));
        returns = isa.add_to_mask(returns, k, isa.eq8(bytes, isa.splat8(b'\r')));
        k += S::WIDTH;
    }
    Masks { starts, from_f0, line_feeds: isa.finished_mask(line_feeds), returns: isa.finished_mask(returns) }
}
