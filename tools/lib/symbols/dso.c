// SPDX-License-Identifier: GPL-2.0
/*
 * One struct dso per mapped file, identified by path, build id and, for kernel modules,
 * load address.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dso.h"

#define KERNEL_PREFIX	"[kernel.kallsyms]"

struct known_build_id {
	const char *path;	/* interned */
	struct build_id build_id;
};

struct dso_key {
	const char *path;	/* interned */
	const struct build_id *build_id;
	uint64_t start;
};

static bool same_dso(const void *item, const void *key)
{
	const struct dso_key *wanted = key;
	const struct dso *dso = item;

	return dso->path == wanted->path && dso->start == wanted->start &&
	       build_id_equal(&dso->build_id, wanted->build_id);
}

static bool known_path(const void *item, const void *key)
{
	const struct known_build_id *known = item;

	return known->path == key;
}

static uint64_t pointer_hash(const void *pointer)
{
	return hash_mix((uintptr_t)pointer);
}

static bool jit_pid(const char *path, int *pid)
{
	int length = 0;

	if (strncmp(path, DSO_JIT_START, strlen(DSO_JIT_START)))
		return false;	/* saves time: this is asked for each mapping */
	return sscanf(path, DSO_JIT_PATH "%n", pid, &length) == 1 && length &&
	       !path[length];
}

static enum dso_kind kind_of(const char *path, bool kernel_mode)
{
	int pid;

	if (!strncmp(path, KERNEL_PREFIX, strlen(KERNEL_PREFIX)))
		return DSO_KERNEL;
	if (kernel_mode)
		return DSO_MODULE;
	if (!strcmp(path, "[vdso]"))
		return DSO_VDSO;
	if (jit_pid(path, &pid))
		return DSO_JIT;
	if (path[0] == '[')
		return DSO_ANONYMOUS;
	return DSO_FILE;
}

/* Perf's name; a process is identified by the id of its first thread. */
static const char *jit_name(struct dsos *dsos, const char *path)
{
	char name[32];
	int pid;

	if (!jit_pid(path, &pid))
		return path;
	snprintf(name, sizeof(name), "[JIT] tid %d", pid);
	return intern(&dsos->strings, name);
}

/* "/lib/modules/.../snd_hda.ko.xz" becomes "[snd_hda]". */
static const char *module_name(struct dsos *dsos, const char *base)
{
	size_t len = strcspn(base, ".");
	char name[256];

	if (base[0] == '[')
		return base;
	snprintf(name, sizeof(name), "[%.*s]", (int)len, base);
	for (char *c = name; *c; c++)
		if (*c == '-')
			*c = '_';
	return intern(&dsos->strings, name);
}

static const char *name_of(struct dsos *dsos, const char *path,
			   enum dso_kind kind)
{
	const char *slash = strrchr(path, '/');
	const char *base = slash && slash[1] ? slash + 1 : path;

	switch (kind) {
	case DSO_KERNEL:
		return KERNEL_PREFIX;
	case DSO_MODULE:
		return module_name(dsos, base);
	case DSO_KSYMBOL:
		return path;
	case DSO_JIT:
		return jit_name(dsos, path);
	default:
		return base;
	}
}

static struct dso *new_dso(struct dsos *dsos, const struct dso_key *key,
			   uint64_t hash, enum dso_kind kind)
{
	struct dso *dso = calloc(1, sizeof(*dso));
	const char *name;

	if (!dso)
		return NULL;
	dso->path = key->path;
	dso->build_id = *key->build_id;
	dso->start = key->start;
	dso->running_on = &dsos->kernel;
	dso->kind = kind;
	name = name_of(dsos, dso->path, dso->kind);
	dso->name = name ? intern(&dsos->strings, name) : NULL;
	if (!dso->name || hash_add(&dsos->by_path, hash, dso)) {
		free(dso);
		return NULL;
	}
	return dso;
}

static const struct build_id *find_build_id(const struct dsos *dsos,
					    const char *path)
{
	static const struct build_id unknown;
	void **found = hash_find(&dsos->build_ids, pointer_hash(path),
				 known_path, path);

	return found ? &((struct known_build_id *)*found)->build_id : &unknown;
}

/* The same path may occur many times: a program that was rebuilt again and again. */
static uint64_t key_hash(const struct dso_key *key)
{
	uint64_t hash = hash_bytes(key->build_id->bytes, key->build_id->size);

	hash = hash_mix(pointer_hash(key->path) ^ hash);
	return hash_mix(hash ^ key->start);
}

