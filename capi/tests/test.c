/* Every function on every instruction set, compared with reference.h: well-formed and ill-formed text, with room for all of
 * the result and for less, in memory that ends where the text and the result do. Then what happens to bad arguments.
 *
 * usage: test [N]: N texts for each function (400) */
#include "common.h"

static size_t random_length(void)
{
    return random_below(random_below(4) ? 100 : 700);
}

/* `bytes` is for Latin-1. -1 stands for the function without `_with_isa`. */
typedef fastutf_conversion conversion(const void *, size_t, uint8_t, void *, size_t, int);
typedef fastutf_check check(const void *, size_t, int);
typedef size_t number(const void *, size_t, int);
typedef size_t repair(void *, size_t, int);

#define CONVERSION(name) \
    static fastutf_conversion call_##name(const void *src, size_t n, uint8_t byte, void *dst, size_t room, int isa) \
    { \
        (void)byte; \
        return isa < 0 ? fastutf_##name(src, n, dst, room) : fastutf_##name##_with_isa(src, n, dst, room, (uint8_t)isa); \
    }
#define REPLACING(name) \
    static fastutf_conversion call_##name(const void *src, size_t n, uint8_t byte, void *dst, size_t room, int isa) \
    { \
        return isa < 0 ? fastutf_##name(src, n, byte, dst, room) \
                       : fastutf_##name##_with_isa(src, n, byte, dst, room, (uint8_t)isa); \
    }
#define OTHER(type, name, pointer) \
    static type call_##name(pointer text, size_t n, int isa) \
    { \
        return isa < 0 ? fastutf_##name(text, n) : fastutf_##name##_with_isa(text, n, (uint8_t)isa); \
    }

/* name, from, to, what replaces: 0 nothing, 1 U+FFFD, 2 a byte */
#define CONVERSIONS(C, R) \
    C(utf8_to_utf16, UTF8, UTF16, 0) C(utf8_to_utf16le, UTF8, UTF16LE, 0) C(utf8_to_utf16be, UTF8, UTF16BE, 0) \
    C(utf16_to_utf8, UTF16, UTF8, 0) C(utf16le_to_utf8, UTF16LE, UTF8, 0) C(utf16be_to_utf8, UTF16BE, UTF8, 0) \
    C(utf8_to_utf8_lossy, UTF8, UTF8, 1) C(utf8_to_utf16_lossy, UTF8, UTF16, 1) \
    C(utf8_to_utf16le_lossy, UTF8, UTF16LE, 1) C(utf8_to_utf16be_lossy, UTF8, UTF16BE, 1) \
    C(utf16_to_utf8_lossy, UTF16, UTF8, 1) C(utf16le_to_utf8_lossy, UTF16LE, UTF8, 1) \
    C(utf16be_to_utf8_lossy, UTF16BE, UTF8, 1) \
    C(latin1_to_utf8, LATIN1, UTF8, 0) C(latin1_to_utf16, LATIN1, UTF16, 0) \
    C(latin1_to_utf16le, LATIN1, UTF16LE, 0) C(latin1_to_utf16be, LATIN1, UTF16BE, 0) \
    C(utf8_to_latin1, UTF8, LATIN1, 0) C(utf16_to_latin1, UTF16, LATIN1, 0) \
    C(utf16le_to_latin1, UTF16LE, LATIN1, 0) C(utf16be_to_latin1, UTF16BE, LATIN1, 0) \
    R(utf8_to_latin1_lossy, UTF8, LATIN1, 2) R(utf16_to_latin1_lossy, UTF16, LATIN1, 2) \
    R(utf16le_to_latin1_lossy, UTF16LE, LATIN1, 2) R(utf16be_to_latin1_lossy, UTF16BE, LATIN1, 2) \
    C(utf8_to_utf32, UTF8, UTF32, 0) C(utf16_to_utf32, UTF16, UTF32, 0) C(latin1_to_utf32, LATIN1, UTF32, 0) \
    C(utf32_to_utf8, UTF32, UTF8, 0) C(utf32_to_utf16, UTF32, UTF16, 0) C(utf32_to_latin1, UTF32, LATIN1, 0) \
    C(utf8_to_utf32_lossy, UTF8, UTF32, 1) C(utf16_to_utf32_lossy, UTF16, UTF32, 1) \
    C(utf32_to_utf8_lossy, UTF32, UTF8, 1) C(utf32_to_utf16_lossy, UTF32, UTF16, 1) \
    R(utf32_to_latin1_lossy, UTF32, LATIN1, 2)
#define DEFINE(name, from, to, lossy) CONVERSION(name)
#define DEFINE_REPLACING(name, from, to, lossy) REPLACING(name)
CONVERSIONS(DEFINE, DEFINE_REPLACING)

/* name, from, to: to the same if only well-formed text is wanted */
#define CHECKS(X) \
    X(validate_utf8, UTF8, UTF8) X(validate_utf16, UTF16, UTF16) \
    X(validate_utf16le, UTF16LE, UTF16LE) X(validate_utf16be, UTF16BE, UTF16BE) \
    X(validate_latin1_in_utf8, UTF8, LATIN1) X(validate_latin1_in_utf16, UTF16, LATIN1) \
    X(validate_latin1_in_utf16le, UTF16LE, LATIN1) X(validate_latin1_in_utf16be, UTF16BE, LATIN1) \
    X(validate_utf32, UTF32, UTF32)
#define DEFINE_CHECK(name, from, to) OTHER(fastutf_check, name, const void *)
CHECKS(DEFINE_CHECK)

