// SPDX-License-Identifier: GPL-2.0
/*
 * Running the command: its three standard streams are pipes; this loop copies
 * between them and the ports, converts bytes from the control port into
 * signals, and reaps orphans, as PID 1 must.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "vm.h"

/*
 * The driver adds ports some time after it was probed: number of attempts to
 * wait for one.
 */
#define PORT_TRIES	200
#define PORT_WAIT_US	5000

/* One direction of copying; -1 in a descriptor means closed. */
struct stream {
	int from, to;
	size_t start, end;	/* buffered but not yet written */
	unsigned long long total;	/* written so far */
	char buf[32768];
};

enum { STDIN, STDOUT, STDERR, NR_STREAMS };

static struct stream streams[NR_STREAMS] = {
	{ .from = -1, .to = -1 }, { .from = -1, .to = -1 }, { .from = -1, .to = -1 },
};

static int port_number(const char *name, char *dev, size_t size)
{
	DIR *dir = opendir("/sys/class/virtio-ports");
	char path[512], found[64];
	struct dirent *entry;
	int hit = 0;
	FILE *file;

	while (dir && !hit && (entry = readdir(dir))) {
		snprintf(path, sizeof(path), "/sys/class/virtio-ports/%s/name", entry->d_name);
		file = fopen(path, "re");
		if (!file)
			continue;
		hit = fscanf(file, "%63s", found) == 1 && !strcmp(found, name);
		snprintf(dev, size, "/dev/%s", entry->d_name);
		fclose(file);
	}
	if (dir)
		closedir(dir);
	return hit;
}

