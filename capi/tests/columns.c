/* Columns, on every instruction set, compared with the loop over their rows: null rows, ill-formed ones, room for all of the
 * result and for less, in memory that ends where columns and results do. Then what happens to bad arguments. The library has
 * to be built with the feature `columns`.
 *
 * usage: columns [N]: N columns for each function (400) */
#include "common.h"

enum kind { UTF16LE_TO_UTF8, UTF16BE_TO_UTF8, UTF8_TO_UTF16LE, UTF8_TO_UTF16BE, UTF8_TO_UTF8, KINDS };
static const char *const names[] = { "utf16le_to_utf8", "utf16be_to_utf8", "utf8_to_utf16le", "utf8_to_utf16be", "utf8_to_utf8" };
static const enum form forms[] = { UTF16LE, UTF16BE, UTF8, UTF8, UTF8 };

static fastutf_column_conversion convert(enum kind kind, const fastutf_column *column, const fastutf_column_room *room,
                                         uint8_t on_error)
{
    switch (kind) {
    case UTF16LE_TO_UTF8: return fastutf_column_utf16le_to_utf8(column, room, on_error);
    case UTF16BE_TO_UTF8: return fastutf_column_utf16be_to_utf8(column, room, on_error);
    case UTF8_TO_UTF16LE: return fastutf_column_utf8_to_utf16le(column, room, on_error);
    case UTF8_TO_UTF16BE: return fastutf_column_utf8_to_utf16be(column, room, on_error);
    default: return fastutf_column_utf8_to_utf8(column, room, on_error);
    }
}

static fastutf_column_check validate(enum form form, const fastutf_column *column)
{
    switch (form) {
    case UTF16LE: return fastutf_column_validate_utf16le(column);
    case UTF16BE: return fastutf_column_validate_utf16be(column);
    default: return fastutf_column_validate_utf8(column);
    }
}

/* The same for one row. */
static fastutf_check validate_row(enum form form, const void *src, size_t length)
{
    switch (form) {
    case UTF16LE: return fastutf_validate_utf16le(src, length);
    case UTF16BE: return fastutf_validate_utf16be(src, length);
    default: return fastutf_validate_utf8(src, length);
    }
}

static fastutf_conversion convert_row(enum kind kind, const void *src, size_t length, void *dst, size_t room)
{
    switch (kind) {
    case UTF16LE_TO_UTF8: return fastutf_utf16le_to_utf8_lossy(src, length, dst, room);
    case UTF16BE_TO_UTF8: return fastutf_utf16be_to_utf8_lossy(src, length, dst, room);
    case UTF8_TO_UTF16LE: return fastutf_utf8_to_utf16le_lossy(src, length, dst, room);
    case UTF8_TO_UTF16BE: return fastutf_utf8_to_utf16be_lossy(src, length, dst, room);
    default: return fastutf_utf8_to_utf8_lossy(src, length, dst, room);
    }
}

static size_t offset_at(const void *offsets, unsigned size, size_t i)
{
    return size == 4 ? (size_t)((const int32_t *)offsets)[i] : (size_t)((const int64_t *)offsets)[i];
}

static void set_offset(void *offsets, unsigned size, size_t i, size_t at)
{
    if (size == 4)
        ((int32_t *)offsets)[i] = (int32_t)at;
    else
        ((int64_t *)offsets)[i] = (int64_t)at;
}

static void *copy_of(const void *src, size_t size)
{
    void *copy = exactly(size);
    if (size > 0)
        memcpy(copy, src, size);
    return copy;
}

#define MAX_ROWS 200
#define MAX_ROW 400
static unsigned char text[MAX_ROWS * MAX_ROW], result[3 * MAX_ROWS * MAX_ROW];
static int64_t bounds[MAX_ROWS + 1];