/* name, from, to, lossy, what is counted: 0 units of the result, 1 characters */
#define NUMBERS(X) \
    X(count_chars_utf8, UTF8, UTF8, 0, 1) X(count_chars_utf16, UTF16, UTF16, 0, 1) \
    X(count_chars_utf16le, UTF16LE, UTF16LE, 0, 1) X(count_chars_utf16be, UTF16BE, UTF16BE, 0, 1) \
    X(utf16_length_from_utf8, UTF8, UTF16, 0, 0) X(utf8_length_from_utf16, UTF16, UTF8, 0, 0) \
    X(utf8_length_from_utf16le, UTF16LE, UTF8, 0, 0) X(utf8_length_from_utf16be, UTF16BE, UTF8, 0, 0) \
    X(utf8_length_from_utf8_lossy, UTF8, UTF8, 1, 0) X(utf16_length_from_utf8_lossy, UTF8, UTF16, 1, 0) \
    X(utf8_length_from_utf16_lossy, UTF16, UTF8, 1, 0) X(utf8_length_from_utf16le_lossy, UTF16LE, UTF8, 1, 0) \
    X(utf8_length_from_utf16be_lossy, UTF16BE, UTF8, 1, 0) X(utf8_length_from_latin1, LATIN1, UTF8, 0, 0) \
    X(utf8_length_from_utf32, UTF32, UTF8, 1, 0) X(utf16_length_from_utf32, UTF32, UTF16, 1, 0)
#define DEFINE_NUMBER(name, from, to, lossy, chars) OTHER(size_t, name, const void *)
NUMBERS(DEFINE_NUMBER)

#define REPAIRS(X) \
    X(make_well_formed_utf16, UTF16) X(make_well_formed_utf16le, UTF16LE) X(make_well_formed_utf16be, UTF16BE)
#define DEFINE_REPAIR(name, form) OTHER(size_t, name, void *)
REPAIRS(DEFINE_REPAIR)

OTHER(fastutf_info, utf8_info, const void *)
OTHER(fastutf_info, utf16_info, const void *)
OTHER(bool, is_ascii, const void *)

static const struct { const char *name; conversion *call; enum form from, to; int lossy; } conversions[] = {
#define ROW(name, from, to, lossy) { "fastutf_" #name, call_##name, from, to, lossy },
    CONVERSIONS(ROW, ROW)
};
static const struct { const char *name; check *call; enum form from, to; } all_checks[] = {
#define CHECK_ROW(name, from, to) { "fastutf_" #name, call_##name, from, to },
    CHECKS(CHECK_ROW)
};
static const struct { const char *name; number *call; enum form from, to; int lossy, chars; } numbers[] = {
#define NUMBER_ROW(name, from, to, lossy, chars) { "fastutf_" #name, call_##name, from, to, lossy, chars },
    NUMBERS(NUMBER_ROW)
};
static const struct { const char *name; repair *call; enum form form; } repairs[] = {
#define REPAIR_ROW(name, form) { "fastutf_" #name, call_##name, form },
    REPAIRS(REPAIR_ROW)
};
#define COUNT(array) (sizeof array / sizeof *array)

static int same(fastutf_conversion a, fastutf_conversion b)
{
    return a.read == b.read && a.written == b.written && a.replacements == b.replacements && a.status == b.status
        && a.error == b.error && a.error_length == b.error_length && memcmp(a.reserved, b.reserved, 5) == 0;
}

enum { LONGEST = 800, PAINT = 0xA5 };

static unsigned char text[LONGEST], result[4 * LONGEST];

/* A random text in memory of its own. */
static void *new_text(enum form form, size_t *length, int damaged)
{
    size_t n = random_text(form, text, random_length(), damaged), size = n * unit_size(form);
    void *src = exactly(size);
    if (size)
        memcpy(src, text, size);
    *length = n;
    return src;
}

static void test_conversion(size_t which, int damaged)
{
    enum form from = conversions[which].from, to = conversions[which].to;
    int lossy = conversions[which].lossy;
    uint32_t replacement = lossy == 0 ? 0 : lossy == 1 ? 0xFFFD : '?';
    size_t n, capacity, size;
    void *src = new_text(from, &n, damaged);
    unsigned char *dst;
    fastutf_conversion expected, out;
    now = conversions[which].name;
    expected = reference(from, to, replacement, src, n, result, sizeof result / unit_size(to));
    capacity = expected.written;
    if (capacity > 0 && random_below(3) == 0)
        capacity = random_below((unsigned)capacity);
    else if (random_below(3) == 0)
        capacity += random_below(70);
    expected = reference(from, to, replacement, src, n, result, capacity);
    size = capacity * unit_size(to);
    dst = exactly(size);
    if (size)
        memset(dst, PAINT, size);
    out = conversions[which].call(src, n, (uint8_t)'?', dst, capacity, isa_now);
    CHECK(same(out, expected));
    CHECK(out.written == 0 || memcmp(dst, result, out.written * unit_size(to)) == 0);
    give_back(src, n * unit_size(from));
    give_back(dst, size);
}

/* The narrowest form that holds a text. */
static fastutf_width width(enum form form, const void *src, size_t n)
{
    uint32_t greatest = 0;
    size_t at = 0;
    while (at < n) {
        struct item item = first_item(form, (const unsigned char *)src + at * unit_size(form), n - at);
        if (item.error != FASTUTF_NO_ERROR)
            return FASTUTF_WIDTH_UNKNOWN;
        greatest = item.character > greatest ? item.character : greatest;
        at += item.length;
    }
    return greatest < 0x80      ? FASTUTF_WIDTH_ASCII
        : greatest < 0x100      ? FASTUTF_WIDTH_LATIN1
        : greatest < 0x10000    ? FASTUTF_WIDTH_BMP
                                : FASTUTF_WIDTH_FULL;
}

