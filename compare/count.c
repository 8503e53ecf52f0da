/*
 * A plugin for QEMU that counts the instructions which a program executes, for `compare/count`.
 *
 * The program asks by seeking in a file to a place that nobody else seeks to (src/counter.rs). Before that system call
 * is carried out, the answer is written to the start of the file.
 */
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

/* What QEMU has for plugins, since its header comes with few distributions. QEMU 9 and later want version 2. */
#ifndef PLUGIN_VERSION
#define PLUGIN_VERSION 1
#endif
typedef uint64_t qemu_plugin_id_t;
struct qemu_plugin_tb;
extern uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *);
extern size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
extern void qemu_plugin_register_vcpu_tb_trans_cb(
    qemu_plugin_id_t, void (*)(qemu_plugin_id_t, struct qemu_plugin_tb *)
);
extern void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *, void (*)(unsigned, void *), int, void *);
extern void qemu_plugin_register_vcpu_syscall_cb(
    qemu_plugin_id_t,
    void (*)(
        qemu_plugin_id_t, unsigned, int64_t,
        uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t
    )
);

#define EXPORT __attribute__((visibility("default")))
EXPORT int qemu_plugin_version = PLUGIN_VERSION;

/* Places in a file, and what seeking to them asks for: how many instructions up to now, and what has been recorded. */
#define COUNT UINT64_C(0x5A17C0DE)
/* To record what is executed next, from a quarter of what came between the last two counts. */
#define RECORD UINT64_C(0x5A17C0DF)

/* Instructions without a jump between them. */
struct block {
    uint64_t start;
    uint64_t instructions;
};

/* Up to now. */
static uint64_t instructions, blocks;
/* What came between the last two counts. */
static uint64_t counted, between;

#define MOST_BLOCKS 4096
#define MOST_INSTRUCTIONS 10000
static uint64_t record_from = UINT64_MAX;
static struct block recorded[MOST_BLOCKS];
static uint64_t recorded_blocks, recorded_instructions;

static void execute(unsigned cpu, void *data)
{
    (void)cpu;
    const struct block *block = data;
    instructions += block->instructions;
    if (blocks++ >= record_from && recorded_blocks < MOST_BLOCKS && recorded_instructions < MOST_INSTRUCTIONS) {
        recorded[recorded_blocks++] = *block;
        recorded_instructions += block->instructions;
    }
}

static void translate(qemu_plugin_id_t id, struct qemu_plugin_tb *translated)
{
    (void)id;
    struct block *block = malloc(sizeof *block);
    if (!block)
        abort();
    block->start = qemu_plugin_tb_vaddr(translated);
    block->instructions = qemu_plugin_tb_n_insns(translated);
    qemu_plugin_register_vcpu_tb_exec_cb(translated, execute, 0, block);
}

static void put(int file, int place, uint64_t number)
{
    unsigned char bytes[8];
    for (int i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(number >> (8 * i));
    if (pwrite(file, bytes, sizeof bytes, 8 * place) != sizeof bytes)
        abort();
}

static void system_call(
    qemu_plugin_id_t id, unsigned cpu, int64_t number, uint64_t file, uint64_t b, uint64_t c, uint64_t d, uint64_t e,
    uint64_t f, uint64_t g, uint64_t h
)
{
    (void)id, (void)cpu, (void)number, (void)d, (void)e, (void)f, (void)g, (void)h;
    /* With 32 bits to the register, the place comes in two of them. */
    uint64_t place = b == 0 ? c : b;
    if (place == COUNT) {
        /* The number of instructions; how many blocks have been recorded; each one's address and instructions. */
        put((int)file, 0, instructions);
        put((int)file, 1, recorded_blocks);
        for (uint64_t i = 0; i < recorded_blocks; i++) {
            put((int)file, (int)(2 * i + 2), recorded[i].start);
            put((int)file, (int)(2 * i + 3), recorded[i].instructions);
        }
        between = blocks - counted;
        counted = blocks;
        record_from = UINT64_MAX;
        recorded_blocks = recorded_instructions = 0;
    } else if (place == RECORD) {
        record_from = blocks + between / 4;
    }
}

EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const void *info, int argc, char **argv)
{
    (void)info, (void)argc, (void)argv;
    qemu_plugin_register_vcpu_tb_trans_cb(id, translate);
    qemu_plugin_register_vcpu_syscall_cb(id, system_call);
    return 0;
}
