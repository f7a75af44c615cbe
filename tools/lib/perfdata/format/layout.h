/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The layout of perf.data files, shared by writer and reader.
 *
 * The layout of records is defined by <linux/perf_event.h>. This is the file around
 * them, according to tools/perf/Documentation/perf.data-file-format.txt of the kernel,
 * with KerMon's additions. Documentation/perf-data.rst describes how KerMon's samples
 * map to perf's.
 */
#ifndef KERMON_PERFDATA_LAYOUT_H
#define KERMON_PERFDATA_LAYOUT_H

#include <linux/kermon.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

/* "PERFILE2" on a little-endian machine. */
#define PERFDATA_MAGIC		0x32454c4946524550ULL

/*
 * "PERFFILE", version 1 of the format, replaced in 2012. The letters are the same on
 * all machines: the byte order shows in other fields.
 */
#define PERFDATA_MAGIC_1	0x454c494646524550ULL

/* An element of header.event_types: the name of all events with this config. */
struct perfdata_event_type {
	uint64_t config;
	char name[64];
};

/*
 * The largest attr that perf 5.15 and later can read: 6.1 rejects the 136 bytes of
 * newer kernels.
 */
#define PERFDATA_ATTR_SIZE	PERF_ATTR_SIZE_VER7

struct perfdata_section {
	uint64_t offset;	/* from the start of the file */
	uint64_t size;		/* bytes */
};

/* Only magic and size: the start of a file that was written to a pipe. */
#define PERFDATA_PIPE_HEADER_SIZE	16

/*
 * KerMon's addition: the features that are known before the recording, between the
 * attrs and the data, for files that are never finished. Bits as in the header, then
 * table and sections as at the end. perf sees a gap.
 */
#define PERFDATA_EARLY_MAGIC	0x594c5241454d4b00ULL	/* "\0KMEARLY" */

struct perfdata_early {
	uint64_t magic;
	uint64_t features[4];
};

/* At the start of the file. data.size is 0 during the recording. */
struct perfdata_header {
	uint64_t magic;
	uint64_t size;		/* sizeof(struct perfdata_header) */
	uint64_t attr_size;	/* sizeof(struct perfdata_attr) as written */
	struct perfdata_section attrs;
	struct perfdata_section data;
	struct perfdata_section event_types;	/* version 1 */
	uint64_t features[4];	/* a bit for each feature, see features.h; they may be missing */
};

/*
 * An element of header.attrs; ids are uint64_t. The size of the attr is
 * header.attr_size - sizeof(struct perfdata_section) bytes, which may differ from that
 * of the current kernel headers.
 */
struct perfdata_attr {
	struct perf_event_attr attr;
	struct perfdata_section ids;
} __attribute__((packed));

/* What PERFDATA_RECORD_EVENT_UPDATE changes in an event. */
enum perfdata_update {
	PERFDATA_UPDATE_UNIT = 0,	/* string up to a NUL */
	PERFDATA_UPDATE_SCALE = 1,	/* double */
	PERFDATA_UPDATE_NAME = 2,	/* string up to a NUL */
	PERFDATA_UPDATE_CPUS = 3,	/* as in CPU_MAP */
	PERFDATA_UPDATE_KERMON = 200,	/* the feature KERMON; perf ignores the number */
};

/* PERFDATA_RECORD_EVENT_UPDATE; with PERFDATA_UPDATE_NAME, the name follows. */
struct perfdata_event_update {
	struct perf_event_header header;
	uint64_t what;		/* enum perfdata_update */
	uint64_t id;
};

/**
 * struct perfdata_notes_end - ends a record of PERFDATA_UPDATE_KERMON. In a file, the last
 *	record is such a one, and is found from the end of the data
 * @size: of the record
 */
struct perfdata_notes_end {
	uint64_t size;
	uint64_t magic;
};

#define PERFDATA_NOTES_MAGIC	0x45544f4e4d52454bULL	/* "KERMNOTE" */

/* Encoding of the CPUs in PERFDATA_RECORD_CPU_MAP, see cpu_map.c. */
enum perfdata_cpus {
	PERFDATA_CPUS_LIST = 0,
	PERFDATA_CPUS_MASK = 1,
	PERFDATA_CPUS_RANGE = 2,
};

/* Parameters of perf stat in PERFDATA_RECORD_STAT_CONFIG. */
enum perfdata_stat_term {
	PERFDATA_STAT_AGGREGATION = 0,	/* enum perfdata_aggregation */
	PERFDATA_STAT_INTERVAL = 1,	/* ms; 0: once, at the end */
	PERFDATA_STAT_SCALE = 2,	/* scale counts of part of the time */
};

/* The other numbers differ between versions of perf. */
enum perfdata_aggregation {
	PERFDATA_AGGREGATE_NONE = 0,
	PERFDATA_AGGREGATE_ALL = 1,
};

