/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The fields of samples, and those that other records carry behind their own.
 */
#ifndef KERMON_PERFDATA_SAMPLE_H
#define KERMON_PERFDATA_SAMPLE_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

#include "record.h"

/**
 * struct sample - what one sample says; 0 where it says nothing
 * @period: count since the last sample; the event's period if not recorded
 * @callchain: @nr_callchain addresses of 64 bits, not aligned
 * @raw: @raw_size bytes that the event's PMU added, not aligned
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
	uint64_t nr_callchain;
	const unsigned char *callchain;
	uint32_t raw_size;
	const unsigned char *raw;
};

/**
 * sample_parse - take a sample apart
 * @attr: of the sample's event
 * @record: a PERF_RECORD_SAMPLE
 * @sample: filled
 *
 * Reads up to the raw data. Return: false if the record is too short for what
 * @attr says is in it.
 */
bool sample_parse(const struct perf_event_attr *attr,
		  const struct record *record, struct sample *sample);

/**
 * sample_trailer - read what stands behind a record that is not a sample
 *
 * Return: false if @attr says there is nothing, or the record is too short.
 */
bool sample_trailer(const struct perf_event_attr *attr,
		    const struct record *record, struct sample *sample);

/* Bytes of that trailer. */
unsigned int sample_trailer_size(const struct perf_event_attr *attr);

/*
 * Where the id of an event is, which has to be known before the event is: bytes
 * from the start of a sample, or from the end of another record. -1: nowhere.
 */
int sample_id_from_start(const struct perf_event_attr *attr);
int sample_id_from_end(const struct perf_event_attr *attr);

#endif /* KERMON_PERFDATA_SAMPLE_H */
