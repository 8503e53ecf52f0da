/* fastutf: UTF-8, UTF-16, UTF-32 and Latin-1, validated and converted with SIMD. docs/c.md has the introduction.
 *
 * Rules for all functions:
 *
 * - UTF-8 and Latin-1 are `char`; UTF-16 and UTF-32 in the byte order of the machine are `uint16_t` and `uint32_t`, which
 *   must be aligned. UTF-16LE, UTF-16BE and chunks of streams are bytes at any address. Lengths and capacities count these units.
 * - A null pointer is a text of length 0. Bad arguments that can be noticed are a status: see `fastutf_status`.
 *   Functions that return a number return FASTUTF_NO_LENGTH instead.
 * - Conversions check as they go. They never read or write a part of a character. What is in the output beyond `written` is
 *   unspecified; nothing outside of the output changes.
 * - Nothing is allocated, and there is no state but that of the caller. All functions can be called from any thread.
 *
 * Made by cbindgen. Do not edit. */

#ifndef FASTUTF_H
#define FASTUTF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What functions that return a number return for bad arguments. No text is so long.
#define FASTUTF_NO_LENGTH SIZE_MAX

// Replace ill-formed text by U+FFFD. In Latin-1, a question mark stands for that and for characters which it does not have, or
// what `fastutf_transcoder_set_latin1_replacement` says.
#define FASTUTF_LOSSY 1

// Remove a byte-order mark at the start. Without: it is a character.
#define FASTUTF_STRIP_BOM 2

// A byte-order mark of UTF-16 tells the byte order, and is removed. Without a mark, that of `from` counts, which must be
// UTF-16.
#define FASTUTF_UTF16_BOM 4

// A byte-order mark of UTF-8 or UTF-16 tells the encoding, and is removed. Without a mark, `from` counts. The mark of
// UTF-32LE, which begins like that of UTF-16LE, is looked for only if `from` is UTF-32.
#define FASTUTF_DETECT_BOM 8

// A byte-order mark of UTF-32 tells the byte order, and is removed. Without a mark, that of `from` counts, which must be
// UTF-32.
#define FASTUTF_UTF32_BOM 16

// A byte-order mark of UTF-8, UTF-16 or UTF-32 tells the encoding, and is removed. Without a mark, `from` counts.
// UTF-16LE that starts with a mark and U+0000 is taken for UTF-32LE.
#define FASTUTF_DETECT_ANY_BOM 32

// FASTUTF_LOSSY as decoders for the Web do it: a high surrogate and an odd byte at the end of UTF-16 become one U+FFFD.
#define FASTUTF_WEB 64

// The version of this header. `fastutf_version` returns that of the library.
#define FASTUTF_VERSION_MAJOR 0

// The second number of the version.
#define FASTUTF_VERSION_MINOR 1

// The third number of the version.
#define FASTUTF_VERSION_PATCH 0



// An instruction set. All give the same results. The functions whose names end in `_with_isa` take one; the others use
// the best that the CPU has.
enum fastutf_isa
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint8_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // The best that this CPU has, whichever that is.
    FASTUTF_ISA_BEST = 0,
    // No SIMD. Every CPU has it.
    FASTUTF_ISA_SCALAR = 1,
    // SSE4.1, SSSE3 and POPCNT.
    FASTUTF_ISA_SSE41 = 2,
    // AVX2, BMI1, BMI2, LZCNT and POPCNT.
    FASTUTF_ISA_AVX2 = 3,
    // AVX-512 F, BW, VL, DQ, VBMI, VBMI2 and BITALG, and GFNI.
    FASTUTF_ISA_AVX512 = 4,
    // NEON, on little-endian AArch64.
    FASTUTF_ISA_NEON = 32,
    // simd128, on WebAssembly.
    FASTUTF_ISA_SIMD128 = 64,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum fastutf_isa fastutf_isa;
#else
typedef uint8_t fastutf_isa;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// How a call went. From 16 on, an argument was bad, and nothing was done.
enum fastutf_status
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint8_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // All of the input is well-formed and, for a conversion, was converted.
    FASTUTF_OK = 0,
    // The next character does not fit into the rest of the output. Continue from `read` with more room.
    FASTUTF_OUTPUT_FULL = 1,
    // The input is ill-formed, or has a character that the output's encoding does not have: see `error`.
    FASTUTF_INVALID = 2,
    // A null pointer with a length that is not 0, or instead of a state.
    FASTUTF_NULL = 16,
    // A length that no buffer can have, such as a negative number that became a `size_t`.
    FASTUTF_BAD_LENGTH = 17,
    // A `uint16_t *` with an odd address, a `uint32_t *` whose address is not a multiple of 4, or a state that is not aligned.
    FASTUTF_UNALIGNED = 18,
    // Input and output overlap.
    FASTUTF_OVERLAP = 19,
    // No `fastutf_isa`, or one that this CPU does not have.
    FASTUTF_BAD_ISA = 20,
    // No `fastutf_encoding`, or flags that do not exist or contradict each other.
    FASTUTF_BAD_OPTION = 21,
    // A state that was not initialised, or is that of something else.
    FASTUTF_BAD_STATE = 22,
    // Offsets of a column that are negative, run backwards or leave the values, or too few bits for its rows: see the number
    // of the row.
    FASTUTF_BAD_LAYOUT = 23,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum fastutf_status fastutf_status;
#else
typedef uint8_t fastutf_status;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What is wrong with the input.
enum fastutf_error
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint8_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Nothing.
    FASTUTF_NO_ERROR = 0,
    // UTF-8 that ends inside a sequence that more bytes could complete.
    FASTUTF_UTF8_INCOMPLETE = 1,
    // A lead byte followed by fewer continuation bytes than it requires.
    FASTUTF_UTF8_MISSING_CONTINUATION = 2,
    // A continuation byte (80 to BF) where a character must start.
    FASTUTF_UTF8_STRAY_CONTINUATION = 3,
    // A sequence that is longer than necessary for its character.
    FASTUTF_UTF8_OVERLONG = 4,
    // A surrogate, U+D800 to U+DFFF, in UTF-8.
    FASTUTF_UTF8_SURROGATE = 5,
    // A value above U+10FFFF.
    FASTUTF_UTF8_ABOVE_MAX = 6,
    // F8 to FD: the lead byte of a 5- or 6-byte sequence, which RFC 2279 allowed.
    FASTUTF_UTF8_FIVE_OR_SIX_BYTE_FORM = 7,
    // FE or FF, which no version of UTF-8 uses.
    FASTUTF_UTF8_INVALID_LEAD = 8,
    // A low surrogate right after a high one, each as three bytes, in WTF-8, where they have to be one sequence. (Its other
    // errors are those of UTF-8.)
    FASTUTF_WTF8_SURROGATE_PAIR = 16,
    // A byte 00 in modified UTF-8, where U+0000 is C0 80. (Its other errors are those of UTF-8.)
    FASTUTF_MUTF8_NUL = 17,
    // F0 to F7 in modified UTF-8: the lead byte of a sequence of four bytes, where two surrogates have to be.
    FASTUTF_MUTF8_FOUR_BYTE_FORM = 18,
    // A high surrogate that is not followed by a low one.
    FASTUTF_UTF16_UNPAIRED_HIGH_SURROGATE = 32,
    // A low surrogate that does not follow a high one.
    FASTUTF_UTF16_UNPAIRED_LOW_SURROGATE = 33,
    // UTF-16 that ends after a high surrogate, or after a high surrogate and one more byte.
    FASTUTF_UTF16_TRAILING_HIGH_SURROGATE = 34,
    // UTF-16 that ends with half a code unit.
    FASTUTF_UTF16_TRAILING_BYTE = 35,
    // A character above U+00FF, where Latin-1 is wanted.
    FASTUTF_NOT_LATIN1 = 64,
    // An unpaired surrogate, in a text that may have them, where the output may not.
    FASTUTF_UNPAIRED_SURROGATE = 65,
    // A surrogate in UTF-32.
    FASTUTF_UTF32_SURROGATE = 96,
    // A number above 10FFFF in UTF-32.
    FASTUTF_UTF32_ABOVE_MAX = 97,
    // UTF-32 that ends with one to three bytes of a code unit.
    FASTUTF_UTF32_TRAILING_BYTES = 98,
    // An error that this header does not know yet.
    FASTUTF_OTHER_ERROR = 255,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum fastutf_error fastutf_error;
