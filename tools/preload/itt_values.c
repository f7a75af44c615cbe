// SPDX-License-Identifier: GPL-2.0
/* ITT: counters and metadata. */
#include <stdio.h>
#include <string.h>

#include "arena.h"
#include "itt_names.h"
#include "process.h"
#include "thread.h"

/* Numbers of an array of metadata, and distinct texts: more would be data, not names. */
#define VALUES_MAX	16
#define TEXT_MAX	200

/**
 * struct counter - what a handle of a counter points to
 * @name: of the counter
 * @type: enum itt_type of what is set
 * @value: of one that is incremented
 */
struct counter {
	struct region *name;
	int type;
	int64_t value;
};

/* A number of any type; false: the type is not known. */
static bool number_of(int type, const void *data, double *number)
{
	union {
		uint64_t u64;
		int64_t s64;
		uint32_t u32;
		int32_t s32;
		uint16_t u16;
		int16_t s16;
		float single;
		double full;
	} value;
	static const unsigned char sizes[] = {
		[ITT_U64] = 8, [ITT_S64] = 8, [ITT_U32] = 4, [ITT_S32] = 4,
		[ITT_U16] = 2, [ITT_S16] = 2, [ITT_FLOAT] = 4, [ITT_DOUBLE] = 8,
	};

	if (type <= ITT_UNKNOWN || type > ITT_DOUBLE || !data)
		return false;
	memcpy(&value, data, sizes[type]);
	switch (type) {
	case ITT_U64: *number = value.u64; break;
	case ITT_S64: *number = value.s64; break;
	case ITT_U32: *number = value.u32; break;
	case ITT_S32: *number = value.s32; break;
	case ITT_U16: *number = value.u16; break;
	case ITT_S16: *number = value.s16; break;
	case ITT_FLOAT: *number = value.single; break;
	default: *number = value.full;
	}
	return true;
}

static void mark_number(unsigned int kind, struct region *name, double number)
{
	struct plain_mark mark = { .kind = kind, .name = name, .nr = 1 };

	memcpy(mark.values, &number, sizeof(number));
	thread_mark(&mark);
}

/* A name has one counter, of the type that it had first. */
static struct counter *counter_of(struct region *name, int type)
{
	struct counter *counter;

	if (!name || !process_lock())
		return NULL;
	counter = name->extra;
	if (!counter) {
		counter = arena_take(sizeof(*counter));
		if (counter)
			*counter = (struct counter){ .name = name, .type = type };
		name->extra = counter;
	}
	process_unlock();
	return counter;
}

void *__itt_counter_create_typed(const char *name, const char *domain, int type)
{
	struct region *of = NULL;

	if (!name)
		return NULL;
	if (domain)
		of = names_find(MARK_NAME_DOMAIN, NULL, domain, RING_NAME_MAX);
	return counter_of(names_find(MARK_NAME_COUNTER, of, name, RING_NAME_MAX), type);
}

void *__itt_counter_create(const char *name, const char *domain)
{
	return __itt_counter_create_typed(name, domain, ITT_U64);
}

void *__itt_counter_create_v3(const struct itt_domain *domain, const char *name, int type)
{
	return __itt_counter_create_typed(name, domain ? domain->name : NULL, type);
}

static void add(struct counter *counter, int64_t delta)
{
	int64_t value;

	if (!counter)
		return;
	value = __atomic_add_fetch(&counter->value, delta, __ATOMIC_RELAXED);
	mark_number(MARK_COUNTER, counter->name, value);
}

void __itt_counter_inc(void *counter)
{
	add(counter, 1);
}

void __itt_counter_inc_delta(void *counter, unsigned long long value)
{
	add(counter, value);
}

void __itt_counter_dec(void *counter)
{
	add(counter, -1);
}

void __itt_counter_dec_delta(void *counter, unsigned long long value)
{
	add(counter, -value);
}

