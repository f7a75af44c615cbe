// SPDX-License-Identifier: GPL-2.0
/*
 * PID 1 of the virtual machine: set up a Linux system for one command, run it,
 * report its exit status and the state of the kernel, and power off.
 *
 * Files in the initramfs: /init, /job, and /kermon.ko if there is a module.
 * With shares in the job, the first becomes the root of the command and the
 * others are mounted on top of it; otherwise the initramfs itself is the root.
 */
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <termios.h>
#include <unistd.h>

#include "vm.h"

#define HOST "/host"

static struct job job;

void die(const char *what, const char *which)
{
	printf("kermon-vm: init: %s %s: %s\n", what, which, strerror(errno));
	fflush(stdout);
	/* QEMU runs with -no-reboot: a reset makes it exit, without ACPI. */
	reboot(RB_AUTOBOOT);
	_exit(1);
}

static void mount_or_die(const char *type, const char *dir, const char *options)
{
	if (mount(type, dir, type, 0, options))
		die("cannot mount", dir);
}

static int is_folder(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

/* mkdir -p; a failure will show when something is mounted there. */
static void make_path(const char *path)
{
	char part[4096];
	size_t i;

	for (i = 1; path[i] && i < sizeof(part); i++) {
		if (path[i] != '/')
			continue;
		memcpy(part, path, i);
		part[i] = '\0';
		mkdir(part, 0755);
	}
	mkdir(path, 0755);
}

static void mount_share(const struct share *share, const char *dir)
{
	/* Only the host can change a read-only share: cache everything. */
	const char *options = share->writable ?
		"trans=virtio,version=9p2000.L,msize=262144,cache=mmap" :
		"trans=virtio,version=9p2000.L,msize=262144,cache=loose";

	if (mount(share->tag, dir, "9p", share->writable ? 0 : MS_RDONLY, options))
		die("cannot mount the share", share->path);
}

/*
 * Private folders for temporary files where the host's are read-only. A
 * self-contained guest has its own and may write anywhere.
 */
static void mount_scratch(void)
{
	static const char *const scratch[] = { "/tmp", "/run", "/var/tmp" };
	size_t i;

	for (i = 0; i < sizeof(scratch) / sizeof(*scratch); i++) {
		if (is_folder(scratch[i]))
			mount_or_die("tmpfs", scratch[i], "mode=1777");
	}
}

/* The kernel's file systems. */
static void mount_system(void)
{
	mount_or_die("proc", "/proc", NULL);
	mount_or_die("sysfs", "/sys", NULL);
	mount_or_die("devtmpfs", "/dev", "mode=0755");
	mkdir("/dev/pts", 0755);
	mkdir("/dev/shm", 01777);
	mount_or_die("devpts", "/dev/pts", "ptmxmode=0666");
	mount_or_die("tmpfs", "/dev/shm", "mode=1777");
	mount_or_die("debugfs", "/sys/kernel/debug", NULL);
	mount_or_die("cgroup2", "/sys/fs/cgroup", NULL);
	mount("tracefs", "/sys/kernel/tracing", "tracefs", 0, NULL);
	symlink("/proc/self/fd", "/dev/fd");
	symlink("/proc/self/fd/0", "/dev/stdin");
	symlink("/proc/self/fd/1", "/dev/stdout");
	symlink("/proc/self/fd/2", "/dev/stderr");
}

/* Make the host's file system the root of everything that follows. */
static void enter_host(void)
{
	mkdir(HOST, 0755);
	mount_share(&job.shares[0], HOST);
	if (chdir(HOST) || mount(".", "/", NULL, MS_MOVE, NULL) || chroot(".") || chdir("/"))
		die("cannot enter", job.shares[0].path);
}

static void mount_shares(void)
{
	size_t i;

	for (i = 1; i < job.nr_shares; i++) {
		make_path(job.shares[i].path);
		mount_share(&job.shares[i], job.shares[i].path);
	}
}

static void load_module(int fd)
{
	if (fd >= 0 && syscall(SYS_finit_module, fd, "", 0))
		die("cannot load", "kermon.ko");
	if (fd >= 0)
		close(fd);
}

static void loopback_up(void)
{
	struct ifreq request = { .ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING };
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || ioctl(fd, SIOCSIFFLAGS, &request))
		die("cannot bring up", "lo");
	close(fd);
}

/* Final report; everything written to the host's files has arrived by then. */
static void report(int control, const struct outcome *outcome)
{
	char line[256];

	health_line(line, sizeof(line), outcome);
	fputs(line, stdout);
	fflush(stdout);
	/* The console may lag behind, and the host kills QEMU immediately. */
	tcdrain(STDOUT_FILENO);
	sync();
	if (write(control, line, strlen(line)) != (ssize_t)strlen(line))
		die("cannot report over", "control");
}

int main(void)
{
	struct outcome outcome;
	int module, control;

	mkdir("/dev", 0755);
	setvbuf(stdout, NULL, _IOLBF, 0);
	umask(0);
	job_read(&job, "/job");
	module = open("/kermon.ko", O_RDONLY | O_CLOEXEC);
	if (job.nr_shares)
		enter_host();
	mount_system();
	if (job.nr_shares)
		mount_scratch();
	umask(022);
	mount_shares();
	loopback_up();
	sethostname("kermon", 6);
	load_module(module);
	control = port_open("control");
	if (control < 0)
		die("no port", "control");
	outcome = relay_run(&job, control);
	report(control, &outcome);
	/* The host kills QEMU once it has read everything. */
	for (;;)
		pause();
}
