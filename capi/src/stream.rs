//! Text in chunks. The caller has the memory for the state.

use core::ffi::c_void;

use utf::Stop;
use utf::stream::{ByteOrder, Encoding, Source, Transcoder, Validator};

use crate::memory::{State, apart, apart_from_state, destination, initialise, source, state, state_mut};
use crate::*;

/// Replace ill-formed text by U+FFFD. In Latin-1, a question mark stands for that and for characters which it does not have, or
/// what `fastutf_transcoder_set_latin1_replacement` says.
pub const FASTUTF_LOSSY: u32 = 1;
/// Remove a byte-order mark at the start. Without: it is a character.
pub const FASTUTF_STRIP_BOM: u32 = 2;
/// A byte-order mark of UTF-16 tells the byte order, and is removed. Without a mark, that of `from` counts, which must be
/// UTF-16.
pub const FASTUTF_UTF16_BOM: u32 = 4;
/// A byte-order mark of UTF-8 or UTF-16 tells the encoding, and is removed. Without a mark, `from` counts. The mark of
/// UTF-32LE, which begins like that of UTF-16LE, is looked for only if `from` is UTF-32.
pub const FASTUTF_DETECT_BOM: u32 = 8;
/// A byte-order mark of UTF-32 tells the byte order, and is removed. Without a mark, that of `from` counts, which must be
/// UTF-32.
pub const FASTUTF_UTF32_BOM: u32 = 16;
/// A byte-order mark of UTF-8, UTF-16 or UTF-32 tells the encoding, and is removed. Without a mark, `from` counts.
/// UTF-16LE that starts with a mark and U+0000 is taken for UTF-32LE.
pub const FASTUTF_DETECT_ANY_BOM: u32 = 32;
/// FASTUTF_LOSSY as decoders for the Web do it: a high surrogate and an odd byte at the end of UTF-16 become one U+FFFD.
pub const FASTUTF_WEB: u32 = 64;

/// The state of a check: memory of the caller, which `fastutf_validator_init` initialises. Nothing has to be freed. It can
/// be copied, and moved, as bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct fastutf_validator {
    /// Not for callers.
    pub opaque: [u64; 16],
}

/// The state of a conversion: memory of the caller, which `fastutf_transcoder_init` initialises. Nothing has to be freed.
/// It can be copied, and moved, as bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct fastutf_transcoder {
    /// Not for callers.
    pub opaque: [u64; 24],
}

/// What a byte-order mark says.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct fastutf_bom {
    /// The length of the byte-order mark to remove; 0 if there is none, or if it is kept.
    pub length: usize,
    /// The encoding of the text; `FASTUTF_UNKNOWN` for bad arguments.
    pub encoding: fastutf_encoding,
    /// `FASTUTF_OK`, or a bad argument.
    pub status: fastutf_status,
    /// 0.
    pub reserved: [u8; 6],
}

impl State for Validator {
    type Memory = fastutf_validator;
    const MARK: u64 = u64::from_le_bytes(*b"fastutfV");
}

impl State for Transcoder {
    type Memory = fastutf_transcoder;
    const MARK: u64 = u64::from_le_bytes(*b"fastutfT");
}

/// What flags say about the source, apart from what becomes of ill-formed text.
fn origin(from: u8, flags: u32) -> Result<Source, fastutf_status> {
    let from = encoding(from)?;
    match (flags & !(FASTUTF_LOSSY | FASTUTF_WEB), from) {
        (0, _) => Ok(Source::KeepBom(from)),
        (FASTUTF_STRIP_BOM, _) => Ok(Source::StripBom(from)),
        (FASTUTF_UTF16_BOM, Encoding::Utf16Le) => Ok(Source::Utf16 { fallback: ByteOrder::Little }),
        (FASTUTF_UTF16_BOM, Encoding::Utf16Be) => Ok(Source::Utf16 { fallback: ByteOrder::Big }),
        (FASTUTF_UTF32_BOM, Encoding::Utf32Le) => Ok(Source::Utf32 { fallback: ByteOrder::Little }),
        (FASTUTF_UTF32_BOM, Encoding::Utf32Be) => Ok(Source::Utf32 { fallback: ByteOrder::Big }),
        (FASTUTF_DETECT_BOM, _) => Ok(Source::DetectBom { fallback: from }),
        (FASTUTF_DETECT_ANY_BOM, _) => Ok(Source::DetectAnyBom { fallback: from }),
        _ => Err(FASTUTF_BAD_OPTION),
    }
}