static void test_column(enum kind kind, int damaged)
{
    unsigned char bits[MAX_ROWS / 8 + 4];
    size_t rows = random_below(random_below(3) ? MAX_ROWS : 4), size = random_below(2) ? 4 : 8, i, used = 0, needed = 0;
    size_t bit = random_below(9), longest = random_below(3) ? 24 : MAX_ROW;
    fastutf_column column = { 0 };
    unsigned on_error;
    now = names[kind];
    for (i = 0; i < sizeof bits; i++)
        bits[i] = random_below(2) ? 0xFF : (unsigned char)random_below(256);
    used = random_below(5);
    memset(text, 0xFF, used);
    set_offset(bounds, (unsigned)size, 0, used);
    for (i = 0; i < rows; i++) {
        /* Many rows without errors, so that whole pieces have none. */
        size_t length = random_text(forms[kind], text + used, random_below((unsigned)longest), damaged && random_below(20) == 0);
        used += length;
        set_offset(bounds, (unsigned)size, i + 1, used);
        needed += convert_row(kind, text + used - length, length, result, sizeof result).written;
    }
    /* Some characters belong to two rows. */
    if (damaged && rows > 1 && random_below(3) == 0) {
        i = 1 + random_below((unsigned)rows - 1);
        if (offset_at(bounds, (unsigned)size, i) > offset_at(bounds, (unsigned)size, i - 1))
            set_offset(bounds, (unsigned)size, i, offset_at(bounds, (unsigned)size, i) - 1);
    }
    column.values_length = used;
    column.values = copy_of(text, used);
    column.offsets = copy_of(bounds, (rows + 1) * size);
    column.rows = rows;
    if (random_below(2)) {
        column.validity_offset = bit;
        column.validity_length = (rows + bit + 7) / 8;
        column.validity = copy_of(bits, column.validity_length);
    }
    column.offset_size = (uint8_t)size;
    column.isa = isa_now < 0 ? 0 : (uint8_t)isa_now;

    {
        fastutf_column_check got = validate(forms[kind], &column);
        for (i = 0; i < rows; i++) {
            size_t at = offset_at(bounds, (unsigned)size, i), end = offset_at(bounds, (unsigned)size, i + 1);
            fastutf_check row = validate_row(forms[kind], text + at, end - at);
            int valid = column.validity == NULL || (bits[(bit + i) / 8] >> (bit + i) % 8 & 1);
            if (valid && row.status != FASTUTF_OK) {
                CHECK(got.status == FASTUTF_INVALID && got.row == i && got.position == row.position);
                CHECK(got.error == row.error && got.error_length == row.error_length);
                break;
            }
        }
        CHECK(i < rows || (got.status == FASTUTF_OK && got.row == rows));
    }

    for (on_error = FASTUTF_ON_ERROR_STOP; on_error <= FASTUTF_ON_ERROR_NULL; on_error++) {
        size_t rooms[4], r;
        rooms[0] = needed + 3 * rows, rooms[1] = needed, rooms[2] = random_below((unsigned)needed + 1), rooms[3] = 0;
        for (r = 0; r < 4; r++) {
            size_t count = random_below(4) ? rows + 1 : random_below((unsigned)rows + 3);
            size_t bytes = random_below(4) ? (rows + 7) / 8 : random_below((unsigned)rows / 8 + 3);
            size_t limit = count > 0 ? count - 1 : 0, written = 0, ill_formed = 0, replacements = 0;
            fastutf_status status = FASTUTF_OK;
            fastutf_check wrong = { 0 };
            fastutf_column_room room = { 0 };
            fastutf_column_conversion got;
            room.values = exactly(room.values_capacity = rooms[r]);
            room.offsets = exactly((room.offsets_capacity = count) * size);
            room.validity = exactly(room.validity_capacity = bytes);
            if (bytes > 0)
                memset(room.validity, 0xA5, bytes);
            got = convert(kind, &column, &room, (uint8_t)on_error);
            if (on_error == FASTUTF_ON_ERROR_NULL && limit > 8 * bytes)
                limit = 8 * bytes;
            for (i = 0; i < rows; i++) {
                size_t at = offset_at(bounds, (unsigned)size, i), end = offset_at(bounds, (unsigned)size, i + 1);
                int valid = column.validity == NULL || (bits[(bit + i) / 8] >> (bit + i) % 8 & 1), bad = 0;
                if (i == limit) {
                    status = FASTUTF_OUTPUT_FULL;
                    break;
                }
                if (valid) {
                    fastutf_check row = validate_row(forms[kind], text + at, end - at);
                    bad = row.status != FASTUTF_OK;
                    if (bad && on_error == FASTUTF_ON_ERROR_STOP) {
                        status = FASTUTF_INVALID;
                        wrong = row;
                        break;
                    }
                    if (!bad || on_error == FASTUTF_ON_ERROR_REPLACE) {
                        fastutf_conversion one =
                            convert_row(kind, text + at, end - at, result + written, rooms[r] - written);
                        if (one.status != FASTUTF_OK) {
                            status = FASTUTF_OUTPUT_FULL;
                            break;
                        }
                        written += one.written;
                        replacements += one.replacements;
                    }
                    ill_formed += (size_t)bad;
                }
                CHECK(offset_at(room.offsets, (unsigned)size, i + 1) == written);
                if (on_error == FASTUTF_ON_ERROR_NULL)
                    CHECK((room.validity[i / 8] >> i % 8 & 1) == (valid && !bad));
            }
            CHECK(got.status == status && got.rows == i && got.written == written);
            CHECK(got.ill_formed_rows == ill_formed && got.replacements == replacements);
            CHECK(got.position == wrong.position && got.error == wrong.error && got.error_length == wrong.error_length);
            CHECK(count == 0 || offset_at(room.offsets, (unsigned)size, 0) == 0);
            CHECK(written == 0 || memcmp(room.values, result, written) == 0);
            for (i = on_error == FASTUTF_ON_ERROR_NULL ? got.rows : 8 * bytes; i < 8 * bytes; i++)
                CHECK((room.validity[i / 8] >> i % 8 & 1) == 0);
            for (i = 0; on_error != FASTUTF_ON_ERROR_NULL && i < bytes; i++)
                CHECK(room.validity[i] == 0xA5);
            give_back(room.values, rooms[r]);
            give_back(room.offsets, count * size);
            give_back(room.validity, bytes);
        }
    }
    give_back((void *)column.values, used);
    give_back((void *)column.offsets, (rows + 1) * size);
    if (column.validity != NULL)
        give_back((void *)column.validity, column.validity_length);
}