#else
typedef uint8_t fastutf_error;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The narrowest form that holds a text. A text of two parts has the greater width.
enum fastutf_width
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint8_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Not known, after an error.
    FASTUTF_WIDTH_UNKNOWN = 0,
    // All characters are up to U+007F.
    FASTUTF_WIDTH_ASCII = 1,
    // The greatest character is from U+0080 to U+00FF: a byte for each, as in Latin-1.
    FASTUTF_WIDTH_LATIN1 = 2,
    // The greatest character is from U+0100 to U+FFFF: a code unit of UTF-16 for each.
    FASTUTF_WIDTH_BMP = 3,
    // There are characters above U+FFFF.
    FASTUTF_WIDTH_FULL = 4,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum fastutf_width fastutf_width;
#else
typedef uint8_t fastutf_width;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// How a text is stored as bytes.
enum fastutf_encoding
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint8_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // None: not known yet.
    FASTUTF_UNKNOWN = 0,
    // UTF-8.
    FASTUTF_UTF8 = 1,
    // UTF-16, the low byte of each code unit first.
    FASTUTF_UTF16LE = 2,
    // UTF-16, the high byte of each code unit first.
    FASTUTF_UTF16BE = 3,
    // UTF-16 in the byte order of this machine. Only an argument, never a result.
    FASTUTF_UTF16 = 4,
    // Latin-1 (ISO 8859-1): U+0000 to U+00FF, each as one byte.
    FASTUTF_LATIN1 = 5,
    // UTF-32, the low byte of each code unit first.
    FASTUTF_UTF32LE = 6,
    // UTF-32, the high byte of each code unit first.
    FASTUTF_UTF32BE = 7,
    // UTF-32 in the byte order of this machine. Only an argument, never a result.
    FASTUTF_UTF32 = 8,
    // WTF-8: UTF-8 that may also have unpaired surrogates. UTF-16 becomes WTF-8 and UTF-16 again without a loss, however
    // ill-formed it is.
    FASTUTF_WTF8 = 9,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum fastutf_encoding fastutf_encoding;
#else
typedef uint8_t fastutf_encoding;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What becomes of a row that is ill-formed and not null.
enum fastutf_on_error
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint8_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // The conversion stops before it.
    FASTUTF_ON_ERROR_STOP = 0,
    // It gets U+FFFD in place of ill-formed sequences, as from the functions for one text that end in `_lossy`.
    FASTUTF_ON_ERROR_REPLACE = 1,
    // It becomes null, and empty.
    FASTUTF_ON_ERROR_NULL = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum fastutf_on_error fastutf_on_error;
#else
typedef uint8_t fastutf_on_error;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Whether a text is well-formed and, if not, where and why. Returned in two registers.
typedef struct fastutf_check {
    // How much is well-formed, in units of the input: all of it, or what is before the error.
    size_t position;
    // `FASTUTF_OK`, `FASTUTF_INVALID` or, from 16 on, a bad argument.
    fastutf_status status;
    // What is wrong, with `FASTUTF_INVALID`.
    fastutf_error error;
    // How far to skip, in units of the input, to resume after the error; 0 if the input ends inside a character.
    uint8_t error_length;
    // 0.
    uint8_t reserved[5];
} fastutf_check;

// How far a conversion got, and why it stopped. If the status is `FASTUTF_INVALID`, the error is at `read`.
typedef struct fastutf_conversion {
    // How much of the input was converted, in its units.
    size_t read;
    // How much was written to the output, in its units.
    size_t written;
    // How many replacement characters that has; 0 if nothing is replaced.
    size_t replacements;
    // `FASTUTF_OK`, `FASTUTF_OUTPUT_FULL`, `FASTUTF_INVALID` or, from 16 on, a bad argument.
    fastutf_status status;
    // What is wrong, with `FASTUTF_INVALID`.
    fastutf_error error;
    // How far to skip, in units of the input, to resume after the error; 0 if the input ends inside a character.
    uint8_t error_length;
    // 0.
    uint8_t reserved[5];
} fastutf_conversion;

// What one pass over UTF-8 or UTF-16 finds out.
typedef struct fastutf_info {
    // The number of characters; 0 after an error.
    size_t chars;
    // The number of code units in UTF-16; 0 after an error.
    size_t utf16_length;
    // Whether it is well-formed and, if not, where and why.
    struct fastutf_check check;
    // Whether all of it is ASCII.
    bool ascii;
    // The narrowest form that holds it.
    fastutf_width width;
} fastutf_info;

// What a byte-order mark says.
typedef struct fastutf_bom {
    // The length of the byte-order mark to remove; 0 if there is none, or if it is kept.
    size_t length;
    // The encoding of the text; `FASTUTF_UNKNOWN` for bad arguments.
    fastutf_encoding encoding;
    // `FASTUTF_OK`, or a bad argument.
    fastutf_status status;
    // 0.
    uint8_t reserved[6];
} fastutf_bom;

// The state of a check: memory of the caller, which `fastutf_validator_init` initialises. Nothing has to be freed. It can
// be copied, and moved, as bytes.
typedef struct fastutf_validator {
    // Not for callers.
    uint64_t opaque[16];
} fastutf_validator;

// Whether a stream is well-formed so far and, if not, where and why. Returned in two registers.
typedef struct fastutf_stream_check {
    // How many bytes of the stream have been pushed; after an error, its offset from the start of the stream.
    uint64_t position;
    // `FASTUTF_OK`, `FASTUTF_INVALID` or, from 16 on, a bad argument.
    fastutf_status status;
    // What is wrong, with `FASTUTF_INVALID`.
    fastutf_error error;
    // How many bytes to skip to resume after the error; 0 if the stream ends inside a character.
    uint8_t error_length;
    // 0.
    uint8_t reserved[5];
} fastutf_stream_check;

// The state of a conversion: memory of the caller, which `fastutf_transcoder_init` initialises. Nothing has to be freed.
// It can be copied, and moved, as bytes.
typedef struct fastutf_transcoder {
    // Not for callers.
    uint64_t opaque[24];
} fastutf_transcoder;

// How far the conversion of a chunk got, and why it stopped.
typedef struct fastutf_stream_conversion {
    // How many bytes of the chunk were read. Up to 3 of them may be kept for the next chunk.
    size_t read;
    // How many bytes were written.
    size_t written;
    // How many bytes of the stream have been read; after an error, its offset from the start of the stream.
    uint64_t position;
    // `FASTUTF_OK`, `FASTUTF_OUTPUT_FULL`, `FASTUTF_INVALID` or, from 16 on, a bad argument.
    fastutf_status status;
    // What is wrong, with `FASTUTF_INVALID`.
    fastutf_error error;
    // How many bytes to skip to resume after the error; 0 if the stream ends inside a character.
    uint8_t error_length;
    // 0.
    uint8_t reserved[5];
} fastutf_stream_conversion;

