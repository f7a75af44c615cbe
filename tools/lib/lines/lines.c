// SPDX-License-Identifier: GPL-2.0
/*
 * Find the source of a place, read on demand and kept with the DSO: functions and
 * inlined functions from DWARF's units, lines alone from the line table.
 */
#include <dwarf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "lines_private.h"
#include "util/guard.h"

#define PATH_SIZE	4096

static void free_items(struct hash *table)
{
	for (size_t i = 0; i < table->room; i++)
		free(table->slots[i].item);
	hash_free(table);
}

void lines_free(struct lines *lines)
{
	if (!lines)
		return;
	free_items(&lines->known);
	free_items(&lines->known_lines);
	line_table_free(lines->table);
	jit_lines_free(lines->jit);
	free(lines->segments.all);
	intern_free(&lines->strings);
	for (size_t i = 0; i < lines->nr_units; i++)
		spans_free(&lines->units[i].functions);
	free(lines->units);
	spans_free(&lines->spans);
	binary_close(lines->binary);
	free(lines);
}

static bool has_lines(const struct dso *dso)
{
	return dso->kind == DSO_FILE || dso->kind == DSO_VDSO ||
	       dso->kind == DSO_KERNEL || dso->kind == DSO_MODULE;
}

/* Open the sources of information on the lines of a DSO. Return: 0 or -ENOMEM. */
static int open_parts(struct lines *lines, const struct dso *dso,
		      const struct symbol_sources *sources)
{
	if (dso->kind == DSO_JITDUMP)
		return jit_lines_open(dso, sources, &lines->jit);
	if (!has_lines(dso))
		return 0;
	if (binary_open(dso, sources, &lines->binary) < 0)
		return -ENOMEM;
	if (lines->binary && dso->kind == DSO_KERNEL)
		lines->text = binary_text(lines->binary);
	if (lines->binary && dso->kind == DSO_MODULE)
		return binary_module_segments(lines->binary, dso->start,
					      &lines->segments);
	return 0;
}

static struct lines *open_lines(const struct dso *dso,
				const struct symbol_sources *sources)
{
	struct lines *lines = calloc(1, sizeof(*lines));

	if (lines)
		lines->cancel = sources->cancel;
	if (!lines || !open_parts(lines, dso, sources))
		return lines;
	lines_free(lines);
	return NULL;
}

/* The kernel ran at another address than it was linked to. 0: not in the file. */
static uint64_t to_address(struct dso *dso, const struct symbol_sources *sources,
			   uint64_t offset)
{
	const struct kernel_identity *kernel = dso->running_on;
	uint64_t address = 0;

	if (dso->kind == DSO_MODULE) {
		segments_find(&dso->lines->segments, offset, &address);
		return address;
	}
	if (dso->kind != DSO_KERNEL)
		return dso_address(dso, sources, offset);
	if (!kernel->text || !dso->lines->text)
		return offset;
	return offset - kernel->text + dso->lines->text;
}

static const char *text_of(Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attribute;

	return dwarf_formstring(dwarf_attr_integrate(die, name, &attribute));
}

static const char *function_of(Dwarf_Die *scope)
{
	const char *name = text_of(scope, DW_AT_linkage_name);

	if (!name)
		name = text_of(scope, DW_AT_MIPS_linkage_name);
	return name ? name : text_of(scope, DW_AT_name);
}

/* One copy for all functions of the same name. */
static const char *name_of(struct lines *lines, Dwarf_Die *scope)
{
	const char *name = function_of(scope);

	return name ? intern(&lines->strings, name) : NULL;
}

/* A file name may be relative to the folder in which the compiler ran. */
static const char *path_of(struct lines *lines, struct unit *unit,
			   const char *name)
{
	const char *folder = text_of(&unit->die, DW_AT_comp_dir);
	char path[PATH_SIZE];

	if (!name)
		return NULL;
	if (name[0] == '/' || !folder)
		return intern(&lines->strings, name);
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return intern(&lines->strings, path);
}

/* Set the line of an instruction. */
static void take_line(struct lines *lines, struct unit *unit,
		      Dwarf_Addr address, struct source_line *line)
{
	Dwarf_Line *found = dwarf_getsrc_die(&unit->die, address);
	int number;

	if (!found || dwarf_lineno(found, &number))
		return;
	line->line = number;
	line->file = path_of(lines, unit, dwarf_linesrc(found, NULL, NULL));
}

static unsigned int number_of(Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attribute;
	Dwarf_Word number;

	if (dwarf_formudata(dwarf_attr(die, name, &attribute), &number))
		return 0;
	return number;
}

/* Set the line in which an inlined function is called. */
static void take_call(struct lines *lines, struct unit *unit,
		      Dwarf_Die *inlined, struct source_line *line)
{
	Dwarf_Files *files;
	size_t nr;

	line->line = number_of(inlined, DW_AT_call_line);
	if (dwarf_getsrcfiles(&unit->die, &files, &nr))
		return;
	line->file = path_of(lines, unit,
			     dwarf_filesrc(files,
					   number_of(inlined, DW_AT_call_file),
					   NULL, NULL));
}

/* Scopes begin with the outermost, lines with the innermost. */
static void fill(struct lines *lines, struct unit *unit, Dwarf_Die *scopes,
		 int nr, struct source *source)
{
	struct source_line *line = source->lines;

	take_line(lines, unit, source->address - lines->bias, line);
	for (; nr > 0; nr--, line++) {
		line->function = name_of(lines, &scopes[nr - 1]);
		if (nr > 1)
			take_call(lines, unit, &scopes[nr - 1], line + 1);
	}
}