static void test_check(size_t which, int damaged)
{
    enum form from = all_checks[which].from, to = all_checks[which].to;
    size_t n;
    void *src = new_text(from, &n, damaged);
    fastutf_conversion expected = reference(from, to, 0, src, n, result, sizeof result / unit_size(to));
    fastutf_check found = all_checks[which].call(src, n, isa_now);
    now = all_checks[which].name;
    CHECK(found.position == expected.read && found.status == expected.status);
    CHECK(found.error == expected.error && found.error_length == expected.error_length);
    if (which == 0) {
        fastutf_info info = call_utf8_info(src, n, isa_now);
        size_t ascii = 0;
        CHECK(memcmp(&info.check, &found, sizeof found) == 0);
        CHECK(info.width == width(from, src, n));
        while (ascii < n && ((unsigned char *)src)[ascii] < 0x80)
            ascii++;
        CHECK(call_is_ascii(src, n, isa_now) == (ascii == n));
        if (info.check.status == FASTUTF_OK) {
            CHECK(info.chars == fastutf_count_chars_utf8(src, n) && info.ascii == (ascii == n));
            CHECK(info.utf16_length == fastutf_utf16_length_from_utf8(src, n));
        } else {
            CHECK(info.chars == 0 && info.utf16_length == 0 && !info.ascii);
        }
    }
    if (from == UTF16 && to == UTF16) {
        fastutf_info info = call_utf16_info(src, n, isa_now);
        CHECK(memcmp(&info.check, &found, sizeof found) == 0);
        CHECK(info.width == width(from, src, n) && info.ascii == (info.width == FASTUTF_WIDTH_ASCII));
        CHECK(info.utf16_length == (found.status == FASTUTF_OK ? n : 0));
        CHECK(info.chars == (found.status == FASTUTF_OK ? fastutf_count_chars_utf16(src, n) : 0));
    }
    give_back(src, n * unit_size(from));
}

static void test_number(size_t which, int damaged)
{
    enum form from = numbers[which].from, to = numbers[which].to;
    size_t n, found, chars = 0, at;
    void *src = new_text(from, &n, damaged && numbers[which].lossy);
    uint32_t replacement = numbers[which].lossy ? 0xFFFD : 0;
    fastutf_conversion expected = reference(from, to, replacement, src, n, result, sizeof result / unit_size(to));
    now = numbers[which].name;
    found = numbers[which].call(src, n, isa_now);
    for (at = 0; at < n; chars++)
        at += first_item(from, (unsigned char *)src + at * unit_size(from), n - at).length;
    CHECK(expected.status == FASTUTF_OK);
    CHECK(found == (numbers[which].chars ? chars : expected.written));
    give_back(src, n * unit_size(from));
}

static void test_repair(size_t which, int damaged)
{
    enum form form = repairs[which].form;
    size_t n, odd;
    unsigned char *units = new_text(form, &n, damaged);
    fastutf_conversion expected;
    now = repairs[which].name;
    odd = form == UTF16 ? 0 : n % 2;
    expected = reference(form, form, 0xFFFD, units, n - odd, result, sizeof result / unit_size(form));
    if (odd)
        result[n - 1] = units[n - 1];
    CHECK(repairs[which].call(units, n, isa_now) == expected.replacements);
    CHECK(n == 0 || memcmp(units, result, n * unit_size(form)) == 0);
    give_back(units, n * unit_size(form));
}

static fastutf_conversion swap(const void *src, size_t n, void *dst, size_t capacity)
{
    return isa_now < 0 ? fastutf_swap_utf16_bytes(src, n, dst, capacity)
                       : fastutf_swap_utf16_bytes_with_isa(src, n, dst, capacity, (uint8_t)isa_now);
}

static void test_swap(void)
{
    size_t n, capacity, fits, at;
    unsigned char *src = new_text(UTF8, &n, 1), *dst;
    fastutf_conversion out;
    now = "fastutf_swap_utf16_bytes";
    capacity = random_below(2) ? n : random_below((unsigned)n + 9);
    fits = capacity < n ? capacity / 2 * 2 : n;
    dst = exactly(capacity);
    if (capacity)
        memset(dst, PAINT, capacity);
    out = swap(src, n, dst, capacity);
    CHECK(out.read == fits && out.written == fits && out.error == FASTUTF_NO_ERROR);
    CHECK(out.status == (fits < n ? FASTUTF_OUTPUT_FULL : FASTUTF_OK));
    for (at = 0; at < capacity; at++)
        CHECK(dst[at] == (at >= fits ? PAINT : (at ^ 1) < fits ? src[at ^ 1] : src[at]));
    give_back(dst, capacity);
    /* In place: there may be less room, as well. */
    capacity = capacity < n ? capacity : n;
    out = swap(src, n, src, capacity);
    CHECK(out.read == fits && out.written == fits && out.status == (fits < n ? FASTUTF_OUTPUT_FULL : FASTUTF_OK));
    for (at = 0; at < n; at++)
        CHECK(src[at] == (at < fits && (at ^ 1) < fits ? text[at ^ 1] : text[at]));
    give_back(src, n);
}

static void test_cuts(int damaged)
{
    static const enum form forms[] = { UTF8, UTF16, UTF16LE, UTF16BE };
    size_t which;
    for (which = 0; which < 4; which++) {
        enum form form = forms[which];
        size_t n, at = 0, found, end = 0, where;
        void *src = new_text(form, &n, damaged);
        now = "fastutf_complete_..., fastutf_floor_...";
        where = random_below((unsigned)n + 4);
        while (at < n) {
            struct item item = first_item(form, (unsigned char *)src + at * unit_size(form), n - at);
            if (item.error != FASTUTF_NO_ERROR && item.error_length == 0)
                break;
            at += item.length;
        }
        found = form == UTF8    ? fastutf_complete_utf8(src, n)
            : form == UTF16     ? fastutf_complete_utf16(src, n)
            : form == UTF16LE   ? fastutf_complete_utf16le(src, n)
                                : fastutf_complete_utf16be(src, n);
        CHECK(found == at);
        for (at = 0; at <= where && at < n; )
            at += first_item(form, (unsigned char *)src + (end = at) * unit_size(form), n - at).length;
        if (where >= n || at <= where)
            end = n;
        found = form == UTF8    ? fastutf_floor_utf8(src, n, where)
            : form == UTF16     ? fastutf_floor_utf16(src, n, where)
            : form == UTF16LE   ? fastutf_floor_utf16le(src, n, where)
                                : fastutf_floor_utf16be(src, n, where);
        CHECK(found == end);
        give_back(src, n * unit_size(form));
    }
}

