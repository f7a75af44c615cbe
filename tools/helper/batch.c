// SPDX-License-Identifier: GPL-2.0
/*
 * Accesses of several registers by one system call of msr_safe, whose interface is declared
 * here because distributions do not carry its header. Layouts are those of its versions 1.x.
 */
#include <errno.h>
#include <sys/ioctl.h>

#include "batch.h"

/**
 * struct access - of one register
 * @cpu: the CPU
 * @is_read: 0: write; otherwise read
 * @error: 0 or -errno
 * @reg: number of the register
 * @value: read, or to be written
 * @mask: bits that the driver's list lets a write change; filled in for reads as well
 */
struct access {
	uint16_t cpu;
	uint16_t is_read;
	int32_t error;
	uint32_t reg;
	uint64_t value;
	uint64_t mask;
};

/**
 * struct accesses - argument of the system call
 * @nr: number of accesses
 * @version: of this interface, which drivers before 2.0 ignore
 * @all: the accesses
 */
struct accesses {
	uint32_t nr;
	uint32_t version;
	struct access *all;
};

#define ACCESS_BATCH	_IOWR('c', 0xa2, struct accesses)
#define VERSION		0x010800

_Static_assert(sizeof(struct access) == 32, "as in the driver");
_Static_assert(sizeof(struct accesses) == 16, "as in the driver");

static int run(int fd, struct access *all, uint32_t nr)
{
	struct accesses accesses = {
		.nr = nr,
		.version = VERSION,
		.all = all,
	};

	return ioctl(fd, ACCESS_BATCH, &accesses) < 0 ? -errno : 0;
}

static struct access reading(uint32_t cpu, uint32_t reg)
{
	return (struct access){ .cpu = cpu, .is_read = 1, .reg = reg };
}

int batch_read(int fd, struct kermon_msr_op *ops, uint32_t nr)
{
	struct access all[KERMON_MSR_BATCH];
	int err;

	for (uint32_t i = 0; i < nr; i++)
		all[i] = reading(ops[i].cpu, ops[i].reg);
	err = run(fd, all, nr);
	for (uint32_t i = 0; i < nr && !err; i++)
		ops[i].value = all[i].value;
	return err;
}

int batch_read_mask(int fd, uint32_t cpu, uint32_t reg, uint64_t *value, uint64_t *mask)
{
	struct access access = reading(cpu, reg);
	const int err = run(fd, &access, 1);

	*value = access.value;
	*mask = access.mask;
	return err;
}
