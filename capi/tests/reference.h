/* What conversions must do, written as simply as possible: one character after the other, from any encoding to any other. */
#ifndef REFERENCE_H
#define REFERENCE_H

#include <fastutf.h>
#include <string.h>

/* Forms of text: which encoding of streams each is, if any; and, if each byte is a character, the error of all others. */
#define FORMS(X) \
    X(UTF8, FASTUTF_UTF8, 0) X(UTF16, 0, 0) X(UTF16LE, FASTUTF_UTF16LE, 0) X(UTF16BE, FASTUTF_UTF16BE, 0) \
    X(LATIN1, FASTUTF_LATIN1, FASTUTF_NOT_LATIN1) X(UTF32, 0, 0) X(UTF32LE, FASTUTF_UTF32LE, 0) \
    X(UTF32BE, FASTUTF_UTF32BE, 0) X(WTF8, FASTUTF_WTF8, 0) X(MUTF8, 0, 0)
#define FORM(name, encoding, lacks) name,
enum form { FORMS(FORM) FORM_COUNT };

static const struct { uint8_t encoding, lacks; } known_forms[] = {
#define FORM_ROW(name, encoding, lacks) { encoding, lacks },
    FORMS(FORM_ROW)
};

/* Whether each byte is a character. */
static int is_one_byte(enum form form)
{
    return known_forms[form].lacks != 0;
}

/* The character of a byte in such a form. */
static uint32_t character_of(enum form form, unsigned char byte)
{
    (void)form; /* all have the numbers of Unicode */
    return byte;
}

/* The byte of a character, or -1. */
static int byte_of(enum form form, uint32_t character)
{
    unsigned i;
    for (i = 0; i < 256; i++) {
        unsigned char byte = (unsigned char)(character + i);
        if (character_of(form, byte) == character)
            return byte;
    }
    return -1;
}

static const union { uint16_t unit; unsigned char first; } native_order = { 1 };

/* The size of what lengths count. */
static size_t unit_size(enum form form)
{
    return form == UTF16 ? 2 : form == UTF32 ? 4 : 1;
}

static int is_big(enum form form)
{
    return form == UTF16BE || form == UTF32BE || ((form == UTF16 || form == UTF32) && !native_order.first);
}

static int is_utf16(enum form form)
{
    return form == UTF16 || form == UTF16LE || form == UTF16BE;
}

static int is_utf32(enum form form)
{
    return form == UTF32 || form == UTF32LE || form == UTF32BE;
}

static int is_surrogate(uint32_t number)
{
    return number >= 0xD800 && number < 0xE000;
}

/* Whether a form of text may have surrogates that are not in pairs. */
static int may_have_surrogates(enum form form)
{
    return form == WTF8 || form == MUTF8;
}

/* A character, an ill-formed sequence or, in forms that may have them, an unpaired surrogate. */
struct item {
    uint32_t character;
    size_t length; /* in units; what a lossy conversion replaces as a whole */
    unsigned error, error_length;
};

static struct item ill_formed(size_t length, unsigned error, unsigned error_length)
{
    struct item item = { 0xFFFD, length, error, error_length };
    return item;
}

