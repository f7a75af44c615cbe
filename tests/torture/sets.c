// SPDX-License-Identifier: GPL-2.0
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "dice.h"
#include "hostile.h"
#include "log.h"
#include "sets.h"

static struct kermon_event events[KERMON_MAX_EVENTS];
static struct kermon_more_events more[KERMON_MAX_SETS - 1];

/* As many as any CPU can count. */
#define NR_EVENTS	4

/* KERMON_COUNT_*; kernel mode and energy only for privileged users. */
static unsigned int good_modes(void)
{
	return geteuid() && !one_in(32) ? KERMON_COUNT_USER : 1 + dice(3);
}

static struct kermon_event good_event(void)
{
	static const unsigned int codes[] = { 0xc0, 0x3c, 0xc4, 0x81d0, 0x2010 };

	return (struct kermon_event){
		.config = codes[dice(sizeof(codes) / sizeof(*codes))] |
			  good_modes() << 16,
	};
}

/* Add sets for rotation, with some of the same events. */
static void take_turns(struct kermon_event_set *set)
{
	unsigned int i;

	set->nr_more = one_in(4) ? dice(KERMON_MAX_SETS) : dice(3);
	for (i = 0; i < set->nr_more; i++)
		more[i] = (struct kermon_more_events){
			.set_id = i + 1,
			.nr_events = dice(NR_EVENTS + 1),
			.events = (uintptr_t)events,
		};
	set->more = (uintptr_t)more;
	if (one_in(2))
		set->rotate_ns = KERMON_ROTATE_MIN_NS;
}

struct kermon_event_set good_set(void)
{
	struct kermon_event_set set = plain_set();
	unsigned int i;

	for (i = 0; i < NR_EVENTS; i++)
		events[i] = good_event();
	set.nr_events = dice(NR_EVENTS + 1);
	set.events = (uintptr_t)events;
	if (one_in(3))
		take_turns(&set);
	set.log_bytes = KERMON_LOG_MIN_BYTES << (one_in(4) ? dice(4) : 0);
	set.count = good_modes();
	set.flags = (geteuid() ? one_in(32) : dice(2)) * KERMON_SET_ENERGY |
		    dice(2) * KERMON_SET_OVERWRITE |
		    dice(2) * KERMON_SET_COALESCE;
	set.interval_ns = one_in(2) ? KERMON_INTERVAL_MIN_NS : 0;
	set.watermark = dice(KERMON_LOG_MIN_BYTES / 2);
	return set;
}

/* AMD's event select has four more bits. */
static void spoil_event(struct kermon_event *event)
{
	switch (dice(3)) {
	case 0:
		event->config ^= hostile_number();
		break;
	case 1:
		event->config |= (uint64_t)dice(16) << 32;
		break;
	case 2:
		event->extra = hostile_number();
		break;
	}
}

static void spoil_word(struct kermon_event_set *set)
{
	uint32_t words[sizeof(*set) / sizeof(uint32_t)];

	memcpy(words, set, sizeof(*set));
	words[dice(sizeof(*set) / sizeof(uint32_t))] = hostile_number();
	memcpy(set, words, sizeof(*set));
}

struct kermon_event_set hostile_set(void)
{
	struct kermon_event_set set = good_set();

	if (one_in(12))
		spoil_event(&events[dice(NR_EVENTS)]);
	if (one_in(16))
		more[dice(KERMON_MAX_SETS - 1)].events = hostile_number();
	set.events = (uintptr_t)hostile_copy(events, sizeof(events));
	if (one_in(8))
		spoil_word(&set);
	return set;
}
