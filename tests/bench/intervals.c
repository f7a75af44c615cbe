// SPDX-License-Identifier: GPL-2.0
/*
 * usage: intervals FILE SAMPLES PERCENT LEVEL
 *
 * Write a recording as kermon run does, of SAMPLES made-up samples with ten values each, of
 * which PERCENT are not 0: eight threads of this program on two CPUs. Compress it with LEVEL,
 * unless that is 0. Print the size of the log that it was made of.
 */
#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <linux/kermon.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <kermon/writer.h>

#define NR_CPUS		2
#define NR_THREADS	8
#define NR_FIXED	3
#define NR_EVENTS	4
#define NR_DOMAINS	3
#define NR_VALUES	(NR_FIXED + NR_EVENTS + NR_DOMAINS)
#define PER_CPU		64	/* samples that are read in one go */
#define GHZ2		2000000	/* kHz */

/* As in the log. */
struct logged {
	struct kermon_sample sample;
	uint64_t values[NR_VALUES];
};

static struct kermon_info info = {
	.counters = NR_EVENTS, .fixed = NR_FIXED, .tsc_khz = GHZ2,
	.nr_domains = NR_DOMAINS,
	.domains = {
		{ KERMON_DOMAIN_PACKAGE, 16, "energy-pkg" },
		{ KERMON_DOMAIN_CORES, 16, "energy-cores" },
		{ KERMON_DOMAIN_DRAM, 16, "energy-ram" },
	},
};

static struct kermon_writer *open_writer(const char *path, int level,
					 const struct kermon_clock *clock)
{
	static char *argv[] = { "intervals", NULL };
	static struct kermon_selection selection = { .nr = NR_EVENTS };
	struct kermon_writer_options options = {
		.size = sizeof(options), .events = &selection,
		.count = KERMON_COUNT_USER, .energy = true, .info = &info,
		.clock = clock, .argv = argv, .nr_cpus = NR_CPUS,
		.compression = level,
	};
	struct kermon_writer *writer;

	for (unsigned int i = 0; i < NR_EVENTS; i++) {
		selection.events[i].event.config = 0x10000 + i;
		snprintf(selection.events[i].name, sizeof(selection.events[i].name),
			 "r%u:u", i);
	}
	options.fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (options.fd < 0)
		err(1, "%s", path);
	if (kermon_writer_open(&writer, &options) ||
	    kermon_writer_start(writer, getpid()))
		errx(1, "cannot write %s", path);
	return writer;
}

static struct logged made_up(uint32_t cpu, uint64_t *tsc, int percent)
{
	struct logged logged = {
		.sample = {
			.record.type = KERMON_RECORD_SAMPLE,
			.record.size = sizeof(logged),
			.record.cpu = cpu,
			.pid = getpid(),
			.tid = getpid() + random() % NR_THREADS,
			.reason = KERMON_REASON_SLEEP,
			.nr_fixed = NR_FIXED,
			.nr_events = NR_EVENTS,
			.domains = 1 << KERMON_DOMAIN_PACKAGE |
				   1 << KERMON_DOMAIN_CORES | 1 << KERMON_DOMAIN_DRAM,
			.intervals = 1,
			.tsc_begin = *tsc,
			.oncpu = 20000 + random() % 200000,
			.ip = (uintptr_t)made_up + random() % 4096,
		},
	};

	*tsc += logged.sample.oncpu;
	logged.sample.tsc_end = *tsc;
	for (int i = 0; i < NR_VALUES; i++)
		logged.values[i] = random() % 100 < percent ? 1 + random() % 1000000 : 0;
	return logged;
}

int main(int argc, char **argv)
{
	uint64_t tsc[NR_CPUS] = { 1ULL << 40, 1ULL << 40 };
	struct kermon_writer *writer;
	struct kermon_clock clock;
	struct logged logged;
	unsigned int cpu;
	long samples;

	if (argc != 5)
		errx(2, "usage: intervals FILE SAMPLES PERCENT LEVEL");
	samples = atol(argv[2]);
	kermon_clock_init(&clock, GHZ2);
	kermon_clock_set(&clock, 1000000000, 1 << 30, 31);
	writer = open_writer(argv[1], atoi(argv[4]), &clock);
	for (long i = 0; i < samples; i++) {
		cpu = i / PER_CPU % NR_CPUS;
		logged = made_up(cpu, &tsc[cpu], atoi(argv[3]));
		if (kermon_writer_log(writer, &logged, sizeof(logged)) ||
		    (i % (PER_CPU * NR_CPUS) == 0 && kermon_writer_round(writer)))
			errx(1, "cannot write %s", argv[1]);
	}
	if (kermon_writer_finish(writer))
		errx(1, "cannot write %s", argv[1]);
	kermon_writer_close(writer);
	printf("%zu\n", samples * sizeof(logged));
	return 0;
}
