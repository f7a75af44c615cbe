/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Signals of a tool that accompanies a command: it reads those that would end
 * it, and decides what they mean. One that was ignored or blocked when the tool
 * started stays so, for the tool and for the command.
 */
#ifndef KERMON_SIGNALS_H
#define KERMON_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <sys/signalfd.h>

/**
 * struct signals - zero it before use
 * @open: signals_open() has changed what follows
 * @fd: readable when a signal has come
 * @mask: signals that were blocked before
 * @child: action of SIGCHLD before; the tool waits for a child
 * @pipe: of SIGPIPE; for the tool, a reader that is gone is no reason to end
 * @size: of SIGXFSZ; a file that outgrows the limit is an error to tell
 */
struct signals {
	bool open;
	int fd;
	sigset_t mask;
	struct sigaction child;
	struct sigaction pipe;
	struct sigaction size;
};

/*
 * From here on signals are read. Those in @wanted are, even if they were ignored;
 * with @stop, also SIGTSTP. 0 or -errno.
 */
int signals_open(struct signals *signals, const sigset_t *wanted, bool stop);

/* The next one; false: there is none now. */
bool signals_next(const struct signals *signals, struct signalfd_siginfo *info);

/*
 * The kernel has sent it to the whole process group: it was typed at the terminal, or
 * the terminal is gone. Other signals of the kernel are for this process alone, as those
 * of a timer, and the hang-up that the leader of a session is told of.
 */
bool signals_is_for_group(const struct signalfd_siginfo *info);

/* Sends it to @pid, as kill(2) does, with what came with it. 0 or -errno. */
int signals_forward(const struct signalfd_siginfo *info, pid_t pid);

/*
 * Stops this process as SIGTSTP does. False: it was not, as it is in an orphaned process
 * group.
 */
bool signals_stop(void);

/* All is as it was before, for a child that is about to execute a program too. */
void signals_restore(const struct signals *signals);

/* "SIGINT", or "signal 42" of those that have no name. */
#define SIGNALS_NAME	24
void signals_name(int number, char name[SIGNALS_NAME]);

void signals_close(struct signals *signals);

#endif /* KERMON_SIGNALS_H */
