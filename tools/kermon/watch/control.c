// SPDX-License-Identifier: GPL-2.0
/*
 * The socket of a spy that runs. Only its user and root can reach it: it is in a folder of
 * that user, and the kernel says whose process is at the other end.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "control.h"

#define BACKLOG	8

bool control_folder(unsigned int index, char path[CONTROL_FOLDER])
{
	const char *runtime = getenv("XDG_RUNTIME_DIR");
	struct stat status;
	int length = 0;

	*path = '\0';
	switch (index) {
	case 0:
		if (runtime && *runtime == '/')
			length = snprintf(path, CONTROL_FOLDER, "%s/kermon", runtime);
		break;
	case 1:
		snprintf(path, CONTROL_FOLDER, "/run/user/%u", geteuid());
		if (stat(path, &status))
			*path = '\0';
		else
			strcat(path, "/kermon");
		break;
	case 2:
		snprintf(path, CONTROL_FOLDER, "/tmp/kermon-%u", geteuid());
		break;
	default:
		return false;
	}
	if (length >= CONTROL_FOLDER)
		*path = '\0';
	return true;
}

int control_check_folder(const char *path)
{
	struct stat status;

	if (lstat(path, &status))
		return -errno;
	if (!S_ISDIR(status.st_mode) || status.st_uid != geteuid() ||
	    status.st_mode & 077)
		return -EPERM;
	return 0;
}

static int make_folder(const char *path)
{
	if (mkdir(path, 0700) && errno != EEXIST)
		return -errno;
	return control_check_folder(path);
}

static int listen_in(struct control *control, const char *folder)
{
	struct sockaddr_un *address = &control->address;
	int err = *folder ? make_folder(folder) : -ENOENT;

	if (err)
		return err;
	address->sun_family = AF_UNIX;
	snprintf(address->sun_path, sizeof(address->sun_path), "%s/" CONTROL_PREFIX "%d",
		 folder, getpid());
	/* Of a process that had this pid before. */
	unlink(address->sun_path);
	if (bind(control->fd, (struct sockaddr *)address, sizeof(*address)) ||
	    listen(control->fd, BACKLOG))
		return -errno;
	return 0;
}

int control_open(struct control *control)
{
	char folder[CONTROL_FOLDER];
	int err = -ENOENT;

	*control = (struct control){ .client = -1 };
	control->fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (control->fd < 0)
		return -errno;
	for (unsigned int i = 0; err && control_folder(i, folder); i++)
		err = listen_in(control, folder);
	if (err) {
		close(control->fd);
		control->fd = -1;
	}
	return err;
}

bool control_trusts(int fd)
{
	struct ucred peer;
	socklen_t size = sizeof(peer);

	return !getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) &&
	       (peer.uid == geteuid() || peer.uid == 0);
}

static void drop_client(struct control *control)
{
	close(control->client);
	control->client = -1;
}

static void accept_client(struct control *control)
{
	control->client = accept4(control->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	if (control->client >= 0 && !control_trusts(control->client))
		drop_client(control);
}

/* "CPUS=SET" */
static int obey(struct watch *watch, char *request, char reason[WATCH_REASON])
{
	char *set = strchr(request, '=');

	if (!set) {
		snprintf(reason, WATCH_REASON, "invalid request");
		return -EINVAL;
	}
	*set++ = '\0';
	return watch_change(watch, request, set, reason);
}

static void answer(const struct control *control, int err, const char *reason)
{
	char text[CONTROL_MESSAGE];
	int length = snprintf(text, sizeof(text), "%d%s", !!err, reason);

	/* If it has gone, or does not read, it does not get to know. */
	send(control->client, text, length, MSG_NOSIGNAL | MSG_DONTWAIT);
}

/* One that sends nothing is in the way of the next one only. */
static void take_request(struct control *control, struct watch *watch)
{
	char request[CONTROL_MESSAGE], reason[WATCH_REASON] = "";
	ssize_t size = recv(control->client, request, sizeof(request) - 1, MSG_DONTWAIT);

	if (size < 0 && errno == EAGAIN)
		return;
	if (size > 0) {
		request[size] = '\0';
		answer(control, obey(watch, request, reason), reason);
	}
	drop_client(control);
}

void control_take(struct control *control, struct watch *watch)
{
	if (control->client < 0)
		accept_client(control);
	if (control->client >= 0)
		take_request(control, watch);
}

void control_close(struct control *control)
{
	if (control->client >= 0)
		close(control->client);
	if (control->fd < 0)
		return;
	unlink(control->address.sun_path);
	close(control->fd);
	control->fd = -1;
}
