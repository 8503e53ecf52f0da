//! UTF-8 and UTF-16 validation and transcoding with SIMD: the best instruction set is chosen at run time, behind a safe API.
//! Optional features add UTF-32, Latin-1, WTF-8 and modified UTF-8; `full` has them all.
//!
//! # Quick start
//!
//! ```
//! // UTF-8 from a socket, a file or a database: like `std::str::from_utf8`, but faster.
//! assert_eq!(fastutf::from_utf8(b"na\xC3\xAFve"), Ok("naïve"));
//!
//! // UTF-16LE as it comes off the wire: bytes, at any alignment.
//! assert_eq!(fastutf::from_utf16le(b"z\x00B\x01").as_deref(), Ok("zł"));
//! assert_eq!(fastutf::to_utf16le("zł"), b"z\x00B\x01");
//!
//! // With U+FFFD for ill-formed text, in the same places as the standard library.
//! assert_eq!(fastutf::from_utf8_lossy(b"caf\xE9!"), "caf\u{FFFD}!");
//!
//! // An error says where and what.
//! let error = fastutf::from_utf8(b"z\xC0\xAF").unwrap_err();
//! assert_eq!((error.valid_up_to(), error.kind()), (1, fastutf::Utf8ErrorKind::Overlong));
//! ```
//!
//! # Which function
//!
//! | You want to … | Use |
//! |---|---|
//! | borrow bytes as `str` | [`from_utf8`], [`from_utf8_mut`] |
//! | turn a `Vec<u8>` into a `String` | [`string_from_utf8`], [`string_from_utf8_lossy`] |
//! | decode UTF-16 into a `String` | [`from_utf16`], [`from_utf16le`], [`from_utf16be`] |
//! | decode text whose BOM tells the encoding | [`decode`], [`decode_lossy`]; if it may be UTF-32, with `Source::DetectAnyBom` (feature `utf32`) |
//! | decode as `TextDecoder` does in browsers | [`web`] |
//! | encode a `&str` as UTF-16 | [`to_utf16`], [`to_utf16le`], [`to_utf16be`] |
//! | replace ill-formed text by U+FFFD | the function of the same name with `_lossy` |
//! | know how many replacements were made | the function with `_lossy_counted` |
//! | only validate | [`validate_utf8`], [`validate_utf16`], [`validate_utf16le`], [`validate_utf16be`], [`is_ascii`] |
//! | validate UTF-8 and learn its lengths, and the narrowest form that holds it, in one pass | [`utf8_info`] |
//! | convert into a buffer of your own | [`utf8_to_utf16`], [`utf16_to_utf8`] and so on; for a `&str` [`str_to_utf16`] |
//! | append to a `Vec` or a `String` | the function with `_append` |
//! | know the length of a result beforehand | [`utf16_len_from_utf8`], [`utf8_len_from_utf16`] |
//! | count characters | [`count_chars_utf8`], [`count_chars_utf16`] |
//! | iterate over well-formed and ill-formed parts | [`utf8_chunks`] |
//! | cut a text between characters | [`boundary`] |
//! | repair UTF-16 in place | [`make_well_formed_utf16`] |
//! | change the byte order | [`swap_utf16_bytes`], [`swap_utf16_bytes_into`], [`swap_utf16_bytes_into_uninit`] |
//! | handle text in chunks that are cut anywhere | [`stream::Validator`], [`stream::Utf8Decoder`], [`stream::Transcoder`] |
//! | read and write through `std::io` | [`io::Utf8Reader`], [`io::TranscodingReader`], [`io::TranscodingWriter`] |
//! | work with the crate `bytes` | the module `bytes`, with the feature of this name |
//! | read and write through tokio | the package `fastutf-tokio` |
//! | convert from or to Latin-1, replacing what it does not have by `?` | the module `latin1`, with the feature of this name |
//! | keep UTF-16 with lone surrogates as bytes, and get it back: strings of JavaScript, names of files on Windows | the module `wtf8`, with the feature of this name |
//! | exchange strings with Java, in native methods (JNI) or class files | the module `mutf8`, with the feature of this name |
//! | work with UTF-32, or with slices of `char`s | the module `utf32`, with the feature of this name |
//! | store text in its narrowest form, as V8, JavaScriptCore, the JVM and CPython do | the module `narrowest`, with the feature `latin1` |
//! | convert any form to any other | the table in `docs/forms.md`, in the package |
//! | validate or convert columns of a database | the module `columns`, with the feature of this name |
//! | choose or list instruction sets | [`Isa`] |
//!
//! # All functions
//!
//! Each function uses the best instruction set of the CPU (plain Rust in builds without optimisation). Validation, conversion,
//! counts and lengths are also methods of [`Isa`], which use that instruction set. All give the same results. The names are
//! built from these parts:
//!
//! | part | means |
//! |---|---|
//! | `from_A` | makes a `str` or a `String` of text in A |
//! | `string_from_…` | makes a `String` of a `Vec<u8>`, in the same allocation if it is well-formed |
//! | `to_B` | makes a `Vec` in B of a `&str` |
//! | `B_from_A` | makes a new value in B of text in A, where neither is a `str` |
//! | `A_to_B` | converts from A to B into a buffer of the caller; `str_to_B` takes a `&str`, which cannot be ill-formed |
//! | `le`, `be` | UTF-16 is bytes in that order, at any alignment. Without: `u16` in the byte order of this machine |
//! | `_lossy` | replaces ill-formed text by U+FFFD. Without: strict, stops with an error at the first ill-formed place |
//! | `_counted` | also returns the number of replacements |
//! | `_uninit` | the buffer may be uninitialised |
//! | `_append` | the result goes to the end of a `Vec` or `String`, which grows as needed |
//! | `_into` | the result goes to another buffer instead of in place |
//! | `_put` | (module `bytes`) the result goes to a `BufMut` |
//!
//! **Validate, decode, measure.** One column for each encoding of the input:
//!
//! | | UTF-8 | UTF-16, `u16` | UTF-16LE bytes | UTF-16BE bytes |
//! |---|---|---|---|---|
//! | validate | [`validate_utf8`], [`utf8_info`], [`is_ascii`] | [`validate_utf16`] | [`validate_utf16le`] | [`validate_utf16be`] |
//! | decode | [`from_utf8`], [`from_utf8_mut`], [`string_from_utf8`] | [`from_utf16`] | [`from_utf16le`] | [`from_utf16be`] |
//! | decode, lossy | [`from_utf8_lossy`], [`string_from_utf8_lossy`] | [`from_utf16_lossy`] | [`from_utf16le_lossy`] | [`from_utf16be_lossy`] |
//! | … and count replacements | [`from_utf8_lossy_counted`], [`string_from_utf8_lossy_counted`] | [`from_utf16_lossy_counted`] | [`from_utf16le_lossy_counted`] | [`from_utf16be_lossy_counted`] |
//! | iterate | [`utf8_chunks`] | | | |
//! | repair in place | | [`make_well_formed_utf16`] | [`make_well_formed_utf16le`] | [`make_well_formed_utf16be`] |
//! | count characters | [`count_chars_utf8`] | [`count_chars_utf16`] | [`count_chars_utf16le`] | [`count_chars_utf16be`] |
//! | length after conversion | [`utf16_len_from_utf8`] | [`utf8_len_from_utf16`] | [`utf8_len_from_utf16le`] | [`utf8_len_from_utf16be`] |
//! | … with replacements | [`utf16_len_from_utf8_lossy`], [`utf8_len_from_utf8_lossy`] | [`utf8_len_from_utf16_lossy`] | [`utf8_len_from_utf16le_lossy`] | [`utf8_len_from_utf16be_lossy`] |
//! | swap bytes | | | [`swap_utf16_bytes`], [`swap_utf16_bytes_into`], [`swap_utf16_bytes_into_uninit`] | the same |
//!
//! By BOM, for any of these encodings: [`decode`], [`decode_lossy`], [`decode_lossy_counted`].
//!
//! **Encode and convert.** One column for each place where the result goes:
//!
//! | | a slice | uninitialised memory | the end of a `Vec` or `String` | a new `Vec` |
//! |---|---|---|---|---|
//! | `&str` to UTF-16 | [`str_to_utf16`] | [`str_to_utf16_uninit`] | [`str_to_utf16_append`] | [`to_utf16`] |
//! | `&str` to UTF-16LE | [`str_to_utf16le`] | [`str_to_utf16le_uninit`] | [`str_to_utf16le_append`] | [`to_utf16le`] |
//! | `&str` to UTF-16BE | [`str_to_utf16be`] | [`str_to_utf16be_uninit`] | [`str_to_utf16be_append`] | [`to_utf16be`] |
//! | UTF-8 to UTF-16 | [`utf8_to_utf16`] | [`utf8_to_utf16_uninit`] | [`utf8_to_utf16_append`] | |
//! | UTF-8 to UTF-16LE | [`utf8_to_utf16le`] | [`utf8_to_utf16le_uninit`] | [`utf8_to_utf16le_append`] | |
//! | UTF-8 to UTF-16BE | [`utf8_to_utf16be`] | [`utf8_to_utf16be_uninit`] | [`utf8_to_utf16be_append`] | |
//! | UTF-16 to UTF-8 | [`utf16_to_utf8`] | [`utf16_to_utf8_uninit`] | [`utf16_to_utf8_append`] | |
//! | UTF-16LE to UTF-8 | [`utf16le_to_utf8`] | [`utf16le_to_utf8_uninit`] | [`utf16le_to_utf8_append`] | |
//! | UTF-16BE to UTF-8 | [`utf16be_to_utf8`] | [`utf16be_to_utf8_uninit`] | [`utf16be_to_utf8_append`] | |
//!
//! **Convert, lossy:**
//!
//! | | a slice | uninitialised memory | the end of a `Vec` or `String` |
//! |---|---|---|---|
//! | UTF-8 to UTF-8 | [`utf8_to_utf8_lossy`] | [`utf8_to_utf8_lossy_uninit`] | [`utf8_to_utf8_lossy_append`] |
//! | UTF-8 to UTF-16 | [`utf8_to_utf16_lossy`] | [`utf8_to_utf16_lossy_uninit`] | [`utf8_to_utf16_lossy_append`] |
//! | UTF-8 to UTF-16LE | [`utf8_to_utf16le_lossy`] | [`utf8_to_utf16le_lossy_uninit`] | [`utf8_to_utf16le_lossy_append`] |
//! | UTF-8 to UTF-16BE | [`utf8_to_utf16be_lossy`] | [`utf8_to_utf16be_lossy_uninit`] | [`utf8_to_utf16be_lossy_append`] |
//! | UTF-16 to UTF-8 | [`utf16_to_utf8_lossy`] | [`utf16_to_utf8_lossy_uninit`] | [`utf16_to_utf8_lossy_append`] |
//! | UTF-16LE to UTF-8 | [`utf16le_to_utf8_lossy`] | [`utf16le_to_utf8_lossy_uninit`] | [`utf16le_to_utf8_lossy_append`] |
//! | UTF-16BE to UTF-8 | [`utf16be_to_utf8_lossy`] | [`utf16be_to_utf8_lossy_uninit`] | [`utf16be_to_utf8_lossy_append`] |
//!
//! # Other encodings
//!
//! Each is a module behind a feature of the same name. Functions are named as here, and each is also a method of [`Isa`].
//!
//! | | what it has |
//! |---|---|
//! | `latin1` | ISO 8859-1: U+0000 to U+00FF, each as one byte |
//! | `narrowest`, with the feature `latin1` | ASCII, Latin-1, UTF-16 or UTF-32, whichever is the narrowest that holds a text, as engines have strings |
//! | `utf32` | each character as its number, in a `u32` or in 4 bytes; casts between that and `char` |
//! | `wtf8` | UTF-16 with unpaired surrogates as bytes, without loss: strings of JavaScript, names of files on Windows |
//! | `mutf8` | modified UTF-8, as Java has it in class files and in its native interface |
//!
//! # Rules for all functions
//!
//! - **Units.** UTF-8 is counted in bytes. Functions that take or return `u16` or `u32` count code units; those with `le` or `be` in their name count
//!   bytes.
//! - **Byte-order marks.** Only [`decode`] and its relatives and [`stream::Transcoder`] look for a BOM. To all others, U+FEFF is a character.
//! - **Conversions validate** as they go, and report how much they read, how much they wrote and why they stopped: see
//!   [`Conversion`]. They never read or write part of a character. What is in the buffer beyond that is unspecified.
//! - **Errors.** [`Utf8Error`], [`Utf16Error`], `Utf32Error`, [`FromUtf8Error`] and [`stream::StreamError`] become a
//!   [`std::io::Error`](https://doc.rust-lang.org/std/io/struct.Error.html) by `?`, and the first two and [`FromUtf8Error`] become a
//!   `StreamError`.
//!
//! # Moving over from std
//!
//! | std | fastutf | difference |
//! |---|---|---|
//! | `str::from_utf8(b)`, `from_utf8_mut(b)` | [`from_utf8(b)`](fn@from_utf8), [`from_utf8_mut(b)`](fn@from_utf8_mut) | the error has a [`kind`](Utf8Error::kind) too; [`revalidate_with_std`](Utf8Error::revalidate_with_std) makes std's |
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
//! | `s.chars().collect::<Vec<char>>()` | `to_chars(s)`, with the feature `utf32` | none |
//! | `chars.iter().collect::<String>()` | `from_chars(chars)`, with the feature `utf32` | takes a slice |
//! | `reader.read_to_string(&mut s)` | [`io::Utf8Reader`] | the error says where |
//!
//! # Moving over from simdutf8
//!
//! | simdutf8 | fastutf | difference |
//! |---|---|---|
//! | `basic::from_utf8(b)` | [`from_utf8(b)`](fn@from_utf8) | the error says where and what |
//! | `compat::from_utf8(b)` | [`from_utf8(b)`](fn@from_utf8) | the error has a [`kind`](Utf8Error::kind) too; there is no slower variant for it |
//! | `basic::from_utf8_mut(b)`, `compat::from_utf8_mut(b)` | [`from_utf8_mut(b)`](fn@from_utf8_mut) | as above |
//! | `compat::Utf8Error` | [`Utf8Error`] | also becomes an `io::Error` |
//! | `basic::imp::…::Utf8ValidatorImp` | [`stream::Validator`] | safe; chooses the instruction set; says where the error is |
//!
//! # Moving over from encoding_rs
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
//! | `mem::decode_latin1(b)`, `mem::encode_latin1_lossy(s)` | `from_latin1(b)`, `to_latin1(s)` | the latter is an error if it does not fit |
//! | `mem::convert_latin1_to_utf8(b, u)`, `…_partial(b, u)` | `latin1_to_utf8(b, u)` | a buffer of any size |
//! | `mem::convert_utf8_to_latin1_lossy(b, l)` | `utf8_to_latin1(b, l)`, `utf8_to_latin1_lossy(b, b'?', l)` | any text; a buffer of any size |
//! | `mem::convert_latin1_to_utf16(b, u)` | `latin1_to_utf16(b, u)` | a buffer of any size |
//! | `mem::convert_utf16_to_latin1_lossy(u, l)` | `utf16_to_latin1(u, l)`, `utf16_to_latin1_lossy(u, b'?', l)` | any text; a buffer of any size |
//! | `mem::utf8_latin1_up_to(b)`, `str_latin1_up_to(s)`, `is_utf8_latin1(b)` | `validate_latin1_in_utf8(b)` | a `Result` |
//! | `mem::is_utf16_latin1(u)` | `validate_latin1_in_utf16(u)`; `utf16_info(u)` | a `Result`; the latter also tells ASCII and the BMP |
//! | `mem::is_utf16_latin1(u)`, then `mem::convert_utf16_to_latin1_lossy(u, l)` | `narrowest_from_utf16(u)` | in one pass |
//!
//! Other encodings have no counterpart here.
//!
//! # Moving over from cesu8 and simd_cesu8
//!
//! With the feature `wtf8`:
//!
//! | cesu8 | simd_cesu8 | fastutf | difference |
//! |---|---|---|---|
//! | `from_java_cesu8(b)` | `mutf8::decode(b)` | `mutf8::from_android_mutf8(b)` | the error says where and what; a byte `00` is one. `mutf8::from_mutf8(b)` refuses sequences of four bytes, too |
//! | | `mutf8::decode_lossy(b)` | `mutf8::from_android_mutf8_lossy(b)` | as above |
//! | `to_java_cesu8(s)` | `mutf8::encode(s)` | `mutf8::to_mutf8(s)` | none |
//! | `is_valid_java_cesu8(s)` | | `mutf8::mutf8_len_from_utf8(b) == b.len()` | takes bytes |
//!
//! # Moving over from simdutf
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
//! | `convert_latin1_to_utf8`, `convert_latin1_to_utf8_safe` | `latin1_to_utf8` | one function for both |
//! | `convert_latin1_to_utf16le` | `latin1_to_utf16le` | checks the room |
//! | `convert_utf8_to_latin1`, `…_with_errors` | `utf8_to_latin1` | checks the room; the error says what it is |
//! | `convert_utf16le_to_latin1`, `…_with_errors` | `utf16le_to_latin1` | as above |
//! | `utf8_length_from_latin1`, `latin1_length_from_utf8` | `utf8_len_from_latin1`, [`count_chars_utf8`] | none |
//!
//! With the feature `utf32`:
//!
//! | simdutf | fastutf | difference |
//! |---|---|---|
//! | `validate_utf32`, `validate_utf32_with_errors` | `validate_utf32`, `as_chars` | one function for both |
//! | `convert_utf8_to_utf32`, `…_with_errors` | `utf8_to_utf32` | checks the room; after an error, says how much was read and written |
//! | `convert_utf32_to_utf8`, `…_with_errors` | `utf32_to_utf8` | as above |
//! | `convert_utf16le_to_utf32`, `convert_utf32_to_utf16le`, `…_with_errors` | `utf16_to_utf32`, `utf32_to_utf16` | as above; both native, or with bytes in both |
//! | `convert_latin1_to_utf32`, `convert_utf32_to_latin1`, `…_with_errors` | `latin1_to_utf32`, `utf32_to_latin1` | as above |
//! | `utf8_length_from_utf32`, `utf16_length_from_utf32` | `utf8_len_from_utf32`, `utf16_len_from_utf32` | ill-formed code units count as U+FFFD |
//! | `utf32_length_from_utf8`, `utf32_length_from_utf16le` | [`count_chars_utf8`], [`count_chars_utf16le`] | none |
//!
//! Base64 has no counterpart here.
//!
//! # Speed
//!
//! The README has a chart; `docs/performance.md` in the package has the figures, what they were measured on, and where this crate is slower
//! than others.
//!
//! A debug build (`opt-level` 0 or `"z"`) runs no SIMD, but the standard library where that has the same function compiled, and
//! plain Rust. Two lines in the program's `Cargo.toml` change that:
//!
//! ```toml
//! [profile.dev.package.fastutf]
//! opt-level = 3
//! ```
//!
//! # Stability and Rust version
//!
//! Until 1.0, a release after which a program may no longer compile, or may get another result, raises the second number of the
//! version (0.1 to 0.2), and the changelog says what to change. All other releases raise the third number only.
//!
//! The minimum supported Rust version is 1.89. It rises only with the second number, to a version that is then at least six months
//! old. Optional features that bring in another crate may need what that crate needs.
//!
//! These may change with any release: speed, which kernel runs, the texts of messages and of `Debug`, what is in an output beyond
//! what was written, how much memory a function needs while it runs, and the size of types. New variants are added only to enums
//! that are `#[non_exhaustive]`.
//!
//! # Features and platforms
//!
//! | feature | default | gives |
//! |---|---|---|
//! | `std` | yes | enables `alloc`; the module `io`; errors become `io::Error` by `?` |
//! | `alloc` | by `std` | functions that return or fill a `Vec` or a `String` |
//! | `bytes` | no | enables `alloc`; the module `bytes`: `Utf8Bytes`, and conversion into any `BufMut` |
//! | `columns` | no | the module `columns`: validation and conversion of columns of strings, most of it with `alloc` only |
//! | `encodings` | no | enables the feature of every encoding: `latin1`, `mutf8`, `utf32` and `wtf8` |
//! | `full` | no | every feature that needs no other crate: all but `bytes` |
//! | `latin1` | no | the modules `latin1` and `narrowest`; functions that return or fill a `Vec` or a `String` also need `alloc` |
//! | `mutf8` | no | enables `wtf8`; the module `mutf8`; functions that return or fill a `Vec` or a `String` also need `alloc` |
//! | `positions` | no | enables `alloc`; the module `positions`: offsets in UTF-16 and in characters, lines and columns, as editors and compilers need them |
//! | `utf32` | no | the module `utf32`; functions that return or fill a `Vec` or a `String` also need `alloc`, those for Latin-1 also `latin1` |
//! | `wtf8` | no | the module `wtf8`; functions that return or fill a `Vec` or a `String` also need `alloc` |
//!
//! With `default-features = false` the crate is `no_std`. Everything else still works, streams and CPU detection included: errors implement
//! `core::error::Error`, and detection needs no operating system.
//!
//! [`Isa`] lists the instruction sets and the CPUs that have them. WebAssembly cannot detect SIMD at run time: build with
//! `-C target-feature=+simd128`. Targets without kernels (32-bit ARM, RISC-V, s390x, POWER, big-endian AArch64, …) get plain Rust.
#![no_std]
#![deny(unsafe_code)] // but in the modules below that allow it: SAFETY.md
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(any(feature = "std", test))]
extern crate std;