// Whether all rows of a column are well-formed, each by itself.
typedef struct fastutf_column_check {
    // The first row that is ill-formed or, with `FASTUTF_BAD_LAYOUT`, breaks a rule; otherwise the number of rows.
    size_t row;
    // How many bytes of that row are well-formed.
    size_t position;
    // `FASTUTF_OK`, `FASTUTF_INVALID` or, from 16 on, a bad argument.
    fastutf_status status;
    // What is wrong, with `FASTUTF_INVALID`.
    fastutf_error error;
    // How many bytes to skip to resume after the error; 0 if the row ends inside a character.
    uint8_t error_length;
    // 0.
    uint8_t reserved[5];
} fastutf_column_check;

// Rows of bytes in one buffer, as in Apache Arrow. Row `i` is from the offset number `i` to the next one, in bytes. Offsets
// are not negative, do not run backwards and are within the values; the first one need not be 0.
//
// Functions for columns are only in a library that was built with the feature `columns`:
// `scripts/install PREFIX --features columns`, or `cargo cinstall --features columns`.
typedef struct fastutf_column {
    // The bytes of all rows.
    const void *values;
    // The number of these bytes.
    size_t values_length;
    // `int32_t` or `int64_t`: one more than there are rows. Without rows it may be null.
    const void *offsets;
    // The number of rows.
    size_t rows;
    // A bit for each row, from the lowest of the first byte on: if it is 0, the row is null, and never read as text. A null
    // pointer if no row is null.
    const uint8_t *validity;
    // The number of bytes of that.
    size_t validity_length;
    // The bit of the first row.
    size_t validity_offset;
    // The size of an offset: 4 or 8 bytes.
    uint8_t offset_size;
    // A `fastutf_isa`; 0 for the best one.
    uint8_t isa;
    // 0.
    uint8_t reserved[6];
} fastutf_column;

// How far the conversion of a column got, and why it stopped.
typedef struct fastutf_column_conversion {
    // How many rows are in the output, each as a whole: one more offset was written. If the status is not `FASTUTF_OK`, the
    // row with this number is the one that does not fit, is ill-formed or, with `FASTUTF_BAD_LAYOUT`, breaks a rule. Of the
    // rows behind it, no offset is promised to have been checked.
    size_t rows;
    // How many bytes of values they have: the last offset. The memory after these may have been changed.
    size_t written;
    // How many of these rows were ill-formed, and not null.
    size_t ill_formed_rows;
    // How many times U+FFFD was written for something ill-formed.
    size_t replacements;
    // How many bytes of the ill-formed row are well-formed, with `FASTUTF_INVALID`.
    size_t position;
    // `FASTUTF_OK`, `FASTUTF_OUTPUT_FULL`, `FASTUTF_INVALID` or, from 16 on, a bad argument.
    fastutf_status status;
    // What is wrong, with `FASTUTF_INVALID`.
    fastutf_error error;
    // How many bytes to skip to resume after the error; 0 if the row ends inside a character.
    uint8_t error_length;
    // 0.
    uint8_t reserved[5];
} fastutf_column_conversion;

// The caller's memory for a column. It may be uninitialised.
typedef struct fastutf_column_room {
    // Memory for the values.
    void *values;
    // How many bytes there is room for.
    size_t values_capacity;
    // Memory for offsets of the same size as those of the input. The first one written is 0.
    void *offsets;
    // How many offsets there is room for: one more than rows.
    size_t offsets_capacity;
    // Memory for a bit for each row, which is written with `FASTUTF_ON_ERROR_NULL` only, and then all of it.
    uint8_t *validity;
    // How many bytes of it there are.
    size_t validity_capacity;
} fastutf_column_room;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Returns the instruction set that functions without `_with_isa` use.
fastutf_isa fastutf_isa_best(void);

// Returns the instruction set number `index` of this CPU, the best one first; `FASTUTF_ISA_BEST`, which is 0, beyond the
// last.
fastutf_isa fastutf_isa_at(size_t index);

// Returns the name of a `fastutf_isa`: "avx512", "avx2", "sse4.1", "neon", "simd128" or "scalar". For
// `FASTUTF_ISA_BEST`, that is the name of the best one. Returns a null pointer if there is no such instruction set.
const char *fastutf_isa_name(uint8_t isa);

// Checks that `src`, `length` bytes, is well-formed UTF-8.
struct fastutf_check fastutf_validate_utf8(const char *src, size_t length);

// `fastutf_validate_utf8` on an instruction set of the caller's choice.
struct fastutf_check fastutf_validate_utf8_with_isa(const char *src, size_t length, uint8_t isa);

// Checks that `src`, `length` code units, is well-formed UTF-16 in the byte order of this machine.
struct fastutf_check fastutf_validate_utf16(const uint16_t *src, size_t length);

// `fastutf_validate_utf16` on an instruction set of the caller's choice.
struct fastutf_check fastutf_validate_utf16_with_isa(const uint16_t *src, size_t length, uint8_t isa);

// Checks that `src`, `length` bytes at any address, is well-formed UTF-16LE.
struct fastutf_check fastutf_validate_utf16le(const void *src, size_t length);

// `fastutf_validate_utf16le` on an instruction set of the caller's choice.
struct fastutf_check fastutf_validate_utf16le_with_isa(const void *src, size_t length, uint8_t isa);

// Checks that `src`, `length` bytes at any address, is well-formed UTF-16BE.
struct fastutf_check fastutf_validate_utf16be(const void *src, size_t length);

// `fastutf_validate_utf16be` on an instruction set of the caller's choice.
struct fastutf_check fastutf_validate_utf16be_with_isa(const void *src, size_t length, uint8_t isa);

// Checks that `src`, `length` bytes of UTF-8, is well-formed and fits into Latin-1.
struct fastutf_check fastutf_validate_latin1_in_utf8(const char *src, size_t length);

// `fastutf_validate_latin1_in_utf8` on an instruction set of the caller's choice.
struct fastutf_check fastutf_validate_latin1_in_utf8_with_isa(const char *src, size_t length, uint8_t isa);

// Checks that `src`, `length` code units of UTF-16, is well-formed and fits into Latin-1.
struct fastutf_check fastutf_validate_latin1_in_utf16(const uint16_t *src, size_t length);

// `fastutf_validate_latin1_in_utf16` on an instruction set of the caller's choice.
struct fastutf_check fastutf_validate_latin1_in_utf16_with_isa(const uint16_t *src, size_t length, uint8_t isa);

// Checks that `src`, `length` bytes of UTF-16LE, is well-formed and fits into Latin-1.
struct fastutf_check fastutf_validate_latin1_in_utf16le(const void *src, size_t length);

// `fastutf_validate_latin1_in_utf16le` on an instruction set of the caller's choice.
struct fastutf_check fastutf_validate_latin1_in_utf16le_with_isa(const void *src, size_t length, uint8_t isa);

// Checks that `src`, `length` bytes of UTF-16BE, is well-formed and fits into Latin-1.
struct fastutf_check fastutf_validate_latin1_in_utf16be(const void *src, size_t length);

