// SPDX-License-Identifier: GPL-2.0
/*
 * Fast path for samples that are similar to earlier ones: their entry is found by a few
 * of their bytes, without parsing them, looking up their place and its name.
 *
 * A memo is valid for one thread with one name, in one version of an address space; all
 * of these are compared.
 */
#include <errno.h>
#include <stdlib.h>

#include "perfdata/format/format.h"
#include "report_private.h"

#define MEMOS	4096

/* Fields that are ignored here; samples with other fields are parsed. */
#define PLAIN_FIELDS							\
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |	\
	 PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | PERF_SAMPLE_ID |		\
	 PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD |	\
	 PERF_SAMPLE_CALLCHAIN)

/**
 * struct sample_layout - offsets of fields in samples of an event
 * @size: minimum size; 0: samples have to be parsed
 * @ip: likewise for other fields, -1: not recorded
 * @usual: period of samples without this field
 */
struct sample_layout {
	unsigned int size;
	int ip;
	int tid;
	int cpu;
	int period;
	int chain;
	uint64_t usual;
};

/**
 * struct memo - the entry of all similar samples
 * @version: of the address space
 * @cpu: 0 if it does not matter
 * @kind: event and mode
 * @entry: plus one; 0: unknown
 */
struct memo {
	uint64_t ip;
	const struct thread *thread;
	const char *comm;
	uint64_t version;
	uint32_t cpu;
	uint32_t kind;
	uint32_t entry;
};

/**
 * struct report_memos - a direct-mapped cache
 * @layouts: by event
 * @nr_events: length of @layouts
 * @of_cpus: sums are kept for each CPU
 * @next: memo to be set from the sample that is being parsed; NULL: none
 */
struct report_memos {
	struct sample_layout *layouts;
	size_t nr_events;
	bool of_cpus;
	struct memo *next;
	struct memo all[MEMOS];
};

static void find_layout(const struct perf_event_attr *attr,
			struct sample_layout *layout)
{
	uint64_t type = attr->sample_type;

	*layout = (struct sample_layout){
		.ip = sample_from_start(attr, PERF_SAMPLE_IP),
		.tid = sample_from_start(attr, PERF_SAMPLE_TID),
		.cpu = sample_from_start(attr, PERF_SAMPLE_CPU),
		.period = sample_from_start(attr, PERF_SAMPLE_PERIOD),
		.chain = sample_from_start(attr, PERF_SAMPLE_CALLCHAIN),
		.usual = attr->sample_period,
	};
	if (!(type & ~PLAIN_FIELDS) && layout->ip >= 0 && layout->tid >= 0)
		layout->size = sizeof(struct perf_event_header) +
			       sizeof(uint64_t) * __builtin_popcountll(type);
}

int report_make_memos(struct kermon_report *report)
{
	struct reader *reader = report->pipeline.reader;
	size_t nr = reader_nr_events(reader);
	struct report_memos *memos;

	if (report->calls || report->details || !report->pipeline.any_order || nr > UINT16_MAX)
		return 0;
	memos = calloc(1, sizeof(*memos));
	if (!memos)
		return -ENOMEM;
	report->memos = memos;
	memos->nr_events = nr;
	memos->of_cpus = report_has_key(&report->keys, KEY_CPU);
	memos->layouts = calloc(nr, sizeof(*memos->layouts));
	if (!memos->layouts)
		return -ENOMEM;
	for (size_t i = 0; i < nr; i++)
		find_layout(&reader_event(reader, i)->attr, &memos->layouts[i]);
	return 0;
}

void report_free_memos(struct kermon_report *report)
{
	if (report->memos)
		free(report->memos->layouts);
	free(report->memos);
}

/* Whether the sample is long enough for its fields. */
static inline bool is_whole(const struct sample_layout *layout, const struct record *record)
{
	if (!layout->size || record->size < layout->size)
		return false;
	return layout->chain < 0 ||
	       sample_word(record->data + layout->chain, 0) <=
	       (record->size - layout->size) / sizeof(uint64_t);
}

/*
 * Find the memo of a sample. Return: false if its entry is unknown; the memo is then
 * prepared to store it, or NULL if out of memory.
 */
static inline bool find_memo(struct kermon_report *report,
			     const struct sample_layout *layout,
			     const struct record *record, struct memo **found)
{
	const unsigned char *tid = record->data + layout->tid;
	struct report_memos *memos = report->memos;
	uint32_t kind = record->event << 16 | record_mode(record), cpu = 0;
	uint64_t ip = sample_word(record->data + layout->ip, 0), version;
	const struct process *space;
	struct thread *thread;
	struct memo *memo;

	*found = NULL;
	thread = processes_thread(&report->pipeline.processes, sample_half(tid, 0),
				  sample_half(tid, 1));
	if (!thread)
		return false;
	space = processes_space(&report->pipeline.processes, thread,
				record_mode(record));
	version = space ? space->version : 0;
	if (memos->of_cpus && layout->cpu >= 0)
		cpu = sample_half(record->data + layout->cpu, 0);
	memo = &memos->all[hash_mix(ip ^ (uint64_t)thread->tid << 32 ^
				    (uint64_t)cpu << 48 ^ kind) % MEMOS];
	*found = memo;
	if (memo->ip == ip && memo->thread == thread &&
	    memo->comm == thread->comm && memo->version == version &&
	    memo->cpu == cpu && memo->kind == kind && memo->entry)
		return true;
	*memo = (struct memo){
		.ip = ip,
		.thread = thread,
		.comm = thread->comm,
		.version = version,
		.cpu = cpu,
		.kind = kind,
	};
	return false;
}

static inline bool add_known(struct kermon_report *report,
			     const struct record *record)
{
	struct report_memos *memos = report->memos;
	const struct sample_layout *layout = &memos->layouts[record->event];
	struct memo *memo;
	uint64_t period;

	if (!is_whole(layout, record))
		return false;
	if (!find_memo(report, layout, record, &memo)) {
		memos->next = memo;
		return false;
	}
	period = layout->period < 0 ? layout->usual :
				      sample_word(record->data + layout->period, 0);
	report_sums(report, memo->entry - 1)[0]++;
	report_add_value(report, memo->entry - 1,
			 report->column_of[record->event], period);
	return true;
}

bool report_add_known(void *context, const struct record *record)
{
	struct kermon_report *report = context;

	if (!report->memos)
		return false;
	report->memos->next = NULL;
	return add_known(report, record);
}

uint64_t report_add_known_batch(void *context, struct reader_batch *batch)
{
	struct kermon_report *report = context;
	struct perf_event_header header;
	struct record record = { .data = batch->data };
	uint64_t left = batch->size, time;
	int event;

	if (!report->memos)
		return 0;
	for (; left >= batch->least; left -= header.size) {
		header = record_header(record.data, false);
		time = sample_word(record.data + batch->time_at, 0);
		if (header.size < batch->least || header.size > left ||
		    time >= batch->before)
			break;
		record.size = header.size;
		record.misc = header.misc;
		event = report->memos->nr_events == 1 ? 0 :
			reader_event_of_sample(report->pipeline.reader,
					       record.data, record.size);
		record.event = event;
		if (event < 0 || !add_known(report, &record))
			break;
		record.data += header.size;
		batch->newest = time;
		batch->nr++;
	}
	return record.data - batch->data;
}

void report_remember(struct kermon_report *report, uint32_t entry)
{
	if (report->memos && report->memos->next)
		report->memos->next->entry = entry + 1;
}
