/* SPDX-License-Identifier: GPL-2.0 */
/* A folder with CPUs whose registers are in files, for kermon-msr-helper. */
#ifndef TESTS_UNIT_MSR_ROOT_H
#define TESTS_UNIT_MSR_ROOT_H

#include <fcntl.h>
#include <ftw.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "helper/allowlist.h"

#define ROOT_CPUS	2
/* Registers from this number on do not exist: their files are shorter. */
#define ROOT_REGISTERS	0x1000

#define ROOT_LIST							\
	"# a list\n"							\
	"0x00000010 0x0000000000000000 # TSC: time\n"			\
	"0x00000186 0x00000000000000ff # SELECT: an event\n"		\
	"0x00000187 0xffffffffffffffff # \"ANY\" all bits\n"		\
	"0x00000188 0xffffffffffffffff\n"				\
	"0x00000189 0x00000000000000ff # CLEARS zero=0x300: an event\n"	\
	"0x00002000 0xffffffffffffffff # MISSING: not on this CPU\n"

struct root {
	char path[64];
	int fds[ROOT_CPUS];
};

static inline void root_file(const struct root *root, const char *name,
			     const char *text)
{
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", root->path, name);
	file = fopen(path, "we");
	if (!file || fputs(text, file) < 0 || fclose(file))
		abort();
}

static inline void root_folder(const struct root *root, const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", root->path, name);
	if (mkdir(path, 0700))
		abort();
}

static inline void root_index(const struct root *root)
{
	struct processor processor;
	char text[128];

	processor_read(&processor);
	snprintf(text, sizeof(text), "%s 0x%x * test.list\n", processor.vendor,
		 processor.family);
	root_file(root, "share/index", text);
}

static inline void root_make(struct root *root)
{
	static const char *const folders[] = {
		"dev", "dev/cpu", "dev/cpu/0", "dev/cpu/1", "run", "run/kermon",
		"share",
	};
	char path[128];

	strcpy(root->path, "/tmp/kermon-msr-XXXXXX");
	if (!mkdtemp(root->path))
		abort();
	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
		root_folder(root, folders[i]);
	for (int cpu = 0; cpu < ROOT_CPUS; cpu++) {
		snprintf(path, sizeof(path), "%s/dev/cpu/%d/msr", root->path,
			 cpu);
		root->fds[cpu] = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
		if (ftruncate(root->fds[cpu], 8 * ROOT_REGISTERS))
			abort();
	}
	root_index(root);
	root_file(root, "share/test.list", ROOT_LIST);
	setenv("KERMON_MSR_ROOT", root->path, 1);
}

static inline int root_remove_file(const char *path, const struct stat *stat,
				   int type, struct FTW *walk)
{
	(void)stat;
	(void)type;
	(void)walk;
	return remove(path);
}

static inline void root_free(struct root *root)
{
	for (int cpu = 0; cpu < ROOT_CPUS; cpu++)
		close(root->fds[cpu]);
	nftw(root->path, root_remove_file, 8, FTW_DEPTH | FTW_PHYS);
	unsetenv("KERMON_MSR_ROOT");
}

static inline uint64_t root_get(const struct root *root, int cpu, uint32_t reg)
{
	uint64_t value = 0;

	if (pread(root->fds[cpu], &value, sizeof(value), 8L * reg) < 0)
		abort();
	return value;
}

static inline void root_set(const struct root *root, int cpu, uint32_t reg,
			    uint64_t value)
{
	if (pwrite(root->fds[cpu], &value, sizeof(value), 8L * reg) < 0)
		abort();
}

#endif /* TESTS_UNIT_MSR_ROOT_H */
