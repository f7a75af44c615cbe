// SPDX-License-Identifier: GPL-2.0
/* What marks say, as a line of text. */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "marks/words.h"
#include "private.h"
#include "util/cursor.h"

/* A word for people, who need no identifier; NULL: there is no such kind. */
static const char *word_of(unsigned int kind)
{
	switch (kind) {
	case MARK_VALUE_DOUBLE:
		return mark_words[MARK_VALUE];
	case MARK_SKIP:
		return "excluded";
	case MARK_CLOSED:
		return "thread ended";
	default:
		return kind < MARK_MAX ? mark_words[kind] : NULL;
	}
}

static void put_real(FILE *out, uint64_t bits)
{
	double value;

	memcpy(&value, &bits, sizeof(value));
	fprintf(out, " %g", value);
}

static void put_values(FILE *out, const struct region_mark *mark)
{
	switch (mark->kind) {
	case MARK_VALUE:
	case MARK_LOST:
		fprintf(out, " %" PRIu64, mark->values[0]);
		break;
	case MARK_VALUE_DOUBLE:
	case MARK_COUNTER:
		put_real(out, mark->values[0]);
		break;
	case MARK_OPEN:
		fprintf(out, " task %#" PRIx64, mark->values[0]);
		if (mark->values[1])
			fprintf(out, " in %#" PRIx64, mark->values[1]);
		break;
	case MARK_CLOSE:
		fprintf(out, " task %#" PRIx64, mark->values[0]);
		break;
	case MARK_FRAME:
		fprintf(out, " of %" PRIu64 " ns", mark->time - mark->values[0]);
		break;
	}
}

static void put_counts(FILE *out, const struct region_mark *mark)
{
	if (!mark->nr_counts)
		return;
	fprintf(out, " set %u:", mark->set);
	for (size_t i = 0; i < mark->nr_counts; i++)
		fprintf(out, " %" PRIu64, sample_word(mark->counts, i));
}

/* The branch that the thread is in before the mark, unless it is outside. */
static void put_branch(FILE *out, const struct regions *regions,
		       const struct regions_sample *sample)
{
	const struct track *track = tracks_known(regions, sample->pid, sample->tid);
	char branch[4096];

	if (track && track_node(track) != REGIONS_OUTSIDE)
		fprintf(out, " in %s", regions_branch(regions, track_node(track), branch,
						      sizeof(branch)));
}

static int put_mark(FILE *out, struct regions *regions, const struct regions_sample *sample)
{
	struct region_process *process = tracks_process(regions, sample->pid);
	const struct name *name;
	struct region_mark mark;

	if (!process)
		return -ENOMEM;
	if (!mark_decode(sample, &mark) || !word_of(mark.kind)) {
		fputs("damaged mark", out);
		return 0;
	}
	name = mark.id ? region_names_known(process, mark.id) : NULL;
	fputs(word_of(mark.kind), out);
	if (name)
		fprintf(out, " %s", name->text);
	else if (mark.id)
		fprintf(out, " name %u", mark.id);
	put_values(out, &mark);
	put_branch(out, regions, sample);
	put_counts(out, &mark);
	return 0;
}

static void put_name(FILE *out, const struct regions_sample *sample)
{
	struct cursor c = cursor_of(sample->raw, sample->raw_size);
	uint32_t id, domain, kind, thread, place;

	cursor_take(&c, sizeof(struct perfdata_common));
	id = cursor_u32(&c);
	domain = cursor_u32(&c);
	kind = cursor_u32(&c);
	thread = cursor_u32(&c);
	place = cursor_u32(&c);
	if (c.failed || (place & 0xffff) > sample->raw_size ||
	    place >> 16 > sample->raw_size - (place & 0xffff)) {
		fputs("damaged name", out);
		return;
	}
	fputs(kind < MARK_NAME_MAX ? mark_name_words[kind] : "name", out);
	fprintf(out, " %u", kind == MARK_NAME_THREAD ? thread : id);
	if (domain)
		fprintf(out, " of domain %u", domain);
	fprintf(out, ": %.*s", (int)(place >> 16),
		(const char *)sample->raw + (place & 0xffff));
}

int regions_text(struct regions *regions, const struct regions_sample *sample, char *text,
		 size_t size)
{
	FILE *out = fmemopen(text, size, "w");
	int err = 0;

	if (!out)
		return -ENOMEM;
	if (perfdata_is_region(sample->attr))
		err = put_mark(out, regions, sample);
	else
		put_name(out, sample);
	fflush(out);
	err = err ? err : (int)ftell(out);
	fclose(out);
	return err;
}
