/* SPDX-License-Identifier: GPL-2.0 */
/* Interface to registers.c: the registers of CPUs, by the driver msr or msr_safe. */
#ifndef KERMON_HELPER_REGISTERS_H
#define KERMON_HELPER_REGISTERS_H

#include <stdbool.h>
#include <stdint.h>

#include <kermon/msr.h>

/**
 * struct registers - device files that are open
 * @root: folder in which dev/cpu is; "" for that of this machine
 * @fds: of each CPU, -1 if it is not open
 * @batch: /dev/cpu/msr_batch of msr_safe; -1: not open
 * @step: bytes of the file for each register: 1, or 8 if a file stands for the device
 * @is_safe: the driver is msr_safe, at least for one CPU
 */
struct registers {
	const char *root;
	int fds[KERMON_MSR_MAX_CPUS];
	int batch;
	unsigned int step;
	bool is_safe;
};

void registers_init(struct registers *registers, const char *root);

/*
 * Open the device of a CPU, that of msr_safe if it is there. To write, msr_safe's batch device
 * is required as well, which says what the driver would not write. Return: 0 or -errno.
 */
int registers_open(struct registers *registers, uint32_t cpu, bool may_write);
void registers_close(struct registers *registers, uint32_t cpu);

/* Close the batch device, which can write to any CPU. */
void registers_close_batch(struct registers *registers);

/* Whether the device of a CPU is open; @cpu may be any number. */
bool registers_has(const struct registers *registers, uint32_t cpu);

/* Access a register of a CPU whose device is open. Return: 0 or -errno. */
int registers_read(const struct registers *registers, uint32_t cpu,
		   uint32_t reg, uint64_t *value);

/*
 * Read a register that is to be written; @mask: the bits that the driver lets a write change.
 * Return: 0 or -errno.
 */
int registers_read_mask(const struct registers *registers, uint32_t cpu,
			uint32_t reg, uint64_t *value, uint64_t *mask);

/*
 * Execute operations that read registers of CPUs whose devices are open by one system call.
 * Return: whether that was possible; if not, they remain to be executed one by one.
 */
bool registers_read_all(const struct registers *registers,
			struct kermon_msr_op *ops, uint32_t nr);

int registers_write(const struct registers *registers, uint32_t cpu,
		    uint32_t reg, uint64_t value);

#endif /* KERMON_HELPER_REGISTERS_H */
