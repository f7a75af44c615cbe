// SPDX-License-Identifier: GPL-2.0
/*
 * usage: misbehave MANNER
 *
 * Print valid KTAP of two tests, except for the deviation selected by MANNER,
 * and misbehave accordingly: the harness must detect each MANNER.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/reboot.h>
#include <unistd.h>

#define PROVOKE	"/sys/kernel/debug/provoke-crash/DIRECT"

static void write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		perror(path);
	close(fd);
}

static void nothing(void)
{
}

static void panic(void)
{
	write_file(PROVOKE, "PANIC");
}

static void hang(void)
{
	for (;;)
		pause();
}

static void hang_cpu(void)
{
	write_file(PROVOKE, "HARDLOCKUP");
}

static void warn(void)
{
	write_file(PROVOKE, "WARNING");
}

static void bug(void)
{
	if (fork() == 0) {
		write_file(PROVOKE, "BUG");
		_exit(0);
	}
	sleep(1);
}

static void quiet_splat(void)
{
	write_file("/dev/kmsg", "<4>BUG: sleeping function called from nowhere\n");
}

static void reset(void)
{
	reboot(RB_AUTOBOOT);
}

static void die_by_signal(void)
{
	raise(SIGSEGV);
}

static void exit_badly(void)
{
	exit(3);
}

/* Output printed before the function of the manner is called. */
static const struct manner {
	const char *name;
	const char *output;
	void (*misbehave)(void);
} manners[] = {
	{ "none", "1..2\nok 1 a\nok 2 b\n", nothing },
	{ "failed-test", "1..2\nok 1 a\nnot ok 2 b\n", nothing },
	{ "short-plan", "1..3\nok 1 a\nok 2 b\n", nothing },
	{ "no-plan", "ok 1 a\nok 2 b\n", nothing },
	{ "no-output", "", nothing },
	{ "all-skipped", "1..2\nok 1 a # SKIP no\nok 2 b # SKIP no\n", nothing },
	{ "one-skipped", "1..2\nok 1 a\nok 2 b # SKIP no\n", nothing },
	{ "bad-status", "1..2\nok 1 a\nok 2 b\n", exit_badly },
	{ "signal", "1..2\nok 1 a\nok 2 b\n", die_by_signal },
	{ "warn", "1..2\nok 1 a\nok 2 b\n", warn },
	{ "bug", "1..2\nok 1 a\nok 2 b\n", bug },
	{ "quiet-splat", "1..2\nok 1 a\nok 2 b\n", quiet_splat },
	{ "panic", "1..2\nok 1 a\nok 2 b\n", panic },
	{ "reset", "1..2\nok 1 a\nok 2 b\n", reset },
	{ "hang", "1..2\nok 1 a\nok 2 b\n", hang },
	{ "hang-cpu", "1..2\nok 1 a\nok 2 b\n", hang_cpu },
};

int main(int argc, char **argv)
{
	size_t i;

	for (i = 0; argc == 2 && i < sizeof(manners) / sizeof(*manners); i++) {
		if (strcmp(argv[1], manners[i].name))
			continue;
		printf("KTAP version 1\n%s", manners[i].output);
		fflush(stdout);
		manners[i].misbehave();
		return 0;
	}
	fprintf(stderr, "usage: misbehave MANNER\n");
	return 2;
}
