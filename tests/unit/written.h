/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A file that is being written, for an application with one set of events on a made-up
 * machine, for tests of the writer. Its name exists until written_end().
 */
#ifndef TESTS_UNIT_WRITTEN_H
#define TESTS_UNIT_WRITTEN_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <kermon/writer.h>

#include "perfdata/format/format.h"

#define GHZ2		2000000		/* kHz */
#define NR_EVENTS	10		/* 3 fixed, 4 programmed, oncpu, 2 energy */
#define ONCPU		7
#define NR_CPUS		2

/**
 * struct written - set up by written_begin()
 * @path: of the file
 * @exec_pid: set before that, if it is to be
 * @pipe: likewise: write the form for pipes
 * @nr_cpus: likewise; 0: NR_CPUS
 * @compression: likewise
 * @unordered: likewise: samples may arrive late
 * @writer: to write it with
 */
struct written {
	char path[64];
	pid_t exec_pid;
	bool pipe;
	unsigned int nr_cpus;
	int compression;
	bool unordered;
	int fd;
	struct kermon_info info;
	struct kermon_selection selection;
	struct kermon_clock clock;
	struct kermon_writer *writer;
};

/* A sample of the log, and its values in the order of the events. */
struct logged {
	struct kermon_sample sample;
	uint64_t values[NR_EVENTS - 1];
};

/* A cycle is half a nanosecond, by perf's own clock or by one that is compared. */
static inline void written_clock(struct kermon_clock *clock,
				 enum kermon_clock_kind kind)
{
	kermon_clock_init(clock, GHZ2);
	if (kind == KERMON_CLOCK_PERF) {
		kermon_clock_set(clock, 1000000000, 1 << 30, 31);
		return;
	}
	kermon_clock_add_pair(clock, 0, 1000000000);
	kermon_clock_add_pair(clock, 1ULL << 50, (1ULL << 49) + 1000000000);
}

/* 0 or -errno. */
static inline int written_begin(struct written *written,
				enum kermon_clock_kind kind)
{
	static char *argv[] = { "kermon", "run", "a command", NULL };
	struct kermon_event_error error;
	const struct kermon_writer_options options = {
		.size = sizeof(options),
		.fd = (strcpy(written->path, "/tmp/kermon-writer-XXXXXX"),
		       mkstemp(written->path)),
		.events = &written->selection,
		.count = KERMON_COUNT_USER,
		.energy = true,
		.info = &written->info,
		.clock = &written->clock,
		.exec_pid = written->exec_pid,
		.argv = argv,
		.nr_cpus = written->nr_cpus ? written->nr_cpus : NR_CPUS,
		.pipe = written->pipe,
		.compression = written->compression,
		.unordered = written->unordered,
	};

	written->fd = options.fd;
	written->info = (struct kermon_info){
		.counters = 4, .fixed = 3, .tsc_khz = GHZ2, .nr_domains = 2,
		.domains = {
			{ KERMON_DOMAIN_PACKAGE, 16, "energy-pkg" },
			{ KERMON_DOMAIN_DRAM, 14, "energy-ram" },
		},
	};
	setenv("LIBPFM_FORCE_PMU", "ivb", 1);
	if (kermon_events_select("set1", KERMON_COUNT_USER,
				 &written->selection, &error))
		return -1;
	written_clock(&written->clock, kind);
	return kermon_writer_open(&written->writer, &options);
}

static inline void written_end(struct written *written)
{
	kermon_writer_close(written->writer);
	close(written->fd);
	unlink(written->path);
}

/* A sample without values, of a thread of this program. */
static inline struct logged logged_sample(int thread, uint64_t tsc_begin,
					  uint64_t oncpu)
{
	return (struct logged){
		.sample = {
			.record = {
				.type = KERMON_RECORD_SAMPLE,
				.size = sizeof(struct logged),
			},
			.pid = getpid(),
			.tid = getpid() + thread,
			.reason = KERMON_REASON_TICK,
			.flags = KERMON_SAMPLE_ALONE,
			.nr_fixed = 3,
			.nr_events = 4,
			.domains = 1 << KERMON_DOMAIN_PACKAGE |
				   1 << KERMON_DOMAIN_DRAM,
			.tsc_begin = tsc_begin,
			.tsc_end = tsc_begin + oncpu,
			.oncpu = oncpu,
			.ip = (uintptr_t)getpid,
		},
	};
}

/* A record of the side-band: this program gets a name, by an exec if @misc says so. */
static inline int written_comm(struct written *written, const char *name,
			       uint16_t misc, uint64_t time)
{
	struct {
		struct perf_event_header header;
		uint32_t pid, tid;
		char name[8];
		struct perfdata_sample_id id;
	} comm = {
		.header = { PERF_RECORD_COMM, misc, sizeof(comm) },
		.pid = getpid(), .tid = getpid(), .id.time = time,
	};

	snprintf(comm.name, sizeof(comm.name), "%s", name);
	return kermon_writer_sideband(written->writer, &comm.header);
}

/* Runs perf on the file; its complaints are part of the result. */
static inline FILE *written_perf(const struct written *written, const char *how)
{
	char line[512];

	snprintf(line, sizeof(line),
		 "HOME=/nonexistent perf %s -i %s 2>&1 </dev/null", how,
		 written->path);
	return popen(line, "r");
}

#endif /* TESTS_UNIT_WRITTEN_H */
