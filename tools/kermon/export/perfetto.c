// SPDX-License-Identifier: GPL-2.0
/*
 * Writes regions for ui.perfetto.dev: a trace of protocol buffers, as in
 * https://perfetto.dev/docs/reference/synthetic-track-event. A thread is a track of slices that
 * nest; tasks and frames may overlap, and have as many tracks as are open at the same time.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "export.h"
#include "protobuf.h"
#include "util/array.h"

/* Fields of protos/perfetto/trace. */
enum {
	TRACE_PACKET = 1,
	PACKET_TIMESTAMP = 8,
	PACKET_SEQUENCE = 10,
	PACKET_EVENT = 11,
	PACKET_TRACK = 60,
	TRACK_UUID = 1,
	TRACK_NAME = 2,
	TRACK_THREAD = 4,
	THREAD_PID = 1,
	THREAD_TID = 2,
	THREAD_NAME = 5,
	EVENT_TYPE = 9,
	EVENT_TRACK = 11,
	EVENT_CATEGORY = 22,
	EVENT_NAME = 23,
};

enum { SLICE_BEGIN = 1, SLICE_END = 2, INSTANT = 3 };

/* Any number but 0; all packets are of one sequence. */
#define SEQUENCE	1

/* Tracks of tasks and frames are numbered behind those of threads. */
#define FIRST_LANE	(1ULL << 32)

/* Tracks that are shared by calls that do not overlap; others have one of their own. */
#define MOST_LANES	64

/* A track that a call is on, until @end. */
struct lane {
	uint64_t end;
};

/**
 * struct perfetto - state while a trace is written
 * @calls: in order of their begin, those around others first
 * @open: ends of the slices that are open on the current track
 * @packet: being made, of @part and @inner
 */
struct perfetto {
	const struct export *export;
	FILE *out;
	const struct export_call **calls;
	const struct export_call **open;
	size_t nr_open;
	size_t room_open;
	struct protobuf trace;
	struct protobuf packet;
	struct protobuf part;
	struct protobuf inner;
};

static void put_text(struct protobuf *message, unsigned int field, const char *text)
{
	protobuf_bytes(message, field, text, strlen(text));
}

static void put_packet(struct perfetto *perfetto)
{
	struct protobuf *trace = &perfetto->trace;

	protobuf_number(&perfetto->packet, PACKET_SEQUENCE, SEQUENCE);
	protobuf_part(trace, TRACE_PACKET, &perfetto->packet);
	fwrite(trace->bytes, 1, trace->size, perfetto->out);
	trace->size = 0;
}

static void put_event(struct perfetto *perfetto, uint64_t time, uint64_t track,
		      unsigned int type, const struct region_node *node)
{
	protobuf_number(&perfetto->packet, PACKET_TIMESTAMP, time);
	protobuf_number(&perfetto->part, EVENT_TYPE, type);
	protobuf_number(&perfetto->part, EVENT_TRACK, track);
	if (node) {
		put_text(&perfetto->part, EVENT_CATEGORY, "region");
		put_text(&perfetto->part, EVENT_NAME, node->name);
	}
	protobuf_part(&perfetto->packet, PACKET_EVENT, &perfetto->part);
	put_packet(perfetto);
}

static const struct region_node *node_of(const struct perfetto *perfetto,
					 const struct region_call *call)
{
	return regions_node(perfetto->export->regions.all, call->node);
}

/* Tasks and frames, which are not part of what a thread does one after the other. */
static bool overlaps(const struct perfetto *perfetto, const struct export_call *call)
{
	const unsigned int kind = node_of(perfetto, &call->call)->kind;

	return kind == REGION_TASK || kind == REGION_FRAME;
}

/* Threads by number, then in order of begin; those around others first. */
static int compare(const void *a, const void *b, void *context)
{
	const struct perfetto *perfetto = context;
	const struct region_call *left = &(*(const struct export_call *const *)a)->call;
	const struct region_call *right = &(*(const struct export_call *const *)b)->call;

	if (left->thread->number != right->thread->number)
		return left->thread->number < right->thread->number ? -1 : 1;
	if (left->begin != right->begin)
		return left->begin < right->begin ? -1 : 1;
	if (left->end != right->end)
		return left->end > right->end ? -1 : 1;
	return (int)node_of(perfetto, left)->depth - (int)node_of(perfetto, right)->depth;
}

static int by_begin(const void *a, const void *b)
{
	const struct export_call *left = *(const struct export_call *const *)a;
	const struct export_call *right = *(const struct export_call *const *)b;

	if (left->call.begin != right->call.begin)
		return left->call.begin < right->call.begin ? -1 : 1;
	return left < right ? -1 : left > right;
}

static uint64_t track_of(const struct region_thread *thread)
{
	return thread->number + 1ULL;
}

/* The track of a thread, in its process. */
static void put_thread(struct perfetto *perfetto, const struct region_thread *thread)
{
	const char *name = thread->name ? thread->name : thread->comm ? thread->comm : "";

	protobuf_number(&perfetto->inner, THREAD_PID, thread->pid);
	protobuf_number(&perfetto->inner, THREAD_TID, thread->tid);
	put_text(&perfetto->inner, THREAD_NAME, name);
	protobuf_number(&perfetto->part, TRACK_UUID, track_of(thread));
	protobuf_part(&perfetto->part, TRACK_THREAD, &perfetto->inner);
	protobuf_part(&perfetto->packet, PACKET_TRACK, &perfetto->part);
	put_packet(perfetto);
}

