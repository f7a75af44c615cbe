// SPDX-License-Identifier: GPL-2.0
/*
 * Map run-time generated functions when the records reach the time at which the program
 * placed them. A moved function keeps its code, which is found by the function's index.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "jitcode.h"

/* The code of a function in the dump; @size 0: unknown. */
struct code {
	uint64_t offset;
	uint64_t size;
};

/**
 * struct jitcode - a program whose dump is followed
 * @dump: its dump
 * @pending: the next function in @dump, if @has_pending
 * @codes: by index of the function
 */
struct jitcode {
	struct jitcode *next;	/* the next program */
	struct jitdump *dump;
	struct jit_load pending;
	bool has_pending;
	struct code *codes;
	size_t nr_codes;
	struct process *process;
	struct dso *dso;
};

static struct jitcode *new_program(struct jitdump *dump,
				   struct process *process, struct dso *dso)
{
	struct jitcode *program = calloc(1, sizeof(*program));

	if (!program) {
		jitdump_close(dump);
		return NULL;
	}
	program->dump = dump;
	program->process = process;
	program->dso = dso;
	program->has_pending = jitdump_next(dump, &program->pending);
	return program;
}

int jitcode_follow(struct jitcode **followed, struct process *process,
		   struct dso *dso, const struct symbol_sources *sources,
		   bool monotonic)
{
	struct jitcode *program;
	struct jitdump *dump;

	for (program = *followed; program; program = program->next)
		if (program->process == process && program->dso == dso)
			return 0;
	dump = jitdump_open(dso->path, sources);
	if (!dump)
		return 0;
	if (!monotonic || jitdump_has_own_clock(dump)) {
		jitdump_close(dump);
		return dso_refuse(dso, SYMBOLS_OTHER_CLOCK);
	}
	program = new_program(dump, process, dso);
	if (!program)
		return -ENOMEM;
	program->next = *followed;
	*followed = program;
	return 0;
}

void jitcode_free(struct jitcode *followed)
{
	struct jitcode *next;

	for (; followed; followed = next) {
		next = followed->next;
		jitdump_close(followed->dump);
		free(followed->codes);
		free(followed);
	}
}

/* Indices are consecutive: more than the number of records is damage. */
static int keep_code(struct jitcode *program, const struct jit_load *load)
{
	size_t nr = program->nr_codes;
	struct code *codes;

	if (load->index >= jitdump_size(program->dump) / sizeof(uint64_t))
		return 0;
	if (load->index >= nr) {
		nr = 2 * load->index + 64;
		codes = realloc(program->codes, nr * sizeof(*codes));
		if (!codes)
			return -ENOMEM;
		memset(codes + program->nr_codes, 0,
		       (nr - program->nr_codes) * sizeof(*codes));
		program->codes = codes;
		program->nr_codes = nr;
	}
	program->codes[load->index] = (struct code){ load->offset, load->size };
	return 0;
}

/* The code to map; the size that a move record states may be wrong. */
static struct code code_of(const struct jitcode *program,
			   const struct jit_load *load)
{
	if (load->name)
		return (struct code){ load->offset, load->size };
	if (load->index < program->nr_codes)
		return program->codes[load->index];
	return (struct code){};
}

static int put(struct jitcode *program, const struct jit_load *load,
	       uint64_t *versions)
{
	struct code code = code_of(program, load);
	struct mapping new = {
		.start = load->address,
		.end = load->address + code.size,
		.offset = code.offset,
		.dso = program->dso,
	};

	if (new.end <= new.start)
		return 0;
	program->process->version = ++*versions;
	return process_map_code(program->process, &new);
}

static int advance(struct jitcode *program, uint64_t time, uint64_t *versions)
{
	int err = 0;

	while (!err && program->has_pending && program->pending.time <= time) {
		if (program->pending.name)
			err = keep_code(program, &program->pending);
		if (!err)
			err = put(program, &program->pending, versions);
		program->has_pending = jitdump_next(program->dump,
						    &program->pending);
	}
	return err;
}

int jitcode_advance(struct jitcode *followed, uint64_t time, uint64_t *versions,
		    uint64_t *due)
{
	int err = 0;

	*due = UINT64_MAX;
	for (; followed && !err; followed = followed->next) {
		err = advance(followed, time, versions);
		if (followed->has_pending && followed->pending.time < *due)
			*due = followed->pending.time;
	}
	return err;
}