static enum form random_encoding(void)
{
    enum form form;
    do
        form = (enum form)random_below(FORM_COUNT);
    while (!known_forms[form].encoding);
    return form;
}

static void test_streams(int damaged)
{
    enum form from = random_encoding(), to = random_encoding();
    uint8_t encoding = known_forms[from].encoding;
    unsigned lossy = random_below(3);
    uint32_t replacement = lossy == 0 ? 0 : is_one_byte(to) ? '?' : 0xFFFD;
    size_t n, at = 0, written = 0;
    unsigned char *src = new_text(from, &n, damaged);
    fastutf_conversion expected;
    fastutf_validator *validator = exactly(sizeof *validator);
    fastutf_transcoder *transcoder = exactly(sizeof *transcoder);
    fastutf_stream_check found;
    static unsigned char all[4 * LONGEST];
    uint32_t flags = lossy == 0 ? 0 : lossy == 1 ? FASTUTF_LOSSY : random_below(2) ? FASTUTF_WEB : FASTUTF_WEB | FASTUTF_LOSSY;

    now = "fastutf_validator";
    expected = reference(from, from, 0, src, n, result, sizeof result);
    if (isa_now < 0)
        CHECK(fastutf_validator_init(validator, encoding) == FASTUTF_OK);
    else
        CHECK(fastutf_validator_init_with_isa(validator, encoding, (uint8_t)isa_now) == FASTUTF_OK);
    do {
        size_t some = random_below(random_below(2) ? 5 : 200);
        if (some > n - at)
            some = n - at;
        found = fastutf_validator_push(validator, src + at, some);
        at += some;
    } while (at < n && found.status == FASTUTF_OK);
    if (found.status == FASTUTF_OK)
        found = fastutf_validator_finish(validator);
    CHECK(found.position == expected.read && found.status == expected.status);
    CHECK(found.error == expected.error && found.error_length == expected.error_length);

    now = "fastutf_transcoder";
    if (is_one_byte(to) && random_below(2))
        replacement = replacement ? 0xBF : 0;
    expected = reference(from, to, replacement, src, n, result, sizeof result);
    /* On the Web, a high surrogate and an odd byte at the end are one error. */
    if (lossy == 2 && is_utf16(from) && n % 2 && n > 2 && (unit_at(from, src + n - 3) & 0xFC00) == 0xD800) {
        size_t read = n - (to == WTF8 ? 0 : 1);
        expected = reference(from, to, replacement, src, read, result, sizeof result);
    }
    if (isa_now < 0)
        CHECK(fastutf_transcoder_init(transcoder, encoding, known_forms[to].encoding, flags) == FASTUTF_OK);
    else
        CHECK(fastutf_transcoder_init_with_isa(transcoder, encoding, known_forms[to].encoding, flags, (uint8_t)isa_now) == 0);
    CHECK(fastutf_transcoder_encoding(transcoder) == encoding);
    if (replacement == 0xBF)
        CHECK(fastutf_transcoder_set_latin1_replacement(transcoder, 0xBF) == FASTUTF_OK);
    for (at = 0;;) {
        size_t some = random_below(random_below(2) ? 5 : 200), capacity = random_below(random_below(2) ? 9 : 300);
        int end = at == n;
        unsigned char *dst = exactly(capacity);
        fastutf_stream_conversion out;
        if (some > n - at)
            some = n - at;
        if (capacity)
            memset(dst, PAINT, capacity);
        if (end)
            out = fastutf_transcoder_finish(transcoder, dst, capacity);
        else
            out = fastutf_transcoder_convert(transcoder, src + at, some, dst, capacity);
        CHECK(out.read <= some && out.written <= capacity && written + out.written <= sizeof all);
        if (out.written)
            memcpy(all + written, dst, out.written);
        at += out.read;
        written += out.written;
        give_back(dst, capacity);
        if (out.status == FASTUTF_INVALID) {
            CHECK(expected.status == FASTUTF_INVALID && out.error == expected.error);
            CHECK(out.position == expected.read && out.error_length == expected.error_length);
            if (out.error == known_forms[to].lacks || out.error == FASTUTF_UNPAIRED_SURROGATE)
                CHECK(fastutf_transcoder_character(transcoder)
                      == first_item(from, src + expected.read, n - expected.read).character);
            else
                CHECK(fastutf_transcoder_character(transcoder) == 0);
            break;
        }
        CHECK(out.position == at && fastutf_transcoder_character(transcoder) == 0);
        if (end && out.status == FASTUTF_OK) {
            CHECK(expected.status == FASTUTF_OK);
            break;
        }
    }
    CHECK(written == expected.written && memcmp(all, result, written) == 0);
    CHECK(fastutf_transcoder_replacements(transcoder) == expected.replacements);
    give_back(src, n);
    give_back(validator, sizeof *validator);
    give_back(transcoder, sizeof *transcoder);
}

