// SPDX-License-Identifier: GPL-2.0
/* ITT: frames, which are marked when they end. */
#include <kermon/self.h>

#include "itt_names.h"
#include "process.h"
#include "thread.h"

/* Frames that may be open at once, in all domains; more are not collected. */
#define OPEN_FRAMES	64

static struct frame {
	const struct region *name;
	unsigned long long d1, d2;
	uint64_t begin;
} frames[OPEN_FRAMES];

static const struct itt_id no_id;

/* The frame of that name and identity, or a free one; or NULL. The caller holds the lock. */
static struct frame *find(const struct region *name, const struct itt_id *id)
{
	struct frame *unused = NULL;

	for (int i = 0; i < OPEN_FRAMES; i++) {
		if (frames[i].name == name && frames[i].d1 == id->d1 && frames[i].d2 == id->d2)
			return &frames[i];
		if (!frames[i].name)
			unused = &frames[i];
	}
	return unused;
}

static void begin(const struct region *name, const struct itt_id *id)
{
	struct frame *frame;

	if (!name || !process_lock())
		return;
	frame = find(name, id);
	if (frame)
		*frame = (struct frame){ name, id->d1, id->d2, __kermon_rdtsc() };
	process_unlock();
}

/* A frame that ends at @tsc, or now if that is 0. */
static void submit(struct region *name, uint64_t first, uint64_t tsc)
{
	const struct plain_mark mark = {
		.kind = MARK_FRAME, .name = name, .tsc = tsc, .nr = 1, .values = { first },
	};

	thread_mark(&mark);
}

static void end(struct region *name, const struct itt_id *id)
{
	struct frame ended = {}, *frame;

	if (!name || !process_lock())
		return;
	frame = find(name, id);
	if (frame) {
		ended = *frame;
		frame->name = NULL;
	}
	process_unlock();
	if (ended.name)
		submit(name, ended.begin, 0);
}

/* Frames have the name of their domain. */
static struct region *frame_name(const struct itt_domain *domain)
{
	if (!itt_is_on(domain) || !domain->name)
		return NULL;
	return names_find(MARK_NAME_FRAME, NULL, domain->name, RING_NAME_MAX);
}

void __itt_frame_begin_v3(const struct itt_domain *domain, struct itt_id *id)
{
	begin(frame_name(domain), id ? id : &no_id);
}

void __itt_frame_end_v3(const struct itt_domain *domain, struct itt_id *id)
{
	end(frame_name(domain), id ? id : &no_id);
}

/* The times are of __itt_get_timestamp(). */
void __itt_frame_submit_v3(const struct itt_domain *domain, struct itt_id *id, uint64_t first,
			   uint64_t last)
{
	struct region *name = frame_name(domain);

	(void)id;
	if (name && first != ITT_NO_TIME)
		submit(name, first, last == ITT_NO_TIME ? 0 : last);
}

void *__itt_frame_create(const char *name)
{
	return name ? names_find(MARK_NAME_FRAME, NULL, name, RING_NAME_MAX) : NULL;
}

void __itt_frame_begin(void *frame)
{
	begin(frame, &no_id);
}

void __itt_frame_end(void *frame)
{
	end(frame, &no_id);
}
