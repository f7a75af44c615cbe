// SPDX-License-Identifier: GPL-2.0
#include <fcntl.h>
#include <linux/kermon.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "dice.h"
#include "hostile.h"
#include "passers.h"

/*
 * Few, because creating and reaping tasks dominates on the debugging kernels.
 */
#define NR_PASSERS	8
#define NAP_US		100000
#define PASSER		"--pass"

/* A set-user-ID copy of this program. */
#define PRIVILEGED	"/tmp/kermon-passer"

static pid_t *passers;		/* shared with all callers */
static pid_t conductor;

static void move(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(dice(sysconf(_SC_NPROCESSORS_ONLN)), &set);
	sched_setaffinity(0, sizeof(set), &set);
}

static const char *any_program(void)
{
	return one_in(2) ? PRIVILEGED : "/proc/self/exe";
}

static void execute(const char *path)
{
	char *argv[] = { "calls", PASSER, NULL };

	execv(path, argv);
}

/* exec kills the other threads. */
static void *pass_as_thread(void *path)
{
	usleep(1000);
	if (path)
		execute(path);
	return NULL;
}

static void start_thread(void)
{
	const char *path = one_in(4) ? any_program() : NULL;
	pthread_t thread;

	if (!pthread_create(&thread, NULL, pass_as_thread, (void *)path))
		pthread_detach(thread);
}

static void multiply(void)
{
	switch (dice(8)) {
	case 0:
		if (!fork())
			_exit(0);
		break;
	case 1:
		if (!vfork())
			_exit(0);
		break;
	case 2:
		start_thread();
		break;
	}
}

/* Become root or an ordinary user, some of them in their own namespaces. */
static void become_any(void)
{
	if (one_in(2))
		return;
	if (setresgid(PASSERS_USER, PASSERS_USER, PASSERS_USER) ||
	    setresuid(PASSERS_USER, PASSERS_USER, PASSERS_USER))
		_exit(1);
	prctl(PR_SET_DUMPABLE, 1);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (one_in(8))
		unshare(CLONE_NEWUSER | CLONE_NEWPID);
}

/* A lifetime, partly in children and threads, partly as another program. */
static void pass(void)
{
	struct sched_param param = { 0 };
	unsigned int i;

	if (one_in(2))
		sched_setscheduler(0, SCHED_KERMON, &param);
	become_any();
	for (i = dice(8); i; i--) {
		move();
		usleep(dice(NAP_US));
		multiply();
	}
	if (one_in(3))
		execute(any_program());
	_exit(0);
}

static void start_one(unsigned int nr, uint64_t seed)
{
	pid_t pid = fork();

	if (pid) {
		passers[nr] = pid;
		return;
	}
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGCHLD, SIG_IGN);
	dice_seed(seed);
	pass();
}

static void replace_one(pid_t pid, uint64_t seed)
{
	unsigned int i;

	for (i = 0; i < NR_PASSERS; i++) {
		if (passers[i] == pid)
			start_one(i, seed);
	}
}

static void conduct(uint64_t seed)
{
	unsigned int i;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (i = 0; i < NR_PASSERS; i++)
		start_one(i, seed++);
	for (;;)
		replace_one(wait(NULL), seed++);
}

static int make_privileged(void)
{
	int in = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	int out = open(PRIVILEGED, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
		       0700);
	struct stat st;
	int ret;

	ret = fstat(in, &st) ||
	      sendfile(out, in, NULL, st.st_size) != st.st_size ||
	      fchmod(out, 04755) ? -1 : 0;
	close(in);
	close(out);
	return ret;
}

int passers_start(uint64_t seed)
{
	passers = mmap(NULL, NR_PASSERS * sizeof(*passers),
		       PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (passers == MAP_FAILED || make_privileged())
		return -1;
	conductor = fork();
	if (!conductor)
		conduct(seed);
	return conductor < 0 ? -1 : 0;
}

void passers_stop(void)
{
	kill(conductor, SIGKILL);
	waitpid(conductor, NULL, 0);
	unlink(PRIVILEGED);
}

pid_t passers_any(void)
{
	if (one_in(8))
		return one_in(2) ? 0 : (pid_t)hostile_number();
	return passers[dice(NR_PASSERS)];
}

bool passers_is_one(int argc, char **argv)
{
	return argc == 2 && !strcmp(argv[1], PASSER);
}