/* A bad argument is told, and nothing is touched. */
static void test_bad_arguments(void)
{
    static const size_t too_long[] = { SIZE_MAX, SIZE_MAX / 2 + 1 };
    union { uint32_t units[20]; char bytes[80]; } buffer, before;
    fastutf_validator validator;
    fastutf_transcoder transcoder;
    void *odd = buffer.bytes + 1;
    size_t i, k;
    memset(&buffer, 'a', sizeof buffer);
    memcpy(&before, &buffer, sizeof buffer);
    for (i = 0; i < COUNT(conversions); i++) {
        conversion *call = conversions[i].call;
        size_t in_unit = unit_size(conversions[i].from), out_unit = unit_size(conversions[i].to);
        /* The text is "aa..." or, in UTF-16, U+6161, which no form of one byte has or, in UTF-32, no character. */
        int fits = conversions[i].lossy
            || (conversions[i].from != UTF32 && (conversions[i].from == UTF8 || !is_one_byte(conversions[i].to)));
        fastutf_conversion out;
        now = conversions[i].name;
        CHECK(call(NULL, 0, '?', NULL, 0, isa_now).status == FASTUTF_OK);
        CHECK(call(buffer.bytes, 2, '?', NULL, 0, isa_now).status == (fits ? FASTUTF_OUTPUT_FULL : FASTUTF_INVALID));
        CHECK(call(NULL, 0, '?', buffer.bytes, 2, isa_now).status == FASTUTF_OK);
        CHECK(call(NULL, 1, '?', buffer.bytes, 2, isa_now).status == FASTUTF_NULL);
        CHECK(call(buffer.bytes, 1, '?', NULL, 1, isa_now).status == FASTUTF_NULL);
        for (k = 0; k < 2; k++) {
            CHECK(call(buffer.bytes, too_long[k], '?', buffer.bytes, 2, isa_now).status == FASTUTF_BAD_LENGTH);
            CHECK(call(buffer.bytes, 2, '?', buffer.bytes, too_long[k], isa_now).status == FASTUTF_BAD_LENGTH);
        }
        /* In both orders, and both the same. */
        CHECK(call(buffer.bytes, 6, '?', buffer.bytes + 4, 4, isa_now).status == FASTUTF_OVERLAP);
        CHECK(call(buffer.bytes + 4, 6, '?', buffer.bytes, 6, isa_now).status == FASTUTF_OVERLAP);
        out = call(buffer.bytes, 6, '?', buffer.bytes, 6, isa_now);
        CHECK(out.status == FASTUTF_OVERLAP && out.read == 0 && out.written == 0 && out.error == FASTUTF_NO_ERROR);
        /* Only the last two bytes of the one are the first of the other. */
        k = 6 * unit_size(conversions[i].from);
        CHECK(call(buffer.bytes, 6, '?', buffer.bytes + (k - 2) / out_unit * out_unit, 6, isa_now).status == FASTUTF_OVERLAP);
        k = 6 * unit_size(conversions[i].to);
        CHECK(call(buffer.bytes + (k - 2) / in_unit * in_unit, 6, '?', buffer.bytes, 6, isa_now).status == FASTUTF_OVERLAP);
        /* Of nothing, the address does not matter. */
        CHECK(call(buffer.bytes + 1, 0, '?', buffer.bytes + 20, 2, isa_now).status == FASTUTF_OK);
        CHECK(call(buffer.bytes, 2, '?', buffer.bytes + 21, 0, isa_now).status == (fits ? FASTUTF_OUTPUT_FULL : FASTUTF_INVALID));
        for (k = 1; k < in_unit; k++)
            CHECK(call(buffer.bytes + k, 2, '?', buffer.bytes + 20, 2, isa_now).status == FASTUTF_UNALIGNED);
        for (k = 1; k < out_unit; k++)
            CHECK(call(buffer.bytes + 20, 2, '?', buffer.bytes + k, 2, isa_now).status == FASTUTF_UNALIGNED);
        CHECK(call(buffer.bytes, 2, '?', buffer.bytes + 20, 9, 200).status == FASTUTF_BAD_ISA);
        CHECK(memcmp(&buffer, &before, sizeof buffer) == 0);
        /* Right next to each other is not an overlap. */
        out = call(buffer.bytes, 4, '?', buffer.bytes + 4 * unit_size(conversions[i].from), 16, isa_now);
        CHECK(out.status == (fits ? FASTUTF_OK : FASTUTF_INVALID));
        memcpy(&buffer, &before, sizeof buffer);
    }
    for (i = 0; i < COUNT(all_checks); i++) {
        now = all_checks[i].name;
        CHECK(all_checks[i].call(NULL, 0, isa_now).status == FASTUTF_OK);
        CHECK(all_checks[i].call(NULL, 3, isa_now).status == FASTUTF_NULL);
        CHECK(all_checks[i].call(buffer.bytes, SIZE_MAX, isa_now).status == FASTUTF_BAD_LENGTH);
        CHECK(all_checks[i].call(buffer.bytes + 1, 0, isa_now).status == FASTUTF_OK);
        for (k = 1; k < 4; k++)
            CHECK((all_checks[i].call(buffer.bytes + k, 2, isa_now).status == FASTUTF_UNALIGNED)
                  == (k % unit_size(all_checks[i].from) != 0));
        CHECK(all_checks[i].call(buffer.bytes, 2, 77).status == FASTUTF_BAD_ISA);
    }
    for (i = 0; i < COUNT(numbers); i++) {
        now = numbers[i].name;
        CHECK(numbers[i].call(NULL, 0, isa_now) == 0);
        CHECK(numbers[i].call(NULL, 3, isa_now) == FASTUTF_NO_LENGTH);
        CHECK(numbers[i].call(buffer.bytes, SIZE_MAX, isa_now) == FASTUTF_NO_LENGTH);
        CHECK(numbers[i].call(buffer.bytes + 1, 0, isa_now) == 0);
        for (k = 1; k < 4; k++)
            CHECK((numbers[i].call(buffer.bytes + k, 2, isa_now) == FASTUTF_NO_LENGTH)
                  == (k % unit_size(numbers[i].from) != 0));
        CHECK(numbers[i].call(buffer.bytes, 2, 77) == FASTUTF_NO_LENGTH);
    }
    for (i = 0; i < COUNT(repairs); i++) {
        now = repairs[i].name;
        CHECK(repairs[i].call(NULL, 0, isa_now) == 0);
        CHECK(repairs[i].call(NULL, 3, isa_now) == FASTUTF_NO_LENGTH);
        CHECK(repairs[i].call(buffer.bytes, SIZE_MAX, isa_now) == FASTUTF_NO_LENGTH);
        CHECK((repairs[i].call(odd, 2, isa_now) == FASTUTF_NO_LENGTH) == (repairs[i].form == UTF16));
        CHECK(repairs[i].call(buffer.bytes, 2, 77) == FASTUTF_NO_LENGTH);
    }
    now = "others";
    CHECK(call_utf8_info(NULL, 1, isa_now).check.status == FASTUTF_NULL);
    CHECK(call_utf8_info(NULL, 1, isa_now).width == FASTUTF_WIDTH_UNKNOWN);
    CHECK(call_utf8_info(NULL, 0, isa_now).width == FASTUTF_WIDTH_ASCII);
    CHECK(call_utf16_info(NULL, 1, isa_now).check.status == FASTUTF_NULL);
    CHECK(call_utf16_info(odd, 1, isa_now).check.status == FASTUTF_UNALIGNED);
    CHECK(call_utf16_info(NULL, 0, isa_now).width == FASTUTF_WIDTH_ASCII);
    CHECK(call_utf8_info(NULL, 0, isa_now).check.status == FASTUTF_OK && call_utf8_info(NULL, 0, isa_now).ascii);
    CHECK(!call_is_ascii(NULL, 1, isa_now) && call_is_ascii(NULL, 0, isa_now));
    CHECK(fastutf_complete_utf8(NULL, 1) == FASTUTF_NO_LENGTH && fastutf_complete_utf8(NULL, 0) == 0);
    CHECK(fastutf_complete_utf16(odd, 1) == FASTUTF_NO_LENGTH && fastutf_floor_utf16(odd, 1, 0) == FASTUTF_NO_LENGTH);
    CHECK(fastutf_floor_utf8(NULL, 1, 0) == FASTUTF_NO_LENGTH && fastutf_floor_utf8(NULL, 0, 5) == 0);
    CHECK(fastutf_swap_utf16_bytes(NULL, 0, NULL, 0).status == FASTUTF_OK);
    CHECK(fastutf_swap_utf16_bytes(NULL, 2, NULL, 0).status == FASTUTF_NULL);
    CHECK(fastutf_swap_utf16_bytes(buffer.bytes, 2, NULL, 2).status == FASTUTF_NULL);
    CHECK(fastutf_swap_utf16_bytes(buffer.bytes, 8, buffer.bytes + 2, 8).status == FASTUTF_OVERLAP);
    CHECK(fastutf_swap_utf16_bytes(buffer.bytes, SIZE_MAX, buffer.bytes, SIZE_MAX).status == FASTUTF_BAD_LENGTH);
    CHECK(fastutf_swap_utf16_bytes(buffer.bytes, 4, buffer.bytes, SIZE_MAX).status == FASTUTF_BAD_LENGTH);
    CHECK(fastutf_swap_utf16_bytes_with_isa(buffer.bytes, 2, buffer.bytes, 2, 77).status == FASTUTF_BAD_ISA);

    now = "states";
    memset(&validator, 0, sizeof validator);
    memset(&transcoder, 0, sizeof transcoder);
    CHECK(fastutf_validator_push(&validator, "a", 1).status == FASTUTF_BAD_STATE);
    CHECK(fastutf_validator_finish(&validator).status == FASTUTF_BAD_STATE);
    CHECK(fastutf_transcoder_convert(&transcoder, "a", 1, buffer.bytes, 9).status == FASTUTF_BAD_STATE);
    CHECK(fastutf_transcoder_finish(&transcoder, buffer.bytes, 9).status == FASTUTF_BAD_STATE);
    CHECK(fastutf_transcoder_encoding(&transcoder) == FASTUTF_UNKNOWN);
    CHECK(fastutf_validator_init(NULL, FASTUTF_UTF8) == FASTUTF_NULL);
    CHECK(fastutf_validator_push(NULL, "a", 1).status == FASTUTF_NULL);
    CHECK(fastutf_transcoder_init(NULL, FASTUTF_UTF8, FASTUTF_UTF8, 0) == FASTUTF_NULL);
    CHECK(fastutf_validator_init((void *)(buffer.bytes + 4), 0) == FASTUTF_BAD_OPTION);
    CHECK(fastutf_validator_init((void *)(buffer.bytes + (8 - (uintptr_t)buffer.bytes % 8) + 1), 1)
          == FASTUTF_UNALIGNED);
    CHECK(fastutf_validator_init(&validator, FASTUTF_UNKNOWN) == FASTUTF_BAD_OPTION);
    CHECK(fastutf_validator_init(&validator, 200) == FASTUTF_BAD_OPTION);
    CHECK(fastutf_validator_init_with_isa(&validator, FASTUTF_UTF8, 200) == FASTUTF_BAD_ISA);
    CHECK(fastutf_transcoder_init(&transcoder, FASTUTF_UTF8, 200, 0) == FASTUTF_BAD_OPTION);
    CHECK(fastutf_transcoder_init(&transcoder, FASTUTF_UTF8, FASTUTF_UTF8, 128) == FASTUTF_BAD_OPTION);
    /* All forms but MUTF8 are encodings, which have numbers from 1 on. */
    CHECK(fastutf_transcoder_init(&transcoder, FASTUTF_UTF8, FORM_COUNT, 0) == FASTUTF_BAD_OPTION);
    CHECK(fastutf_transcoder_init(&transcoder, FASTUTF_UTF16, FASTUTF_UTF8, FASTUTF_UTF32_BOM) == FASTUTF_BAD_OPTION);
    CHECK(fastutf_transcoder_init(&transcoder, FASTUTF_UTF32, FASTUTF_UTF8, FASTUTF_UTF16_BOM) == FASTUTF_BAD_OPTION);
    CHECK(fastutf_transcoder_init(&transcoder, FASTUTF_UTF32, FASTUTF_UTF8, FASTUTF_DETECT_BOM | FASTUTF_DETECT_ANY_BOM)
          == FASTUTF_BAD_OPTION);
    CHECK(fastutf_transcoder_set_latin1_replacement(&transcoder, '?') == FASTUTF_BAD_STATE);
    CHECK(fastutf_transcoder_set_latin1_replacement(NULL, '?') == FASTUTF_NULL);
    CHECK(fastutf_transcoder_character(&transcoder) == 0 && fastutf_transcoder_character(NULL) == 0);
    CHECK(fastutf_transcoder_init(&transcoder, FASTUTF_UTF8, FASTUTF_UTF8, FASTUTF_UTF16_BOM) == FASTUTF_BAD_OPTION);
    CHECK(fastutf_transcoder_init(&transcoder, FASTUTF_UTF8, FASTUTF_UTF16, FASTUTF_STRIP_BOM | FASTUTF_DETECT_BOM)
          == FASTUTF_BAD_OPTION);
    CHECK(fastutf_transcoder_init(&transcoder, FASTUTF_UTF8, FASTUTF_UTF16, FASTUTF_LOSSY) == FASTUTF_OK);
    CHECK(fastutf_validator_push((void *)&transcoder, "a", 1).status == FASTUTF_BAD_STATE);
    CHECK(fastutf_validator_init(&validator, FASTUTF_UTF8) == FASTUTF_OK);
    CHECK(fastutf_transcoder_convert((void *)&validator, "a", 1, buffer.bytes, 9).status == FASTUTF_BAD_STATE);
    CHECK(fastutf_transcoder_convert(&transcoder, NULL, 1, buffer.bytes, 9).status == FASTUTF_NULL);
    CHECK(fastutf_transcoder_convert(&transcoder, buffer.bytes, 2, buffer.bytes, 9).status == FASTUTF_OVERLAP);
    CHECK(fastutf_transcoder_convert(&transcoder, NULL, 0, NULL, 0).status == FASTUTF_OK);
    /* The state itself as text or buffer: nothing happens to it. */
    CHECK(fastutf_transcoder_convert(&transcoder, "a", 1, &transcoder, sizeof transcoder).status == FASTUTF_OVERLAP);
    CHECK(fastutf_transcoder_convert(&transcoder, "a", 1, (char *)(&transcoder + 1) - 1, 1).status == FASTUTF_OVERLAP);
    CHECK(fastutf_transcoder_convert(&transcoder, &transcoder, 8, buffer.bytes, 9).status == FASTUTF_OVERLAP);
    CHECK(fastutf_transcoder_finish(&transcoder, (char *)&transcoder + 8, 8).status == FASTUTF_OVERLAP);
    CHECK(fastutf_validator_push(&validator, (char *)&validator + 5, 1).status == FASTUTF_OVERLAP);
    CHECK(fastutf_validator_push(&validator, "a", 1).status == FASTUTF_OK);
    CHECK(fastutf_transcoder_finish(&transcoder, NULL, 4).status == FASTUTF_NULL);
    CHECK(fastutf_transcoder_finish(&transcoder, NULL, 0).status == FASTUTF_OK);
    CHECK(memcmp(&buffer, &before, sizeof buffer) == 0);
}

