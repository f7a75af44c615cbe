// SPDX-License-Identifier: GPL-2.0
/*
 * usage: each-file OUT ERR SECONDS MIB <COMMANDS
 *
 * Runs the tool once for each line of standard input, whose words are its arguments, in a
 * forked child without exec. Output goes to the files OUT and ERR, which are truncated for
 * each line. Prints for each line:
 *
 *	STATUS SIGNAL MILLISECONDS KIB
 *
 * SIGNAL is what ended the child, or 0; SIGALRM after SECONDS. KIB is the most memory
 * that it had. It gets no more than MIB on top of what it starts with: ASan's own
 * addresses have to be counted out.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define WORDS	32

int kermon_main(int argc, char **argv);

struct job {
	const char *out;
	const char *err;
	unsigned int seconds;
	unsigned long mib;
};

static void die(const char *what)
{
	perror(what);
	exit(2);
}

static void send_to(const char *path, int fd)
{
	int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (file < 0 || dup2(file, fd) < 0)
		die(path);
	close(file);
}

/* Bytes of memory with data in it, including memory that is only reserved. */
static unsigned long data_size(void)
{
	FILE *file = fopen("/proc/self/status", "re");
	unsigned long kib = 0;
	char line[256];

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "VmData: %lu", &kib) == 1)
			break;
	if (file)
		fclose(file);
	return kib << 10;
}

static void limit(const struct job *job)
{
	struct rlimit data = { .rlim_max = RLIM_INFINITY };

	data.rlim_cur = data_size() + (job->mib << 20);
	if (setrlimit(RLIMIT_DATA, &data))
		die("setrlimit");
	alarm(job->seconds);
}

static int split(char *line, char *words[WORDS])
{
	int nr = 0;

	words[nr++] = "kermon";
	for (char *word = strtok(line, " \n"); word && nr < WORDS - 1;
	     word = strtok(NULL, " \n"))
		words[nr++] = word;
	words[nr] = NULL;
	return nr;
}

static void run(const struct job *job, char *line)
{
	char *words[WORDS];
	int nr = split(line, words);

	send_to(job->out, STDOUT_FILENO);
	send_to(job->err, STDERR_FILENO);
	if (!freopen("/dev/null", "r", stdin))
		die("/dev/null");
	limit(job);
	exit(kermon_main(nr, words));
}

static long milliseconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void report(pid_t child, long start)
{
	struct rusage used;
	int status;

	if (wait4(child, &status, 0, &used) < 0)
		die("wait4");
	printf("%d %d %ld %ld\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1,
	       WIFSIGNALED(status) ? WTERMSIG(status) : 0,
	       milliseconds() - start, used.ru_maxrss);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	struct job job;
	char *line = NULL;
	size_t room = 0;
	pid_t child;
	long start;

	if (argc != 5)
		die("usage: each-file OUT ERR SECONDS MIB");
	job = (struct job){ argv[1], argv[2], atoi(argv[3]), atoi(argv[4]) };
	while (getline(&line, &room, stdin) > 0) {
		start = milliseconds();
		child = fork();
		if (child < 0)
			die("fork");
		if (!child)
			run(&job, line);
		report(child, start);
	}
	free(line);
	return 0;
}
