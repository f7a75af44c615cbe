/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to signals.c: the tool reads the signals that would terminate it, and
 * decides which ones to forward to the command. A signal that was ignored or blocked
 * when the tool started stays so, for the tool and for the command.
 */
#ifndef KERMON_SIGNALS_H
#define KERMON_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <sys/signalfd.h>

/**
 * struct signals - open signalfd, and the dispositions to restore; zero it before use
 * @open: signals_open() has set the other fields
 * @fd: signalfd(2), readable when a signal has arrived
 * @mask: signals that were blocked before
 * @child: previous action of SIGCHLD; the tool waits for a child
 * @pipe: previous action of SIGPIPE; a closed pipe must not terminate the tool
 * @size: previous action of SIGXFSZ; exceeding the file size limit is an error to report
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
 * Block signals and open a signalfd for them: those in @wanted, even if they were
 * ignored, and those that would terminate the tool. With @stop, also SIGTSTP. Returns 0
 * or -errno.
 */
int signals_open(struct signals *signals, const sigset_t *wanted, bool stop);

/* Read the next signal; false if none is pending. */
bool signals_next(const struct signals *signals, struct signalfd_siginfo *info);

/*
 * Whether the kernel has sent the signal to the whole process group: it was typed at the
 * terminal, or the terminal has hung up. Other signals of the kernel are for this process
 * alone, such as those of a timer and the hang-up for a session leader.
 */
bool signals_is_for_group(const struct signalfd_siginfo *info);

/* Send the signal to @pid as in kill(2), with its value if any. Returns 0 or -errno. */
int signals_forward(const struct signalfd_siginfo *info, pid_t pid);

/*
 * Stop this process as SIGTSTP does by default, until SIGCONT. False if the kernel did
 * not stop it, because its process group is orphaned.
 */
bool signals_stop(void);

/* Undo signals_open(), except for the descriptor; also for a child before its exec. */
void signals_restore(const struct signals *signals);

/* "SIGINT", or "signal 42" if it has no name. */
#define SIGNALS_NAME	24
void signals_name(int number, char name[SIGNALS_NAME]);

void signals_close(struct signals *signals);

#endif /* KERMON_SIGNALS_H */