static void add_named(const struct itt_domain *domain, const struct itt_string *name,
		      int64_t delta)
{
	if (itt_is_on(domain) && name && name->text)
		add(__itt_counter_create_v3(domain, name->text, ITT_U64), delta);
}

void __itt_counter_inc_v3(const struct itt_domain *domain, struct itt_string *name)
{
	add_named(domain, name, 1);
}

void __itt_counter_inc_delta_v3(const struct itt_domain *domain, struct itt_string *name,
				unsigned long long value)
{
	add_named(domain, name, value);
}

void __itt_counter_dec_v3(const struct itt_domain *domain, struct itt_string *name)
{
	add_named(domain, name, -1);
}

void __itt_counter_dec_delta_v3(const struct itt_domain *domain, struct itt_string *name,
				unsigned long long value)
{
	add_named(domain, name, -value);
}

void __itt_counter_set_value(void *handle, void *value)
{
	struct counter *counter = handle;
	double number;

	if (!counter || !number_of(counter->type, value, &number))
		return;
	/* What is added from here on. */
	__atomic_store_n(&counter->value, (int64_t)number, __ATOMIC_RELAXED);
	mark_number(MARK_COUNTER, counter->name, number);
}

void __itt_counter_set_value_v3(void *counter, void *value)
{
	__itt_counter_set_value(counter, value);
}

/* Unsigned integers stay exact. */
static void mark_value(struct region *name, int type, const void *data)
{
	struct plain_mark mark = { .kind = MARK_VALUE, .name = name, .nr = 1 };
	double number;

	if (type == ITT_U64) {
		memcpy(mark.values, data, sizeof(*mark.values));
		thread_mark(&mark);
	} else if (number_of(type, data, &number)) {
		mark_number(MARK_VALUE_DOUBLE, name, number);
	}
}

static void add_values(const struct itt_domain *domain, struct itt_string *key, int type,
		       size_t nr, const void *data)
{
	static const unsigned char sizes[] = { 0, 8, 8, 4, 4, 2, 2, 4, 8 };
	struct region *name;

	if (!itt_is_on(domain) || !data || type <= ITT_UNKNOWN || type > ITT_DOUBLE)
		return;
	name = itt_name(MARK_NAME_VALUE, domain, key);
	for (size_t i = 0; name && i < nr && i < VALUES_MAX; i++)
		mark_value(name, type, (const char *)data + i * sizes[type]);
}

void __itt_metadata_add(const struct itt_domain *domain, struct itt_id id,
			struct itt_string *key, int type, size_t nr, void *data)
{
	(void)id;
	add_values(domain, key, type, nr, data);
}

void __itt_metadata_add_with_scope(const struct itt_domain *domain, int scope,
				   struct itt_string *key, int type, size_t nr, void *data)
{
	(void)scope;
	add_values(domain, key, type, nr, data);
}

/* A text is a value that is 1: how often it was attached is its sum. */
static void add_text(const struct itt_domain *domain, const struct itt_string *key,
		     const char *text, size_t length)
{
	char joined[TEXT_MAX];
	struct plain_mark mark = { .kind = MARK_VALUE, .nr = 1, .values = { 1 } };

	if (!itt_is_on(domain) || !key || !key->text || !text)
		return;
	length = length ? strnlen(text, length) : strnlen(text, sizeof(joined));
	if (length > sizeof(joined))
		length = sizeof(joined);
	snprintf(joined, sizeof(joined), "%s: %.*s", key->text, (int)length, text);
	mark.name = names_find(MARK_NAME_VALUE, itt_domain_name(domain), joined,
			       sizeof(joined));
	if (mark.name)
		thread_mark(&mark);
}

void __itt_metadata_str_add(const struct itt_domain *domain, struct itt_id id,
			    struct itt_string *key, const char *text, size_t length)
{
	(void)id;
	add_text(domain, key, text, length);
}

void __itt_metadata_str_add_with_scope(const struct itt_domain *domain, int scope,
				       struct itt_string *key, const char *text, size_t length)
{
	(void)scope;
	add_text(domain, key, text, length);
}
