// SPDX-License-Identifier: GPL-2.0
/*
 * usage: stack fresh|touched|same [software]
 *
 * Read a group of events by read() sixteen times, as the program behind figure 5 of Weaver's
 * study does: each result is stored 2048 bytes further in an array on the stack, so that every
 * second read finds a page that was never written. With "touched" the pages have been written
 * before, with "same" all reads store to the same place. Prints for each read its TSC cycles,
 * and what was counted since the read before: instructions, lines loaded into the L1 data
 * cache, and page faults; with "software", which needs no PMU, nanoseconds instead of
 * instructions and switches instead of lines. A fault of a read is counted in the next one:
 * values are taken before they are stored.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/perf_event.h>

#define READS		16
#define WORDS		256	/* of a read: the study's BUFFER_SIZE */

#define INSTRUCTIONS	0x00c0
#define L1D_REPLACEMENT	0x0151

enum { NR_EVENTS = 3 };

/* One that the compiler does not see through. */
static volatile char never;

static int open_event(uint32_t type, uint64_t config, int leader)
{
	struct perf_event_attr attr = {
		.type = type,
		.size = sizeof(attr),
		.config = config,
		.read_format = PERF_FORMAT_GROUP,
		.disabled = leader < 0,
		.pinned = leader < 0,
	};

	return syscall(SYS_perf_event_open, &attr, 0, -1, leader, 0);
}

static inline uint64_t now(void)
{
	uint64_t low, high;

	__asm__ volatile("rdtsc" : "=a" (low), "=d" (high) : : "memory");
	return high << 32 | low;
}

/* What was read, in pages that are written before the measurement. */
static uint64_t found[READS + 1][NR_EVENTS + 1];
static uint64_t times[READS + 1];

static int measure(int leader, const char *how)
{
	/* At the beginning of a page; the study's is anywhere, so that its phase varies. */
	_Alignas(4096) uint64_t values[READS][WORDS];
	const int step = strcmp(how, "same") != 0;
	ssize_t length;

	memset(found, never, sizeof(found));
	memset(times, never, sizeof(times));
	if (strcmp(how, "fresh") != 0)
		memset(values, never, step ? sizeof(values) : sizeof(values[0]));
	ioctl(leader, PERF_EVENT_IOC_ENABLE, 0);
	times[0] = now();
	for (int i = 0; i < READS; i++) {
		uint64_t *to = values[step * i];

		length = read(leader, to, sizeof(values[0]));
		times[i + 1] = now();
		if (length != sizeof(found[0])) {
			fprintf(stderr, "stack: read() of %zu bytes: %s\n", sizeof(found[0]),
				length < 0 ? strerror(errno) : "the group has no counters");
			return -1;
		}
		memcpy(found[i + 1], to, sizeof(found[0]));
	}
	ioctl(leader, PERF_EVENT_IOC_DISABLE, 0);
	return 0;
}

static void print(void)
{
	for (int i = 1; i <= READS; i++) {
		printf("%d,%llu", i, (unsigned long long)(times[i] - times[i - 1]));
		for (int event = 1; event <= NR_EVENTS; event++)
			printf(",%llu", (unsigned long long)
			       (found[i][event] - found[i - 1][event]));
		putchar('\n');
	}
}

static int open_group(bool software)
{
	const uint32_t type = software ? PERF_TYPE_SOFTWARE : PERF_TYPE_RAW;
	int leader = open_event(type, software ? PERF_COUNT_SW_TASK_CLOCK : INSTRUCTIONS, -1);

	if (leader < 0 ||
	    open_event(type, software ? PERF_COUNT_SW_CONTEXT_SWITCHES : L1D_REPLACEMENT,
		       leader) < 0 ||
	    open_event(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, leader) < 0)
		return -1;
	return leader;
}

static bool are_known(int argc, char **argv)
{
	return (argc == 2 || (argc == 3 && !strcmp(argv[2], "software"))) &&
	       (!strcmp(argv[1], "fresh") || !strcmp(argv[1], "touched") ||
		!strcmp(argv[1], "same"));
}

int main(int argc, char **argv)
{
	int leader;

	if (!are_known(argc, argv)) {
		fputs("usage: stack fresh|touched|same [software]\n", stderr);
		return 2;
	}
	leader = open_group(argc > 2);
	if (leader < 0) {
		perror("stack: perf_event_open");
		return 1;
	}
	if (measure(leader, argv[1]))
		return 1;
	print();
	return 0;
}
