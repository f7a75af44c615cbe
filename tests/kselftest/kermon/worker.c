// SPDX-License-Identifier: GPL-2.0
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "log.h"
#include "worker.h"

pid_t worker_start(void (*work)(void *data), void *data)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		syscall(SYS_kill, getpid(), SIGSTOP);
		work(data);
		syscall(SYS_exit_group, 0);
	}
	if (pid > 0) {
		waitpid(pid, &status, WUNTRACED);
		wait_until_off_cpu(pid);
	}
	return pid;
}

void worker_go(pid_t pid)
{
	kill(pid, SIGCONT);
}

int worker_wait(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return -1;
	return WEXITSTATUS(status);
}

int worker_ended(pid_t pid)
{
	siginfo_t info = {};

	return waitid(P_PID, pid, &info, WEXITED | WNOHANG | WNOWAIT) ||
	       info.si_pid == pid;
}

int pin(pid_t pid, int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	return sched_setaffinity(pid, sizeof(set), &set);
}

void sleep_us(unsigned int us)
{
	struct timespec time = { us / 1000000, us % 1000000 * 1000L };

	nanosleep(&time, NULL);
}

static void spin_us(unsigned int us)
{
	struct timespec begin, now;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	do
		clock_gettime(CLOCK_MONOTONIC, &now);
	while ((now.tv_sec - begin.tv_sec) * 1000000L +
	       (now.tv_nsec - begin.tv_nsec) / 1000 < (long)us);
}

pid_t disturber_start(int cpu)
{
	struct sched_param param = { .sched_priority = 1 };
	pid_t pid = fork();

	if (pid == 0) {
		for (;;) {
			sleep_us(500);
			spin_us(100);
		}
	}
	if (pid > 0 && (pin(pid, cpu) ||
			sched_setscheduler(pid, SCHED_FIFO, &param))) {
		disturber_stop(pid);
		return -1;
	}
	return pid;
}

void disturber_stop(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

int set_online(int cpu, bool online)
{
	char path[64];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/online", cpu);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	n = write(fd, online ? "1" : "0", 1);
	close(fd);
	return n == 1 ? 0 : -1;
}

void hotplug_until_end(pid_t pid)
{
	while (!worker_ended(pid)) {
		pin(pid, 1);
		sleep_us(5000);
		set_online(1, false);
		set_online(1, true);
	}
}

int cpus_online(void)
{
	return sysconf(_SC_NPROCESSORS_ONLN);
}
