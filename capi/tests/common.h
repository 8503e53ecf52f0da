/* What the test programs share: memory with nothing after it, checks, random text. */
#ifndef COMMON_H
#define COMMON_H

#if defined(__unix__)
#define _GNU_SOURCE
#endif
#include "reference.h"

#include <stdio.h>
#include <stdlib.h>

#if defined(HEAP)
/* For AddressSanitizer and valgrind: each block has exactly the size that is asked for. */
static void *exactly(size_t size)
{
    void *memory = malloc(size);
    return memory || size == 0 ? memory : (abort(), memory);
}
static void give_back(void *memory, size_t size)
{
    (void)size;
    free(memory);
}
#else
/* Right before a page that must not be touched. */
#include <sys/mman.h>
#include <unistd.h>
static void *exactly(size_t size)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), pages = (size + page - 1) / page * page;
    char *memory = mmap(NULL, pages + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED || mprotect(memory + pages, page, PROT_NONE) != 0)
        abort();
    return memory + pages - size;
}
static void give_back(void *memory, size_t size)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), pages = (size + page - 1) / page * page;
    munmap((char *)memory + size - pages, pages + page);
}
#endif

static const char *now = "";
static int isa_now = -1;
static size_t checks = 0;

#define CHECK(condition) \
    do { \
        checks++; \
        if (!(condition)) { \
            const char *isa_name = isa_now < 0 ? "by default" : fastutf_isa_name((uint8_t)isa_now); \
            fprintf(stderr, "%s:%d: %s, %s: not true: %s\n", __FILE__, __LINE__, now, isa_name, #condition); \
            exit(1); \
        } \
    } while (0)

static uint64_t seed = 1;

static unsigned random_below(unsigned n)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)((seed >> 33) % n);
}

/* Random text: mostly of one kind for a while, so that all loops of a kernel run. Every other text has errors. */
static size_t random_text(enum form form, unsigned char *out, size_t most, int damaged)
{
    static const uint32_t limits[] = { 0x80, 0x80, 0x80, 0x100, 0x800, 0x10000, 0x110000 };
    size_t n = 0;
    unsigned kind = 0, left = 0, kinds = is_one_byte(form) ? 4 : random_below(3) ? 7 : 3 + random_below(5);
    int after_high = 0;
    for (;;) {
        unsigned char bytes[6];
        uint32_t character;
        size_t length, i;
        if (left-- == 0) {
            kind = random_below(kinds);
            left = random_below(90);
        }
        character = random_below(limits[kind]);
        if (is_surrogate(character))
            character -= 0x800;
        if (is_one_byte(form))
            character = character_of(form, (unsigned char)character);
        /* Surrogates where they may be, and in other forms as errors. A pair in pieces is one in WTF-8. */
        if ((may_have_surrogates(form) && random_below(30) == 0) || (damaged && !is_one_byte(form) && random_below(90) == 0))
            character = 0xD800 + random_below(0x800);
        if (after_high && character >= 0xDC00 && character < 0xE000 && !damaged && form == WTF8)
            character -= 0x400;
        if (after_high && damaged && form == WTF8 && random_below(2))
            character = 0xDC00 + random_below(0x400);
        after_high = character >= 0xD800 && character < 0xDC00;
        length = put(form, character, bytes);
        if (damaged && random_below(60) == 0) {
            for (i = 0; i < length; i++)
                bytes[i] = (unsigned char)(random_below(2) ? bytes[i] ^ 1u << random_below(8) : 0xD8 + random_below(40));
        }
        if (n + length > most)
            break;
        memcpy(out + n, bytes, length);
        n += length;
    }
    if (damaged && unit_size(form) == 1 && n > 3)
        n -= random_below(4);
    return n / unit_size(form);
}

#endif
