/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Mapped objects (DSOs): programs, libraries, the kernel and its modules, data files.
 * There is one struct dso for each, however many processes map it.
 */
#ifndef KERMON_DSO_H
#define KERMON_DSO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "build_id.h"
#include "util/hash.h"
#include "util/intern.h"

enum dso_kind {
	DSO_FILE,		/* ELF file, or assumed to be one */
	DSO_KERNEL,
	DSO_MODULE,
	DSO_VDSO,
	DSO_ANONYMOUS,		/* anonymous memory, nothing else known */
	DSO_JIT,		/* one process's run-time generated code */
	DSO_JITDUMP,		/* the same with a jitdump file */
	DSO_KSYMBOL,		/* a kernel function generated at run time */
};

struct symbols;
struct lines;

/**
 * struct kernel_identity - which kernel was recorded, and its address
 * @build_id: as recorded
 * @text: address of its symbol _text; 0: unknown
 * @release: as printed by uname -r; "": unknown
 */
struct kernel_identity {
	struct build_id build_id;
	uint64_t text;
	char release[65];
};

/**
 * struct dso - a mapped object
 * @path: as recorded
 * @name: for tables: the last part of the path, or [name] for the kernel's; interned,
 *	so that equal names have the same address
 * @build_id: as recorded
 * @start: load address of a kernel module, else 0
 * @running_on: the kernel of the recording
 * @has_code: it was mapped executable
 * @has_data: it was mapped non-executable
 * @number: like that of symbols, for all of its code without a symbol
 * @symbols: its symbols, once they have been read
 * @free_symbols: frees @symbols; set together with it
 * @lines: its source lines, once they have been read
 * @free_lines: frees @lines; set together with it
 */
struct dso {
	const char *path;
	const char *name;
	enum dso_kind kind;
	struct build_id build_id;
	uint64_t start;
	const struct kernel_identity *running_on;
	bool has_code;
	bool has_data;
	uint32_t number;
	struct symbols *symbols;
	void (*free_symbols)(struct symbols *symbols);
	struct lines *lines;
	void (*free_lines)(struct lines *lines);
};

/* Whether it has only been mapped non-executable so far. */
static inline bool dso_is_data(const struct dso *dso)
{
	return dso->has_data && !dso->has_code;
}

/**
 * struct dsos - all DSOs of a file
 * @by_path: the DSOs so far, by path, build id and, for modules, start
 * @build_ids: build ids of paths according to the file, struct known_build_id
 * @strings: the strings that they point to
 * @kernel: the recorded kernel according to the file
 */
struct dsos {
	struct hash by_path;
	struct hash build_ids;
	struct interned strings;
	struct kernel_identity kernel;
};

/*
 * Path of anonymous executable memory, as in perf: the map in which programs describe
 * the code that they generate.
 */
#define DSO_JIT_START	"/tmp/perf-"
#define DSO_JIT_PATH	DSO_JIT_START "%d.map"

/*
 * Find or create the DSO with this path and build id. If @build_id is NULL, use the one
 * from dsos_know_build_id(). Return: NULL if out of memory.
 */
struct dso *dsos_get(struct dsos *dsos, const char *path,
		     const struct build_id *build_id, bool kernel_mode);

/*
 * The same for kernel mappings. A module that was reloaded at another @start is another
 * DSO.
 */
struct dso *dsos_get_kernel(struct dsos *dsos, const char *path,
			    const struct build_id *build_id, uint64_t start);

/* The same for a DSO whose kind does not follow from its path. */
struct dso *dsos_get_as(struct dsos *dsos, const char *path, enum dso_kind kind);

/* Remember the build id of a path from the BUILD_ID feature. Return: 0 or -ENOMEM. */
int dsos_know_build_id(struct dsos *dsos, const char *path,
		       const struct build_id *build_id);

/* The first of the @nr @wanted DSOs in the order of dsos_sorted(); NULL: there are none. */
const struct dso *dsos_first(const struct dsos *dsos,
			     bool (*wanted)(const struct dso *dso), size_t *nr);

/*
 * The @nr @wanted DSOs in the order of path, build id and start, so that what is printed does
 * not depend on addresses. The caller frees the array. Return: NULL if out of memory.
 */
const struct dso **dsos_sorted(const struct dsos *dsos,
			       bool (*wanted)(const struct dso *dso), size_t *nr);

void dsos_free(struct dsos *dsos);

#endif /* KERMON_DSO_H */
