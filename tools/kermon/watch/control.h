/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to control.c: the socket by which 'kermon spy --set' reaches a spy that runs, and
 * request.c, the other end.
 */
#ifndef KERMON_CONTROL_H
#define KERMON_CONTROL_H

#include <stdint.h>
#include <sys/un.h>

#include "watch.h"

/* A request is "CPUS=SET", an answer a digit, 0 for success, and a text. */
#define CONTROL_MESSAGE	(WATCH_REASON + 2)

/**
 * struct control - the socket of a spy
 * @fd: listening socket, -1: none
 * @client: the one whose request is expected, -1: none
 * @address: path of the socket
 */
struct control {
	int fd;
	int client;
	struct sockaddr_un address;
};

/* Create the socket, for this user only. Returns 0 or -errno. */
int control_open(struct control *control);

/* Accept a client if there is none, and carry out its request once it has arrived. */
void control_take(struct control *control, struct watch *watch);

void control_close(struct control *control);

/*
 * Folders in which sockets may be, in the order in which they are tried; false after the
 * last one. The path may be "" for one that does not exist here.
 */
#define CONTROL_FOLDER	80
bool control_folder(unsigned int index, char path[CONTROL_FOLDER]);

/*
 * Whether a folder is of this user alone: in /tmp, anybody could have created it, with any
 * mode, or as a link. Returns 0 or -errno.
 */
int control_check_folder(const char *path);

/* Names of sockets begin with this, and end with the pid. */
#define CONTROL_PREFIX	"spy-"

/* Whether the other end of @fd belongs to this user or to root. */
bool control_trusts(int fd);

/* request.c: send @watch->request to a spy. Returns the exit status. */
int request_send(const struct watch *watch);

#endif /* KERMON_CONTROL_H */
