/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The fields of samples, and of what sample_id_all appends to other records: which
 * there are depends on the attr of the event.
 */
#ifndef KERMON_PERFDATA_SAMPLE_H
#define KERMON_PERFDATA_SAMPLE_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

#include "record.h"
#include "util/cursor.h"

/* PERF_SAMPLE_BRANCH_COUNTERS of newer kernels. */
#define SAMPLE_BRANCH_COUNTERS	(1U << 19)

/**
 * struct sample_value - what one event of a group had counted
 * @id: of that event; 0 if not recorded
 * @lost: samples of it that were lost; 0 if not recorded
 */
struct sample_value {
	uint64_t value;
	uint64_t id;
	uint64_t lost;
};

/**
 * struct sample_read - a reading of the counters, whatever read_format it has
 * @format: PERF_FORMAT_*
 * @enabled: ns, @running likewise; 0 if not recorded
 * @nr: values, to be had from sample_value()
 * @values: of a group
 * @single: if it is no group
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
 * @mask: which ones, bit by bit as the architecture's asm/perf_regs.h has them
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

/* What a sample carries whole: @size bytes, not aligned; NULL: none. */
struct sample_bytes {
	uint64_t size;
	const unsigned char *data;
};

/**
 * struct sample - what one sample says; 0 where it says nothing
 * @period: count since the last sample; the event's period if not recorded
 * @read: the counters
 * @callchain: @nr_callchain addresses of 64 bits, not aligned
 * @raw: @raw_size bytes that the event's PMU added, not aligned
 * @branches: of the CPU's branch stack
 * @user_regs: of user mode
 * @user_stack: from the stack pointer on; the bytes that the kernel could copy
 * @weight: cost, for example of a memory access
 * @weight2: second and third part of PERF_SAMPLE_WEIGHT_STRUCT
 * @data_src: PERF_MEM_*
 * @transaction: PERF_TXN_*
 * @intr_regs: where the interrupt hit
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
 * sample_parse - take a sample apart
 * @attr: of the sample's event
 * @record: a PERF_RECORD_SAMPLE
 * @sample: filled
 *
 * Return: false if the record is too short for what @attr says is in it. What
 * @sample points to lives as long as the bytes of the record.
 */
bool sample_parse(const struct perf_event_attr *attr,
		  const struct record *record, struct sample *sample);

/* Whether it is of an interval of KerMon's whose counts were impossible. */
bool sample_is_invalid(const struct perf_event_attr *attr,
		       const struct sample *sample);

/**
 * sample_trailer - read what stands behind a record that is not a sample
 *
 * Return: false if @attr says there is nothing, or the record is too short.
 */
bool sample_trailer(const struct perf_event_attr *attr,
		    const struct record *record, struct sample *sample);

/* Bytes of that trailer. */
unsigned int sample_trailer_size(const struct perf_event_attr *attr);

/**
 * sample_read_parse - read a reading of the counters
 * @c: stands at it, in a sample or in PERF_RECORD_READ; is moved behind it
 * @format: read_format of the event
 * @read: filled; if it does not fit, @c has failed
 */
void sample_read_parse(struct cursor *c, uint64_t format,
		       struct sample_read *read);

/* One of the values of a reading; false: there is none with this index. */
bool sample_value(const struct sample_read *read, uint64_t index,
		  struct sample_value *value);

/* A word of a call chain, of registers or of branches. */
static inline uint64_t sample_word(const unsigned char *words, size_t index)
{
	uint64_t word;

	memcpy(&word, words + index * sizeof(word), sizeof(word));
	return word;
}

/* Of fields that share a word: pid and tid, CPU and what is reserved. */
static inline uint32_t sample_half(const unsigned char *halves, size_t index)
{
	uint32_t half;

	memcpy(&half, halves + index * sizeof(half), sizeof(half));
	return half;
}

/*
 * Bytes from the start of a sample to a field, from PERF_SAMPLE_IDENTIFIER to
 * PERF_SAMPLE_CALLCHAIN, which has to be without PERF_SAMPLE_READ before it, or its
 * place differs. -1: it has none.
 */
int sample_from_start(const struct perf_event_attr *attr, uint64_t field);

/*
 * Where the id of an event is, which has to be known before the event is: bytes
 * from the start of a sample, or from the end of another record. -1: nowhere.
 */
int sample_id_from_start(const struct perf_event_attr *attr);
int sample_id_from_end(const struct perf_event_attr *attr);

#endif /* KERMON_PERFDATA_SAMPLE_H */