/// Returns the status of what initialises a state.
fn done(result: Result<(), fastutf_status>) -> fastutf_status {
    result.err().unwrap_or(FASTUTF_OK)
}

/// Looks for a byte-order mark at the start of a text; its first 4 bytes are enough. `from` and `flags` are as in
/// `fastutf_transcoder_init`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fastutf_detect_bom(
    src: *const c_void,
    length: usize,
    from: u8,
    flags: u32,
) -> fastutf_bom {
    // SAFETY: the caller's promise.
    let result = unsafe { source(src, length) }.and_then(|src| Ok(origin(from, flags)?.resolve(src)));
    let (encoding, length, status) = match result {
        Ok((encoding, length)) => (encoding.into(), length, FASTUTF_OK),
        Err(status) => (FASTUTF_UNKNOWN, 0, status),
    };
    fastutf_bom { length, encoding, status, reserved: [0; 6] }
}

/// Prepares for a check of text in this encoding, a `fastutf_encoding`. Returns `FASTUTF_OK`, or a bad argument.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fastutf_validator_init(
    validator: *mut fastutf_validator,
    encoding: u8,
) -> fastutf_status {
    // SAFETY: the caller's promise.
    unsafe { fastutf_validator_init_with_isa(validator, encoding, BEST) }
}

/// `fastutf_validator_init` for an instruction set of the caller's choice.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fastutf_validator_init_with_isa(
    validator: *mut fastutf_validator,
    encoding: u8,
    isa: u8,
) -> fastutf_status {
    let new = || Ok(Validator::new(self::encoding(encoding)?).with_isa(isa::isa(isa)?));
    // SAFETY: the caller's promise.
    done(new().and_then(|new| unsafe { initialise(validator, new) }))
}

/// Checks the next chunk, `length` bytes cut anywhere. An error is final: each later call returns it again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fastutf_validator_push(
    validator: *mut fastutf_validator,
    src: *const c_void,
    length: usize,
) -> fastutf_stream_check {
    let push = || {
        apart_from_state(validator, (src, length))?;
        // SAFETY: the caller's promise.
        let (validator, src) = unsafe { (state_mut(validator)?, source(src, length)?) };
        Ok((Validator::push(validator, src), validator.offset()))
    };
    push().map_or_else(fastutf_status::into, fastutf_stream_check::of)
}

/// Ends the text: an error, if it ends inside a character or an earlier call found one. The state is unchanged.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fastutf_validator_finish(validator: *const fastutf_validator) -> fastutf_stream_check {
    // SAFETY: the caller's promise.
    match unsafe { state::<Validator>(validator) } {
        Ok(validator) => fastutf_stream_check::of((validator.clone().finish(), validator.offset())),
        Err(status) => status.into(),
    }
}

/// Prepares for a conversion of text in chunks `from` one encoding `to` another, or to the same, which checks or repairs.
/// `flags` is 0 or a sum: FASTUTF_LOSSY or FASTUTF_WEB, and at most one of FASTUTF_STRIP_BOM, FASTUTF_UTF16_BOM,
/// FASTUTF_UTF32_BOM, FASTUTF_DETECT_BOM and FASTUTF_DETECT_ANY_BOM. Returns `FASTUTF_OK`, or a bad argument.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fastutf_transcoder_init(
    transcoder: *mut fastutf_transcoder,
    from: u8,
    to: u8,
    flags: u32,
) -> fastutf_status {
    // SAFETY: the caller's promise.
    unsafe { fastutf_transcoder_init_with_isa(transcoder, from, to, flags, BEST) }
}

/// `fastutf_transcoder_init` for an instruction set of the caller's choice.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fastutf_transcoder_init_with_isa(
    transcoder: *mut fastutf_transcoder,
    from: u8,
    to: u8,
    flags: u32,
    isa: u8,
) -> fastutf_status {
    let new = || {
        let new = Transcoder::new(origin(from, flags)?, encoding(to)?).with_isa(isa::isa(isa)?);
        Ok(match flags & (FASTUTF_LOSSY | FASTUTF_WEB) {
            0 => new,
            FASTUTF_LOSSY => new.lossy(),
            _ => new.web(),
        })
    };
    // SAFETY: the caller's promise.
    done(new().and_then(|new| unsafe { initialise(transcoder, new) }))
}

