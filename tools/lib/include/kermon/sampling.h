/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events that perf_event samples, by their names: those of perf, of libpfm4, and raw ones.
 */
#ifndef KERMON_SAMPLING_H
#define KERMON_SAMPLING_H

#include <linux/perf_event.h>
#include <stdint.h>

#include <kermon/abi.h>
#include <kermon/events.h>

KERMON_BEGIN_DECLS

/**
 * enum kermon_chains - call chains in samples
 * @KERMON_CHAINS_NONE: none
 * @KERMON_CHAINS_FP: by frame pointers, which the kernel follows
 * @KERMON_CHAINS_DWARF: a copy of the stack, which readers of the file unwind
 */
enum kermon_chains {
	KERMON_CHAINS_NONE,
	KERMON_CHAINS_FP,
	KERMON_CHAINS_DWARF,
};

/**
 * struct kermon_sampling - an event that samples
 * @name: as in the file: perf's name, with ":u" if only user mode is sampled
 * @type: PERF_TYPE_*, or the number of a PMU
 * @modes: KERMON_COUNT_*
 * @config: as in struct perf_event_attr
 * @config1: likewise
 * @config2: likewise
 * @period: a sample each time that it has counted this; 0: see @freq
 * @freq: about this many samples per second on a CPU
 * @precise: how exact the address has to be, precise_ip of struct perf_event_attr
 * @chains: enum kermon_chains
 * @stack_bytes: of KERMON_CHAINS_DWARF: bytes of the stack in a sample, a multiple of 8
 * @reserved: 0
 */
struct kermon_sampling {
	char name[KERMON_EVENT_NAME];
	uint32_t type;
	uint32_t modes;
	uint64_t config;
	uint64_t config1;
	uint64_t config2;
	uint64_t period;
	uint64_t freq;
	uint32_t precise;
	uint32_t chains;
	uint32_t stack_bytes;
	uint32_t reserved;
};

/*
 * Translate @text to @sampling: a name of perf or of libpfm4, a raw event (rUUEE), a
 * tracepoint ("sched:sched_switch"), or terms of a PMU ("cpu/event=0x3c,umask=0/"). The
 * members for how often remain 0, unless terms say it, and those for call chains do. @modes
 * (KERMON_COUNT_*) apply unless @text ends with modes of its own.
 *
 * Return: 0; -ENOENT: unknown event or term; -EINVAL: a missing unit mask or an unsupported
 * modifier; -EOPNOTSUPP: an event of perf that this library cannot open, such as a
 * breakpoint; -ENODEV: libpfm4 does not support the CPU, and it is no name of perf. -ENXIO:
 * for a tracepoint, tracefs is not mounted; for terms, there is no such PMU. -EACCES: this
 * user may not read tracefs. -ERANGE: the value of a term is larger than its field.
 */
int kermon_sampling_find(struct kermon_sampling *sampling, const char *text, unsigned int modes);

/* Length of the first name of a list: a comma between the slashes of terms is part of it. */
size_t kermon_events_length(const char *list);

/*
 * Call @fn with the name of each tracepoint that matches @pattern, "sched:sched_*", until it
 * returns non-zero, which is returned. Otherwise 0, also if none matches; -ENXIO or -EACCES as
 * kermon_sampling_find(); -ENOENT: there is no such system.
 */
int kermon_tracepoints_each(const char *pattern, int (*fn)(void *data, const char *name),
			    void *data);

KERMON_END_DECLS
#endif /* KERMON_SAMPLING_H */