/*
 * The fields of KerMon's samples that perf's other records with sample_id_all have too;
 * and of the side-band.
 */
#define PERFDATA_SAMPLE_TYPE	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | \
				 PERF_SAMPLE_TID | PERF_SAMPLE_TIME |	   \
				 PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD)

/* The fields of KerMon's samples, and how their values are read. */
#define PERFDATA_INTERVAL_TYPE	(PERFDATA_SAMPLE_TYPE | PERF_SAMPLE_READ | \
				 PERF_SAMPLE_RAW)
#define PERFDATA_INTERVAL_READ	(PERF_FORMAT_ID | PERF_FORMAT_GROUP)

/* A sample with PERFDATA_SAMPLE_TYPE. */
struct perfdata_sample {
	struct perf_event_header header;
	uint64_t id;
	uint64_t ip;
	uint32_t pid;
	uint32_t tid;
	uint64_t time;
	uint32_t cpu;
	uint32_t reserved;
	uint64_t period;
};

/**
 * struct perfdata_interval - one interval of a thread: the sample of KerMon's log
 * @sample: of "oncpu", whose period is ns on the CPU
 * @nr: number of struct perfdata_value that follow: that of "oncpu", then the others that
 *	have changed; behind them comes struct perfdata_rest
 */
struct perfdata_interval {
	struct perfdata_sample sample;
	uint64_t nr;
};

/**
 * struct perfdata_value - a value of an interval
 * @sum: as PERF_SAMPLE_READ has it, of all intervals on the CPU so far: readers
 *	subtract the previous sum with the same id
 * @id: of the event on the CPU
 */
struct perfdata_value {
	uint64_t sum;
	uint64_t id;
};

/**
 * struct perfdata_rest - PERF_SAMPLE_RAW of an interval: what perf has no field for
 * @size: of what follows
 * @type: KERMON_RECORD_SAMPLE or KERMON_RECORD_INVALID
 * @reason: and the following members: as in struct kermon_sample
 * @sequence: the low half
 */
struct perfdata_rest {
	uint32_t size;
	uint8_t type;
	uint8_t reason;
	uint8_t flags;
	uint8_t set_id;
	uint32_t intervals;
	uint32_t sequence;
	uint64_t tsc_begin;
};

#define PERFDATA_REST_SIZE	(sizeof(struct perfdata_rest) - sizeof(uint32_t))

/* Appended to other records by sample_id_all with PERFDATA_SAMPLE_TYPE. */
struct perfdata_sample_id {
	uint32_t pid;
	uint32_t tid;
	uint64_t time;
	uint32_t cpu;
	uint32_t reserved;
	uint64_t id;
};

/*
 * Names and identities of the events that are not programmed. As in perf, the modes of
 * counting events are appended to their names: ":u", ":k" or nothing for both.
 *
 *	instructions, cycles, ref-cycles   PERF_TYPE_HARDWARE
 *	the programmed events              PERF_TYPE_RAW, config as in PERFEVTSEL
 *	oncpu                              PERF_TYPE_SOFTWARE, SW_TASK_CLOCK; ns
 *	power/energy-.../                  PMU "power", in 2^-32 joule as in perf
 *	dummy:u                            PERF_TYPE_SOFTWARE, SW_DUMMY: side-band
 */
#define PERFDATA_EVENT_INSTRUCTIONS	"instructions"
#define PERFDATA_EVENT_CYCLES		"cycles"
#define PERFDATA_EVENT_REF_CYCLES	"ref-cycles"
#define PERFDATA_EVENT_ONCPU		"oncpu"
#define PERFDATA_EVENT_SIDEBAND		"dummy:u"
#define PERFDATA_PMU_ENERGY		"power"
#define PERFDATA_ENERGY_UNIT		32	/* a unit is 2^-32 joule */

/* perf's config of the slots, the fourth fixed counter, which also has type RAW. */
#define PERFDATA_CONFIG_SLOTS		0x400

static inline bool perfdata_is_programmed(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_RAW &&
	       attr->config != PERFDATA_CONFIG_SLOTS;
}

/* misc of PERF_RECORD_LOST_SAMPLES: generated by perf 6.4 and later. */
#define PERFDATA_MISC_LOST_SAMPLES_BPF	(1 << 15)

/* Whether it is "oncpu", whose samples are the intervals of KerMon's log. */
static inline bool perfdata_is_interval(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_SOFTWARE &&
	       attr->config == PERF_COUNT_SW_TASK_CLOCK &&
	       (attr->sample_type & PERFDATA_INTERVAL_TYPE) ==
	       PERFDATA_INTERVAL_TYPE &&
	       attr->read_format == PERFDATA_INTERVAL_READ;
}

#endif /* KERMON_PERFDATA_LAYOUT_H */