static void put_lane(struct perfetto *perfetto, uint64_t track)
{
	protobuf_number(&perfetto->part, TRACK_UUID, track);
	put_text(&perfetto->part, TRACK_NAME, "tasks and frames");
	protobuf_part(&perfetto->packet, PACKET_TRACK, &perfetto->part);
	put_packet(perfetto);
}

/* End the slices that are over at @time. */
static void end_slices(struct perfetto *perfetto, uint64_t time)
{
	const struct region_call *call;

	while (perfetto->nr_open) {
		call = &perfetto->open[perfetto->nr_open - 1]->call;
		if (call->end > time)
			break;
		put_event(perfetto, call->end, track_of(call->thread), SLICE_END, NULL);
		perfetto->nr_open--;
	}
}

static int put_call(struct perfetto *perfetto, const struct export_call *call)
{
	const struct region_node *node = node_of(perfetto, &call->call);
	const uint64_t track = track_of(call->call.thread);

	end_slices(perfetto, call->call.begin);
	if (node->kind == REGION_EVENT) {
		put_event(perfetto, call->call.begin, track, INSTANT, node);
		return 0;
	}
	if (array_room(perfetto->open, perfetto->room_open, perfetto->nr_open + 1))
		return -ENOMEM;
	perfetto->open[perfetto->nr_open++] = call;
	put_event(perfetto, call->call.begin, track, SLICE_BEGIN, node);
	return 0;
}

static int put_threads(struct perfetto *perfetto, size_t nr)
{
	const struct region_thread *thread = NULL;
	int err = 0;

	for (size_t i = 0; i < nr && !err; i++) {
		if (perfetto->calls[i]->call.thread != thread) {
			end_slices(perfetto, UINT64_MAX);
			thread = perfetto->calls[i]->call.thread;
			put_thread(perfetto, thread);
		}
		err = put_call(perfetto, perfetto->calls[i]);
	}
	end_slices(perfetto, UINT64_MAX);
	return err;
}

/* The first track that is free; those of the first MOST_LANES are used again. */
static uint64_t choose_lane(struct lane lanes[MOST_LANES], const struct region_call *call,
			    uint64_t *next)
{
	for (uint64_t i = 0; i < MOST_LANES; i++) {
		if (lanes[i].end > call->begin)
			continue;
		if (*next <= i)
			*next = i + 1;
		lanes[i].end = call->end > call->begin ? call->end : call->begin + 1;
		return i;
	}
	return (*next)++;
}

static void put_overlapping(struct perfetto *perfetto, const struct export_call **calls, size_t nr)
{
	struct lane lanes[MOST_LANES] = {};
	uint64_t next = 0, before, lane;

	if (nr)
		qsort(calls, nr, sizeof(*calls), by_begin);
	for (size_t i = 0; i < nr; i++) {
		before = next;
		lane = choose_lane(lanes, &calls[i]->call, &next);
		if (next != before)
			put_lane(perfetto, FIRST_LANE + lane);
		put_event(perfetto, calls[i]->call.begin, FIRST_LANE + lane, SLICE_BEGIN,
			  node_of(perfetto, &calls[i]->call));
		put_event(perfetto, calls[i]->call.end, FIRST_LANE + lane, SLICE_END, NULL);
	}
}

/* What threads do one after the other comes first. Return: how many calls that are. */
static size_t arrange(struct perfetto *perfetto)
{
	const struct export_regions *regions = &perfetto->export->regions;
	size_t nested = 0, others = regions->nr;

	for (size_t i = 0; i < regions->nr; i++) {
		if (overlaps(perfetto, &regions->calls[i]))
			perfetto->calls[--others] = &regions->calls[i];
		else
			perfetto->calls[nested++] = &regions->calls[i];
	}
	if (nested)
		qsort_r(perfetto->calls, nested, sizeof(*perfetto->calls), compare, perfetto);
	return nested;
}

static int write_perfetto(const struct export *export, FILE *out)
{
	struct perfetto perfetto = { .export = export, .out = out };
	size_t nested;
	int err;

	perfetto.calls = calloc(export->regions.nr + 1, sizeof(*perfetto.calls));
	if (!perfetto.calls)
		return -ENOMEM;
	nested = arrange(&perfetto);
	err = put_threads(&perfetto, nested);
	if (!err)
		put_overlapping(&perfetto, perfetto.calls + nested, export->regions.nr - nested);
	if (perfetto.trace.failed || perfetto.packet.failed || perfetto.part.failed)
		err = -ENOMEM;
	protobuf_free(&perfetto.trace);
	protobuf_free(&perfetto.packet);
	protobuf_free(&perfetto.part);
	protobuf_free(&perfetto.inner);
	free(perfetto.calls);
	free(perfetto.open);
	return err;
}

const struct export_format perfetto_format = {
	.name = "perfetto",
	.of_regions = true,
	.only_regions = true,
	.binary = true,
	.write = write_perfetto,
};
