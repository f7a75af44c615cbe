// SPDX-License-Identifier: GPL-2.0
/*
 * Read the symbols of the kernel and its modules from /proc/kallsyms, if the recorded
 * kernel is running, from a copy of it, or from vmlinux, at first if the user names it.
 *
 * The kernel may have been booted at another address since then (KASLR); the recorded
 * address of _text tells. kallsyms is used for a module only if neither the kernel nor
 * the module has moved; otherwise, and if its build id was recorded, the module's file
 * is used.
 */
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "loaders.h"
#include "util/cancel.h"
#include "util/cursor.h"

#define NOTES_MAX	65536
#define PATH_SIZE	4096
/* kallsyms has no sizes; no function or variable is larger than this. */
#define FUNCTION_MAX	(64UL << 10)
#define VARIABLE_MAX	(64UL << 20)
/* Bytes of a module before its first function. */
#define MODULE_HEAD	4096

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

static bool is_running_id(const struct build_id *wanted)
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

/* perf records no build ids in compressed files: compare the release instead. */
static bool is_running_kernel(const struct kernel_identity *kernel)
{
	struct utsname running;

	if (kernel->build_id.size)
		return is_running_id(&kernel->build_id);
	return *kernel->release && !uname(&running) &&
	       !strcmp(running.release, kernel->release);
}

static bool is_known_kernel(const struct kernel_identity *kernel)
{
	return kernel->build_id.size || *kernel->release;
}

struct kallsyms_line {
	uint64_t address;
	char type;
	const char *name;
	const char *module;	/* "[name]"; "" for the kernel */
};

/* Return: -1 if it is not a digit. */
static int hex_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 'a' ^ 'A';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/*
 * "ffffffff81000000 T _text", optionally followed by "\t[module]". There are more than a
 * hundred thousand lines, and strtoull() and strsep() would take half of their time.
 */
static bool parse_line(char *line, struct kallsyms_line *parsed)
{
	char *at = line;
	int digit;

	for (parsed->address = 0; (digit = hex_value(*at)) >= 0; at++)
		parsed->address = parsed->address << 4 | digit;
	if (*at++ != ' ' || !at[0] || at[1] != ' ')
		return false;
	parsed->type = *at;
	at += 2;
	parsed->name = at;
	while ((unsigned char)*at > ' ')
		at++;
	parsed->module = "";
	if (*at == '\t') {
		*at++ = '\0';
		parsed->module = at;
		at += strcspn(at, " \t\n");
	}
	*at = '\0';
	return true;
}

/*
 * Maximum size of the symbol on a line if no other one follows; 0: ignore the symbol.
 * For modules only functions are kept: the address of the first one shows whether the
 * module has moved, and variables may precede it. Constants end the variables before
 * them.
 */
static uint64_t named_size(char type, const struct dso *dso)
{
	if (strchr("tTwW", type))
		return FUNCTION_MAX;
	return dso->kind != DSO_MODULE && strchr("dDbBrRvV", type) ? VARIABLE_MAX : 0;
}

static bool is_of(const struct kallsyms_line *line, const struct dso *dso)
{
	if (dso->kind == DSO_MODULE)
		return !strcmp(line->module, dso->name);
	return !*line->module;
}

/* Symbols that delimit parts of the kernel. */
static void note_bounds(struct symbols *symbols,
			const struct kallsyms_line *line, uint64_t *text)
{
	if (!strcmp(line->name, "_text"))
		*text = line->address;
	else if (!strcmp(line->name, "_sinittext"))
		symbols->init_start = line->address;
	else if (!strcmp(line->name, "_einittext"))
		symbols->init_end = line->address;
	else if (!strcmp(line->name, "_end"))
		symbols->image_end = line->address;
}

/* Of several names of a function keep the last one in the file, as perf does. */
static int read_lines(struct symbols *symbols, const struct dso *dso,
		      FILE *file, const struct kermon_cancel *cancel,
		      uint64_t *text)
{
	struct kallsyms_line line;
	char *buffer = NULL;
	uint32_t rank = 0;
	size_t size = 0;
	uint64_t most;
	int err = 0;

	while (!err && getline(&buffer, &size, file) > 0) {
		err = cancel_check(cancel);
		if (err)
			break;
		if (!parse_line(buffer, &line) || !line.address)
			continue;
		if (!*line.module)
			note_bounds(symbols, &line, text);
		most = named_size(line.type, dso);
		if (most && is_of(&line, dso))
			err = symbols_add(symbols, line.address,
					  line.address + most, line.name,
					  rank++);
	}
	free(buffer);
	return err;
}

