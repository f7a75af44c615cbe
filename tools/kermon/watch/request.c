// SPDX-License-Identifier: GPL-2.0
/* kermon spy --set: asks a spy that runs to count another set on some CPUs. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "control.h"
#include "ui/message.h"

/* The spy changes its CPUs one by one, each within milliseconds. */
#define ANSWER_S	10

/**
 * struct search - spies that run
 * @pid: the one that is looked for; 0: any
 * @nr: number of spies that were found
 * @found: pid of the last one
 * @fd: connected to that
 */
struct search {
	int pid;
	unsigned int nr;
	int found;
	int fd;
};

static int connect_to(const char *folder, const char *name)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return -errno;
	if (snprintf(address.sun_path, sizeof(address.sun_path), "%s/%s", folder, name) <
	    (int)sizeof(address.sun_path) &&
	    !connect(fd, (struct sockaddr *)&address, sizeof(address)) &&
	    control_trusts(fd))
		return fd;
	/* One that was killed. */
	if (errno == ECONNREFUSED)
		unlink(address.sun_path);
	close(fd);
	return -ENOENT;
}

static void try(struct search *search, const char *folder, const char *name)
{
	const size_t length = strlen(CONTROL_PREFIX);
	int pid, fd;

	if (strncmp(name, CONTROL_PREFIX, length))
		return;
	pid = atoi(name + length);
	if (search->pid && search->pid != pid)
		return;
	fd = connect_to(folder, name);
	if (fd < 0)
		return;
	if (search->fd >= 0)
		close(search->fd);
	search->fd = fd;
	search->found = pid;
	search->nr++;
}

static void search_all(struct search *search)
{
	char folder[CONTROL_FOLDER], before[CONTROL_FOLDER] = "";
	struct dirent *entry;
	DIR *dir;

	for (unsigned int i = 0; control_folder(i, folder); i++) {
		/* $XDG_RUNTIME_DIR usually is /run/user/UID. */
		dir = *folder && strcmp(folder, before) && !control_check_folder(folder) ?
		      opendir(folder) : NULL;
		while (dir && (entry = readdir(dir)))
			try(search, folder, entry->d_name);
		if (dir)
			closedir(dir);
		strcpy(before, folder);
	}
}

static int say_search(const struct watch *watch, const struct search *search)
{
	const char *name = watch->command->name;

	if (search->nr > 1) {
		message(name, "%u spies of this user are running", search->nr);
		message_hint("name one of them: --set PID:CPUS=SET, where PID is %d, for "
			     "example", search->found);
	} else if (search->pid) {
		message(name, "no spy of this user has pid %d", search->pid);
	} else {
		message(name, "no spy of this user is running");
		message_hint("--set is for another terminal, while 'kermon spy' runs");
	}
	return STATUS_FAILED;
}

static int ask(const struct watch *watch, const struct search *search, const char *text)
{
	const struct timeval limit = { .tv_sec = ANSWER_S };
	const char *name = watch->command->name;
	char reply[CONTROL_MESSAGE];
	ssize_t size;

	setsockopt(search->fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
	size = send(search->fd, text, strlen(text), MSG_NOSIGNAL);
	if (size >= 0)
		size = recv(search->fd, reply, sizeof(reply) - 1, 0);
	if (size <= 0) {
		message(name, "the spy with pid %d does not answer", search->found);
		return STATUS_FAILED;
	}
	reply[size] = '\0';
	if (*reply == '0')
		return STATUS_OK;
	message(name, "%s", reply + 1);
	return STATUS_FAILED;
}

/* "PID:" before the CPUs. */
static const char *cut_pid(const char *text, int *pid)
{
	const size_t digits = strspn(text, "0123456789");

	if (!digits || text[digits] != ':')
		return text;
	*pid = atoi(text);
	return text + digits + 1;
}

int request_send(const struct watch *watch)
{
	struct search search = { .fd = -1 };
	const char *text = cut_pid(watch->request, &search.pid);
	int status;

	if (strlen(text) >= WATCH_REASON) {
		message(watch->command->name, "the set is too long");
		return STATUS_USAGE;
	}
	search_all(&search);
	status = search.nr == 1 ? ask(watch, &search, text) : say_search(watch, &search);
	if (search.fd >= 0)
		close(search.fd);
	return status;
}
