// SPDX-License-Identifier: GPL-2.0
/*
 * Reads registers again and again, for perf stat to count what that executes.
 *
 *	cost msr|msr_safe|batch|helper CPU REGISTERS TIMES
 *
 * The first two read one register per system call of that driver, the third all of them by one
 * of msr_safe, the last by kermon-msr-helper, which prints them. This program and the helper
 * run on CPU 0.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <kermon/msr.h>

#include "helper/batch.h"

/* What kermon spy reads: counters, and what controls them. */
static const uint32_t registers[] = {
	0x309, 0x30a, 0x30b, 0xc1, 0xc2, 0xc3, 0xc4, 0x38d, 0x38f, 0x186, 0x187, 0x188, 0x189,
};

#define MOST	(sizeof(registers) / sizeof(registers[0]))

struct access {
	struct kermon_msr_op ops[MOST];
	unsigned int nr;
	unsigned long times;
};

static void give_up(const char *what)
{
	perror(what);
	exit(1);
}

static void read_each(const struct access *access, const char *driver)
{
	uint64_t value;
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/dev/cpu/%u/%s", access->ops[0].cpu, driver);
	fd = open(path, O_RDONLY);
	for (unsigned long i = 0; i < access->times; i++)
		for (unsigned int j = 0; j < access->nr; j++)
			if (pread(fd, &value, sizeof(value), access->ops[j].reg) !=
			    sizeof(value))
				give_up(path);
}

static void read_batch(struct access *access)
{
	const int fd = open("/dev/cpu/msr_batch", O_RDONLY);

	for (unsigned long i = 0; i < access->times; i++)
		if (batch_read(fd, access->ops, access->nr))
			give_up("batch");
}

static void show(const struct access *access)
{
	const struct kermon_msr_op *op = access->ops;

	for (; op < access->ops + access->nr; op++)
		if (op->error)
			printf("0x%x %s\n", op->reg, strerror(-op->error));
		else
			printf("0x%x 0x%016llx\n", op->reg,
			       (unsigned long long)op->value);
}

/* The helper uses batches of msr_safe only for a client that may write. */
static void read_by_helper(struct access *access)
{
	const struct kermon_msr_options options = {
		.size = sizeof(options),
		.flags = KERMON_MSR_WRITE,
		.nr_cpus = 1,
		.cpus = &access->ops[0].cpu,
	};
	struct kermon_msr_error error;
	struct kermon_msr *msr;

	if (kermon_msr_open(&msr, &options, &error)) {
		fprintf(stderr, "%s\n", error.text);
		exit(1);
	}
	for (unsigned long i = 0; i < access->times; i++)
		if (kermon_msr_batch(msr, access->ops, access->nr))
			break;
	show(access);
	kermon_msr_close(msr);
}

int main(int argc, char **argv)
{
	struct access access = { .nr = 0 };
	cpu_set_t first;

	if (argc != 5 || (access.nr = strtoul(argv[3], NULL, 0)) > MOST)
		return 2;
	access.times = strtoul(argv[4], NULL, 0);
	for (unsigned int i = 0; i < access.nr; i++)
		access.ops[i] = (struct kermon_msr_op){
			.cpu = strtoul(argv[2], NULL, 0),
			.reg = registers[i],
		};
	CPU_ZERO(&first);
	CPU_SET(0, &first);
	sched_setaffinity(0, sizeof(first), &first);
	if (!strcmp(argv[1], "batch"))
		read_batch(&access);
	else if (!strcmp(argv[1], "helper"))
		read_by_helper(&access);
	else
		read_each(&access, argv[1]);
	return 0;
}