// `fastutf_validate_latin1_in_utf16be` on an instruction set of the caller's choice.
struct fastutf_check fastutf_validate_latin1_in_utf16be_with_isa(const void *src, size_t length, uint8_t isa);

// Checks that `src`, `length` code units, is well-formed UTF-32 in the byte order of this machine.
struct fastutf_check fastutf_validate_utf32(const uint32_t *src, size_t length);

// `fastutf_validate_utf32` on an instruction set of the caller's choice.
struct fastutf_check fastutf_validate_utf32_with_isa(const uint32_t *src, size_t length, uint8_t isa);

// Returns the number of characters of well-formed UTF-8 (of ill-formed: the bytes that are not 80 to BF);
// `FASTUTF_NO_LENGTH` for bad arguments.
size_t fastutf_count_chars_utf8(const char *src, size_t length);

// `fastutf_count_chars_utf8` on an instruction set of the caller's choice.
size_t fastutf_count_chars_utf8_with_isa(const char *src, size_t length, uint8_t isa);

// Returns the number of characters of well-formed UTF-16 (of ill-formed: the code units that are not low
// surrogates); `FASTUTF_NO_LENGTH` for bad arguments.
size_t fastutf_count_chars_utf16(const uint16_t *src, size_t length);

// `fastutf_count_chars_utf16` on an instruction set of the caller's choice.
size_t fastutf_count_chars_utf16_with_isa(const uint16_t *src, size_t length, uint8_t isa);

// The same for UTF-16LE. `length` is in bytes, and an odd last byte is not counted.
size_t fastutf_count_chars_utf16le(const void *src, size_t length);

// `fastutf_count_chars_utf16le` on an instruction set of the caller's choice.
size_t fastutf_count_chars_utf16le_with_isa(const void *src, size_t length, uint8_t isa);

// The same for UTF-16BE. `length` is in bytes, and an odd last byte is not counted.
size_t fastutf_count_chars_utf16be(const void *src, size_t length);

// `fastutf_count_chars_utf16be` on an instruction set of the caller's choice.
size_t fastutf_count_chars_utf16be_with_isa(const void *src, size_t length, uint8_t isa);

// Returns the number of code units of UTF-16 that `src` converts to. For ill-formed UTF-8, it is enough for the text
// before the first error. `FASTUTF_NO_LENGTH` for bad arguments.
size_t fastutf_utf16_length_from_utf8(const char *src,
                                      size_t length);

// `fastutf_utf16_length_from_utf8` on an instruction set of the caller's choice.
size_t fastutf_utf16_length_from_utf8_with_isa(const char *src, size_t length, uint8_t isa);

// Returns the number of bytes of UTF-8 that `src` converts to. For ill-formed UTF-16, it is enough for the text
// before the first error. `FASTUTF_NO_LENGTH` for bad arguments.
size_t fastutf_utf8_length_from_utf16(const uint16_t *src, size_t length);

// `fastutf_utf8_length_from_utf16` on an instruction set of the caller's choice.
size_t fastutf_utf8_length_from_utf16_with_isa(const uint16_t *src, size_t length, uint8_t isa);

// The same for UTF-16LE. `length` is in bytes, and an odd last byte is not counted.
size_t fastutf_utf8_length_from_utf16le(const void *src, size_t length);

// `fastutf_utf8_length_from_utf16le` on an instruction set of the caller's choice.
size_t fastutf_utf8_length_from_utf16le_with_isa(const void *src, size_t length, uint8_t isa);

// The same for UTF-16BE. `length` is in bytes, and an odd last byte is not counted.
size_t fastutf_utf8_length_from_utf16be(const void *src, size_t length);

// `fastutf_utf8_length_from_utf16be` on an instruction set of the caller's choice.
size_t fastutf_utf8_length_from_utf16be_with_isa(const void *src, size_t length, uint8_t isa);

// Returns the number of bytes that `fastutf_utf8_to_utf8_lossy` writes, with enough room.
size_t fastutf_utf8_length_from_utf8_lossy(const char *src, size_t length);

// `fastutf_utf8_length_from_utf8_lossy` on an instruction set of the caller's choice.
size_t fastutf_utf8_length_from_utf8_lossy_with_isa(const char *src, size_t length, uint8_t isa);

// Returns the number of code units that `fastutf_utf8_to_utf16_lossy` writes, with enough room.
size_t fastutf_utf16_length_from_utf8_lossy(const char *src, size_t length);

// `fastutf_utf16_length_from_utf8_lossy` on an instruction set of the caller's choice.
size_t fastutf_utf16_length_from_utf8_lossy_with_isa(const char *src, size_t length, uint8_t isa);

// Returns the number of bytes that `fastutf_utf16_to_utf8_lossy` writes, with enough room.
size_t fastutf_utf8_length_from_utf16_lossy(const uint16_t *src, size_t length);

// `fastutf_utf8_length_from_utf16_lossy` on an instruction set of the caller's choice.
size_t fastutf_utf8_length_from_utf16_lossy_with_isa(const uint16_t *src, size_t length, uint8_t isa);

// The same for UTF-16LE. `length` is in bytes.
size_t fastutf_utf8_length_from_utf16le_lossy(const void *src, size_t length);

// `fastutf_utf8_length_from_utf16le_lossy` on an instruction set of the caller's choice.
size_t fastutf_utf8_length_from_utf16le_lossy_with_isa(const void *src, size_t length, uint8_t isa);

// The same for UTF-16BE. `length` is in bytes.
size_t fastutf_utf8_length_from_utf16be_lossy(const void *src, size_t length);

// `fastutf_utf8_length_from_utf16be_lossy` on an instruction set of the caller's choice.
size_t fastutf_utf8_length_from_utf16be_lossy_with_isa(const void *src, size_t length, uint8_t isa);

// Returns the number of bytes of UTF-8 that Latin-1 converts to.
size_t fastutf_utf8_length_from_latin1(const char *src, size_t length);

// `fastutf_utf8_length_from_latin1` on an instruction set of the caller's choice.
size_t fastutf_utf8_length_from_latin1_with_isa(const char *src, size_t length, uint8_t isa);

// Returns the number of bytes of UTF-8 that UTF-32 converts to, also with U+FFFD in place of ill-formed units.
size_t fastutf_utf8_length_from_utf32(const uint32_t *src, size_t length);

// `fastutf_utf8_length_from_utf32` on an instruction set of the caller's choice.
size_t fastutf_utf8_length_from_utf32_with_isa(const uint32_t *src, size_t length, uint8_t isa);

// Returns the number of code units of UTF-16 that UTF-32 converts to, also with U+FFFD in place of ill-formed units.
size_t fastutf_utf16_length_from_utf32(const uint32_t *src,
                                       size_t length);

// `fastutf_utf16_length_from_utf32` on an instruction set of the caller's choice.
size_t fastutf_utf16_length_from_utf32_with_isa(const uint32_t *src, size_t length, uint8_t isa);

// Converts UTF-8, `length` bytes, to UTF-16 in the byte order of this machine. `capacity` is in code units: as many
// as `length` are always enough.
struct fastutf_conversion fastutf_utf8_to_utf16(const char *src,
                                                size_t length,
                                                uint16_t *dst,
                                                size_t capacity);

// `fastutf_utf8_to_utf16` on an instruction set of the caller's choice.
struct fastutf_conversion fastutf_utf8_to_utf16_with_isa(const char *src,
                                                         size_t length,
                                                         uint16_t *dst,
                                                         size_t capacity,
                                                         uint8_t isa);

