/* Simulates a CPU with fewer features for a program on x86-64 Linux, at native speed and on any hardware. Preloaded
 * into the program, this library replaces its CPUID and XGETBV instructions by one that traps, and returns their
 * results with bits cleared. This hides features, but does not disable their instructions.
 *
 *   MASK_CPU_AT       addresses of these instructions in the program's file, hexadecimal
 *   MASK_CPU_CLEAR    LEAF:REGISTER:BITS, hexadecimal, such as 7:b:100 for BMI2; leaf x is XGETBV, its register a
 *
 * Both are lists separated by blanks. */
#define _GNU_SOURCE
#include <cpuid.h>
#include <link.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

enum { XGETBV = -1 };
static const unsigned char cpuid_code[] = {0x0f, 0xa2}, xgetbv_code[] = {0x0f, 0x01, 0xd0}, trap[] = {0x0f, 0x0b};
static struct place { unsigned char *at; int xgetbv; } places[256];
static struct clear { unsigned leaf, bits; int reg; } clears[64];
static int place_count, clear_count;

static void fail(const char *what) {
    fprintf(stderr, "mask-cpu: %s\n", what);
    _exit(2);
}

static void on_trap(int sig, siginfo_t *info, void *context) {
    greg_t *g = ((ucontext_t *)context)->uc_mcontext.gregs;
    struct place *p = places, *end = places + place_count;
    while (p < end && p->at != (unsigned char *)g[REG_RIP]) p++;
    if (p == end) { /* the program's own illegal instruction: executed again, it ends the program */
        signal(sig, SIG_DFL);
        return;
    }
    (void)info;
    unsigned leaf = p->xgetbv ? (unsigned)XGETBV : (unsigned)g[REG_RAX];
    unsigned r[4] = {0};
    if (p->xgetbv)
        __asm__ volatile("xgetbv" : "=a"(r[0]), "=d"(r[3]) : "c"((unsigned)g[REG_RCX]));
    else
        __cpuid_count(leaf, (unsigned)g[REG_RCX], r[0], r[1], r[2], r[3]);
    for (int i = 0; i < clear_count; i++)
        if (clears[i].leaf == leaf) r[clears[i].reg] &= ~clears[i].bits;
    g[REG_RAX] = r[0], g[REG_RDX] = r[3];
    if (!p->xgetbv) g[REG_RBX] = r[1], g[REG_RCX] = r[2];
    g[REG_RIP] += p->xgetbv ? sizeof xgetbv_code : sizeof cpuid_code;
}

/* The first entry is the program itself. Its load address is added to the addresses in the file. */
static int find_base(struct dl_phdr_info *info, size_t size, void *base) {
    (void)size;
    *(ElfW(Addr) *)base = info->dlpi_addr;
    return 1;
}

__attribute__((constructor)) static void start(void) {
    const char *at = getenv("MASK_CPU_AT"), *clear = getenv("MASK_CPU_CLEAR");
    if (!at || !clear) fail("MASK_CPU_AT and MASK_CPU_CLEAR must be set");
    ElfW(Addr) base = 0;
    dl_iterate_phdr(find_base, &base);
    for (char *next;; clear = next) {
        clear += strspn(clear, " ");
        if (!*clear) break;
        if (clear_count == 64) fail("too many entries in MASK_CPU_CLEAR");
        struct clear *c = &clears[clear_count++];
        c->leaf = *clear == 'x' ? (unsigned)XGETBV : (unsigned)strtoul(clear, &next, 16);
        if (*clear == 'x') next = (char *)clear + 1;
        if (next[0] != ':' || next[1] < 'a' || next[1] > 'd' || next[2] != ':') fail("MASK_CPU_CLEAR: LEAF:REGISTER:BITS");
        c->reg = next[1] - 'a';
        c->bits = (unsigned)strtoul(next + 3, &next, 16);
    }
    struct sigaction action = {.sa_sigaction = on_trap, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigaction(SIGILL, &action, NULL);
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    for (char *next;; at = next) {
        at += strspn(at, " ");
        if (!*at) break;
        if (place_count == 256) fail("too many entries in MASK_CPU_AT");
        unsigned char *p = (unsigned char *)(base + strtoul(at, &next, 16));
        int xgetbv = !memcmp(p, xgetbv_code, sizeof xgetbv_code);
        if (!xgetbv && memcmp(p, cpuid_code, sizeof cpuid_code)) fail("MASK_CPU_AT: neither CPUID nor XGETBV");
        places[place_count++] = (struct place){p, xgetbv};
        unsigned char *first = (unsigned char *)((ElfW(Addr))p & ~(page - 1));
        size_t size = (size_t)(p + sizeof trap - first);
        if (mprotect(first, size, PROT_READ | PROT_WRITE | PROT_EXEC)) fail("the program cannot be written to");
        memcpy(p, trap, sizeof trap);
        mprotect(first, size, PROT_READ | PROT_EXEC);
    }
    if (!place_count) fail("MASK_CPU_AT: nothing to replace");
}
