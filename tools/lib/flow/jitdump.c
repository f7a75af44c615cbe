// SPDX-License-Identifier: GPL-2.0
/*
 * A function stands in the numbering of the dump at the offset of its code, so
 * that code and its name are found again wherever the program moves it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "jitdump.h"
#include "process_map.h"
#include "util/cursor.h"
#include "util/guard.h"

#define PATH_SIZE	4096
#define MAGIC		0x4a695444
#define FLAG_OWN_CLOCK	1

enum jitdump_type {
	JITDUMP_LOAD = 0,
	JITDUMP_MOVE = 1,
	JITDUMP_LINES = 2,	/* of the function whose LOAD comes next */
};

/* The name of a file: that of the line before. */
#define SAME_FILE	"\xff"

/* A function that was put somewhere, new or out of the way. */
struct load {
	uint64_t time;
	uint64_t address;
	uint64_t size;
	uint64_t offset;	/* of its code in the file */
	uint64_t index;		/* of the function, for the life of the program */
	const char *name;	/* NULL: it had one already */
	struct cursor lines;	/* what a record of type LINES says of it, if any */
};

/* Where the code of a function is in the file; @size 0: nowhere. */
struct code {
	uint64_t offset;
	uint64_t size;
};

/**
 * struct jitdump - a dump on its way
 * @map: the file, @size bytes
 * @guard: of the mapping
 * @flags: of its header
 * @rest: what has not been read
 * @pending: the next one, if @has_pending
 * @codes: by index of the function
 */
struct jitdump {
	struct jitdump *next;	/* of another program */
	const unsigned char *map;
	size_t size;
	struct guard *guard;
	uint64_t flags;
	struct cursor rest;
	struct load pending;
	bool has_pending;
	struct code *codes;
	size_t nr_codes;
	struct process *process;
	struct dso *dso;
};

bool jitdump_is(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	int length = 0;

	sscanf(name, "jit-%*d.dump%n", &length);
	return length && !name[length];
}

/* What is behind the head of a record of type LOAD; @c has nothing else. */
static bool take_load(const struct jitdump *dump, struct cursor *c,
		      struct load *load)
{
	const unsigned char *code;

	cursor_take(c, 2 * sizeof(uint32_t) + sizeof(uint64_t));
	load->address = cursor_u64(c);
	load->size = cursor_u64(c);
	load->index = cursor_u64(c);
	load->name = cursor_text(c);
	code = cursor_take(c, load->size);
	if (!code)
		return false;
	load->offset = code - dump->map;
	return true;
}

static bool take_move(struct cursor *c, struct load *load)
{
	cursor_take(c, 2 * sizeof(uint32_t) + 2 * sizeof(uint64_t));
	load->address = cursor_u64(c);
	load->size = cursor_u64(c);
	load->index = cursor_u64(c);
	return !c->failed;
}

/* The next record that puts code somewhere; false: there is none, or it is cut off. */
static bool next_load(struct jitdump *dump, struct load *load)
{
	const unsigned char *start, *body;
	struct cursor c, lines = {};
	uint32_t type, size;
	bool found = false;

	while (!found && cursor_left(&dump->rest)) {
		*load = (struct load){};
		start = dump->rest.at;
		type = cursor_u32(&dump->rest);
		size = cursor_u32(&dump->rest);
		load->time = cursor_u64(&dump->rest);
		if (dump->rest.failed || size < dump->rest.at - start)
			return false;
		size -= dump->rest.at - start;
		body = cursor_take(&dump->rest, size);
		if (!body)
			return false;
		c = cursor_of(body, size);
		if (type == JITDUMP_LOAD)
			found = take_load(dump, &c, load);
		else if (type == JITDUMP_MOVE)
			found = take_move(&c, load);
		else if (type == JITDUMP_LINES)
			lines = c;
	}
	load->lines = lines;
	return found;
}

static bool take_header(struct jitdump *dump)
{
	struct cursor *c = &dump->rest;
	uint32_t size;

	*c = cursor_of(dump->map, dump->size);
	if (cursor_u32(c) != MAGIC)
		return false;
	cursor_u32(c);		/* version */
	size = cursor_u32(c);
	cursor_take(c, 3 * sizeof(uint32_t) + sizeof(uint64_t));
	dump->flags = cursor_u64(c);
	if (c->failed || size < c->at - dump->map)
		return false;
	cursor_take(c, size - (c->at - dump->map));
	return !c->failed;
}

