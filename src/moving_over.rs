//! What to call instead of a function of [std](#from-std), [simdutf8](#from-simdutf8), [encoding_rs](#from-encoding_rs),
//! [cesu8 and simd_cesu8](#from-cesu8-and-simd_cesu8), or [simdutf](#from-simdutf). This page is documentation only: the
//! module does not exist in a program.
//!
//! # From std
//!
//! | std | fastutf | difference |
//! |---|---|---|
//! | `str::from_utf8(b)`, `from_utf8_mut(b)` | [`from_utf8(b)`](fn@from_utf8), [`from_utf8_mut(b)`](fn@from_utf8_mut) | the error also has a [`kind`](Utf8Error::kind); [`revalidate_with_std`](Utf8Error::revalidate_with_std) makes std's |
//! | `String::from_utf8(v)` | [`string_from_utf8(v)`](fn@string_from_utf8) | the same |
//! | `String::from_utf8_lossy(b)` | [`from_utf8_lossy(b)`](fn@from_utf8_lossy) | none |
//! | `String::from_utf8_lossy(&v).into_owned()` | [`string_from_utf8_lossy(v)`](fn@string_from_utf8_lossy) | no copy if well-formed |
//! | `b.utf8_chunks()` | [`utf8_chunks(b)`](fn@utf8_chunks) | none |
//! | `s.floor_char_boundary(at)` | [`boundary::floor_utf8(b, at)`](boundary::floor_utf8) | takes bytes, also ill-formed ones |
//! | `b.is_ascii()` | [`is_ascii(b)`](fn@is_ascii) | none |
//! | `String::from_utf16(u)` | [`from_utf16(u)`](fn@from_utf16) | the error has position, length and kind |
//! | `String::from_utf16_lossy(u)` | [`from_utf16_lossy(u)`](fn@from_utf16_lossy) | none |
//! | `String::from_utf16le(b)`, `from_utf16le_lossy(b)` | [`from_utf16le(b)`](fn@from_utf16le), [`from_utf16le_lossy(b)`](fn@from_utf16le_lossy) | as for `from_utf16` |
//! | `char::decode_utf16` over `b.chunks(2)` | [`from_utf16le(b)`](fn@from_utf16le), [`from_utf16be(b)`](fn@from_utf16be) | an odd last byte is an error |
//! | `s.encode_utf16().collect()` | [`to_utf16(s)`](fn@to_utf16) | none |
//! | `s.encode_utf16().flat_map(u16::to_le_bytes).collect()` | [`to_utf16le(s)`](fn@to_utf16le) | none |
//! | `s.encode_utf16().count()` | [`utf16_len_from_utf8(s.as_bytes())`](fn@utf16_len_from_utf8) | takes bytes |
//! | `s.chars().count()` | [`count_chars_utf8(s.as_bytes())`](fn@count_chars_utf8) | takes bytes |
//! | `s.chars().collect::<Vec<char>>()` | [`to_chars(s)`](fn@utf32::to_chars), with the feature `utf32` | none |
//! | `chars.iter().collect::<String>()` | [`from_chars(chars)`](fn@utf32::from_chars), with the feature `utf32` | takes a slice |
//! | `reader.read_to_string(&mut s)` | [`io::Utf8Reader`] | the error says where |
//!
//! # From simdutf8
//!
//! | simdutf8 | fastutf | difference |
//! |---|---|---|
//! | `basic::from_utf8(b)` | [`from_utf8(b)`](fn@from_utf8) | the error says where and what |
//! | `compat::from_utf8(b)` | [`from_utf8(b)`](fn@from_utf8) | the error has a [`kind`](Utf8Error::kind) too; there is no slower variant for it |
//! | `basic::from_utf8_mut(b)`, `compat::from_utf8_mut(b)` | [`from_utf8_mut(b)`](fn@from_utf8_mut) | as above |
//! | `compat::Utf8Error` | [`Utf8Error`] | also becomes an `io::Error` |
//! | `basic::imp::…::Utf8ValidatorImp` | [`stream::Validator`] | safe; chooses the instruction set; says where the error is |
//!
//! # From encoding_rs
//!
//! | encoding_rs | fastutf | difference |
//! |---|---|---|
//! | `UTF_8.decode(b)` | [`decode_lossy_counted(b, Source::DetectBom { fallback: Encoding::Utf8 })`](fn@decode_lossy_counted), [`web::decode_by_bom`] | a number of replacements, not a `bool`; or none |
//! | `UTF_8.decode_with_bom_removal(b)` | [`decode_lossy_counted(b, Source::StripBom(Encoding::Utf8))`](fn@decode_lossy_counted) | as above |
//! | `UTF_8.decode_without_bom_handling(b)` | [`from_utf8_lossy_counted(b)`](fn@from_utf8_lossy_counted) | as above |
//! | `UTF_8.decode_without_bom_handling_and_without_replacement(b)` | [`from_utf8(b)`](fn@from_utf8) | a `Result`, not an `Option` |
//! | `UTF_16LE.decode_without_bom_handling(b)` | [`from_utf16le_lossy_counted(b)`](fn@from_utf16le_lossy_counted) | a high surrogate and an odd byte at the end are two U+FFFD, as in std; one there, and in [`web`] |
//! | `UTF_16LE.encode(s)`, which makes UTF-8 | [`to_utf16le(s)`](fn@to_utf16le) | makes UTF-16LE |
//! | `Encoding::for_bom(b)` | [`Source::resolve`](stream::Source::resolve) | takes a fallback |
//! | `Decoder` of the Web's `TextDecoder` | [`web::TextDecoder`] | with its options |
//! | `Decoder::decode_to_utf8`, `decode_to_utf16` | [`stream::Transcoder`]: [`convert`](stream::Transcoder::convert), [`convert_to_units`](stream::Transcoder::convert_to_units) | strict unless made [`lossy`](stream::Transcoder::lossy) |
//! | `Decoder::decode_to_string`, `decode_to_str` | [`stream::Utf8Decoder`] | borrows from the chunk |
//! | `Encoding::utf8_valid_up_to(b)`, `mem::utf16_valid_up_to(u)` | [`validate_utf8(b)`](fn@validate_utf8), [`validate_utf16(u)`](fn@validate_utf16) | a `Result`: see [`valid_up_to`](Utf8Error::valid_up_to) |
//! | `mem::convert_utf8_to_utf16(b, u)` | [`utf8_to_utf16_lossy(b, u)`](fn@utf8_to_utf16_lossy) | a buffer of any size; counts replacements |
//! | `mem::convert_utf8_to_utf16_without_replacement(b, u)` | [`utf8_to_utf16(b, u)`](fn@utf8_to_utf16) | says where the error is |
//! | `mem::convert_str_to_utf16(s, u)` | [`str_to_utf16(s, u)`](fn@str_to_utf16) | a buffer of any size |
//! | `mem::convert_utf16_to_utf8(u, b)`, `…_partial(u, b)` | [`utf16_to_utf8_lossy(u, b)`](fn@utf16_to_utf8_lossy) | a buffer of any size; counts replacements |
//! | `mem::ensure_utf16_validity(u)` | [`make_well_formed_utf16(u)`](fn@make_well_formed_utf16) | returns the number of replacements |
//! | `mem::is_ascii(b)` | [`is_ascii(b)`](fn@is_ascii) | none |
//!
//! With the feature `latin1`:
//!
//! | encoding_rs | fastutf | difference |
//! |---|---|---|
//! | `mem::decode_latin1(b)`, `mem::encode_latin1_lossy(s)` | [`from_latin1(b)`](fn@latin1::from_latin1), [`to_latin1(s)`](fn@latin1::to_latin1) | the latter fails for characters that Latin-1 lacks |
//! | `mem::convert_latin1_to_utf8(b, u)`, `…_partial(b, u)` | [`latin1_to_utf8(b, u)`](fn@latin1::latin1_to_utf8) | a buffer of any size |
//! | `mem::convert_utf8_to_latin1_lossy(b, l)` | [`utf8_to_latin1(b, l)`](fn@latin1::utf8_to_latin1), [`utf8_to_latin1_lossy(b, b'?', l)`](fn@latin1::utf8_to_latin1_lossy) | any text; a buffer of any size |
//! | `mem::convert_latin1_to_utf16(b, u)` | [`latin1_to_utf16(b, u)`](fn@latin1::latin1_to_utf16) | a buffer of any size |
//! | `mem::convert_utf16_to_latin1_lossy(u, l)` | [`utf16_to_latin1(u, l)`](fn@latin1::utf16_to_latin1), [`utf16_to_latin1_lossy(u, b'?', l)`](fn@latin1::utf16_to_latin1_lossy) | any text; a buffer of any size |
//! | `mem::utf8_latin1_up_to(b)`, `str_latin1_up_to(s)`, `is_utf8_latin1(b)` | [`validate_latin1_in_utf8(b)`](fn@latin1::validate_latin1_in_utf8) | a `Result` |
//! | `mem::is_utf16_latin1(u)` | [`validate_latin1_in_utf16(u)`](fn@latin1::validate_latin1_in_utf16); [`utf16_info(u)`](fn@narrowest::utf16_info) | a `Result`; the latter also tells ASCII and the BMP |
//! | `mem::is_utf16_latin1(u)`, then `mem::convert_utf16_to_latin1_lossy(u, l)` | [`narrowest_from_utf16(u)`](fn@narrowest::narrowest_from_utf16) | in one pass |
//!
//! Other encodings have no counterpart here.
//!
//! # From cesu8 and simd_cesu8
//!
//! With the feature `mutf8`:
//!
//! | cesu8 | simd_cesu8 | fastutf | difference |
//! |---|---|---|---|
//! | `from_java_cesu8(b)` | `mutf8::decode(b)` | [`mutf8::from_android_mutf8(b)`](fn@mutf8::from_android_mutf8) | the error says where and what; a byte `00` is an error. [`mutf8::from_mutf8(b)`](fn@mutf8::from_mutf8) is strict: it rejects sequences of four bytes, too |
//! | | `mutf8::decode_lossy(b)` | [`mutf8::from_android_mutf8_lossy(b)`](fn@mutf8::from_android_mutf8_lossy) | as above |
//! | `to_java_cesu8(s)` | `mutf8::encode(s)` | [`mutf8::to_mutf8(s)`](fn@mutf8::to_mutf8) | none |
//! | `is_valid_java_cesu8(s)` | | [`mutf8::mutf8_len_from_utf8(b) == b.len()`](fn@mutf8::mutf8_len_from_utf8) | takes bytes |
//!
//! # From simdutf
//!
//! | simdutf | fastutf | difference |
//! |---|---|---|
//! | `validate_utf8`, `validate_utf8_with_errors` | [`validate_utf8`] | one function for both; the error has a length, too |
//! | `validate_ascii` | [`is_ascii`] | none |
//! | `validate_utf16le`, `…_with_errors` | [`validate_utf16le`] | bytes, at any alignment; as above |
//! | `convert_utf8_to_utf16le`, `…_with_errors` | [`utf8_to_utf16le`] | checks the room; after an error, says how much was read and written |
//! | `convert_valid_utf8_to_utf16le` | [`str_to_utf16le`] | takes a `&str` |
//! | `convert_utf16le_to_utf8`, `…_with_errors` | [`utf16le_to_utf8`] | as for `convert_utf8_to_utf16le` |
//! | `convert_valid_utf16le_to_utf8` | [`utf16le_to_utf8`] | validates |
//! | `utf16_length_from_utf8`, `utf8_length_from_utf16le` | [`utf16_len_from_utf8`], [`utf8_len_from_utf16le`] | the latter takes bytes |
//! | `count_utf8`, `count_utf16le` | [`count_chars_utf8`], [`count_chars_utf16le`] | none |
//! | `change_endianness_utf16` | [`swap_utf16_bytes_into`], [`swap_utf16_bytes`] | also in place |
//! | `trim_partial_utf8`, `trim_partial_utf16le` | [`boundary::complete_utf8`], [`boundary::complete_utf16le`] | the latter takes bytes; UTF-8 that no byte can complete is not removed |
//! | `to_well_formed_utf16le` | [`make_well_formed_utf16le`] | in place; returns the number of replacements |
//! | `BOM::check_bom`, `autodetect_encoding` | [`Source::resolve`](stream::Source::resolve) | by the BOM alone, never a guess |
//! | `get_active_implementation`, `get_available_implementations` | [`Isa::best`], [`Isa::available`] | |
//! | `TOO_SHORT` | [`MissingContinuation`](Utf8ErrorKind::MissingContinuation), [`Incomplete`](Utf8ErrorKind::Incomplete) | tells the end of the input apart |
//! | `TOO_LONG` | [`StrayContinuation`](Utf8ErrorKind::StrayContinuation) | |
//! | `OVERLONG`, `SURROGATE`, `TOO_LARGE` | [`Overlong`](Utf8ErrorKind::Overlong), [`Surrogate`](Utf8ErrorKind::Surrogate), [`AboveMax`](Utf8ErrorKind::AboveMax) | |
//! | `HEADER_BITS` | [`FiveOrSixByteForm`](Utf8ErrorKind::FiveOrSixByteForm), [`InvalidLead`](Utf8ErrorKind::InvalidLead) | |
//!
//! With the feature `latin1`:
//!
//! | simdutf | fastutf | difference |
//! |---|---|---|
//! | `convert_latin1_to_utf8`, `convert_latin1_to_utf8_safe` | [`latin1_to_utf8`](fn@latin1::latin1_to_utf8) | one function for both |
//! | `convert_latin1_to_utf16le` | [`latin1_to_utf16le`](fn@latin1::latin1_to_utf16le) | checks the room |
//! | `convert_utf8_to_latin1`, `…_with_errors` | [`utf8_to_latin1`](fn@latin1::utf8_to_latin1) | checks the room; the error says what it is |
//! | `convert_utf16le_to_latin1`, `…_with_errors` | [`utf16le_to_latin1`](fn@latin1::utf16le_to_latin1) | as above |
//! | `utf8_length_from_latin1`, `latin1_length_from_utf8` | [`utf8_len_from_latin1`](fn@latin1::utf8_len_from_latin1), [`count_chars_utf8`] | none |
//!
//! With the feature `utf32`:
//!
//! | simdutf | fastutf | difference |
//! |---|---|---|
//! | `validate_utf32`, `validate_utf32_with_errors` | [`validate_utf32`](fn@utf32::validate_utf32), [`as_chars`](fn@utf32::as_chars) | one function for both |
//! | `convert_utf8_to_utf32`, `…_with_errors` | [`utf8_to_utf32`](fn@utf32::utf8_to_utf32) | checks the room; after an error, says how much was read and written |
//! | `convert_utf32_to_utf8`, `…_with_errors` | [`utf32_to_utf8`](fn@utf32::utf32_to_utf8) | as above |
//! | `convert_utf16le_to_utf32`, `convert_utf32_to_utf16le`, `…_with_errors` | [`utf16_to_utf32`](fn@utf32::utf16_to_utf32), [`utf32_to_utf16`](fn@utf32::utf32_to_utf16) | as above; both native, or with bytes in both |
//! | `convert_latin1_to_utf32`, `convert_utf32_to_latin1`, `…_with_errors` | [`latin1_to_utf32`](fn@utf32::latin1_to_utf32), [`utf32_to_latin1`](fn@utf32::utf32_to_latin1) | as above |
//! | `utf8_length_from_utf32`, `utf16_length_from_utf32` | [`utf8_len_from_utf32`](fn@utf32::utf8_len_from_utf32), [`utf16_len_from_utf32`](fn@utf32::utf16_len_from_utf32) | ill-formed code units count as U+FFFD |
//! | `utf32_length_from_utf8`, `utf32_length_from_utf16le` | [`count_chars_utf8`], [`count_chars_utf16le`] | none |
//!
//! Base64 has no counterpart here.

#[allow(unused_imports)] // for the links
use crate::*;
