/* Fetches wide columns as an ODBC program does, and gets UTF-8. The driver is made up, so that this compiles without ODBC;
 * it has the types, constants and manners of SQLGetData with SQL_C_WCHAR:
 *
 * - a buffer of the caller gets as much as fits, and a zero behind it. What is left comes with the next call.
 * - an indicator says how many bytes there were left, or SQL_NO_TOTAL, or SQL_NULL_DATA.
 * - a piece may end between the two halves of a surrogate pair. So pieces cannot be converted one by one: a transcoder
 *   keeps the first half.
 *
 * Databases do hold unpaired surrogates. They become U+FFFD here, and are counted. */
#include <fastutf.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint16_t SQLWCHAR;
typedef long SQLLEN;
typedef int SQLRETURN;
enum { SQL_SUCCESS = 0, SQL_SUCCESS_WITH_INFO = 1, SQL_NO_DATA = 100, SQL_NULL_DATA = -1, SQL_NO_TOTAL = -4 };

/* A value of the database, and how much of it has been fetched. */
struct value {
    const SQLWCHAR *units; /* a null pointer for NULL */
    size_t length, fetched;
    int knows_total;
};

static SQLRETURN get_data(struct value *value, SQLWCHAR *buffer, SQLLEN bytes, SQLLEN *indicator)
{
    size_t room = (size_t)bytes / sizeof *buffer - 1, left = value->length - value->fetched;
    if (!value->units) {
        *indicator = SQL_NULL_DATA;
        return SQL_SUCCESS;
    }
    if (left == 0 && value->fetched > 0)
        return SQL_NO_DATA;
    *indicator = value->knows_total ? (SQLLEN)(left * sizeof *buffer) : SQL_NO_TOTAL;
    if (room > left)
        room = left;
    if (room)
        memcpy(buffer, value->units + value->fetched, room * sizeof *buffer);
    buffer[room] = 0;
    value->fetched += room;
    if (room < left)
        return SQL_SUCCESS_WITH_INFO;
    *indicator = (SQLLEN)(left * sizeof *buffer);
    return SQL_SUCCESS;
}

/* UTF-8 that grows. */
struct text {
    char *bytes;
    size_t length, capacity;
};

static void need(struct text *text, size_t more)
{
    if (text->capacity - text->length < more) {
        text->capacity = 2 * text->capacity + more;
        text->bytes = realloc(text->bytes, text->capacity);
        if (!text->bytes)
            abort();
    }
}

/* Appends a value in UTF-8. Returns the number of replacements, or -1 for NULL. */
static long fetch(struct value *value, struct text *text)
{
    enum { UNITS = 8 }; /* So small for this example. */
    SQLWCHAR buffer[UNITS];
    SQLLEN indicator;
    SQLRETURN returned;
    fastutf_transcoder transcoder;
    fastutf_stream_conversion out;

    if (fastutf_transcoder_init(&transcoder, FASTUTF_UTF16, FASTUTF_UTF8, FASTUTF_LOSSY) != FASTUTF_OK)
        abort();
    while ((returned = get_data(value, buffer, sizeof buffer, &indicator)) != SQL_NO_DATA) {
        size_t bytes;
        if (indicator == SQL_NULL_DATA)
            return -1;
        /* If it says more than fits, or does not know, the buffer is full, but for the zero. */
        bytes = returned == SQL_SUCCESS ? (size_t)indicator : (UNITS - 1) * sizeof *buffer;
        /* 3 bytes for each code unit, and those of a half that has been kept, are always enough. */
        need(text, bytes / 2 * 3 + 4);
        out = fastutf_transcoder_convert(&transcoder, buffer, bytes, text->bytes + text->length,
                                         text->capacity - text->length);
        if (out.status != FASTUTF_OK)
            abort();
        text->length += out.written;
        if (returned == SQL_SUCCESS)
            break;
    }
    need(text, 6);
    out = fastutf_transcoder_finish(&transcoder, text->bytes + text->length, text->capacity - text->length);
    if (out.status != FASTUTF_OK)
        abort();
    text->length += out.written;
    return (long)fastutf_transcoder_replacements(&transcoder);
}

int main(void)
{
    /* Seven code units fit: the pair at the end of the first seven is cut. */
    static const SQLWCHAR plain[] = { 'z', 0x142, 'o', 't', 'y' }, pair[] = { 'a', 'b', 'c', 'd', 'e', 'f', 0xD83D, 0xDE00 };
    static const SQLWCHAR unpaired[] = { 'a', 0xDC00, 'b', 0xD83D }, exact[] = { 1, 2, 3, 4, 5, 6, 7 };
    struct { struct value value; const char *expected; long replacements; } columns[] = {
        { { plain, 5, 0, 1 }, "z\xC5\x82oty", 0 },
        { { pair, 8, 0, 1 }, "abcdef\xF0\x9F\x98\x80", 0 },
        { { pair, 8, 0, 0 }, "abcdef\xF0\x9F\x98\x80", 0 },
        { { unpaired, 4, 0, 1 }, "a\xEF\xBF\xBD" "b\xEF\xBF\xBD", 2 },
        { { exact, 7, 0, 0 }, "\1\2\3\4\5\6\7", 0 },
        { { plain, 0, 0, 1 }, "", 0 },
        { { NULL, 0, 0, 1 }, NULL, -1 },
    };
    size_t i;
    for (i = 0; i < sizeof columns / sizeof *columns; i++) {
        struct text text = { NULL, 0, 0 };
        long replacements = fetch(&columns[i].value, &text);
        const char *expected = columns[i].expected;
        printf("%zu: ", i + 1);
        if (replacements < 0)
            printf("NULL\n");
        else
            printf("%.*s (%ld replaced)\n", (int)text.length, text.length ? text.bytes : "", replacements);
        if (replacements != columns[i].replacements
            || (expected && (text.length != strlen(expected) || memcmp(text.bytes, expected, text.length) != 0))) {
            fprintf(stderr, "that should have been: %s\n", expected ? expected : "NULL");
            return EXIT_FAILURE;
        }
        free(text.bytes);
    }
    return EXIT_SUCCESS;
}
