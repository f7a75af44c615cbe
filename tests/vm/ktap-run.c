// SPDX-License-Identifier: GPL-2.0
/*
 * usage: ktap-run [-t SECONDS] PROGRAM...
 *
 * Run test programs one after the other and report in KTAP: the output of a program
 * becomes its subtests, indented by two spaces, and its exit status its result (4 is
 * kselftest's "skipped"). A program that takes longer than SECONDS is killed with its
 * children and fails. Each program is announced in the kernel log, so that messages there
 * can be attributed to it.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define KSELFTEST_SKIP	4

static int timeout_s = 120;

static void announce(const char *name)
{
	int fd = open("/dev/kmsg", O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	dprintf(fd, "<5>ktap-run: %s\n", name);
	close(fd);
}

static pid_t start(char *program, int *output)
{
	char *argv[] = { program, NULL };
	int fds[2];
	pid_t pid;

	if (pipe2(fds, O_CLOEXEC))
		return -1;
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		setpgid(0, 0);
		dup2(fds[1], STDOUT_FILENO);
		dup2(fds[1], STDERR_FILENO);
		execv(program, argv);
		fprintf(stderr, "# cannot run %s: %s\n", program, strerror(errno));
		_exit(127);
	}
	close(fds[1]);
	*output = fds[0];
	return pid;
}

/* Copy text with every line indented. */
static void indent(const char *text, size_t len, int *at_start)
{
	size_t i;

	for (i = 0; i < len; i++) {
		if (*at_start)
			fputs("  ", stdout);
		putchar(text[i]);
		*at_start = text[i] == '\n';
	}
	fflush(stdout);
}

static int milliseconds_left(const struct timespec *end)
{
	struct timespec now;
	long long left;

	clock_gettime(CLOCK_MONOTONIC, &now);
	left = (end->tv_sec - now.tv_sec) * 1000LL + (end->tv_nsec - now.tv_nsec) / 1000000;
	return left > 0 ? left : 0;
}

/*
 * Returns 0 if the time limit was reached before the program closed its output.
 */
static int copy_output(int fd)
{
	struct pollfd wait = { .fd = fd, .events = POLLIN };
	struct timespec end;
	int at_start = 1;
	char buf[4096];
	ssize_t n;

	clock_gettime(CLOCK_MONOTONIC, &end);
	end.tv_sec += timeout_s;
	while (poll(&wait, 1, milliseconds_left(&end)) > 0) {
		n = read(fd, buf, sizeof(buf));
		if (n > 0) {
			indent(buf, n, &at_start);
			continue;
		}
		if (!at_start)
			putchar('\n');
		return 1;
	}
	if (!at_start)
		putchar('\n');
	return 0;
}

static void print_result(int nr, const char *name, int status, int in_time)
{
	if (!in_time)
		printf("not ok %d %s # killed after %d s\n", nr, name, timeout_s);
	else if (WIFSIGNALED(status))
		printf("not ok %d %s # signal %d\n", nr, name, WTERMSIG(status));
	else if (WEXITSTATUS(status) == KSELFTEST_SKIP)
		printf("ok %d %s # SKIP\n", nr, name);
	else if (WEXITSTATUS(status))
		printf("not ok %d %s # exit %d\n", nr, name, WEXITSTATUS(status));
	else
		printf("ok %d %s\n", nr, name);
	fflush(stdout);
}

static void run(int nr, char *program)
{
	const char *name = strrchr(program, '/') ? strrchr(program, '/') + 1 : program;
	int output, status, in_time;
	pid_t pid;

	announce(name);
	pid = start(program, &output);
	if (pid < 0) {
		printf("not ok %d %s # cannot start: %s\n", nr, name, strerror(errno));
		return;
	}
	in_time = copy_output(output);
	if (!in_time)
		kill(-pid, SIGKILL);
	close(output);
	waitpid(pid, &status, 0);
	kill(-pid, SIGKILL);	/* children that outlived it */
	print_result(nr, name, status, in_time);
}

int main(int argc, char **argv)
{
	int opt, i;

	while ((opt = getopt(argc, argv, "t:")) != -1) {
		if (opt != 't')
			return 2;
		timeout_s = atoi(optarg);
	}
	if (optind == argc || timeout_s <= 0) {
		fprintf(stderr, "usage: ktap-run [-t SECONDS] PROGRAM...\n");
		return 2;
	}
	printf("KTAP version 1\n1..%d\n", argc - optind);
	for (i = optind; i < argc; i++)
		run(i - optind + 1, argv[i]);
	announce("end");
	return 0;
}
