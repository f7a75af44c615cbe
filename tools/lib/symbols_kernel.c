// SPDX-License-Identifier: GPL-2.0
/*
 * Symbols of the kernel and its modules, from /proc/kallsyms of the kernel that
 * was recorded or from a copy of it.
 *
 * The kernel may have been booted to another address since (KASLR). Where its
 * _text was is recorded; modules are only resolved if it has not moved.
 */
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "perfdata/cursor.h"
#include "symbols.h"

#define NOTES_MAX	65536
/* kallsyms tells no sizes; no function is larger. */
#define FUNCTION_MAX	65536

/* Walks the notes of the running kernel for its build id. */
static bool find_build_id(struct cursor *c, struct build_id *id)
{
	uint32_t name_size, desc_size, type;
	const unsigned char *name, *desc;

	while (cursor_left(c) >= sizeof(Elf64_Nhdr)) {
		name_size = cursor_u32(c);
		desc_size = cursor_u32(c);
		type = cursor_u32(c);
		name = cursor_take(c, (name_size + 3ULL) / 4 * 4);
		desc = cursor_take(c, (desc_size + 3ULL) / 4 * 4);
		if (!name || !desc)
			return false;
		if (type != NT_GNU_BUILD_ID || name_size != 4 ||
		    memcmp(name, "GNU", 4) || desc_size > BUILD_ID_MAX)
			continue;
		id->size = desc_size;
		memcpy(id->bytes, desc, desc_size);
		return true;
	}
	return false;
}

static bool is_running_kernel(const struct build_id *wanted)
{
	unsigned char notes[NOTES_MAX];
	struct build_id running;
	struct cursor c;
	size_t size;
	FILE *file = fopen("/sys/kernel/notes", "re");

	if (!file)
		return false;
	size = fread(notes, 1, sizeof(notes), file);
	fclose(file);
	c = cursor_of(notes, size);
	return find_build_id(&c, &running) && running.size == wanted->size &&
	       !memcmp(running.bytes, wanted->bytes, wanted->size);
}

struct kallsyms_line {
	uint64_t address;
	char type;
	const char *name;
	const char *module;	/* "[name]", or "" of the kernel */
};

/* "ffffffff81000000 T _text" and perhaps "\t[module]". */
static bool parse_line(char *line, struct kallsyms_line *parsed)
{
	char *at, *rest = line;

	at = strsep(&rest, " ");
	if (!rest)
		return false;
	parsed->address = strtoull(at, NULL, 16);
	at = strsep(&rest, " ");
	if (!rest || !at[0] || at[1])
		return false;
	parsed->type = at[0];
	parsed->name = strsep(&rest, " \t\n");
	parsed->module = rest ? strsep(&rest, " \t\n") : "";
	return true;
}

static bool is_code(char type)
{
	return strchr("tTwW", type);
}

static bool is_of(const struct kallsyms_line *line, const struct dso *dso)
{
	if (dso->kind == DSO_MODULE)
		return !strcmp(line->module, dso->name);
	return !*line->module;
}

static int read_lines(struct symbols *symbols, const struct dso *dso,
		      FILE *file, uint64_t *text)
{
	struct kallsyms_line line;
	char *buffer = NULL;
	size_t size = 0;
	int err = 0;

	while (!err && getline(&buffer, &size, file) > 0) {
		if (!parse_line(buffer, &line) || !line.address)
			continue;
		if (!strcmp(line.name, "_text"))
			*text = line.address;
		if (is_code(line.type) && is_of(&line, dso))
			err = symbols_add(symbols, line.address,
					  line.address + FUNCTION_MAX,
					  line.name,
					  symbol_rank(line.name, false,
						      strchr("wW", line.type),
						      strchr("TW", line.type)));
	}
	free(buffer);
	return err;
}

int symbols_load_kernel(struct symbols *symbols, const struct dso *dso,
			const struct symbol_sources *sources)
{
	const char *path = sources->kallsyms ? sources->kallsyms :
					       "/proc/kallsyms";
	const struct kernel_identity *kernel = dso->running_on;
	uint64_t text = 0;
	FILE *file;
	int err;

	symbols->state = SYMBOLS_OTHER_FILE;
	if (!sources->kallsyms && !is_running_kernel(&kernel->build_id))
		return 0;
	file = fopen(path, "re");
	if (!file) {
		symbols->state = SYMBOLS_NO_FILE;
		return 0;
	}
	err = read_lines(symbols, dso, file, &text);
	fclose(file);
	if (kernel->text && text)
		symbols->move = text - kernel->text;
	if (dso->kind == DSO_MODULE && symbols->move)
		symbols->nr = 0;
	symbols->state = symbols->nr ? SYMBOLS_FOUND : SYMBOLS_HIDDEN;
	return err;
}
