// SPDX-License-Identifier: GPL-2.0
/*
 * Samples whose like has come before: which sums they go to is told by a few of
 * their bytes, without taking them apart, looking up where they were and what that
 * is called.
 *
 * What is remembered holds for one thread with one name, in one address space as it
 * was mapped at one time; all of these are compared.
 */
#include <errno.h>
#include <stdlib.h>

#include "perfdata/sample.h"
#include "report_private.h"

#define MEMOS	4096

/* Fields of which nothing is asked here; what others say cannot be told at once. */
#define PLAIN_FIELDS							\
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |	\
	 PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | PERF_SAMPLE_ID |		\
	 PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD |	\
	 PERF_SAMPLE_CALLCHAIN)

/**
 * struct layout - where samples of an event have what, in bytes from their start
 * @size: that they have at least; 0: they are to be taken apart
 * @ip: of the others -1 is where they are not
 * @usual: the period of those that have none
 */
struct layout {
	unsigned int size;
	int ip;
	int tid;
	int cpu;
	int period;
	int chain;
	uint64_t usual;
};

/* What decides on the sums of a sample; compared as a whole. */
struct likeness {
	uint64_t ip;
	const struct thread *thread;
	const char *comm;
	uint64_t version;	/* of the address space */
	uint32_t cpu;
	uint16_t event;
	uint16_t mode;
};

/**
 * struct report_memos - one for each sum that was needed lately
 * @layouts: by event
 * @of_cpus: there are sums for each CPU
 * @next: what is to be learnt from the sample that is being taken apart; NULL: nothing
 */
struct report_memos {
	struct layout *layouts;
	bool of_cpus;
	struct memo *next;
	struct memo {
		struct likeness like;
		uint32_t entry;	/* plus one; 0: nothing is known */
	} all[MEMOS];
};

static void find_layout(const struct perf_event_attr *attr,
			struct layout *layout)
{
	uint64_t type = attr->sample_type;

	*layout = (struct layout){
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

	if (report->calls || !report->pipeline.any_order || nr > UINT16_MAX)
		return 0;
	memos = calloc(1, sizeof(*memos));
	if (!memos)
		return -ENOMEM;
	report->memos = memos;
	memos->of_cpus = report_has_key(&report->keys, KERMON_KEY_CPU);
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

static uint64_t load_u64(const unsigned char *p)
{
	uint64_t value;

	memcpy(&value, p, sizeof(value));
	return value;
}

static uint32_t load_u32(const unsigned char *p)
{
	uint32_t value;

	memcpy(&value, p, sizeof(value));
	return value;
}

/* Whether all that a sample says it has is there. */
static bool is_whole(const struct layout *layout, const struct record *record)
{
	if (!layout->size || record->size < layout->size)
		return false;
	return layout->chain < 0 ||
	       load_u64(record->data + layout->chain) <=
	       (record->size - layout->size) / sizeof(uint64_t);
}

static struct memo *memo_of(struct report_memos *memos,
			    const struct likeness *like)
{
	uint64_t hash = like->ip ^ (uintptr_t)like->thread << 24 ^
			(uint64_t)like->cpu << 48 ^ like->event;

	return &memos->all[hash_mix(hash) % MEMOS];
}

static bool is_like(const struct likeness *a, const struct likeness *b)
{
	return a->ip == b->ip && a->thread == b->thread &&
	       a->comm == b->comm && a->version == b->version &&
	       a->cpu == b->cpu && a->event == b->event && a->mode == b->mode;
}

/* False: no memory for a thread that is new. */
static bool find_likeness(struct kermon_report *report,
			  const struct layout *layout,
			  const struct record *record, struct likeness *like)
{
	const unsigned char *tid = record->data + layout->tid;
	struct processes *processes = &report->pipeline.processes;
	struct thread *thread = processes_thread(processes, load_u32(tid),
						 load_u32(tid + 4));
	const struct process *space;

	if (!thread)
		return false;
	space = processes_space(processes, thread, record_mode(record));
	*like = (struct likeness){
		.ip = load_u64(record->data + layout->ip),
		.thread = thread,
		.comm = thread->comm,
		.version = space ? space->version : 0,
		.event = record->event,
		.mode = record_mode(record),
	};
	if (report->memos->of_cpus && layout->cpu >= 0)
		like->cpu = load_u32(record->data + layout->cpu);
	return true;
}

bool report_add_known(void *context, const struct record *record)
{
	struct kermon_report *report = context;
	struct report_memos *memos = report->memos;
	const struct layout *layout;
	struct likeness like;
	struct memo *memo;
	uint64_t period;

	if (!memos)
		return false;
	memos->next = NULL;
	layout = &memos->layouts[record->event];
	if (!is_whole(layout, record) ||
	    !find_likeness(report, layout, record, &like))
		return false;
	memo = memo_of(memos, &like);
	if (!memo->entry || !is_like(&memo->like, &like)) {
		*memo = (struct memo){ .like = like };
		memos->next = memo;
		return false;
	}
	period = layout->period < 0 ? layout->usual :
				      load_u64(record->data + layout->period);
	report_sums(report, memo->entry - 1)[0]++;
	report_add_value(report, memo->entry - 1,
			 report->column_of[record->event], period);
	return true;
}

void report_remember(struct kermon_report *report, uint32_t entry)
{
	if (report->memos && report->memos->next)
		report->memos->next->entry = entry + 1;
}
