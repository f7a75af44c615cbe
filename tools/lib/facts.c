// SPDX-License-Identifier: GPL-2.0
#include "facts.h"
#include "perfdata/cursor.h"
#include "perfdata/format.h"
#include "pipeline.h"

/* { u64 id, u64 lost } of LOST, { u64 lost } of LOST_SAMPLES. */
static void take_loss(struct facts *facts, const struct pipeline *pipeline,
		      const struct record *record, struct cursor *c)
{
	bool samples = record->type == PERF_RECORD_LOST_SAMPLES ||
		perfdata_is_interval(&reader_event(pipeline->reader,
						   record->event)->attr);

	/* Samples that a BPF filter of perf's user has dropped. */
	if (record->type == PERF_RECORD_LOST_SAMPLES &&
	    record->misc & PERFDATA_MISC_LOST_SAMPLES_BPF)
		return;
	if (record->type == PERF_RECORD_LOST)
		cursor_u64(c);
	*(samples ? &facts->lost_samples : &facts->lost_records) +=
		cursor_u64(c);
}

/* { u64 offset, u64 size, u64 flags } */
static void take_aux(struct facts *facts, struct cursor *c)
{
	cursor_take(c, 2 * sizeof(uint64_t));
	if (cursor_u64(c) & (PERF_AUX_FLAG_TRUNCATED | PERF_AUX_FLAG_PARTIAL |
			     PERF_AUX_FLAG_COLLISION))
		facts->aux_gaps++;
}

void facts_take(struct facts *facts, const struct pipeline *pipeline,
		const struct record *record)
{
	struct cursor c = cursor_of(record->data, record->size);

	cursor_take(&c, sizeof(struct perf_event_header));
	switch (record->type) {
	case PERF_RECORD_LOST:
	case PERF_RECORD_LOST_SAMPLES:
		take_loss(facts, pipeline, record, &c);
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
	case PERFDATA_RECORD_FINISHED_INIT:
		facts->initialized = true;
		break;
	}
}
