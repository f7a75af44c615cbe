/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What was mapped: programs, libraries, the kernel and its modules, files of data.
 * One struct dso stands for each, however many processes have it mapped.
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
	DSO_FILE,		/* ELF file, or what claims to be one */
	DSO_KERNEL,
	DSO_MODULE,
	DSO_VDSO,
	DSO_ANONYMOUS,		/* nothing that can be told more of */
	DSO_JIT,		/* of one process: code made at run time */
	DSO_JITDUMP,		/* the same with a dump of it */
	DSO_KSYMBOL,		/* a function of the kernel, made at run time */
};

struct symbols;
struct lines;

/**
 * struct kernel_identity - which kernel was recorded, and where it was
 * @build_id: as recorded
 * @text: address of its symbol _text; 0: not known
 * @release: as uname -r has it; "": not known
 */
struct kernel_identity {
	struct build_id build_id;
	uint64_t text;
	char release[65];
};

/**
 * struct dso - something that is mapped
 * @path: as recorded
 * @name: for tables: the last part of the path, or [name] for the kernel's; interned,
 *	so that equal names have the same address
 * @build_id: as recorded
 * @start: of a module of the kernel, where that had put it; else 0
 * @running_on: the kernel of the recording
 * @has_code: it was mapped to be executed
 * @has_data: it was mapped not to be
 * @symbols: its symbols, once they have been read
 * @free_symbols: frees @symbols; set by whoever set these
 * @lines: likewise its source lines
 * @free_lines: frees @lines
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
	struct symbols *symbols;
	void (*free_symbols)(struct symbols *symbols);
	struct lines *lines;
	void (*free_lines)(struct lines *lines);
};

/* A file that nothing of was ever mapped to be executed, as far as is known by now. */
static inline bool dso_is_data(const struct dso *dso)
{
	return dso->has_data && !dso->has_code;
}

/**
 * struct dsos - all of them
 * @by_path: the ones found so far, by path, build id and, of modules, start
 * @build_ids: what the file says about paths, struct known_build_id
 * @strings: that they point to
 * @kernel: what the file says about the kernel
 */
struct dsos {
	struct hash by_path;
	struct hash build_ids;
	struct interned strings;
	struct kernel_identity kernel;
};

/*
 * What stands for the memory of a process that is mapped from no file: a name as
 * perf has it, of the map that programs tell of code they make.
 */
#define DSO_JIT_PATH	"/tmp/perf-%d.map"

/*
 * The one with this path and build id; @build_id may be NULL, and is taken from
 * dsos_know_build_id() then. NULL: no memory.
 */
struct dso *dsos_get(struct dsos *dsos, const char *path,
		     const struct build_id *build_id, bool kernel_mode);

/*
 * The same for what is mapped in the kernel. A module that was removed and comes
 * again at another @start is another one.
 */
struct dso *dsos_get_kernel(struct dsos *dsos, const char *path,
			    const struct build_id *build_id, uint64_t start);

/* The same for one that is not what its path looks like. */
struct dso *dsos_get_as(struct dsos *dsos, const char *path, enum dso_kind kind);

/* What was mapped from @path, told by the BUILD_ID feature. 0 or -ENOMEM. */
int dsos_know_build_id(struct dsos *dsos, const char *path,
		       const struct build_id *build_id);

void dsos_free(struct dsos *dsos);

#endif /* KERMON_DSO_H */
