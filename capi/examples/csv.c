/* Reads CSV in UTF-16 or UTF-8 and prints its rows in UTF-8, one field per line.
 *
 * usage: csv [FILE]: standard input without FILE
 *
 * A byte-order mark says what it is; without one it is UTF-16LE, as spreadsheets on Windows write it. The file is read in
 * chunks of any size: characters that are cut wait inside of the transcoder. Fields are in quotes if they contain commas,
 * quotes (doubled) or line ends, as RFC 4180 has it. */
#include <fastutf.h>

#include <stdio.h>
#include <stdlib.h>

/* Where the parser is. All characters that it looks for are ASCII, so it can read UTF-8 byte by byte. */
struct parser {
    enum { FIELD_START, PLAIN, QUOTED, QUOTE_IN_QUOTED, AFTER_CR } state;
    unsigned long row, field;
};

static void begin_field(struct parser *parser)
{
    printf("%lu.%lu: ", parser->row, parser->field);
}

static void end_field(struct parser *parser, int end_of_row)
{
    putchar('\n');
    parser->row += (unsigned)end_of_row;
    parser->field = end_of_row ? 1 : parser->field + 1;
}

static void parse(struct parser *parser, const char *text, size_t length)
{
    size_t i;
    for (i = 0; i < length; i++) {
        char c = text[i];
        if (parser->state == AFTER_CR) {
            parser->state = FIELD_START;
            if (c == '\n')
                continue;
        }
        if (parser->state == FIELD_START) {
            begin_field(parser);
            parser->state = PLAIN;
            if (c == '"') {
                parser->state = QUOTED;
                continue;
            }
        }
        if (parser->state == QUOTED) {
            if (c == '"')
                parser->state = QUOTE_IN_QUOTED;
            else
                putchar(c);
            continue;
        }
        if (parser->state == QUOTE_IN_QUOTED && c == '"') {
            putchar(c);
            parser->state = QUOTED;
        } else if (c == ',' || c == '\r' || c == '\n') {
            end_field(parser, c != ',');
            parser->state = c == '\r' ? AFTER_CR : FIELD_START;
        } else {
            putchar(c);
        }
    }
}

int main(int argc, char **argv)
{
    FILE *file = argc > 1 ? fopen(argv[1], "rb") : stdin;
    struct parser parser = { FIELD_START, 1, 1 };
    fastutf_transcoder transcoder;
    char chunk[4096], text[4096];
    int end = 0;

    if (!file) {
        perror(argv[1]);
        return EXIT_FAILURE;
    }
    if (fastutf_transcoder_init(&transcoder, FASTUTF_UTF16LE, FASTUTF_UTF8, FASTUTF_DETECT_BOM) != FASTUTF_OK)
        abort();
    while (!end) {
        size_t length = fread(chunk, 1, sizeof chunk, file), at = 0;
        fastutf_stream_conversion out;
        end = length == 0;
        do {
            /* As often as `text` gets full. */
            out = end ? fastutf_transcoder_finish(&transcoder, text, sizeof text)
                      : fastutf_transcoder_convert(&transcoder, chunk + at, length - at, text, sizeof text);
            parse(&parser, text, out.written);
            at += out.read;
        } while (out.status == FASTUTF_OUTPUT_FULL);
        if (out.status != FASTUTF_OK) {
            fflush(stdout);
            fprintf(stderr, "byte %llu: %s\n", (unsigned long long)out.position, fastutf_error_text(out.error));
            return EXIT_FAILURE;
        }
    }
    if (ferror(file)) {
        perror("read");
        return EXIT_FAILURE;
    }
    /* A comma begins a field, even at the end of the file. */
    if (parser.state == FIELD_START && parser.field > 1)
        begin_field(&parser);
    if (parser.state != AFTER_CR && (parser.state != FIELD_START || parser.field > 1))
        end_field(&parser, 1);
    return EXIT_SUCCESS;
}
