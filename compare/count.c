/*
 * A plugin for QEMU that counts the instructions which a program executes, for `cargo xtask count`.
 *
 * The program asks by seeking in a file to a place that nobody else seeks to (testkit/src/counter.rs). Before that system call
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

/* The place in a file to which the program seeks. */
#define COUNT UINT64_C(0x5A17C0DE)

/* Up to now. */
static uint64_t instructions;

/* Once for each block of instructions without a jump between them. */
static void execute(unsigned cpu, void *length)
{
    (void)cpu;
    instructions += (uintptr_t)length;
}

static void translate(qemu_plugin_id_t id, struct qemu_plugin_tb *translated)
{
    (void)id;
    qemu_plugin_register_vcpu_tb_exec_cb(translated, execute, 0, (void *)qemu_plugin_tb_n_insns(translated));
}

static void system_call(
    qemu_plugin_id_t id, unsigned cpu, int64_t number, uint64_t file, uint64_t b, uint64_t c, uint64_t d, uint64_t e,
    uint64_t f, uint64_t g, uint64_t h
)
{
    (void)id, (void)cpu, (void)number, (void)c, (void)d, (void)e, (void)f, (void)g, (void)h;
    if (b != COUNT)
        return;
    unsigned char bytes[8];
    for (int i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(instructions >> (8 * i));
    if (pwrite((int)file, bytes, sizeof bytes, 0) != sizeof bytes)
        abort();
}

EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const void *info, int argc, char **argv)
{
    (void)info, (void)argc, (void)argv;
    qemu_plugin_register_vcpu_tb_trans_cb(id, translate);
    qemu_plugin_register_vcpu_syscall_cb(id, system_call);
    return 0;
}