// Converts UTF-8 to UTF-16LE. `capacity` is in bytes: twice `length` is always enough.
struct fastutf_conversion fastutf_utf8_to_utf16le(const char *src, size_t length, void *dst, size_t capacity);

// `fastutf_utf8_to_utf16le` on an instruction set of the caller's choice.
struct fastutf_conversion fastutf_utf8_to_utf16le_with_isa(const char *src,
                                                           size_t length,
                                                           void *dst,
                                                           size_t capacity,
                                                           uint8_t isa);

// Converts UTF-8 to UTF-16BE. `capacity` is in bytes: twice `length` is always enough.
struct fastutf_conversion fastutf_utf8_to_utf16be(const char *src, size_t length, void *dst, size_t capacity);

// `fastutf_utf8_to_utf16be` on an instruction set of the caller's choice.
struct fastutf_conversion fastutf_utf8_to_utf16be_with_isa(const char *src,
                                                           size_t length,
                                                           void *dst,
                                                           size_t capacity,
                                                           uint8_t isa);

// Converts UTF-16 in the byte order of this machine, `length` code units, to UTF-8. `capacity` is in bytes: three
// times `length` is always enough.
struct fastutf_conversion fastutf_utf16_to_utf8(const uint16_t *src, size_t length, char *dst, size_t capacity);

// `fastutf_utf16_to_utf8` on an instruction set of the caller's choice.
struct fastutf_conversion fastutf_utf16_to_utf8_with_isa(const uint16_t *src,
                                                         size_t length,
                                                         char *dst,
                                                         size_t capacity,
                                                         uint8_t isa);

// Converts UTF-16LE, `length` bytes, to UTF-8. One and a half times `length` is always enough.
struct fastutf_conversion fastutf_utf16le_to_utf8(const void *src, size_t length, char *dst, size_t capacity);

// `fastutf_utf16le_to_utf8` on an instruction set of the caller's choice.
struct fastutf_conversion fastutf_utf16le_to_utf8_with_isa(const void *src,
                                                           size_t length,
                                                           char *dst,
                                                           size_t capacity,
                                                           uint8_t isa);

// Converts UTF-16BE, `length` bytes, to UTF-8. One and a half times `length` is always enough.
struct fastutf_conversion fastutf_utf16be_to_utf8(const void *src, size_t length, char *dst, size_t capacity);

// `fastutf_utf16be_to_utf8` on an instruction set of the caller's choice.
struct fastutf_conversion fastutf_utf16be_to_utf8_with_isa(const void *src,
                                                           size_t length,
                                                           char *dst,
                                                           size_t capacity,
                                                           uint8_t isa);

// Converts Latin-1 (ISO 8859-1) to UTF-8. Twice `length` is always enough.
struct fastutf_conversion fastutf_latin1_to_utf8(const char *src, size_t length, char *dst, size_t capacity);

// `fastutf_latin1_to_utf8` on an instruction set of the caller's choice.
struct fastutf_conversion fastutf_latin1_to_utf8_with_isa(const char *src,
                                                          size_t length,
                                                          char *dst,
                                                          size_t capacity,
                                                          uint8_t isa);

// Converts Latin-1 to UTF-16: as many code units as `length`.
struct fastutf_conversion fastutf_latin1_to_utf16(const char *src, size_t length, uint16_t *dst, size_t capacity);

// `fastutf_latin1_to_utf16` on an instruction set of the caller's choice.
struct fastutf_conversion fastutf_latin1_to_utf16_with_isa(const char *src,
                                                           size_t length,
                                                           uint16_t *dst,
                                                           size_t capacity,
                                                           uint8_t isa);

// Converts Latin-1 to UTF-16LE: twice as many bytes.
struct fastutf_conversion fastutf_latin1_to_utf16le(const char *src, size_t length, void *dst, size_t capacity);

// `fastutf_latin1_to_utf16le` on an instruction set of the caller's choice.
struct fastutf_conversion fastutf_latin1_to_utf16le_with_isa(const char *src,
                                                             size_t length,
                                                             void *dst,
                                                             size_t capacity,
                                                             uint8_t isa);

// Converts Latin-1 to UTF-16BE: twice as many bytes.
struct fastutf_conversion fastutf_latin1_to_utf16be(const char *src, size_t length, void *dst, size_t capacity);

// `fastutf_latin1_to_utf16be` on an instruction set of the caller's choice.
struct fastutf_conversion fastutf_latin1_to_utf16be_with_isa(const char *src,
                                                             size_t length,
                                                             void *dst,
                                                             size_t capacity,
                                                             uint8_t isa);

// Converts UTF-8 to Latin-1, up to the first character that Latin-1 does not have. As many bytes as `length` are
// always enough.
struct fastutf_conversion fastutf_utf8_to_latin1(const char *src, size_t length, char *dst, size_t capacity);

// `fastutf_utf8_to_latin1` on an instruction set of the caller's choice.
struct fastutf_conversion fastutf_utf8_to_latin1_with_isa(const char *src,
                                                          size_t length,
                                                          char *dst,
                                                          size_t capacity,
                                                          uint8_t isa);

// Converts UTF-16 to Latin-1, up to the first character that Latin-1 does not have.
struct fastutf_conversion fastutf_utf16_to_latin1(const uint16_t *src, size_t length, char *dst, size_t capacity);

// `fastutf_utf16_to_latin1` on an instruction set of the caller's choice.
struct fastutf_conversion fastutf_utf16_to_latin1_with_isa(const uint16_t *src,
                                                           size_t length,
                                                           char *dst,
                                                           size_t capacity,
                                                           uint8_t isa);

// Converts UTF-16LE to Latin-1, up to the first character that Latin-1 does not have.
struct fastutf_conversion fastutf_utf16le_to_latin1(const void *src, size_t length, char *dst, size_t capacity);

// `fastutf_utf16le_to_latin1` on an instruction set of the caller's choice.
struct fastutf_conversion fastutf_utf16le_to_latin1_with_isa(const void *src,
                                                             size_t length,
                                                             char *dst,
                                                             size_t capacity,
                                                             uint8_t isa);

// Converts UTF-16BE to Latin-1, up to the first character that Latin-1 does not have.
struct fastutf_conversion fastutf_utf16be_to_latin1(const void *src, size_t length, char *dst, size_t capacity);

// `fastutf_utf16be_to_latin1` on an instruction set of the caller's choice.
struct fastutf_conversion fastutf_utf16be_to_latin1_with_isa(const void *src,
                                                             size_t length,
                                                             char *dst,
                                                             size_t capacity,
                                                             uint8_t isa);

// Converts UTF-8 to UTF-32 in the byte order of this machine: as many code units as `length` are always enough.
struct fastutf_conversion fastutf_utf8_to_utf32(const char *src, size_t length, uint32_t *dst, size_t capacity);

// `fastutf_utf8_to_utf32` on an instruction set of the caller's choice.
struct fastutf_conversion fastutf_utf8_to_utf32_with_isa(const char *src,
                                                         size_t length,
                                                         uint32_t *dst,
                                                         size_t capacity,
                                                         uint8_t isa);

// Converts UTF-16 to UTF-32: as many code units as `length` are always enough.
struct fastutf_conversion fastutf_utf16_to_utf32(const uint16_t *src,
                                                 size_t length,
                                                 uint32_t *dst,
                                                 size_t capacity);

// `fastutf_utf16_to_utf32` on an instruction set of the caller's choice.
struct fastutf_conversion fastutf_utf16_to_utf32_with_isa(const uint16_t *src,
                                                          size_t length,
                                                          uint32_t *dst,
                                                          size_t capacity,
                                                          uint8_t isa);