/// Says which byte, instead of a question mark, a lossy conversion to Latin-1 writes for what it replaces. Returns `FASTUTF_OK`,
/// or a bad argument.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fastutf_transcoder_set_latin1_replacement(
    transcoder: *mut fastutf_transcoder,
    byte: u8,
) -> fastutf_status {
    // SAFETY: the caller's promise.
    let transcoder = unsafe { state_mut::<Transcoder>(transcoder) };
    done(transcoder.map(|transcoder| *transcoder = transcoder.clone().with_latin1_replacement(byte)))
}

/// Converts the next chunk, `length` bytes cut anywhere, into `dst`. After `FASTUTF_OUTPUT_FULL`, continue with the rest of
/// the chunk, from `read` on, and more room: 4 bytes are always enough for a character. `read` may be 0, if the character
/// began in an earlier chunk. An error is final: each later call returns it again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fastutf_transcoder_convert(
    transcoder: *mut fastutf_transcoder,
    src: *const c_void,
    length: usize,
    dst: *mut c_void,
    capacity: usize,
) -> fastutf_stream_conversion {
    let convert = || {
        apart_from_state(transcoder, (src, length))?;
        apart_from_state(transcoder, (dst, capacity))?;
        apart((src, length), (dst, capacity))?;
        // SAFETY: the caller's promise.
        let (transcoder, src, dst) =
            unsafe { (state_mut(transcoder)?, source(src, length)?, destination(dst, capacity)?) };
        Ok((Transcoder::convert_uninit(transcoder, src, dst), transcoder.offset()))
    };
    convert().map_or_else(fastutf_status::into, fastutf_stream_conversion::of)
}

/// Ends the text. A character that is incomplete is an error or, with FASTUTF_LOSSY, becomes U+FFFD in `dst`, at most
/// twice: 8 bytes. After `FASTUTF_OUTPUT_FULL`, call it again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fastutf_transcoder_finish(
    transcoder: *mut fastutf_transcoder,
    dst: *mut c_void,
    capacity: usize,
) -> fastutf_stream_conversion {
    let finish = || {
        apart_from_state(transcoder, (dst, capacity))?;
        // SAFETY: the caller's promise.
        let (transcoder, dst) = unsafe { (state_mut(transcoder)?, destination(dst, capacity)?) };
        Ok((Transcoder::finish_uninit(transcoder, dst), transcoder.offset()))
    };
    finish().map_or_else(fastutf_status::into, fastutf_stream_conversion::of)
}

/// Returns the number of replacements so far; 0 for bad arguments.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fastutf_transcoder_replacements(transcoder: *const fastutf_transcoder) -> u64 {
    // SAFETY: the caller's promise.
    unsafe { state::<Transcoder>(transcoder) }.map_or(0, |transcoder| transcoder.replacements())
}

/// Returns what the output's encoding does not have: the character after FASTUTF_NOT_LATIN1, the surrogate after
/// FASTUTF_UNPAIRED_SURROGATE; otherwise 0, also for bad arguments.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fastutf_transcoder_character(transcoder: *const fastutf_transcoder) -> u32 {
    // SAFETY: the caller's promise.
    let transcoder = unsafe { state::<Transcoder>(transcoder) };
    // An error is returned again by every call.
    match transcoder.map(|transcoder| transcoder.clone().convert(&[], &mut []).stop) {
        Ok(Stop::Invalid(error)) => error.kind().unencodable().unwrap_or(0),
        _ => 0,
    }
}

/// Returns the encoding of the input: FASTUTF_UNKNOWN while a byte-order mark may follow, and for bad arguments.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fastutf_transcoder_encoding(transcoder: *const fastutf_transcoder) -> fastutf_encoding {
    // SAFETY: the caller's promise.
    let transcoder = unsafe { state::<Transcoder>(transcoder) };
    transcoder.ok().and_then(|transcoder| transcoder.encoding()).map_or(FASTUTF_UNKNOWN, Into::into)
}
