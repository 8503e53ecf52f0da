/* What a call from C costs, next to a call from Rust and to simdutf's: loops over the same texts, in turns, the fastest of
 * many rounds.
 *
 * usage: race [ROUNDS] (300) */
#define _GNU_SOURCE
#include <fastutf.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct text { const char *utf8; const uint16_t *utf16; size_t bytes, units; };
struct room { char *utf8; uint16_t *utf16; size_t capacity; };
typedef size_t loop(const struct text *, size_t, const struct room *);

#define LOOP(name, body) \
    static size_t c_##name(const struct text *texts, size_t count, const struct room *room) \
    { \
        size_t sum = 0; \
        const struct text *text; \
        (void)room; \
        for (text = texts; text < texts + count; text++) \
            body \
        return sum; \
    } \
    loop rust_##name; \
    extern loop simdutf_##name;

LOOP(validate_utf8, {
    fastutf_check out = fastutf_validate_utf8(text->utf8, text->bytes);
    sum += out.position;
})
LOOP(validate_utf16, {
    fastutf_check out = fastutf_validate_utf16(text->utf16, text->units);
    sum += out.position;
})
LOOP(utf16_length_from_utf8, { sum += fastutf_utf16_length_from_utf8(text->utf8, text->bytes); })
LOOP(utf8_to_utf16, {
    fastutf_conversion out = fastutf_utf8_to_utf16(text->utf8, text->bytes, room->utf16, room->capacity);
    sum += out.written + (out.status == FASTUTF_OK);
})
LOOP(utf16_to_utf8, {
    fastutf_conversion out = fastutf_utf16_to_utf8(text->utf16, text->units, room->utf8, room->capacity);
    sum += out.written + (out.status == FASTUTF_OK);
})

LOOP(utf16le_to_utf8, {
    fastutf_conversion out = fastutf_utf16le_to_utf8(text->utf16, 2 * text->units, room->utf8, room->capacity);
    sum += out.written + (out.status == FASTUTF_OK);
})

#if defined(WITH_SIMDUTF)
#define SIMDUTF(name) simdutf_##name
#else
#define SIMDUTF(name) NULL
#endif
static const struct { const char *name; loop *run[3]; } operations[] = {
#define ROW(name) { #name, { rust_##name, c_##name, SIMDUTF(name) } },
    ROW(validate_utf8) ROW(validate_utf16) ROW(utf16_length_from_utf8) ROW(utf8_to_utf16) ROW(utf16_to_utf8)
    ROW(utf16le_to_utf8)
};

static const struct { const char *name, *part; } languages[] = {
    { "ascii", "The quick brown fox jumps over the lazy dog. " },
    { "russian", "\xD0\xA1\xD1\x8A\xD0\xB5\xD1\x88\xD1\x8C \xD0\xB5\xD1\x89\xD1\x91 \xD1\x8D\xD1\x82\xD0\xB8\xD1\x85 " },
    { "chinese", "\xE5\xA4\xA9\xE5\x9C\xB0\xE7\x8E\x84\xE9\xBB\x84\xE3\x80\x82\n" },
};

/* From the first to the second length, at random. */
static const struct { const char *name; size_t least, most; } sizes[] = {
    { "1..16", 1, 16 }, { "8", 8, 8 }, { "32", 32, 32 }, { "1..256", 1, 256 }, { "4096", 4096, 4096 },
    { "65536", 65536, 65536 },
};

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

int main(int argc, char **argv)
{
    enum { MOST = 65536 + 64, TEXTS = 512 };
    int rounds = argc > 1 ? atoi(argv[1]) : 300;
    size_t language, size, operation, i;
    static char utf8[2 * MOST];
    static uint16_t utf16[TEXTS * 257 > MOST ? TEXTS * 257 : MOST];
    static struct text texts[TEXTS];
    struct room room = { malloc(4 * MOST), malloc(4 * MOST), 2 * MOST };
    double worst = 0;
    printf("%-24s%-9s%-8s%10s%10s%10s%10s%12s\n", "", "", "bytes", "Rust ns", "C ns", "C - Rust", "Rust : C",
           "simdutf : C");
    for (operation = 0; operation < sizeof operations / sizeof *operations; operation++)
    for (language = 0; language < sizeof languages / sizeof *languages; language++)
    for (size = 0; size < sizeof sizes / sizeof *sizes; size++) {
        size_t count = sizes[size].most > 256 ? 1 : TEXTS, at = 0, units = 0, who;
        size_t part = strlen(languages[language].part), sums[3] = { 0, 0, 0 };
        double best[3] = { 1e30, 1e30, 1e30 };
        int round, repeat = sizes[size].most > 256 ? (int)(131072 / sizes[size].most) : 4;
        for (i = 0; i < sizeof utf8; i++)
            utf8[i] = languages[language].part[i % part];
        srand(1);
        for (i = 0; i < count; i++) {
            size_t span = sizes[size].most - sizes[size].least + 1, bytes = sizes[size].least + (size_t)rand() % span;
            fastutf_conversion out;
            while (((unsigned char)utf8[at] & 0xC0) == 0x80)
                at++;
            bytes = fastutf_floor_utf8(utf8 + at, MOST, bytes);
            texts[i].utf8 = utf8 + at;
            texts[i].bytes = bytes;
            texts[i].utf16 = utf16 + units;
            out = fastutf_utf8_to_utf16(utf8 + at, bytes, utf16 + units, sizeof utf16 / 2 - units);
            texts[i].units = out.written;
            units += out.written;
            at = (at + bytes) % MOST;
        }
        for (round = 0; round < rounds; round++)
            for (who = 0; who < 3; who++) {
                double start = now(), time;
                int again;
                if (!operations[operation].run[who])
                    continue;
                sums[who] = 0;
                for (again = 0; again < repeat; again++)
                    sums[who] += operations[operation].run[who](texts, count, &room);
                time = (now() - start) / ((double)repeat * (double)count);
                if (time < best[who])
                    best[who] = time;
            }
        if (sums[0] != sums[1] || (operations[operation].run[2] && sums[0] != sums[2])) {
            fprintf(stderr, "%s: the results differ\n", operations[operation].name);
            return 1;
        }
        printf("%-24s%-9s%-8s%10.2f%10.2f%+10.2f%10.2f", operations[operation].name, languages[language].name,
               sizes[size].name, best[0], best[1], best[1] - best[0], best[0] / best[1]);
        if (operations[operation].run[2])
            printf("%12.2f", best[2] / best[1]);
        printf("\n");
        if (count > 1 && best[1] - best[0] > worst)
            worst = best[1] - best[0];
    }
    printf("At most %.2f ns more than from Rust, for strings of up to 256 bytes. Above 1 in the last two columns: C is "
           "faster.\n", worst);
    return 0;
}