// Converts UTF-32 to UTF-8: four times `length` is always enough.
struct fastutf_conversion fastutf_utf32_to_utf8(const uint32_t *src, size_t length, char *dst, size_t capacity);

// `fastutf_utf32_to_utf8` on an instruction set of the caller's choice.
struct fastutf_conversion fastutf_utf32_to_utf8_with_isa(const uint32_t *src,
                                                         size_t length,
                                                         char *dst,
                                                         size_t capacity,
                                                         uint8_t isa);

// Converts UTF-32 to UTF-16: twice as many code units as `length` are always enough.
struct fastutf_conversion fastutf_utf32_to_utf16(const uint32_t *src,
                                                 size_t length,
                                                 uint16_t *dst,
                                                 size_t capacity);

// `fastutf_utf32_to_utf16` on an instruction set of the caller's choice.
struct fastutf_conversion fastutf_utf32_to_utf16_with_isa(const uint32_t *src,
                                                          size_t length,
                                                          uint16_t *dst,
                                                          size_t capacity,
                                                          uint8_t isa);

// Converts Latin-1 to UTF-32: as many code units as `length`.
struct fastutf_conversion fastutf_latin1_to_utf32(const char *src, size_t length, uint32_t *dst, size_t capacity);

// `fastutf_latin1_to_utf32` on an instruction set of the caller's choice.
struct fastutf_conversion fastutf_latin1_to_utf32_with_isa(const char *src,
                                                           size_t length,
                                                           uint32_t *dst,
                                                           size_t capacity,
                                                           uint8_t isa);

// Converts UTF-32 to Latin-1, up to the first character that Latin-1 does not have.
struct fastutf_conversion fastutf_utf32_to_latin1(const uint32_t *src, size_t length, char *dst, size_t capacity);

// `fastutf_utf32_to_latin1` on an instruction set of the caller's choice.
struct fastutf_conversion fastutf_utf32_to_latin1_with_isa(const uint32_t *src,
                                                           size_t length,
                                                           char *dst,
                                                           size_t capacity,
                                                           uint8_t isa);

// Copies UTF-8 with U+FFFD for each ill-formed sequence. Three times `length` is always enough.
struct fastutf_conversion fastutf_utf8_to_utf8_lossy(const char *src, size_t length, char *dst, size_t capacity);

// `fastutf_utf8_to_utf8_lossy` on an instruction set of the caller's choice.
struct fastutf_conversion fastutf_utf8_to_utf8_lossy_with_isa(const char *src,
                                                              size_t length,
                                                              char *dst,
                                                              size_t capacity,
                                                              uint8_t isa);

// Converts UTF-8 to UTF-16 with U+FFFD for each ill-formed sequence. As many code units as `length` are always enough.
struct fastutf_conversion fastutf_utf8_to_utf16_lossy(const char *src,
                                                      size_t length,
                                                      uint16_t *dst,
                                                      size_t capacity);

// `fastutf_utf8_to_utf16_lossy` on an instruction set of the caller's choice.
struct fastutf_conversion fastutf_utf8_to_utf16_lossy_with_isa(const char *src,
                                                               size_t length,
                                                               uint16_t *dst,
                                                               size_t capacity,
                                                               uint8_t isa);

// Converts UTF-8 to UTF-16LE with U+FFFD for each ill-formed sequence. Twice `length` is always enough.
struct fastutf_conversion fastutf_utf8_to_utf16le_lossy(const char *src,
                                                        size_t length,
                                                        void *dst,
                                                        size_t capacity);

// `fastutf_utf8_to_utf16le_lossy` on an instruction set of the caller's choice.
struct fastutf_conversion fastutf_utf8_to_utf16le_lossy_with_isa(const char *src,
                                                                 size_t length,
                                                                 void *dst,
                                                                 size_t capacity,
                                                                 uint8_t isa);

// Converts UTF-8 to UTF-16BE with U+FFFD for each ill-formed sequence. Twice `length` is always enough.
struct fastutf_conversion fastutf_utf8_to_utf16be_lossy(const char *src,
                                                        size_t length,
                                                        void *dst,
                                                        size_t capacity);

// `fastutf_utf8_to_utf16be_lossy` on an instruction set of the caller's choice.
struct fastutf_conversion fastutf_utf8_to_utf16be_lossy_with_isa(const char *src,
                                                                 size_t length,
                                                                 void *dst,
                                                                 size_t capacity,
                                                                 uint8_t isa);

// Converts UTF-16 to UTF-8 with U+FFFD for each unpaired surrogate. Three times `length` is always enough.
struct fastutf_conversion fastutf_utf16_to_utf8_lossy(const uint16_t *src,
                                                      size_t length,
                                                      char *dst,
                                                      size_t capacity);

// `fastutf_utf16_to_utf8_lossy` on an instruction set of the caller's choice.
struct fastutf_conversion fastutf_utf16_to_utf8_lossy_with_isa(const uint16_t *src,
                                                               size_t length,
                                                               char *dst,
                                                               size_t capacity,
                                                               uint8_t isa);

// Converts UTF-16LE to UTF-8 with U+FFFD for each unpaired surrogate, and for an odd last byte. One and a half times
// `length`, rounded up to a multiple of 3, is always enough.
struct fastutf_conversion fastutf_utf16le_to_utf8_lossy(const void *src,
                                                        size_t length,
                                                        char *dst,
                                                        size_t capacity);

// `fastutf_utf16le_to_utf8_lossy` on an instruction set of the caller's choice.
struct fastutf_conversion fastutf_utf16le_to_utf8_lossy_with_isa(const void *src,
                                                                 size_t length,
                                                                 char *dst,
                                                                 size_t capacity,
                                                                 uint8_t isa);

// Converts UTF-16BE to UTF-8 with U+FFFD for each unpaired surrogate, and for an odd last byte. One and a half times
// `length`, rounded up to a multiple of 3, is always enough.
struct fastutf_conversion fastutf_utf16be_to_utf8_lossy(const void *src,
                                                        size_t length,
                                                        char *dst,
                                                        size_t capacity);

// `fastutf_utf16be_to_utf8_lossy` on an instruction set of the caller's choice.
struct fastutf_conversion fastutf_utf16be_to_utf8_lossy_with_isa(const void *src,
                                                                 size_t length,
                                                                 char *dst,
                                                                 size_t capacity,
                                                                 uint8_t isa);

// Converts UTF-8 to Latin-1 with `replacement` for each other character and each ill-formed sequence.
struct fastutf_conversion fastutf_utf8_to_latin1_lossy(const char *src,
                                                       size_t length,
                                                       uint8_t replacement,
                                                       char *dst,
                                                       size_t capacity);

// `fastutf_utf8_to_latin1_lossy` on an instruction set of the caller's choice.
struct fastutf_conversion fastutf_utf8_to_latin1_lossy_with_isa(const char *src,
                                                                size_t length,
                                                                uint8_t replacement,
                                                                char *dst,
                                                                size_t capacity,
                                                                uint8_t isa);

// Converts UTF-16 to Latin-1 with `replacement` for each other character and each unpaired surrogate.
struct fastutf_conversion fastutf_utf16_to_latin1_lossy(const uint16_t *src,
                                                        size_t length,
                                                        uint8_t replacement,
                                                        char *dst,
                                                        size_t capacity);

