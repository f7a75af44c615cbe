// SPDX-License-Identifier: GPL-2.0
/*
 * Registers as the kernel's module msr has them, without KerMon.
 *
 *	registers save FILE			those of CPUs 0 and 1 that do not change by themselves
 *	registers compare FILE [counters|perf]	print those that differ now, except for
 *						counters, or all that perf uses
 *	registers get CPU REGISTER		print a value
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CPUS	2

struct range {
	uint32_t first;
	uint32_t last;
};

#define END	{ 1, 0 }

static const struct range all[] = {
	{ 0, 0xfff }, { 0xc0000080, 0xc000010f }, { 0xc0010000, 0xc00102ff }, END
};
/* Of the timer, and of tasks. */
static const struct range of_kernel[] = {
	{ 0x6e0, 0x6e0 }, { 0xc0000100, 0xc0000102 }, END
};
static const struct range of_counters[] = {
	{ 0xc1, 0xc8 }, { 0x309, 0x30b }, { 0x4c1, 0x4c8 }, END
};
static const struct range of_perf[] = {
	{ 0xc1, 0xc8 }, { 0x309, 0x30b }, { 0x4c1, 0x4c8 }, { 0x186, 0x18d },
	{ 0x38d, 0x390 }, END
};

struct value {
	uint32_t cpu;
	uint32_t reg;
	uint64_t value;
	bool is_there;
};

static struct value now[2 * 0x2000], before[2 * 0x2000];

static bool is_in(const struct range *range, uint32_t reg)
{
	for (; range->first <= range->last; range++)
		if (reg >= range->first && reg <= range->last)
			return true;
	return false;
}

static int open_cpu(unsigned int cpu)
{
	char path[32];
	int fd;

	snprintf(path, sizeof(path), "/dev/cpu/%u/msr", cpu);
	fd = open(path, O_RDONLY);
	if (fd < 0) {
		perror(path);
		exit(1);
	}
	return fd;
}

static bool read_register(int fd, uint32_t reg, uint64_t *value)
{
	return pread(fd, value, sizeof(*value), reg) == sizeof(*value);
}

static size_t read_all(struct value *values)
{
	const struct range *range;
	struct value *value = values;
	int fd;

	for (unsigned int cpu = 0; cpu < CPUS; cpu++) {
		fd = open_cpu(cpu);
		for (range = all; range->first <= range->last; range++)
			for (uint32_t reg = range->first; reg <= range->last; reg++) {
				value->cpu = cpu;
				value->reg = reg;
				value->is_there = !is_in(of_kernel, reg) &&
						  read_register(fd, reg, &value->value);
				value++;
			}
		close(fd);
	}
	return value - values;
}

static int save(const char *path)
{
	const size_t nr = read_all(before);
	FILE *file = fopen(path, "w");

	for (int i = 0; i < 2; i++) {
		usleep(2000);
		read_all(now);
		for (size_t j = 0; j < nr; j++)
			if (now[j].value != before[j].value)
				before[j].is_there = false;
	}
	return !file || fwrite(before, sizeof(*before), nr, file) != nr ||
	       fclose(file);
}

static int compare(const char *path, const char *ignored)
{
	static const struct range nothing[] = { END };
	const struct range *ranges = !*ignored ? nothing :
				     strcmp(ignored, "perf") ? of_counters : of_perf;
	const size_t nr = read_all(now);
	FILE *file = fopen(path, "r");

	if (!file || fread(before, sizeof(*before), nr, file) != nr)
		return 1;
	for (size_t i = 0; i < nr; i++)
		if (before[i].is_there && before[i].value != now[i].value &&
		    !is_in(ranges, now[i].reg))
			printf("CPU %u: register 0x%x was 0x%llx, is 0x%llx\n",
			       now[i].cpu, now[i].reg,
			       (unsigned long long)before[i].value,
			       (unsigned long long)now[i].value);
	return 0;
}

static int get(const char *cpu, const char *reg)
{
	const int fd = open_cpu(strtoul(cpu, NULL, 10));
	uint64_t value;

	if (!read_register(fd, strtoul(reg, NULL, 0), &value))
		return 1;
	printf("0x%016llx\n", (unsigned long long)value);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "save"))
		return save(argv[2]);
	if ((argc == 3 || argc == 4) && !strcmp(argv[1], "compare"))
		return compare(argv[2], argc == 4 ? argv[3] : "");
	if (argc == 4 && !strcmp(argv[1], "get"))
		return get(argv[2], argv[3]);
	return 2;
}
