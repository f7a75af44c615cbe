// SPDX-License-Identifier: GPL-2.0
/* Places, frames and function names for programs outside the library. */
#include <errno.h>
#include <stdlib.h>

#include "profile_private.h"
#include "util/array.h"
#include "util/cancel.h"

/* @of: a symbol, or an interned name of the debugging information. */
struct name_key {
	const void *of;
	enum kermon_name form;
};

/* Cached result of demangling a name to one form. */
struct shown_name {
	struct name_key key;
	const char *name;		/* interned */
};

static struct kermon_place public_place(const struct place *place,
					uint64_t address)
{
	const struct dso *dso = place->dso;

	if (!dso)
		return (struct kermon_place){ 0 };
	return (struct kermon_place){
		.dso = dso,
		.symbol = place->symbol,
		.name = dso->name,
		.path = dso->path,
		.is_kernel = dso->kind == DSO_KERNEL || dso->kind == DSO_MODULE,
		.offset = dso->kind == DSO_ANONYMOUS ? address : place->offset,
	};
}

bool kermon_profile_place(const struct kermon_profile_sample *sample,
			  unsigned int mode, uint64_t address,
			  struct kermon_place *result)
{
	struct kermon_profile *profile = sample->profile;
	struct place place = { .dso = NULL };

	if (profile->now)
		place = places_find(profile->pipeline.places,
				    profile->now->thread, mode, address, 0);
	*result = public_place(&place, address);
	return place.dso;
}

bool kermon_profile_branch_end(const struct kermon_profile_sample *sample,
			       uint64_t address, struct kermon_place *result)
{
	struct kermon_profile *profile = sample->profile;
	struct place place = { .dso = NULL };

	if (profile->now)
		place = places_find_branch_end(profile->pipeline.places,
					       profile->now->thread,
					       sample->mode, address);
	*result = public_place(&place, address);
	return place.dso;
}

bool kermon_profile_data(const struct kermon_profile_sample *sample,
			 struct kermon_place *result)
{
	struct kermon_profile *profile = sample->profile;
	struct place place = { .dso = NULL };

	if (profile->now)
		place = places_find_data(profile->pipeline.places,
					 profile->now->thread, sample->mode,
					 sample->addr);
	*result = public_place(&place, sample->addr);
	return place.dso;
}

ssize_t kermon_profile_frames(const struct kermon_profile_sample *sample,
			      const struct kermon_frame **frames)
{
	struct kermon_profile *profile = sample->profile;
	const struct frame *found;
	ssize_t nr;

	if (!profile->now)
		return 0;
	nr = callchain_resolve(profile->chain, profile->now, &found);
	if (nr < 0)
		return nr;
	if (array_room(profile->frames, profile->room_frames, (size_t)nr + 1))
		return -ENOMEM;
	for (ssize_t i = 0; i < nr; i++)
		profile->frames[i] = (struct kermon_frame){
			.address = found[i].address,
			.mode = found[i].mode,
			.is_return = found[i].is_return,
			.has_inlines = found[i].has_inlines,
			.place = public_place(&found[i].place,
					      found[i].address),
		};
	*frames = profile->frames;
	return nr;
}

static bool is_name_of(const void *item, const void *wanted)
{
	const struct shown_name *shown = item;
	const struct name_key *key = wanted;

	return shown->key.of == key->of && shown->key.form == key->form;
}

/* Convert @name to a form. Return: interned. */
static const char *write_name(struct interned *strings, const char *name,
			      enum kermon_name form)
{
	const char *written;
	char *demangled = NULL;

	if (form == KERMON_NAME_FULL)
		demangled = symbol_demangle(name);
	else if (form == KERMON_NAME_SHORT)
		demangled = symbol_demangle_short(name);
	written = intern(strings, demangled ? demangled : name);
	free(demangled);
	return written;
}

static const char *new_name(struct kermon_profile *profile,
			    const struct name_key *key, const char *name,
			    uint64_t hash)
{
	struct shown_name *shown = malloc(sizeof(*shown));

	if (!shown)
		return NULL;
	shown->key = *key;
	shown->name = write_name(&profile->strings, name, key->form);
	if (shown->name && !hash_add(&profile->names, hash, shown))
		return shown->name;
	free(shown);
	return NULL;
}

/* Name of the object @of, which is called @name in its file; NULL if out of memory. */
static const char *name_of(struct kermon_profile *profile, const void *of,
			   const char *name, enum kermon_name form)
{
	const struct name_key key = { .of = of, .form = form };
	uint64_t hash = hash_mix((uintptr_t)of + form);
	void **found = hash_find(&profile->names, hash, is_name_of, &key);

	if (found)
		return ((struct shown_name *)*found)->name;
	return new_name(profile, &key, name, hash);
}

const char *kermon_profile_symbol(struct kermon_profile *profile,
				  const struct kermon_place *place,
				  enum kermon_name form)
{
	if (!place->symbol)
		return NULL;
	return name_of(profile, place->symbol,
		       symbol_name(place->dso, place->symbol), form);
}

uint64_t kermon_place_offset(const struct kermon_place *place)
{
	if (!place->symbol)
		return 0;
	return symbol_offset(place->dso, place->symbol, place->offset);
}

ssize_t kermon_profile_source(struct kermon_profile *profile,
			      const struct kermon_place *place, bool is_return,
			      enum kermon_name form,
			      const struct kermon_source_line **lines)
{
	const struct source *source;

	if (!place->dso)
		return 0;
	source = dso_source((struct dso *)place->dso,
			    &profile->pipeline.sources,
			    place->offset - is_return);
	if (!source)
		return cancel_check(profile->pipeline.sources.cancel);
	if (array_room(profile->lines, profile->room_lines, source->nr + 1))
		return -ENOMEM;
	for (size_t i = 0; i < source->nr; i++) {
		profile->lines[i] = (struct kermon_source_line){
			.file = source->lines[i].file,
			.line = source->lines[i].line,
		};
		if (!source->lines[i].function)
			continue;
		profile->lines[i].function =
			name_of(profile, source->lines[i].function,
				source->lines[i].function, form);
		if (!profile->lines[i].function)
			return -ENOMEM;
	}
	*lines = profile->lines;
	return source->nr;
}

void profile_free_names(struct kermon_profile *profile)
{
	for (size_t i = 0; i < profile->names.room; i++)
		free(profile->names.slots[i].item);
	hash_free(&profile->names);
	intern_free(&profile->strings);
}
