// SPDX-License-Identifier: GPL-2.0
/* Collect facts from records: what was lost, throttled, truncated or traced. */
#include "facts.h"
#include "perfdata/format/format.h"
#include "util/cursor.h"

/* { u64 id, u64 lost } */
static void take_lost(struct facts *facts, const struct perf_event_attr *attr,
		      struct cursor *c)
{
	cursor_u64(c);
	*(perfdata_is_interval(attr) ? &facts->lost_samples :
				       &facts->lost_records) += cursor_u64(c);
}

/*
 * Whether perf generated this LOST_SAMPLES from the kernel's per-event count of records
 * for which there was no room, samples or not. Then all of its fields except the id are
 * 0. The kernel's own LOST_SAMPLES, with thread and time, are about samples lost by the
 * hardware.
 */
static bool is_total(const struct perf_event_attr *attr,
		     const struct record *record)
{
	struct sample sample;

	return attr->read_format & PERF_FORMAT_LOST &&
	       attr->sample_type & (PERF_SAMPLE_TID | PERF_SAMPLE_TIME) &&
	       sample_trailer(attr, record, &sample) &&
	       !sample.tid && !sample.time;
}

/* { u64 lost } */
static void take_lost_samples(struct facts *facts,
			      const struct perf_event_attr *attr,
			      const struct record *record, struct cursor *c)
{
	/* Samples dropped by a BPF filter that the user of perf has set. */
	if (record->misc & PERFDATA_MISC_LOST_SAMPLES_BPF)
		return;
	*(is_total(attr, record) ? &facts->lost_totals :
				   &facts->lost_samples) += cursor_u64(c);
}

/* { u64 offset, u64 size, u64 flags } */
static void take_aux(struct facts *facts, struct cursor *c)
{
	cursor_take(c, 2 * sizeof(uint64_t));
	if (cursor_u64(c) & (PERF_AUX_FLAG_TRUNCATED | PERF_AUX_FLAG_PARTIAL |
			     PERF_AUX_FLAG_COLLISION))
		facts->aux_gaps++;
}

void facts_take(struct facts *facts, const struct perf_event_attr *attr,
		const struct record *record)
{
	struct cursor c = cursor_of(record->data, record->size);

	cursor_take(&c, sizeof(struct perf_event_header));
	switch (record->type) {
	case PERF_RECORD_LOST:
		take_lost(facts, attr, &c);
		break;
	case PERF_RECORD_LOST_SAMPLES:
		take_lost_samples(facts, attr, record, &c);
		break;
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		facts->cut_maps += !!(record->misc &
				      PERF_RECORD_MISC_PROC_MAP_PARSE_TIMEOUT);
		break;
	case PERF_RECORD_THROTTLE:
		facts->throttled++;
		break;
	case PERF_RECORD_AUX:
		take_aux(facts, &c);
		break;
	case PERFDATA_RECORD_AUXTRACE_INFO:
		facts->aux_info = true;
		facts->aux_type = cursor_u32(&c);
		break;
	case PERFDATA_RECORD_AUXTRACE:
		facts->aux_size += cursor_u64(&c);
		break;
	case PERFDATA_RECORD_STAT:
		facts->has_counts = true;
		break;
	case PERFDATA_RECORD_FINISHED_INIT:
		facts->initialized = true;
		break;
	}
}