static struct item item_of_utf8(enum form form, const unsigned char *src, size_t length)
{
    static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
    unsigned char lead = src[0];
    struct item item = { lead, 1, FASTUTF_NO_ERROR, 0 };
    size_t needed = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (form == MUTF8 && lead == 0)
        return ill_formed(1, FASTUTF_MUTF8_NUL, 1);
    if (form == MUTF8 && lead >= 0xF0 && lead < 0xF8)
        return ill_formed(1, FASTUTF_MUTF8_FOUR_BYTE_FORM, 1);
    if (form == MUTF8 && lead == 0xC0 && length == 1)
        return ill_formed(1, FASTUTF_UTF8_INCOMPLETE, 0);
    if (form == MUTF8 && lead == 0xC0 && (src[1] & 0xC0) != 0x80)
        return ill_formed(1, FASTUTF_UTF8_MISSING_CONTINUATION, 1);
    if (form == MUTF8 && lead == 0xC0 && src[1] == 0x80) {
        item.character = 0;
        item.length = 2;
        return item;
    }
    if (lead < 0x80)
        return item;
    if (lead < 0xC0)
        return ill_formed(1, FASTUTF_UTF8_STRAY_CONTINUATION, 1);
    if (lead < 0xC2)
        return ill_formed(1, FASTUTF_UTF8_OVERLONG, 1);
    if (lead >= 0xFE)
        return ill_formed(1, FASTUTF_UTF8_INVALID_LEAD, 1);
    if (lead >= 0xF8)
        return ill_formed(1, FASTUTF_UTF8_FIVE_OR_SIX_BYTE_FORM, 1);
    if (lead >= 0xF5)
        return ill_formed(1, FASTUTF_UTF8_ABOVE_MAX, 1);
    item.character = lead & (0xFFu >> (needed + 1));
    for (; item.length < needed; item.length++) {
        uint32_t lowest, highest;
        unsigned shift = (unsigned)(6 * (needed - item.length));
        if (item.length == length)
            return ill_formed(length, FASTUTF_UTF8_INCOMPLETE, 0);
        if ((src[item.length] & 0xC0) != 0x80)
            return ill_formed(item.length, FASTUTF_UTF8_MISSING_CONTINUATION, (unsigned)item.length);
        item.character = item.character << 6 | (src[item.length] & 0x3F);
        /* What can it still become? */
        shift -= 6;
        lowest = item.character << shift;
        highest = lowest | ((1u << shift) - 1);
        if (highest < least[needed])
            return ill_formed(1, FASTUTF_UTF8_OVERLONG, 1);
        if (lowest >= 0xD800 && highest <= 0xDFFF && !may_have_surrogates(form))
            return ill_formed(1, FASTUTF_UTF8_SURROGATE, 1);
        if (lowest > 0x10FFFF)
            return ill_formed(1, FASTUTF_UTF8_ABOVE_MAX, 1);
    }
    if (form == MUTF8 && item.character >= 0xD800 && item.character < 0xDC00 && length > 3) {
        struct item low = item_of_utf8(form, src + 3, length - 3 < 3 ? length - 3 : 3);
        if (low.error == FASTUTF_NO_ERROR && low.character >= 0xDC00 && low.character < 0xE000) {
            item.character = 0x10000 + ((item.character - 0xD800) << 10) + (low.character - 0xDC00);
            item.length = 6;
        }
    }
    return item;
}

static uint32_t unit_at(enum form form, const unsigned char *src)
{
    return is_big(form) ? (uint32_t)(src[0] << 8 | src[1]) : (uint32_t)(src[1] << 8 | src[0]);
}

static struct item item_of_utf16(enum form form, const unsigned char *src, size_t bytes)
{
    unsigned one = form == UTF16 ? 1 : 2;
    struct item item = { 0, one, FASTUTF_NO_ERROR, 0 };
    uint32_t low;
    if (bytes < 2)
        return ill_formed(1, FASTUTF_UTF16_TRAILING_BYTE, 0);
    item.character = unit_at(form, src);
    if (item.character >= 0xDC00 && item.character < 0xE000)
        return ill_formed(one, FASTUTF_UTF16_UNPAIRED_LOW_SURROGATE, one);
    if (item.character < 0xD800 || item.character >= 0xE000)
        return item;
    if (bytes < 4)
        return ill_formed(one, FASTUTF_UTF16_TRAILING_HIGH_SURROGATE, 0);
    low = unit_at(form, src + 2);
    if (low < 0xDC00 || low >= 0xE000)
        return ill_formed(one, FASTUTF_UTF16_UNPAIRED_HIGH_SURROGATE, one);
    item.character = 0x10000 + ((item.character - 0xD800) << 10) + (low - 0xDC00);
    item.length = 2 * one;
    return item;
}

static struct item item_of_utf32(enum form form, const unsigned char *src, size_t bytes)
{
    unsigned one = form == UTF32 ? 1 : 4, i;
    struct item item = { 0, one, FASTUTF_NO_ERROR, 0 };
    if (bytes < 4)
        return ill_formed(bytes, FASTUTF_UTF32_TRAILING_BYTES, 0);
    for (i = 0; i < 4; i++)
        item.character = item.character << 8 | src[is_big(form) ? i : 3 - i];
    if (is_surrogate(item.character))
        return ill_formed(one, FASTUTF_UTF32_SURROGATE, one);
    if (item.character > 0x10FFFF)
        return ill_formed(one, FASTUTF_UTF32_ABOVE_MAX, one);
    return item;
}

/* The item at the start of a text that is not empty. */
static struct item first_item(enum form form, const void *src, size_t length)
{
    const unsigned char *bytes = src;
    struct item item = { 0, 1, FASTUTF_NO_ERROR, 0 };
    if (form == UTF8 || may_have_surrogates(form))
        return item_of_utf8(form, bytes, length);
    if (is_utf32(form))
        return item_of_utf32(form, bytes, length * unit_size(form));
    if (!is_one_byte(form))
        return item_of_utf16(form, bytes, length * unit_size(form));
    item.character = character_of(form, bytes[0]);
    return item;
}

