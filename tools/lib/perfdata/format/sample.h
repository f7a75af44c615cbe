/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The fields of samples, and of what sample_id_all appends to other records. The attr
 * of the event determines which fields there are.
 */
#ifndef KERMON_PERFDATA_SAMPLE_H
#define KERMON_PERFDATA_SAMPLE_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

#include "layout.h"
#include "record.h"
#include "util/cursor.h"

/* PERF_SAMPLE_BRANCH_COUNTERS of newer kernels. */
#define SAMPLE_BRANCH_COUNTERS	(1U << 19)

/**
 * struct sample_value - the count of one event of a group
 * @value: the count
 * @id: of that event; 0 if not recorded
 * @lost: number of its samples that were lost; 0 if not recorded
 */
struct sample_value {
	uint64_t value;
	uint64_t id;
	uint64_t lost;
};

/**
 * struct sample_read - a reading of the counters in any read_format
 * @format: PERF_FORMAT_*
 * @enabled: ns; 0 if not recorded
 * @running: ns; 0 if not recorded
 * @nr: number of values, see sample_value()
 * @values: of a group
 * @single: if it is not a group
 */
struct sample_read {
	uint64_t format;
	uint64_t enabled;
	uint64_t running;
	uint64_t nr;
	const unsigned char *values;
	struct sample_value single;
};

/**
 * struct sample_regs - registers at the time of the sample
 * @abi: PERF_SAMPLE_REGS_ABI_*; NONE: there are none, for example of user mode in
 *	a kernel thread
 * @mask: a bit for each register, as in the architecture's asm/perf_regs.h
 * @values: of 64 bits each, in the order of the bits; not aligned
 */
struct sample_regs {
	uint64_t abi;
	uint64_t mask;
	const unsigned char *values;
};

/**
 * struct sample_branches - last branches, the newest first
 * @hw_index: of the newest one in the hardware; UINT64_MAX: not recorded
 * @entries: @nr times { u64 from, u64 to, u64 flags }, not aligned
 * @counters: @nr words, not aligned; NULL: not recorded
 */
struct sample_branches {
	uint64_t nr;
	uint64_t hw_index;
	const unsigned char *entries;
	const unsigned char *counters;
};

#define SAMPLE_BRANCH_SIZE	(3 * sizeof(uint64_t))

/* A block of data in a sample: @size bytes, not aligned; NULL: none. */
struct sample_bytes {
	uint64_t size;
	const unsigned char *data;
};

/**
 * struct sample - a parsed sample; fields that are not recorded are 0
 * @period: count since the last sample; the event's period if not recorded
 * @read: the counters
 * @callchain: @nr_callchain addresses of 64 bits, not aligned
 * @raw: @raw_size bytes added by the event's PMU, not aligned
 * @branches: of the CPU's branch stack
 * @user_regs: of user mode
 * @user_stack: from the stack pointer on; the bytes that the kernel could copy
 * @weight: cost, for example of a memory access
 * @weight2: second and third part of PERF_SAMPLE_WEIGHT_STRUCT
 * @data_src: PERF_MEM_*
 * @transaction: PERF_TXN_*
 * @intr_regs: at the time of the interrupt
 * @aux: part of a hardware trace
 */
struct sample {
	uint64_t ip;
	uint64_t time;
	uint64_t addr;
	uint64_t id;
	uint64_t stream_id;
	uint64_t period;
	uint32_t pid;
	uint32_t tid;
	uint32_t cpu;
	uint32_t event;
	struct sample_read read;
	uint64_t nr_callchain;
	const unsigned char *callchain;
	uint32_t raw_size;
	const unsigned char *raw;
	struct sample_branches branches;
	struct sample_regs user_regs;
	struct sample_bytes user_stack;
	uint64_t weight;
	uint16_t weight2[2];
	uint64_t data_src;
	uint64_t transaction;
	struct sample_regs intr_regs;
	uint64_t phys_addr;
	uint64_t cgroup;
	uint64_t data_page_size;
	uint64_t code_page_size;
	struct sample_bytes aux;
};

/**
 * sample_parse - parse a sample
 * @attr: of the sample's event
 * @record: a PERF_RECORD_SAMPLE
 * @sample: filled in; points into @record
 *
 * Return: false if the record is too short for the fields in @attr.
 */
bool sample_parse(const struct perf_event_attr *attr,
		  const struct record *record, struct sample *sample);

/*
 * If it is an interval of KerMon's, what perf has no field for is copied to @rest.
 * Return: whether it is.
 */
bool sample_interval(const struct perf_event_attr *attr,
		     const struct sample *sample, struct perfdata_rest *rest);

/* Whether it is an interval of KerMon's with impossible counts. */
bool sample_is_invalid(const struct perf_event_attr *attr,
		       const struct sample *sample);

/**
 * sample_trailer - parse the trailer of a record that is not a sample
 * @attr: of the record's event
 * @record: any record except a sample
 * @sample: its identity fields are filled in
 *
 * Return: false if @attr does not include a trailer, or the record is too short.
 */
bool sample_trailer(const struct perf_event_attr *attr,
		    const struct record *record, struct sample *sample);

/* Size of that trailer in bytes. */
unsigned int sample_trailer_size(const struct perf_event_attr *attr);

/**
 * sample_read_parse - parse a reading of the counters
 * @c: at the reading, in a sample or in PERF_RECORD_READ; advanced to its end
 * @format: read_format of the event
 * @read: filled in; if the record is too short, @c has failed
 */
void sample_read_parse(struct cursor *c, uint64_t format,
		       struct sample_read *read);

/* One of the values of a reading. Return: false if there is none with this index. */
bool sample_value(const struct sample_read *read, uint64_t index,
		  struct sample_value *value);

/* An element of a call chain, of registers or of branches. */
static inline uint64_t sample_word(const unsigned char *words, size_t index)
{
	uint64_t word;

	memcpy(&word, words + index * sizeof(word), sizeof(word));
	return word;
}

/* Half of a word: pid and tid, or CPU and a reserved field. */
static inline uint32_t sample_half(const unsigned char *halves, size_t index)
{
	uint32_t half;

	memcpy(&half, halves + index * sizeof(half), sizeof(half));
	return half;
}

/*
 * Offset of a field in a sample, from PERF_SAMPLE_IDENTIFIER to PERF_SAMPLE_CALLCHAIN.
 * The latter must not be preceded by PERF_SAMPLE_READ, whose size varies. -1: no such
 * field.
 */
int sample_from_start(const struct perf_event_attr *attr, uint64_t field);

/*
 * Position of the event id, which is needed to find the event: offset from the start of
 * a sample, or from the end of another record. -1: no id.
 */
int sample_id_from_start(const struct perf_event_attr *attr);
int sample_id_from_end(const struct perf_event_attr *attr);

#endif /* KERMON_PERFDATA_SAMPLE_H */
