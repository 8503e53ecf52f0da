//! Any bytes, cut anywhere into any number of chunks, with buffers of any size.

use fastutf::Isa;
use fastutf::stream::{Encoding, Transcoder, Utf8Decoder, Validator};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

use super::{Transcoded, cut, told, transcode, whole};
use crate::common::hex;
use crate::common::oracle::to_bytes;
use crate::properties::{bytes, config, units};

/// Bytes in one of the encodings, or nearly.
fn text() -> impl Strategy<Value = (Encoding, Vec<u8>)> {
    let half = || prop_oneof![3 => Just(vec![]), 1 => vec(any::<u8>(), 1)];
    prop_oneof![
        bytes().prop_map(|bytes| (Encoding::Utf8, bytes)),
        (units(), half())
            .prop_map(|(units, half)| (Encoding::Utf16Le, [to_bytes(&units, u16::to_le_bytes), half].concat())),
        (units(), half())
            .prop_map(|(units, half)| (Encoding::Utf16Be, [to_bytes(&units, u16::to_be_bytes), half].concat())),
        (0..Encoding::ALL.len(), bytes()).prop_map(|(from, bytes)| (Encoding::ALL[from], bytes)),
    ]
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn any_chunks((from, bytes) in text(), cuts in vec(any::<Index>(), 0..20), size in prop_oneof![1..80_usize, 1..4000_usize]) {
        let mut at: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
        at.sort_unstable();
        let chunks = cut(&bytes, &at);
        let whole = whole(from, &bytes);
        for isa in Isa::available() {
            let input = || format!("{from} on {isa}, cut at {at:?}, {size} at a time: {}", hex(&bytes));
            let mut validator = Validator::new(from).with_isa(isa);
            let result = chunks.iter().try_for_each(|chunk| validator.push(chunk)).and_then(|()| validator.finish());
            prop_assert_eq!(result.err().map(told), whole.fault.clone(), "validating {}", input());
            for &to in Encoding::ALL {
                let transcoder = Transcoder::new(from, to).with_isa(isa);
                let want = Transcoded::expected(from, &bytes, to, false);
                let got = transcode(transcoder.clone(), to, &chunks, size, &want);
                prop_assert_eq!(got, Ok(want), "to {}, {}", to, input());
                let want = Transcoded::expected(from, &bytes, to, true);
                let got = transcode(transcoder.lossy(), to, &chunks, size, &want);
                prop_assert_eq!(got, Ok(want), "to {}, lossy, {}", to, input());
            }
            if from == Encoding::Utf8 {
                let (mut strict, mut text) = (Utf8Decoder::new().with_isa(isa), String::new());
                let result = chunks.iter().try_for_each(|chunk| strict.push_to(chunk, &mut text));
                let result = result.and_then(|()| strict.finish());
                prop_assert_eq!((&text, result.err().map(told)), (&whole.valid, whole.fault.clone()), "{}", input());
                let (mut lossy, mut text) = (Utf8Decoder::new().lossy().with_isa(isa), String::new());
                for chunk in &chunks {
                    prop_assert_eq!(lossy.push_to(chunk, &mut text), Ok(()));
                }
                let replacements = lossy.replacements();
                let end = lossy.finish().unwrap();
                text.push_str(end);
                let replacements = replacements + u64::from(!end.is_empty());
                prop_assert_eq!((text, replacements), (whole.lossy.clone(), whole.replacements), "{}", input());
            }
        }
    }
}