static void test_bad_arguments(void)
{
    enum kind kind;
    static const char values[8] = "abcdefg";
    int32_t offsets[] = { 0, 2, 4 }, backwards[] = { 0, 3, 2 }, beyond[] = { 0, 2, 99 }, negative[] = { -1, 2, 4 };
    unsigned char bits[2] = { 0xFF, 0xFF };
    struct { char values[32]; int32_t offsets[5]; unsigned char bits[4]; } out, before;
    fastutf_column good = { 0 }, bad;
    fastutf_column_room room = { 0 }, worse;
    memset(&out, 7, sizeof out);
    before = out;
    good.values = values, good.values_length = 8, good.offsets = offsets, good.rows = 2, good.offset_size = 4;
    room.values = out.values, room.values_capacity = 32, room.offsets = out.offsets, room.offsets_capacity = 5;
    room.validity = out.bits, room.validity_capacity = 4;
    for (kind = 0; kind < KINDS; kind++) {
        now = names[kind];
        good.isa = isa_now < 0 ? 0 : (uint8_t)isa_now;
        CHECK(convert(kind, NULL, &room, 0).status == FASTUTF_NULL && convert(kind, &good, NULL, 0).status == FASTUTF_NULL);
        CHECK(validate(forms[kind], NULL).status == FASTUTF_NULL);
        CHECK(convert(kind, &good, &room, 3).status == FASTUTF_BAD_OPTION);
#define BAD(field, value, status_wanted) \
    bad = good, bad.field = (value); \
    CHECK(convert(kind, &bad, &room, 0).status == status_wanted && validate(forms[kind], &bad).status == status_wanted)
        BAD(offset_size, 2, FASTUTF_BAD_OPTION);
        BAD(isa, 99, FASTUTF_BAD_ISA);
        BAD(values, NULL, FASTUTF_NULL);
        BAD(values_length, SIZE_MAX, FASTUTF_BAD_LENGTH);
        BAD(offsets, NULL, FASTUTF_NULL);
        BAD(offsets, (const char *)offsets + 1, FASTUTF_UNALIGNED);
        BAD(rows, SIZE_MAX, FASTUTF_BAD_LENGTH);
        BAD(rows, SIZE_MAX / 4, FASTUTF_BAD_LENGTH);
        BAD(validity_length, 1, FASTUTF_NULL);
        BAD(values_length, 3, FASTUTF_BAD_LAYOUT);
        CHECK(convert(kind, &bad, &room, 0).rows == 1 && validate(forms[kind], &bad).row == 1);
        BAD(offsets, backwards, FASTUTF_BAD_LAYOUT);
        CHECK(convert(kind, &bad, &room, 0).rows == 1 && validate(forms[kind], &bad).row == 1);
        BAD(offsets, beyond, FASTUTF_BAD_LAYOUT);
        BAD(offsets, negative, FASTUTF_BAD_LAYOUT);
        BAD(validity, bits, FASTUTF_BAD_LAYOUT);
        CHECK(validate(forms[kind], &bad).row == 0);
        bad.validity_length = 2, bad.validity_offset = 15;
        CHECK(validate(forms[kind], &bad).status == FASTUTF_BAD_LAYOUT && validate(forms[kind], &bad).row == 1);
        bad.validity_offset = SIZE_MAX;
        CHECK(validate(forms[kind], &bad).status == FASTUTF_BAD_LAYOUT);
        bad.validity_offset = 14;
        CHECK(validate(forms[kind], &bad).status == FASTUTF_OK);
#define BAD_ROOM(field, value, status_wanted) \
    worse = room, worse.field = (value); \
    CHECK(convert(kind, &good, &worse, FASTUTF_ON_ERROR_NULL).status == status_wanted)
        BAD_ROOM(values, NULL, FASTUTF_NULL);
        BAD_ROOM(offsets, NULL, FASTUTF_NULL);
        BAD_ROOM(validity, NULL, FASTUTF_NULL);
        worse = room, worse.offsets = (char *)out.offsets + 2, worse.offsets_capacity = 4;
        CHECK(convert(kind, &good, &worse, FASTUTF_ON_ERROR_NULL).status == FASTUTF_UNALIGNED);
        BAD_ROOM(offsets_capacity, SIZE_MAX, FASTUTF_BAD_LENGTH);
        BAD_ROOM(values_capacity, SIZE_MAX, FASTUTF_BAD_LENGTH);
        BAD_ROOM(validity_capacity, SIZE_MAX, FASTUTF_BAD_LENGTH);
        BAD_ROOM(values, (void *)(uintptr_t)values, FASTUTF_OVERLAP);
        BAD_ROOM(offsets, offsets + 2, FASTUTF_OVERLAP);
        BAD_ROOM(values, (char *)out.offsets + 3, FASTUTF_OVERLAP);
        BAD_ROOM(validity, (unsigned char *)out.values + 31, FASTUTF_OVERLAP);
        CHECK(memcmp(&out, &before, sizeof out) == 0);
    }
    /* Nothing. */
    memset(&bad, 0, sizeof bad), memset(&worse, 0, sizeof worse);
    bad.offset_size = 8;
    CHECK(fastutf_column_validate_utf8(&bad).status == FASTUTF_OK);
    CHECK(fastutf_column_utf8_to_utf16le(&bad, &worse, 0).status == FASTUTF_OK);
    CHECK(strcmp(fastutf_status_text(FASTUTF_BAD_LAYOUT), "invalid column layout") == 0);
}

