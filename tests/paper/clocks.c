// SPDX-License-Identifier: GPL-2.0
/*
 * usage: clocks NUMBER MILLISECONDS
 *
 * Change the name of this thread NUMBER times, with so much time in between, and read the
 * clocks before and after. Each change is a COMM record of perf. Print a line for each: the
 * name, and for each clock the ns before and after. The line that is then written to
 * /dev/kmsg has the time of the kernel's log, which is between that of this change and that
 * of another one, to NAME with an "x".
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

static const clockid_t clocks[] = {
	CLOCK_MONOTONIC, CLOCK_MONOTONIC_RAW, CLOCK_BOOTTIME, CLOCK_REALTIME, CLOCK_TAI,
};

#define CLOCKS	(sizeof(clocks) / sizeof(clocks[0]))

static void read_clocks(long long ns[CLOCKS])
{
	struct timespec time;

	for (size_t i = 0; i < CLOCKS; i++) {
		clock_gettime(clocks[i], &time);
		ns[i] = time.tv_sec * 1000000000LL + time.tv_nsec;
	}
}

/* Not everybody may. */
static void write_log(int fd, const char *name)
{
	char line[64];
	int length = snprintf(line, sizeof(line), "<7>kermon-paper %d %s\n",
			      getpid(), name);

	if (fd >= 0 && write(fd, line, length) != length)
		perror("/dev/kmsg");
}

int main(int argc, char **argv)
{
	const int nr = argc > 1 ? atoi(argv[1]) : 1;
	const int pause = argc > 2 ? atoi(argv[2]) : 0;
	const int log = open("/dev/kmsg", O_WRONLY | O_CLOEXEC);
	long long before[CLOCKS], after[CLOCKS];
	char name[16];

	for (int i = 0; i < nr; i++) {
		snprintf(name, sizeof(name), "c%d", i);
		read_clocks(before);
		prctl(PR_SET_NAME, name);
		read_clocks(after);
		write_log(log, name);
		printf("%d %s", getpid(), name);
		for (size_t at = 0; at < CLOCKS; at++)
			printf(" %lld %lld", before[at], after[at]);
		putchar('\n');
		snprintf(name, sizeof(name), "c%dx", i);
		prctl(PR_SET_NAME, name);
		usleep(pause * 1000);
	}
	return 0;
}