static void test_byte_order_marks(void)
{
    fastutf_transcoder transcoder;
    fastutf_bom bom = fastutf_detect_bom("\xFF\xFEz", 4, FASTUTF_UTF8, FASTUTF_DETECT_BOM);
    char out[8];
    now = "byte-order marks";
    CHECK(bom.status == FASTUTF_OK && bom.length == 2 && bom.encoding == FASTUTF_UTF16LE);
    bom = fastutf_detect_bom("\xFE\xFF\0z", 4, FASTUTF_UTF16LE, FASTUTF_UTF16_BOM);
    CHECK(bom.status == FASTUTF_OK && bom.length == 2 && bom.encoding == FASTUTF_UTF16BE);
    bom = fastutf_detect_bom("\xEF\xBB\xBFz", 4, FASTUTF_UTF8, FASTUTF_STRIP_BOM);
    CHECK(bom.status == FASTUTF_OK && bom.length == 3 && bom.encoding == FASTUTF_UTF8);
    bom = fastutf_detect_bom("\xEF\xBB\xBFz", 4, FASTUTF_UTF8, 0);
    CHECK(bom.status == FASTUTF_OK && bom.length == 0 && bom.encoding == FASTUTF_UTF8);
    bom = fastutf_detect_bom("\xFF\xFE\0\0", 4, FASTUTF_UTF8, FASTUTF_DETECT_BOM);
    CHECK(bom.status == FASTUTF_OK && bom.length == 2 && bom.encoding == FASTUTF_UTF16LE);
    bom = fastutf_detect_bom("\xFF\xFE\0\0", 4, FASTUTF_UTF8, FASTUTF_DETECT_ANY_BOM);
    CHECK(bom.status == FASTUTF_OK && bom.length == 4 && bom.encoding == FASTUTF_UTF32LE);
    bom = fastutf_detect_bom("\xFF\xFE\0\0", 4, FASTUTF_UTF32BE, FASTUTF_UTF32_BOM);
    CHECK(bom.status == FASTUTF_OK && bom.length == 4 && bom.encoding == FASTUTF_UTF32LE);
    bom = fastutf_detect_bom("\0\0\0z", 4, FASTUTF_UTF32LE, FASTUTF_UTF32_BOM);
    CHECK(bom.status == FASTUTF_OK && bom.length == 0 && bom.encoding == FASTUTF_UTF32LE);
    bom = fastutf_detect_bom("\0\0\xFE\xFF", 4, FASTUTF_UTF32LE, FASTUTF_UTF32_BOM);
    CHECK(bom.status == FASTUTF_OK && bom.length == 4 && bom.encoding == FASTUTF_UTF32BE);
    bom = fastutf_detect_bom("\0\0\xFE\xFF", 4, FASTUTF_LATIN1, FASTUTF_STRIP_BOM);
    CHECK(bom.status == FASTUTF_OK && bom.length == 0 && bom.encoding == FASTUTF_LATIN1);
    bom = fastutf_detect_bom("\xEF\xBB\xBF", 3, FASTUTF_WTF8, FASTUTF_STRIP_BOM);
    CHECK(bom.status == FASTUTF_OK && bom.length == 3 && bom.encoding == FASTUTF_WTF8);
    bom = fastutf_detect_bom("", 0, FASTUTF_UTF32, 0);
    CHECK(bom.encoding == (native_order.first ? FASTUTF_UTF32LE : FASTUTF_UTF32BE));
    bom = fastutf_detect_bom("z", 1, 99, FASTUTF_DETECT_BOM);
    CHECK(bom.status == FASTUTF_BAD_OPTION && bom.length == 0 && bom.encoding == FASTUTF_UNKNOWN);
    CHECK(fastutf_detect_bom(NULL, 1, FASTUTF_UTF8, 0).status == FASTUTF_NULL);

    CHECK(fastutf_transcoder_init(&transcoder, FASTUTF_UTF8, FASTUTF_UTF8, FASTUTF_DETECT_BOM) == FASTUTF_OK);
    CHECK(fastutf_transcoder_encoding(&transcoder) == FASTUTF_UNKNOWN);
    CHECK(fastutf_transcoder_convert(&transcoder, "\xFF", 1, out, 8).written == 0);
    CHECK(fastutf_transcoder_convert(&transcoder, "\xFEz", 3, out, 8).written == 1 && out[0] == 'z');
    CHECK(fastutf_transcoder_encoding(&transcoder) == FASTUTF_UTF16LE);
    /* A copy of a state goes on from there. */
    {
        fastutf_transcoder copy = transcoder;
        CHECK(fastutf_transcoder_convert(&copy, "B\1", 2, out, 8).written == 2 && out[0] == '\xC5');
        CHECK(fastutf_transcoder_convert(&copy, "\0\xDC", 2, out, 8).status == FASTUTF_INVALID);
        CHECK(fastutf_transcoder_convert(&transcoder, "z", 2, out, 8).status == FASTUTF_OK);
    }
}