/* A column that is converted in several parts: in one call, and in rooms of any size, in which offsets behind them that break a
 * rule are not noticed until a call comes to them. */
static void test_parts(void)
{
    enum { ROWS = 20000, LATE = 18500 };
    static char values[3 * ROWS];
    static int32_t offsets[ROWS + 1], ends[ROWS + 1], wanted_ends[ROWS + 1];
    static unsigned char out[6 * ROWS], wanted[6 * ROWS], bits[ROWS / 8], nulls[ROWS / 8], valid[ROWS / 8];
    unsigned on_error;
    size_t i, k;
    fastutf_column column = { 0 };
    fastutf_column_room room = { 0 };
    now = "utf8_to_utf16le in parts";
    for (i = 0; i < ROWS; i++) {
        size_t length = i % 4;
        offsets[i + 1] = offsets[i] + (int32_t)length;
        memset(values + offsets[i], 'a' + (int)(i % 26), length);
        if (i % 777 == 5)
            values[offsets[i]] = (char)0xFF;
        bits[i / 8] = (unsigned char)(bits[i / 8] | (unsigned)(i % 100 != 9) << i % 8);
    }
    column.values = values, column.values_length = (size_t)offsets[ROWS], column.offsets = offsets, column.rows = ROWS;
    column.offset_size = 4, column.validity = bits, column.validity_length = sizeof bits;
    column.isa = isa_now < 0 ? 0 : (uint8_t)isa_now;
    for (on_error = FASTUTF_ON_ERROR_REPLACE; on_error <= FASTUTF_ON_ERROR_NULL; on_error++) {
        size_t written = 0, ill_formed = 0, done = 0;
        fastutf_column rest = column;
        fastutf_column_conversion got;
        memset(valid, 0, sizeof valid);
        for (i = 0; i < ROWS; i++) {
            int null = i % 100 == 9, bad = i % 777 == 5 && i % 4 > 0 && !null;
            ill_formed += (size_t)bad;
            if (!null && !(bad && on_error == FASTUTF_ON_ERROR_NULL)) {
                valid[i / 8] = (unsigned char)(valid[i / 8] | 1u << i % 8);
                for (k = 0; k < i % 4; k++) {
                    uint16_t unit = bad && k == 0 ? 0xFFFD : (uint16_t)('a' + i % 26);
                    wanted[written++] = (unsigned char)(unit & 0xFF), wanted[written++] = (unsigned char)(unit >> 8);
                }
            }
            wanted_ends[i + 1] = (int32_t)written;
        }
        room.values = out, room.values_capacity = sizeof out, room.offsets = ends, room.offsets_capacity = ROWS + 1;
        room.validity = nulls, room.validity_capacity = sizeof nulls;
        got = fastutf_column_utf8_to_utf16le(&column, &room, (uint8_t)on_error);
        CHECK(got.status == FASTUTF_OK && got.rows == ROWS && got.written == written && got.ill_formed_rows == ill_formed);
        CHECK(got.replacements == (on_error == FASTUTF_ON_ERROR_REPLACE ? ill_formed : 0));
        CHECK(memcmp(out, wanted, written) == 0 && memcmp(ends, wanted_ends, sizeof ends) == 0);
        CHECK(on_error != FASTUTF_ON_ERROR_NULL || memcmp(nulls, valid, sizeof nulls) == 0);
        /* In any room: only the rows that fit, and the offsets of those behind them are as they may be. */
        offsets[LATE] += 3;
        for (k = 1; rest.rows > 0; k = (k * 7 + 1) % 30011) {
            size_t before = done;
            room.values_capacity = 6 + k, room.offsets_capacity = k % 3 ? ROWS + 1 : 2 + k % 9000;
            got = fastutf_column_utf8_to_utf16le(&rest, &room, (uint8_t)on_error);
            if (got.status == FASTUTF_BAD_LAYOUT) {
                CHECK(done + got.rows == LATE);
                break;
            }
            CHECK(got.status == FASTUTF_OUTPUT_FULL && got.written == (size_t)(wanted_ends[done + got.rows] - wanted_ends[done]));
            done += got.rows;
            CHECK(done > before && done < LATE && memcmp(out, wanted + wanted_ends[before], got.written) == 0);
            for (i = 0; i <= got.rows; i++)
                CHECK(ends[i] == wanted_ends[before + i] - wanted_ends[before]);
            rest.offsets = offsets + done, rest.rows = ROWS - done, rest.validity_offset = done;
        }
        CHECK(done > 0 && rest.rows > 0);
        offsets[LATE] -= 3;
    }
}

int main(int argc, char **argv)
{
    int times = argc > 1 ? atoi(argv[1]) : 400, i;
    size_t isa;
    isa_now = -1;
    for (isa = 0;; isa++) {
        enum kind kind;
        test_bad_arguments();
        test_parts();
        for (i = 0; i < times; i++)
            for (kind = 0; kind < KINDS; kind++)
                test_column(kind, i % 2);
        printf("%s%s", isa_now < 0 ? "ok: columns, by default" : ", ", isa_now < 0 ? "" : fastutf_isa_name((uint8_t)isa_now));
        if (fastutf_isa_at(isa) == FASTUTF_ISA_BEST)
            break;
        isa_now = fastutf_isa_at(isa);
    }
    printf("; %lu checks\n", (unsigned long)checks);
    return 0;
}