int port_open(const char *name)
{
	char dev[280];
	int try;

	for (try = 0; try < PORT_TRIES; try++) {
		if (port_number(name, dev, sizeof(dev)))
			return open(dev, O_RDWR | O_NONBLOCK | O_CLOEXEC);
		usleep(PORT_WAIT_US);
	}
	return -1;
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static int holds_data(const struct stream *s)
{
	return s->start < s->end;
}

/*
 * Copy as much as possible without blocking; returns whether anything was
 * copied.
 */
static int stream_move(struct stream *s)
{
	ssize_t n;

	if (s->from < 0)
		return 0;
	if (!holds_data(s)) {
		n = read(s->from, s->buf, sizeof(s->buf));
		if (n < 0)
			return 0;
		if (n == 0) {
			close_fd(&s->from);
			close_fd(&s->to);
			return 1;
		}
		s->start = 0;
		s->end = n;
	}
	n = write(s->to, s->buf + s->start, s->end - s->start);
	if (n >= 0) {
		s->start += n;
		s->total += n;
		return 1;
	}
	if (errno == EAGAIN)
		return 0;
	/* The reader is gone: let the writer notice. */
	close_fd(&s->from);
	close_fd(&s->to);
	return 1;
}

/* The end of the stream that it is currently waiting for. */
static struct pollfd stream_wait(const struct stream *s)
{
	if (holds_data(s))
		return (struct pollfd){ .fd = s->to, .events = POLLOUT };
	return (struct pollfd){ .fd = s->from, .events = POLLIN };
}

/*
 * A port whose host end is closed blocks writers: handle it like a broken pipe.
 */
static void stream_hang_up(struct stream *s, const struct pollfd *seen)
{
	if (s->to >= 0 && seen->fd == s->to && seen->revents & (POLLHUP | POLLERR)) {
		close_fd(&s->from);
		close_fd(&s->to);
	}
}

static _Noreturn void exec_command(const struct job *job, const int child[])
{
	sigset_t none;
	int i;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	setsid();
	for (i = 0; i < NR_STREAMS; i++)
		dup2(child[i], i);
	if (chdir(job->cwd)) {
		dprintf(2, "kermon-vm: cannot enter %s: %s\n", job->cwd, strerror(errno));
		_exit(126);
	}
	clearenv();
	environ = (char **)job->envp;
	execvp(job->argv[0], job->argv);
	dprintf(2, "kermon-vm: cannot run %s: %s\n", job->argv[0], strerror(errno));
	_exit(errno == ENOENT ? 127 : 126);
}

/* Connect stream @i to its port; returns the child's end. */
static int connect_stream(int i)
{
	static const char *const names[] = { "stdin", "stdout", "stderr" };
	struct stream *s = &streams[i];
	int pipe_fd[2], port = port_open(names[i]);

	if (port < 0)
		return open("/dev/null", O_RDWR | O_CLOEXEC);
	if (pipe2(pipe_fd, O_CLOEXEC))
		die("no pipe for", names[i]);
	s->from = i == STDIN ? port : pipe_fd[0];
	s->to = i == STDIN ? pipe_fd[1] : port;
	fcntl(s->from, F_SETFL, O_NONBLOCK);
	fcntl(s->to, F_SETFL, O_NONBLOCK);
	return i == STDIN ? pipe_fd[0] : pipe_fd[1];
}

static pid_t start(const struct job *job)
{
	int child[NR_STREAMS], i;
	pid_t pid;

	for (i = 0; i < NR_STREAMS; i++)
		child[i] = connect_stream(i);
	pid = fork();
	if (pid < 0)
		die("cannot fork for", job->argv[0]);
	if (pid == 0)
		exec_command(job, child);
	for (i = 0; i < NR_STREAMS; i++)
		close(child[i]);
	return pid;
}

/* Like a terminal, send keyboard signals to the whole process group. */
static void forward_signals(int control, pid_t pid)
{
	unsigned char sig;

	while (read(control, &sig, 1) == 1) {
		if (sig == SIGINT || sig == SIGQUIT || sig == SIGHUP)
			kill(-pid, sig);
		else
			kill(pid, sig);
	}
}

/* Returns 1 and the status when the command itself has exited. */
static int reap(int sigchld, pid_t command, int *status)
{
	struct signalfd_siginfo info;
	int ws, ended = 0;
	pid_t pid;

	while (read(sigchld, &info, sizeof(info)) > 0)
		;
	while ((pid = waitpid(-1, &ws, WNOHANG)) > 0) {
		if (pid != command)
			continue;
		*status = WIFSIGNALED(ws) ? 128 + WTERMSIG(ws) : WEXITSTATUS(ws);
		ended = 1;
	}
	return ended;
}

/*
 * Forward what the command has written, without waiting for output of its
 * children: only data that is in the pipe now can be the command's.
 */
static void drain(struct stream *s)
{
	struct pollfd wait;
	unsigned long long all;
	int piped;

	if (s->from < 0 || ioctl(s->from, FIONREAD, &piped))
		return;
	all = s->total + (s->end - s->start) + piped;
	while (s->from >= 0 && s->total < all) {
		if (stream_move(s))
			continue;
		wait = stream_wait(s);
		poll(&wait, 1, -1);
		stream_hang_up(s, &wait);
	}
}

struct outcome relay_run(const struct job *job, int control)
{
	struct pollfd wait[NR_STREAMS + 2];
	struct outcome outcome = { 0 };
	int sigchld, i;
	sigset_t mask;
	pid_t pid;

	sigemptyset(&mask);
	sigaddset(&mask, SIGCHLD);
	sigprocmask(SIG_BLOCK, &mask, NULL);
	signal(SIGPIPE, SIG_IGN);
	sigchld = signalfd(-1, &mask, SFD_NONBLOCK | SFD_CLOEXEC);
	pid = start(job);
	do {
		for (i = 0; i < NR_STREAMS; i++)
			wait[i] = stream_wait(&streams[i]);
		wait[i] = (struct pollfd){ .fd = control, .events = POLLIN };
		wait[i + 1] = (struct pollfd){ .fd = sigchld, .events = POLLIN };
		poll(wait, NR_STREAMS + 2, -1);
		for (i = 0; i < NR_STREAMS; i++) {
			stream_hang_up(&streams[i], &wait[i]);
			if (wait[i].revents)
				stream_move(&streams[i]);
		}
		forward_signals(control, pid);
	} while (!reap(sigchld, pid, &outcome.status));
	for (i = STDOUT; i < NR_STREAMS; i++)
		drain(&streams[i]);
	outcome.out = streams[STDOUT].total;
	outcome.err = streams[STDERR].total;
	return outcome;
}