/* Writes a character, and returns its length in bytes: at most 6. */
static size_t put(enum form form, uint32_t character, unsigned char *out)
{
    uint32_t units[2];
    size_t n = 0, i;
    if (is_one_byte(form)) {
        out[0] = (unsigned char)byte_of(form, character);
        return 1;
    }
    if (is_utf32(form)) {
        for (i = 0; i < 4; i++)
            out[is_big(form) ? 3 - i : i] = (unsigned char)(character >> 8 * i);
        return 4;
    }
    if (form == MUTF8 && character >= 0x10000) {
        n = put(UTF16LE, character, out);
        units[0] = unit_at(UTF16LE, out);
        units[1] = unit_at(UTF16LE, out + 2);
        n = put(MUTF8, units[0], out);
        return n + put(MUTF8, units[1], out + n);
    }
    if (form == UTF8 || may_have_surrogates(form)) {
        if (character < 0x80 && !(form == MUTF8 && character == 0)) {
            out[0] = (unsigned char)character;
            return 1;
        }
        if (character < 0x800) {
            out[n++] = (unsigned char)(0xC0 | character >> 6);
        } else if (character < 0x10000) {
            out[n++] = (unsigned char)(0xE0 | character >> 12);
            out[n++] = (unsigned char)(0x80 | (character >> 6 & 0x3F));
        } else {
            out[n++] = (unsigned char)(0xF0 | character >> 18);
            out[n++] = (unsigned char)(0x80 | (character >> 12 & 0x3F));
            out[n++] = (unsigned char)(0x80 | (character >> 6 & 0x3F));
        }
        out[n++] = (unsigned char)(0x80 | (character & 0x3F));
        return n;
    }
    if (character < 0x10000) {
        units[n++] = character;
    } else {
        units[n++] = 0xD800 + ((character - 0x10000) >> 10);
        units[n++] = 0xDC00 + ((character - 0x10000) & 0x3FF);
    }
    for (i = 0; i < n; i++) {
        out[2 * i] = (unsigned char)(is_big(form) ? units[i] >> 8 : units[i] & 0xFF);
        out[2 * i + 1] = (unsigned char)(is_big(form) ? units[i] & 0xFF : units[i] >> 8);
    }
    return 2 * n;
}

/* `replacement` is a character, or 0 for a strict conversion. */
static inline fastutf_conversion reference(enum form from, enum form to, uint32_t replacement, const void *src, size_t length,
                                    void *dst, size_t capacity)
{
    fastutf_conversion out;
    int after_high = 0;
    memset(&out, 0, sizeof out);
    while (out.read < length) {
        const unsigned char *rest = (const unsigned char *)src + out.read * unit_size(from);
        struct item item = first_item(from, rest, length - out.read);
        unsigned char bytes[6];
        size_t n;
        int replaced = 0;
        if (is_utf16(from) && may_have_surrogates(to) && item.error != FASTUTF_UTF16_TRAILING_BYTE) {
            if (item.error != FASTUTF_NO_ERROR)
                item.character = unit_at(from, rest);
            item.error = FASTUTF_NO_ERROR;
        }
        if (item.error == FASTUTF_NO_ERROR && from == WTF8) {
            if (after_high && item.character >= 0xDC00 && item.character < 0xE000)
                item = ill_formed(3, FASTUTF_WTF8_SURROGATE_PAIR, 3);
            after_high = item.error == FASTUTF_NO_ERROR && item.character >= 0xD800 && item.character < 0xDC00;
        } else {
            after_high = 0;
        }
        if (item.error == FASTUTF_NO_ERROR && is_surrogate(item.character) && !may_have_surrogates(to) && !is_utf16(to)) {
            item.error = FASTUTF_UNPAIRED_SURROGATE;
            item.error_length = (unsigned)item.length;
        }
        if (item.error == FASTUTF_NO_ERROR && is_one_byte(to) && byte_of(to, item.character) < 0) {
            item.error = known_forms[to].lacks;
            item.error_length = (unsigned)item.length;
        }
        if (item.error != FASTUTF_NO_ERROR) {
            if (!replacement) {
                out.status = FASTUTF_INVALID;
                out.error = (fastutf_error)item.error;
                out.error_length = (uint8_t)item.error_length;
                return out;
            }
            item.character = replacement;
            replaced = 1;
        }
        n = put(to, item.character, bytes);
        if (n > (capacity - out.written) * unit_size(to)) {
            out.status = FASTUTF_OUTPUT_FULL;
            return out;
        }
        memcpy((unsigned char *)dst + out.written * unit_size(to), bytes, n);
        out.read += item.length;
        out.written += n / unit_size(to);
        out.replacements += (size_t)replaced;
    }
    return out;
}

#endif
