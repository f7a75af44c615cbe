/* SPDX-License-Identifier: GPL-2.0 */
/* Interface to batch.c: /dev/cpu/msr_batch of the driver msr_safe. */
#ifndef KERMON_HELPER_BATCH_H
#define KERMON_HELPER_BATCH_H

#include <stdint.h>

#include <kermon/msr.h>

/*
 * Read the registers of @nr operations, at most KERMON_MSR_BATCH, by one system call on @fd,
 * with one interrupt to each CPU. Return: 0; -errno if any of them failed, @ops are unchanged
 * then.
 */
int batch_read(int fd, struct kermon_msr_op *ops, uint32_t nr);

/*
 * Read a register, and which of its bits the list of msr_safe lets a write change. The driver
 * keeps the others as they are, without an error. Return: 0 or -errno.
 */
int batch_read_mask(int fd, uint32_t cpu, uint32_t reg, uint64_t *value, uint64_t *mask);

#endif /* KERMON_HELPER_BATCH_H */