// `fastutf_utf16_to_latin1_lossy` on an instruction set of the caller's choice.
struct fastutf_conversion fastutf_utf16_to_latin1_lossy_with_isa(const uint16_t *src,
                                                                 size_t length,
                                                                 uint8_t replacement,
                                                                 char *dst,
                                                                 size_t capacity,
                                                                 uint8_t isa);

// Converts UTF-16LE to Latin-1 with `replacement` for each other character and whatever is ill-formed.
struct fastutf_conversion fastutf_utf16le_to_latin1_lossy(const void *src,
                                                          size_t length,
                                                          uint8_t replacement,
                                                          char *dst,
                                                          size_t capacity);

// `fastutf_utf16le_to_latin1_lossy` on an instruction set of the caller's choice.
struct fastutf_conversion fastutf_utf16le_to_latin1_lossy_with_isa(const void *src,
                                                                   size_t length,
                                                                   uint8_t replacement,
                                                                   char *dst,
                                                                   size_t capacity,
                                                                   uint8_t isa);

// Converts UTF-16BE to Latin-1 with `replacement` for each other character and whatever is ill-formed.
struct fastutf_conversion fastutf_utf16be_to_latin1_lossy(const void *src,
                                                          size_t length,
                                                          uint8_t replacement,
                                                          char *dst,
                                                          size_t capacity);

// `fastutf_utf16be_to_latin1_lossy` on an instruction set of the caller's choice.
struct fastutf_conversion fastutf_utf16be_to_latin1_lossy_with_isa(const void *src,
                                                                   size_t length,
                                                                   uint8_t replacement,
                                                                   char *dst,
                                                                   size_t capacity,
                                                                   uint8_t isa);

// Converts UTF-8 to UTF-32 with U+FFFD for each ill-formed sequence. As many code units as
// `length` are always enough.
struct fastutf_conversion fastutf_utf8_to_utf32_lossy(const char *src,
                                                      size_t length,
                                                      uint32_t *dst,
                                                      size_t capacity);

// `fastutf_utf8_to_utf32_lossy` on an instruction set of the caller's choice.
struct fastutf_conversion fastutf_utf8_to_utf32_lossy_with_isa(const char *src,
                                                               size_t length,
                                                               uint32_t *dst,
                                                               size_t capacity,
                                                               uint8_t isa);

// Converts UTF-16 to UTF-32 with U+FFFD for each unpaired surrogate.
// As many code units as `length` are always enough.
struct fastutf_conversion fastutf_utf16_to_utf32_lossy(const uint16_t *src,
                                                       size_t length,
                                                       uint32_t *dst,
                                                       size_t capacity);

// `fastutf_utf16_to_utf32_lossy` on an instruction set of the caller's choice.
struct fastutf_conversion fastutf_utf16_to_utf32_lossy_with_isa(const uint16_t *src,
                                                                size_t length,
                                                                uint32_t *dst,
                                                                size_t capacity,
                                                                uint8_t isa);

// Converts UTF-32 to UTF-8 with U+FFFD for each surrogate and number above 10FFFF.
// Four times `length` is always enough.
struct fastutf_conversion fastutf_utf32_to_utf8_lossy(const uint32_t *src,
                                                      size_t length,
                                                      char *dst,
                                                      size_t capacity);

// `fastutf_utf32_to_utf8_lossy` on an instruction set of the caller's choice.
struct fastutf_conversion fastutf_utf32_to_utf8_lossy_with_isa(const uint32_t *src,
                                                               size_t length,
                                                               char *dst,
                                                               size_t capacity,
                                                               uint8_t isa);

// Converts UTF-32 to UTF-16 with U+FFFD for each surrogate and number above 10FFFF.
// Twice as many code units as `length` are always enough.
struct fastutf_conversion fastutf_utf32_to_utf16_lossy(const uint32_t *src,
                                                       size_t length,
                                                       uint16_t *dst,
                                                       size_t capacity);

// `fastutf_utf32_to_utf16_lossy` on an instruction set of the caller's choice.
struct fastutf_conversion fastutf_utf32_to_utf16_lossy_with_isa(const uint32_t *src,
                                                                size_t length,
                                                                uint16_t *dst,
                                                                size_t capacity,
                                                                uint8_t isa);

// Converts UTF-32 to Latin-1 with `replacement` for each other character and whatever is ill-formed.
struct fastutf_conversion fastutf_utf32_to_latin1_lossy(const uint32_t *src,
                                                        size_t length,
                                                        uint8_t replacement,
                                                        char *dst,
                                                        size_t capacity);

// `fastutf_utf32_to_latin1_lossy` on an instruction set of the caller's choice.
struct fastutf_conversion fastutf_utf32_to_latin1_lossy_with_isa(const uint32_t *src,
                                                                 size_t length,
                                                                 uint8_t replacement,
                                                                 char *dst,
                                                                 size_t capacity,
                                                                 uint8_t isa);

// Replaces each unpaired surrogate by U+FFFD, in place, and returns their number; `FASTUTF_NO_LENGTH` for bad
// arguments.
size_t fastutf_make_well_formed_utf16(uint16_t *text, size_t length);

// `fastutf_make_well_formed_utf16` on an instruction set of the caller's choice.
size_t fastutf_make_well_formed_utf16_with_isa(uint16_t *text, size_t length, uint8_t isa);

// The same for UTF-16LE. `length` is in bytes. An odd last byte is left as it is, and not counted.
size_t fastutf_make_well_formed_utf16le(void *text, size_t length);

// `fastutf_make_well_formed_utf16le` on an instruction set of the caller's choice.
size_t fastutf_make_well_formed_utf16le_with_isa(void *text, size_t length, uint8_t isa);

// The same for UTF-16BE. `length` is in bytes. An odd last byte is left as it is, and not counted.
size_t fastutf_make_well_formed_utf16be(void *text, size_t length);

// `fastutf_make_well_formed_utf16be` on an instruction set of the caller's choice.
size_t fastutf_make_well_formed_utf16be_with_isa(void *text, size_t length, uint8_t isa);

// Returns the length of the longest part at the start that does not end inside a character; `FASTUTF_NO_LENGTH` for
// bad arguments. What is after it, at most 3 bytes, could be completed by the next chunk.
size_t fastutf_complete_utf8(const char *src,
                             size_t length);

// The same for UTF-16, in code units.
size_t fastutf_complete_utf16(const uint16_t *src, size_t length);

// The same for UTF-16LE, in bytes.
size_t fastutf_complete_utf16le(const void *src, size_t length);

// The same for UTF-16BE, in bytes.
size_t fastutf_complete_utf16be(const void *src, size_t length);

// Returns the last boundary between characters at or before `at`; `length` if `at` is beyond it;
// `FASTUTF_NO_LENGTH` for bad arguments. Ill-formed text is cut between what lossy functions replace.
size_t fastutf_floor_utf8(const char *src, size_t length, size_t at);

// The same for UTF-16, in code units.
size_t fastutf_floor_utf16(const uint16_t *src, size_t length, size_t at);

// The same for UTF-16LE, in bytes.
size_t fastutf_floor_utf16le(const void *src, size_t length, size_t at);

// The same for UTF-16BE, in bytes.
size_t fastutf_floor_utf16be(const void *src, size_t length, size_t at);

// Checks UTF-8 and, in the same pass, counts its characters and the code units that it converts to, and finds the
// narrowest form that holds it.
struct fastutf_info fastutf_utf8_info(const char *src, size_t length);