static FILE *open_cached(const struct build_id *id)
{
	const char *home = getenv("HOME");
	char name[BUILD_ID_PATH], path[PATH_SIZE];

	if (!home || !build_id_path(id, name))
		return NULL;
	snprintf(path, sizeof(path), "%s/.debug/.build-id/%s/kallsyms", home,
		 name);
	return fopen(path, "re");
}

/*
 * kallsyms of the recorded kernel: the file asked for, that of this machine, or perf's
 * copy.
 */
static FILE *open_kallsyms(const struct kernel_identity *kernel,
			   const struct symbol_sources *sources)
{
	if (sources->kallsyms)
		return fopen(sources->kallsyms, "re");
	if (is_running_kernel(kernel))
		return fopen("/proc/kallsyms", "re");
	return open_cached(&kernel->build_id);
}

/* Whether the module has not been reloaded since: its code would begin elsewhere. */
static bool is_where_it_was(const struct symbols *symbols, const struct dso *dso)
{
	uint64_t first = UINT64_MAX;

	for (size_t i = 0; i < symbols->nr; i++)
		if (symbols->all[i].start < first)
			first = symbols->all[i].start;
	return first - dso->start < MODULE_HEAD;
}

static int load_kallsyms(struct symbols *symbols, const struct dso *dso,
			 FILE *file, const struct symbol_sources *sources)
{
	const struct kernel_identity *kernel = dso->running_on;
	uint64_t text = 0;
	int err = read_lines(symbols, dso, file, sources->cancel, &text);

	fclose(file);
	if (kernel->text && text)
		symbols->move = text - kernel->text;
	if (dso->kind == DSO_MODULE &&
	    (symbols->move || !is_where_it_was(symbols, dso)))
		symbols->nr = 0;
	symbols->state = symbols->nr ? SYMBOLS_FOUND :
			 sources->kallsyms ? SYMBOLS_UNLISTED : SYMBOLS_HIDDEN;
	return err;
}

/* Read a module's file, whose sections are laid out when it is loaded. */
static int load_module(struct symbols *symbols, const struct dso *dso,
		       const struct symbol_sources *sources)
{
	enum symbols_state state = symbols->state;
	int err = symbols_load_elf(symbols, dso, sources);

	if (symbols->state == SYMBOLS_NO_FILE)
		symbols->state = state;
	return err;
}

/* Read vmlinux, whose addresses are those of linking, not of the run. */
static int load_vmlinux(struct symbols *symbols, const struct dso *dso,
			const struct symbol_sources *sources)
{
	const struct kernel_identity *kernel = dso->running_on;
	enum symbols_state state = symbols->state;
	struct binary *binary;
	int err = binary_open(dso, sources, &binary);
	uint64_t text;

	if (err > 0 && sources->vmlinux)
		symbols->state = err;
	if (!binary)
		return err < 0 ? err : 0;
	text = binary_text(binary);
	if (text) {
		err = symbols_load_binary(symbols, dso, binary,
					  sources->cancel);
		symbols->segments.nr = 0;
		symbols->move = kernel->text ? text - kernel->text : 0;
		for (size_t i = 0; i < symbols->nr; i++)
			if (symbols->all[i].end > symbols->image_end)
				symbols->image_end = symbols->all[i].end;
	}
	if (symbols->state != SYMBOLS_FOUND)
		symbols->state = state;
	binary_close(binary);
	return err < 0 ? err : 0;
}

int symbols_load_kernel(struct symbols *symbols, const struct dso *dso,
			const struct symbol_sources *sources)
{
	int err = 0;
	FILE *file;

	if (dso->kind == DSO_KERNEL && sources->vmlinux) {
		symbols->state = SYMBOLS_NONE;
		err = load_vmlinux(symbols, dso, sources);
		if (err || symbols->state == SYMBOLS_FOUND || !sources->kallsyms)
			return err;
	}
	symbols->state = sources->kallsyms ? SYMBOLS_NO_FILE :
			 is_known_kernel(dso->running_on) ?
			 SYMBOLS_OTHER_KERNEL : SYMBOLS_ANY_KERNEL;
	if (dso->kind == DSO_MODULE && dso->build_id.size && !sources->kallsyms)
		err = load_module(symbols, dso, sources);
	if (err || symbols->state == SYMBOLS_FOUND)
		return err;
	file = open_kallsyms(dso->running_on, sources);
	if (file)
		err = load_kallsyms(symbols, dso, file, sources);
	if (err || symbols->state == SYMBOLS_FOUND || sources->kallsyms)
		return err;
	if (dso->kind == DSO_KERNEL)
		return load_vmlinux(symbols, dso, sources);
	return dso->build_id.size ? 0 : load_module(symbols, dso, sources);
}
