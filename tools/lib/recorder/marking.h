/* SPDX-License-Identifier: GPL-2.0 */
/* The marks of regions in a recording: from their rings to the file, and when. */
#ifndef KERMON_MARKING_H
#define KERMON_MARKING_H

#include <kermon/recorder.h>

/**
 * struct marking - zero it before use
 * @marks: the receiver; NULL: no regions are recorded
 * @writer: of the file
 * @blind: there is no side-band, which has the names of threads
 * @ms: most milliseconds until the rings are to be read again
 * @drained_ns: when they were, in CLOCK_MONOTONIC
 */
struct marking {
	struct kermon_marks *marks;
	struct kermon_writer *writer;
	bool blind;
	int ms;
	uint64_t drained_ns;
};

/*
 * Write all marks up to now. @last: no others will be. Return: 0, -ENOMEM or -errno of
 * write(2).
 */
int marking_drain(struct marking *marking, bool last);

/* What poll(2) waits for, or -1. */
int marking_fd(const struct marking *marking);

/* When that is readable. */
void marking_serve(struct marking *marking);

/* Whether any thread may mark. */
bool marking_busy(const struct marking *marking);

/* The shorter one of @timeout and the time until the rings are to be read, in milliseconds. */
int marking_timeout(const struct marking *marking, int timeout);

#endif /* KERMON_MARKING_H */