static struct source *read_source(struct lines *lines, uint64_t address)
{
	Dwarf_Addr there = address - lines->bias;
	struct unit *unit = lines_unit(lines, there);
	Dwarf_Die scopes[SCOPES_MAX];
	struct source *source;
	int nr = 0;

	if (unit)
		nr = unit_scopes(unit, there, scopes, lines->cancel);
	if (nr < 0)
		return NULL;
	source = calloc(1, sizeof(*source) +
			   (nr ? nr : 1) * sizeof(source->lines[0]));
	if (!source)
		return NULL;
	source->address = address;
	if (!unit)
		return source;
	source->nr = nr ? nr : 1;
	fill(lines, unit, scopes, nr, source);
	return source;
}

/* A dump has lines, but no functions and no information on inlining. */
static struct source *read_jit_source(struct lines *lines, uint64_t address)
{
	struct source *source = calloc(1, sizeof(*source) +
					  sizeof(source->lines[0]));

	if (!source)
		return NULL;
	source->address = address;
	source->lines[0].file = jit_lines_find(lines->jit, address,
					       &source->lines[0].line);
	source->nr = !!source->lines[0].file;
	return source;
}

static bool is_at(const void *item, const void *key)
{
	return ((const struct source *)item)->address == *(const uint64_t *)key;
}

/* Opened on first use. Return: NULL if there are none, or out of memory. */
static struct lines *lines_of(struct dso *dso,
			      const struct symbol_sources *sources)
{
	if (!dso->lines)
		dso->lines = open_lines(dso, sources);
	dso->free_lines = lines_free;
	return dso->lines && (dso->lines->binary || dso->lines->jit) &&
	       !dso->lines->cut_off ? dso->lines : NULL;
}

/* Whether the file was intact since guard_enter(), so that results are valid. */
static bool is_whole(struct dso *dso, unsigned int before)
{
	if (!guard_leave(before))
		return true;
	if (dso->lines)
		dso->lines->cut_off = true;
	return false;
}

static const struct source *find_source(struct dso *dso,
					const struct symbol_sources *sources,
					uint64_t offset)
{
	struct lines *lines = lines_of(dso, sources);
	uint64_t address, hash;
	struct source *source;
	void **place;

	if (!lines)
		return NULL;
	if (!lines->jit && !lines->has_units && lines_index(lines))
		return NULL;
	lines->has_units = true;
	address = to_address(dso, sources, offset);
	hash = hash_mix(address);
	place = hash_find(&lines->known, hash, is_at, &address);
	if (place)
		source = *place;
	else
		source = lines->jit ? read_jit_source(lines, address) :
				      read_source(lines, address);
	if (source && !place && hash_add(&lines->known, hash, source)) {
		free(source);
		return NULL;
	}
	return source && source->nr ? source : NULL;
}

const struct source *dso_source(struct dso *dso,
				const struct symbol_sources *sources,
				uint64_t offset)
{
	unsigned int before = guard_enter();
	const struct source *source = find_source(dso, sources, offset);

	return is_whole(dso, before) ? source : NULL;
}

/* A cached entry of the line table; @line.file is NULL if there is none. */
struct known_line {
	uint64_t address;
	struct source_line line;
};

static bool is_line_at(const void *item, const void *key)
{
	const struct known_line *known = item;

	return known->address == *(const uint64_t *)key;
}

/* In the file itself, or in the file with its debugging information. */
static int open_table(struct lines *lines)
{
	Elf *elf = binary_elf(lines->binary);
	int err = 0;

	if (elf && !binary_is_module(lines->binary))
		err = line_table_open(elf, lines->cancel, &lines->table);
	if (err || lines->table)
		return err;
	elf = binary_debug_elf(lines->binary);
	return elf ? line_table_open(elf, lines->cancel, &lines->table) : 0;
}

static struct known_line *read_line(struct lines *lines, uint64_t address)
{
	struct known_line *known = calloc(1, sizeof(*known));
	char path[PATH_SIZE];
	int found;

	if (!known)
		return NULL;
	known->address = address;
	found = line_table_find(lines->table, address, path, sizeof(path),
				&known->line.line);
	if (found > 0)
		known->line.file = intern(&lines->strings, path);
	if (found >= 0 && (!found || known->line.file) &&
	    !hash_add(&lines->known_lines, hash_mix(address), known))
		return known;
	free(known);
	return NULL;
}

static const struct source_line *find_line(struct dso *dso,
					   const struct symbol_sources *sources,
					   uint64_t offset)
{
	struct lines *lines = lines_of(dso, sources);
	const struct source *source;
	struct known_line *known;
	uint64_t address;
	void **place;

	if (!lines)
		return NULL;
	if (lines->jit) {
		source = find_source(dso, sources, offset);
		return source ? source->lines : NULL;
	}
	if (!lines->has_table && open_table(lines))
		return NULL;
	lines->has_table = true;
	if (!lines->table)
		return NULL;
	address = to_address(dso, sources, offset);
	place = hash_find(&lines->known_lines, hash_mix(address), is_line_at,
			  &address);
	known = place ? *place : read_line(lines, address);
	return known && known->line.file ? &known->line : NULL;
}

const struct source_line *dso_line(struct dso *dso,
				   const struct symbol_sources *sources,
				   uint64_t offset)
{
	unsigned int before = guard_enter();
	const struct source_line *line = find_line(dso, sources, offset);

	return is_whole(dso, before) ? line : NULL;
}
