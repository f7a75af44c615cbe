// SPDX-License-Identifier: GPL-2.0
/* Watches the files of the CPUs. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include "folder.h"
#include "ui/message.h"

#define PREFIX	"cpu"

/* A set in a file: as much as a request may have. */
#define TEXT	WATCH_REASON

static int open_file(const struct folder *folder, unsigned int cpu, int flags)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/" PREFIX "%u", folder->path, cpu);
	return open(path, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
}

/* The first line. An empty file is one that is being written. */
static bool read_set(const struct folder *folder, unsigned int cpu, char text[TEXT])
{
	int fd = open_file(folder, cpu, O_RDONLY);
	ssize_t size = fd < 0 ? 0 : read(fd, text, TEXT - 1);

	if (fd >= 0)
		close(fd);
	text[size > 0 ? size : 0] = '\0';
	text[strcspn(text, "\n")] = '\0';
	return *text;
}

static bool write_set(int fd, const char *text)
{
	const bool written = dprintf(fd, "%s\n", text) > 0;

	close(fd);
	return written;
}

static void change(const struct folder *folder, struct watch *watch, unsigned int cpu)
{
	char text[TEXT], name[16], reason[WATCH_REASON];

	if (!read_set(folder, cpu, text))
		return;
	snprintf(name, sizeof(name), "%u", cpu);
	if (watch_change(watch, name, text, reason))
		message(watch->command->name, "%s/" PREFIX "%u: %s", folder->path, cpu,
			reason);
}

/* A file that is there already was prepared. */
static int prepare_file(struct folder *folder, struct watch *watch, size_t index)
{
	const unsigned int cpu = watch->sums.cpus[index].cpu;
	int fd = open_file(folder, cpu, O_WRONLY | O_CREAT | O_EXCL);

	if (fd < 0 && errno == EEXIST) {
		change(folder, watch, cpu);
		return 0;
	}
	if (fd < 0)
		return -errno;
	folder->files[index] = true;
	return write_set(fd, kermon_spy_set(watch->spy, 0)->text) ? 0 : -EIO;
}

static int open_folder(struct folder *folder, struct watch *watch)
{
	int err = 0;

	folder->files = calloc(watch->sums.nr_cpus, sizeof(*folder->files));
	if (!folder->files)
		return -ENOMEM;
	folder->made = !mkdir(folder->path, 0777);
	if (!folder->made && errno != EEXIST)
		return -errno;
	folder->fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	if (folder->fd < 0)
		return -errno;
	for (size_t i = 0; i < watch->sums.nr_cpus && !err; i++)
		err = prepare_file(folder, watch, i);
	if (!err && inotify_add_watch(folder->fd, folder->path,
				      IN_CLOSE_WRITE | IN_MOVED_TO | IN_ONLYDIR) < 0)
		err = -errno;
	return err;
}

int folder_open(struct folder *folder, struct watch *watch)
{
	int err;

	*folder = (struct folder){ .path = watch->folder, .fd = -1 };
	if (!folder->path)
		return STATUS_OK;
	err = open_folder(folder, watch);
	if (!err)
		return STATUS_OK;
	message(watch->command->name, "cannot watch files in '%s': %s", folder->path,
		strerror(-err));
	return STATUS_FAILED;
}

/* The CPU in the name of a file, among those that are watched. */
static bool is_cpu(const struct watch *watch, const char *name, unsigned int *cpu)
{
	char again[32];

	if (sscanf(name, PREFIX "%u", cpu) != 1)
		return false;
	snprintf(again, sizeof(again), PREFIX "%u", *cpu);
	return !strcmp(name, again) && sums_find_cpu(&watch->sums, *cpu);
}

static void take_event(struct folder *folder, struct watch *watch,
		       const struct inotify_event *event)
{
	unsigned int cpu;

	if (event->len && is_cpu(watch, event->name, &cpu))
		change(folder, watch, cpu);
	/* More than the kernel keeps: any file may have been written. */
	if (event->mask & IN_Q_OVERFLOW)
		for (size_t i = 0; i < watch->sums.nr_cpus; i++)
			change(folder, watch, watch->sums.cpus[i].cpu);
}

void folder_take(struct folder *folder, struct watch *watch)
{
	_Alignas(struct inotify_event) char events[4096];
	const struct inotify_event *event;
	ssize_t size;

	while ((size = read(folder->fd, events, sizeof(events))) > 0) {
		for (char *at = events; at < events + size;
		     at += sizeof(*event) + event->len) {
			event = (const void *)at;
			take_event(folder, watch, event);
		}
	}
}

void folder_close(struct folder *folder, const struct watch *watch)
{
	char path[PATH_MAX];

	if (!folder->path)
		return;
	for (size_t i = 0; folder->files && i < watch->sums.nr_cpus; i++) {
		snprintf(path, sizeof(path), "%s/" PREFIX "%u", folder->path,
			 watch->sums.cpus[i].cpu);
		if (folder->files[i])
			unlink(path);
	}
	if (folder->made)
		rmdir(folder->path);
	if (folder->fd >= 0)
		close(folder->fd);
	free(folder->files);
}