static void test_names(void)
{
    size_t i;
    now = "names";
    CHECK(fastutf_isa_at(0) == fastutf_isa_best() && fastutf_isa_best() != FASTUTF_ISA_BEST);
    for (i = 0; fastutf_isa_at(i) != FASTUTF_ISA_BEST; i++)
        CHECK(fastutf_isa_name(fastutf_isa_at(i)) != NULL);
    CHECK(fastutf_isa_at(i - 1) == FASTUTF_ISA_SCALAR && fastutf_isa_at(SIZE_MAX) == FASTUTF_ISA_BEST);
    CHECK(strcmp(fastutf_isa_name(FASTUTF_ISA_BEST), fastutf_isa_name(fastutf_isa_best())) == 0);
    CHECK(strcmp(fastutf_isa_name(FASTUTF_ISA_SCALAR), "scalar") == 0 && fastutf_isa_name(99) == NULL);
    CHECK(strcmp(fastutf_error_text(FASTUTF_UTF8_OVERLONG), "overlong encoding") == 0);
    CHECK(strcmp(fastutf_error_text(99), "unknown error") == 0);
    CHECK(strcmp(fastutf_status_text(FASTUTF_OVERLAP), "input and output overlap") == 0);
    CHECK(strcmp(fastutf_status_text(99), "unknown status") == 0);
    {
        char version[40];
        snprintf(version, sizeof version, "%d.%d.%d", FASTUTF_VERSION_MAJOR, FASTUTF_VERSION_MINOR,
                 FASTUTF_VERSION_PATCH);
        CHECK(strcmp(version, fastutf_version()) == 0);
    }
}

int main(int argc, char **argv)
{
    int times = argc > 1 ? atoi(argv[1]) : 400, i;
    size_t isa, which;
    test_names();
    test_byte_order_marks();
    isa_now = -1;
    for (isa = 0;; isa++) {
        test_bad_arguments();
        for (i = 0; i < times; i++) {
            int damaged = i % 2;
            for (which = 0; which < COUNT(conversions); which++)
                test_conversion(which, damaged);
            for (which = 0; which < COUNT(all_checks); which++)
                test_check(which, damaged);
            for (which = 0; which < COUNT(numbers); which++)
                test_number(which, damaged);
            for (which = 0; which < COUNT(repairs); which++)
                test_repair(which, damaged);
            test_swap();
            test_cuts(damaged);
            test_streams(damaged);
        }
        printf("%s%s", isa_now < 0 ? "ok: by default" : ", ", isa_now < 0 ? "" : fastutf_isa_name((uint8_t)isa_now));
        if (fastutf_isa_at(isa) == FASTUTF_ISA_BEST)
            break;
        isa_now = fastutf_isa_at(isa);
    }
    printf("; %zu checks\n", checks);
    return 0;
}