// `fastutf_utf8_info` on an instruction set of the caller's choice.
struct fastutf_info fastutf_utf8_info_with_isa(const char *src, size_t length, uint8_t isa);

// Checks UTF-16 and, in the same pass, counts its characters and finds the narrowest form that holds it.
struct fastutf_info fastutf_utf16_info(const uint16_t *src, size_t length);

// `fastutf_utf16_info` on an instruction set of the caller's choice.
struct fastutf_info fastutf_utf16_info_with_isa(const uint16_t *src, size_t length, uint8_t isa);

// Returns whether all bytes are below 80; `false` for bad arguments.
bool fastutf_is_ascii(const char *src, size_t length);

// `fastutf_is_ascii` on an instruction set of the caller's choice.
bool fastutf_is_ascii_with_isa(const char *src, size_t length, uint8_t isa);

// Copies `src` with the two bytes of every code unit swapped: UTF-16LE to UTF-16BE and back. An odd last byte is copied
// as it is. `dst` may be `src`: then it is done in place.
struct fastutf_conversion fastutf_swap_utf16_bytes(const void *src,
                                                   size_t length,
                                                   void *dst,
                                                   size_t capacity);

// `fastutf_swap_utf16_bytes` on an instruction set of the caller's choice.
struct fastutf_conversion fastutf_swap_utf16_bytes_with_isa(const void *src,
                                                            size_t length,
                                                            void *dst,
                                                            size_t capacity,
                                                            uint8_t isa);

// Looks for a byte-order mark at the start of a text; its first 4 bytes are enough. `from` and `flags` are as in
// `fastutf_transcoder_init`.
struct fastutf_bom fastutf_detect_bom(const void *src, size_t length, uint8_t from, uint32_t flags);

// Prepares for a check of text in this encoding, a `fastutf_encoding`. Returns `FASTUTF_OK`, or a bad argument.
fastutf_status fastutf_validator_init(struct fastutf_validator *validator, uint8_t encoding);

// `fastutf_validator_init` for an instruction set of the caller's choice.
fastutf_status fastutf_validator_init_with_isa(struct fastutf_validator *validator, uint8_t encoding, uint8_t isa);

// Checks the next chunk, `length` bytes cut anywhere. An error is final: each later call returns it again.
struct fastutf_stream_check fastutf_validator_push(struct fastutf_validator *validator,
                                                   const void *src,
                                                   size_t length);

// Ends the text: an error, if it ends inside a character or an earlier call found one. The state is unchanged.
struct fastutf_stream_check fastutf_validator_finish(const struct fastutf_validator *validator);

// Prepares for a conversion of text in chunks `from` one encoding `to` another, or to the same, which checks or repairs.
// `flags` is 0 or a sum: FASTUTF_LOSSY or FASTUTF_WEB, and at most one of FASTUTF_STRIP_BOM, FASTUTF_UTF16_BOM,
// FASTUTF_UTF32_BOM, FASTUTF_DETECT_BOM and FASTUTF_DETECT_ANY_BOM. Returns `FASTUTF_OK`, or a bad argument.
fastutf_status fastutf_transcoder_init(struct fastutf_transcoder *transcoder,
                                       uint8_t from,
                                       uint8_t to,
                                       uint32_t flags);

// `fastutf_transcoder_init` for an instruction set of the caller's choice.
fastutf_status fastutf_transcoder_init_with_isa(struct fastutf_transcoder *transcoder,
                                                uint8_t from,
                                                uint8_t to,
                                                uint32_t flags,
                                                uint8_t isa);

// Says which byte, instead of a question mark, a lossy conversion to Latin-1 writes for what it replaces. Returns `FASTUTF_OK`,
// or a bad argument.
fastutf_status fastutf_transcoder_set_latin1_replacement(struct fastutf_transcoder *transcoder,
                                                         uint8_t byte);

// Converts the next chunk, `length` bytes cut anywhere, into `dst`. After `FASTUTF_OUTPUT_FULL`, continue with the rest of
// the chunk, from `read` on, and more room: 4 bytes are always enough for a character. `read` may be 0, if the character
// began in an earlier chunk. An error is final: each later call returns it again.
struct fastutf_stream_conversion fastutf_transcoder_convert(struct fastutf_transcoder *transcoder,
                                                            const void *src,
                                                            size_t length,
                                                            void *dst,
                                                            size_t capacity);

// Ends the text. A character that is incomplete is an error or, with FASTUTF_LOSSY, becomes U+FFFD in `dst`, at most
// twice: 8 bytes. After `FASTUTF_OUTPUT_FULL`, call it again.
struct fastutf_stream_conversion fastutf_transcoder_finish(struct fastutf_transcoder *transcoder,
                                                           void *dst,
                                                           size_t capacity);

// Returns the number of replacements so far; 0 for bad arguments.
uint64_t fastutf_transcoder_replacements(const struct fastutf_transcoder *transcoder);

// Returns what the output's encoding does not have: the character after FASTUTF_NOT_LATIN1, the surrogate after
// FASTUTF_UNPAIRED_SURROGATE; otherwise 0, also for bad arguments.
uint32_t fastutf_transcoder_character(const struct fastutf_transcoder *transcoder);

// Returns the encoding of the input: FASTUTF_UNKNOWN while a byte-order mark may follow, and for bad arguments.
fastutf_encoding fastutf_transcoder_encoding(const struct fastutf_transcoder *transcoder);

// Returns the version of the library, such as "1.2.3".
const char *fastutf_version(void);

// Returns a short description of a `fastutf_error` in English; "unknown error" if there is no such error.
const char *fastutf_error_text(uint8_t error);

// Returns a short description of a `fastutf_status` in English; "unknown status" if there is no such status.
const char *fastutf_status_text(uint8_t status);

// Checks that each row of UTF-8 that is not null is well-formed by itself.
struct fastutf_column_check fastutf_column_validate_utf8(const struct fastutf_column *column);

// The same for UTF-16LE.
struct fastutf_column_check fastutf_column_validate_utf16le(const struct fastutf_column *column);

// The same for UTF-16BE.
struct fastutf_column_check fastutf_column_validate_utf16be(const struct fastutf_column *column);

// Converts as many rows of UTF-16LE to UTF-8 as there is room for. `on_error` is a `fastutf_on_error`. After
// `FASTUTF_OUTPUT_FULL`, go on with the rows from that number on. It checks at most 8192 of these.
struct fastutf_column_conversion fastutf_column_utf16le_to_utf8(const struct fastutf_column *column,
                                                                const struct fastutf_column_room *room,
                                                                uint8_t on_error);

// The same for UTF-16BE.
struct fastutf_column_conversion fastutf_column_utf16be_to_utf8(const struct fastutf_column *column,
                                                                const struct fastutf_column_room *room,
                                                                uint8_t on_error);

// The same for UTF-8 to UTF-16LE.
struct fastutf_column_conversion fastutf_column_utf8_to_utf16le(const struct fastutf_column *column,
                                                                const struct fastutf_column_room *room,
                                                                uint8_t on_error);

// The same for UTF-8 to UTF-16BE.
struct fastutf_column_conversion fastutf_column_utf8_to_utf16be(const struct fastutf_column *column,
                                                                const struct fastutf_column_room *room,
                                                                uint8_t on_error);

// The same for UTF-8 to UTF-8: a copy without what is ill-formed.
struct fastutf_column_conversion fastutf_column_utf8_to_utf8(const struct fastutf_column *column,
                                                             const struct fastutf_column_room *room,
                                                             uint8_t on_error);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* FASTUTF_H */