// Layers, from the lowest to the highest. A module imports modules of its own layer and of lower ones only, and there are no
// circles: `cargo xtask layers` checks that.

// Leaves: what all others share.
#[cfg(feature = "columns")]
mod borders;
#[allow(unsafe_code)]
mod buffer;
#[macro_use]
mod endian;
#[allow(unsafe_code)]
mod output;
mod replacement;
#[macro_use]
mod report;
#[cfg(feature = "positions")]
mod sections;

// Plain Rust, and the vocabulary of the kernels, where there is an instruction set to run them on.
mod scalar;
cfg_if::cfg_if! {
    if #[cfg(fastutf_simd)] {
        #[allow(unsafe_code)]
        mod simd;

        mod kernels;
    }
}

#[macro_use]
mod isa;

// Proofs about the kernels.
#[cfg(all(test, fastutf_proofs, fastutf_simd))]
#[allow(unsafe_code)]
mod proof;

// The public API.
#[macro_use]
#[allow(unsafe_code)]
mod api;
#[cfg(feature = "alloc")]
mod bom;
pub mod boundary;
pub mod stream;
pub mod web;

// Adapters of it.
#[cfg(feature = "bytes")]
#[allow(unsafe_code)]
pub mod bytes;
#[cfg(feature = "columns")]
pub mod columns;
#[cfg(feature = "std")]
pub mod io;
#[cfg(feature = "positions")]
pub mod positions;

pub use api::*;
#[cfg(feature = "alloc")]
pub use bom::*;
pub use isa::{Isa, ParseIsaError};
#[cfg(feature = "alloc")]
pub use report::FromUtf8Error;
pub use report::{Conversion, ConversionError, LossyConversion, Stop};
pub use report::{OffsetUnit, Utf8Error, Utf8ErrorKind, Utf8Info, Utf16Error, Utf16ErrorKind, Width};

/// The examples of the README are tests, too.
#[cfg(all(doctest, feature = "alloc"))]
#[doc = include_str!("../README.md")]
struct Readme;