static bool map_file(struct jitdump *dump, const char *path,
		     const struct symbol_sources *sources)
{
	const char *root = sources->symfs ? sources->symfs : "";
	char full[PATH_SIZE];
	struct stat status;
	void *map;
	int fd;

	snprintf(full, sizeof(full), "%s%s", root, path);
	fd = open(full, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return false;
	if (!fstat(fd, &status) && S_ISREG(status.st_mode) && status.st_size) {
		map = mmap(NULL, status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
		if (map != MAP_FAILED) {
			dump->map = map;
			dump->size = status.st_size;
			dump->guard = guard_begin(map, status.st_size);
		}
	}
	close(fd);
	return dump->guard;
}

static void close_dump(struct jitdump *dump)
{
	guard_end(dump->guard);
	if (dump->map)
		munmap((void *)dump->map, dump->size);
	free(dump->codes);
	free(dump);
}

static struct jitdump *open_dump(const char *path,
				 const struct symbol_sources *sources)
{
	struct jitdump *dump = calloc(1, sizeof(*dump));

	if (!dump)
		return NULL;
	if (map_file(dump, path, sources) && take_header(dump)) {
		dump->has_pending = next_load(dump, &dump->pending);
		return dump;
	}
	close_dump(dump);
	return NULL;
}

int jitdumps_follow(struct jitdump **dumps, struct process *process,
		    struct dso *dso, const struct symbol_sources *sources,
		    bool monotonic)
{
	struct jitdump *dump;

	for (dump = *dumps; dump; dump = dump->next)
		if (dump->process == process && dump->dso == dso)
			return 0;
	dump = open_dump(dso->path, sources);
	if (!dump)
		return 0;
	if (!monotonic || dump->flags & FLAG_OWN_CLOCK) {
		close_dump(dump);
		return dso_refuse(dso, SYMBOLS_OTHER_CLOCK);
	}
	dump->process = process;
	dump->dso = dso;
	dump->next = *dumps;
	*dumps = dump;
	return 0;
}

void jitdumps_free(struct jitdump *dumps)
{
	struct jitdump *next;

	for (; dumps; dumps = next) {
		next = dumps->next;
		close_dump(dumps);
	}
}

/* Indices are given one by one: no more of them than records. */
static int keep_code(struct jitdump *dump, const struct load *load)
{
	size_t nr = dump->nr_codes;
	struct code *codes;

	if (load->index >= dump->size / sizeof(uint64_t))
		return 0;
	if (load->index >= nr) {
		nr = 2 * load->index + 64;
		codes = realloc(dump->codes, nr * sizeof(*codes));
		if (!codes)
			return -ENOMEM;
		memset(codes + dump->nr_codes, 0,
		       (nr - dump->nr_codes) * sizeof(*codes));
		dump->codes = codes;
		dump->nr_codes = nr;
	}
	dump->codes[load->index] = (struct code){ load->offset, load->size };
	return 0;
}

/* What is put there; a move knows the size, but whether that is true? */
static struct code code_of(const struct jitdump *dump, const struct load *load)
{
	if (load->name)
		return (struct code){ load->offset, load->size };
	if (load->index < dump->nr_codes)
		return dump->codes[load->index];
	return (struct code){};
}

static int put(struct jitdump *dump, const struct load *load,
	       uint64_t *versions)
{
	struct code code = code_of(dump, load);
	struct mapping new = {
		.start = load->address,
		.end = load->address + code.size,
		.offset = code.offset,
		.dso = dump->dso,
	};

	if (new.end <= new.start)
		return 0;
	dump->process->version = ++*versions;
	return process_map_code(dump->process, &new);
}

static int advance(struct jitdump *dump, uint64_t time, uint64_t *versions)
{
	int err = 0;

	while (!err && dump->has_pending && dump->pending.time <= time) {
		if (dump->pending.name)
			err = keep_code(dump, &dump->pending);
		if (!err)
			err = put(dump, &dump->pending, versions);
		dump->has_pending = next_load(dump, &dump->pending);
	}
	return err;
}

int jitdumps_advance(struct jitdump *dumps, uint64_t time, uint64_t *versions,
		     uint64_t *due)
{
	int err = 0;

	*due = UINT64_MAX;
	for (; dumps && !err; dumps = dumps->next) {
		err = advance(dumps, time, versions);
		if (dumps->has_pending && dumps->pending.time < *due)
			*due = dumps->pending.time;
	}
	return err;
}

int symbols_load_jitdump(struct symbols *symbols, const struct dso *dso,
			 const struct symbol_sources *sources)
{
	struct jitdump *dump = open_dump(dso->path, sources);
	int err = 0;

	symbols->state = SYMBOLS_NO_FILE;
	if (!dump)
		return 0;
	while (!err && dump->has_pending) {
		if (dump->pending.name)
			err = symbols_add(symbols, dump->pending.offset,
					  dump->pending.offset +
					  dump->pending.size,
					  dump->pending.name,
					  SYMBOL_RANK_SIZED);
		dump->has_pending = next_load(dump, &dump->pending);
	}
	close_dump(dump);
	symbols->state = symbols->nr ? SYMBOLS_FOUND : SYMBOLS_NONE;
	return err;
}

/* A line is where the function was when it was compiled: at the address of its code. */
static int tell_lines(const struct load *load, jitdump_line tell, void *context)
{
	struct cursor c = load->lines;
	uint64_t address = cursor_u64(&c), nr = cursor_u64(&c), at;
	const char *file = NULL, *name;
	uint32_t line;
	int err = 0;

	for (; nr && !err; nr--) {
		at = cursor_u64(&c) - address;
		line = cursor_u32(&c);
		cursor_u32(&c);		/* discriminator */
		name = cursor_text(&c);
		if (c.failed)
			break;
		if (strcmp(name, SAME_FILE))
			file = name;
		if (file && at < load->size)
			err = tell(context, load->offset + at,
				   load->offset + load->size, file, line);
	}
	return err;
}

int jitdump_each_line(const struct dso *dso,
		      const struct symbol_sources *sources, jitdump_line tell,
		      void *context)
{
	struct jitdump *dump = open_dump(dso->path, sources);
	int err = 0;

	if (!dump)
		return 0;
	while (!err && dump->has_pending) {
		if (dump->pending.name && dump->pending.lines.at)
			err = tell_lines(&dump->pending, tell, context);
		dump->has_pending = next_load(dump, &dump->pending);
	}
	close_dump(dump);
	return err;
}