/* @key.path need not be interned. */
static struct dso *get(struct dsos *dsos, struct dso_key key, enum dso_kind kind)
{
	uint64_t hash;
	void **found;

	key.path = intern(&dsos->strings, key.path);
	if (!key.path)
		return NULL;
	if (!key.build_id)
		key.build_id = find_build_id(dsos, key.path);
	hash = key_hash(&key);
	found = hash_find(&dsos->by_path, hash, same_dso, &key);
	return found ? *found : new_dso(dsos, &key, hash, kind);
}

struct dso *dsos_get(struct dsos *dsos, const char *path,
		     const struct build_id *build_id, bool kernel_mode)
{
	return get(dsos, (struct dso_key){ path, build_id, 0 },
		   kind_of(path, kernel_mode));
}

struct dso *dsos_get_kernel(struct dsos *dsos, const char *path,
			    const struct build_id *build_id, uint64_t start)
{
	enum dso_kind kind = kind_of(path, true);

	if (kind != DSO_MODULE)
		start = 0;
	return get(dsos, (struct dso_key){ path, build_id, start }, kind);
}

struct dso *dsos_get_as(struct dsos *dsos, const char *path, enum dso_kind kind)
{
	static const struct build_id unknown;

	return get(dsos, (struct dso_key){ path, &unknown, 0 }, kind);
}

int dsos_know_build_id(struct dsos *dsos, const char *path,
		       const struct build_id *build_id)
{
	struct known_build_id *known = malloc(sizeof(*known));

	if (kind_of(path, false) == DSO_KERNEL)
		dsos->kernel.build_id = *build_id;
	if (!known)
		return -ENOMEM;
	known->path = intern(&dsos->strings, path);
	known->build_id = *build_id;
	if (known->path && hash_find(&dsos->build_ids,
				     pointer_hash(known->path), known_path,
				     known->path)) {
		free(known);
		return 0;
	}
	if (!known->path || hash_add(&dsos->build_ids,
				     pointer_hash(known->path), known)) {
		free(known);
		return -ENOMEM;
	}
	return 0;
}

static int compare_dsos(const struct dso *a, const struct dso *b)
{
	int order = strcmp(a->path, b->path);

	if (!order)
		order = memcmp(&a->build_id, &b->build_id, sizeof(a->build_id));
	return order ? order : (a->start > b->start) - (a->start < b->start);
}

static int compare_elements(const void *a, const void *b)
{
	return compare_dsos(*(const struct dso *const *)a, *(const struct dso *const *)b);
}

/* The wanted DSO in a slot of the table; NULL: there is none. */
static const struct dso *dso_in(const struct dsos *dsos, size_t slot,
				bool (*wanted)(const struct dso *dso))
{
	const struct dso *dso = dsos->by_path.slots[slot].item;

	return dso && wanted(dso) ? dso : NULL;
}

const struct dso *dsos_first(const struct dsos *dsos,
			     bool (*wanted)(const struct dso *dso), size_t *nr)
{
	const struct dso *first = NULL, *dso;

	*nr = 0;
	for (size_t i = 0; i < dsos->by_path.room; i++) {
		dso = dso_in(dsos, i, wanted);
		if (dso && (!first || compare_dsos(dso, first) < 0))
			first = dso;
		*nr += !!dso;
	}
	return first;
}

const struct dso **dsos_sorted(const struct dsos *dsos,
			       bool (*wanted)(const struct dso *dso), size_t *nr)
{
	const struct dso **all, *dso;

	*nr = 0;
	all = malloc((dsos->by_path.nr + 1) * sizeof(*all));
	if (!all)
		return NULL;
	for (size_t i = 0; i < dsos->by_path.room; i++) {
		dso = dso_in(dsos, i, wanted);
		if (dso)
			all[(*nr)++] = dso;
	}
	qsort(all, *nr, sizeof(*all), compare_elements);
	return all;
}

void dsos_free(struct dsos *dsos)
{
	struct dso *dso;

	for (size_t i = 0; i < dsos->by_path.room; i++) {
		dso = dsos->by_path.slots[i].item;
		if (!dso)
			continue;
		if (dso->symbols)
			dso->free_symbols(dso->symbols);
		if (dso->lines)
			dso->free_lines(dso->lines);
		free(dso);
	}
	for (size_t i = 0; i < dsos->build_ids.room; i++)
		free(dsos->build_ids.slots[i].item);
	hash_free(&dsos->by_path);
	hash_free(&dsos->build_ids);
	intern_free(&dsos->strings);
}
