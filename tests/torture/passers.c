// SPDX-License-Identifier: GPL-2.0
#include <linux/kermon.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "dice.h"
#include "hostile.h"
#include "passers.h"

#define NR_PASSERS	16
#define PASSER		"--pass"

static pid_t *passers;		/* shared with all callers */
static pid_t conductor;

static void move(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(dice(sysconf(_SC_NPROCESSORS_ONLN)), &set);
	sched_setaffinity(0, sizeof(set), &set);
}

/* A life: some of it in children, some of it as another program. */
static void pass(void)
{
	char *argv[] = { "calls", PASSER, NULL };
	struct sched_param param = { 0 };
	unsigned int i;

	if (one_in(2))
		sched_setscheduler(0, SCHED_KERMON, &param);
	for (i = dice(8); i; i--) {
		move();
		usleep(dice(3000));
		if (one_in(4) && !fork())
			_exit(0);
	}
	if (one_in(3))
		execv("/proc/self/exe", argv);
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

int passers_start(uint64_t seed)
{
	passers = mmap(NULL, NR_PASSERS * sizeof(*passers),
		       PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (passers == MAP_FAILED)
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
