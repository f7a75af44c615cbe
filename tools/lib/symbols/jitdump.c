// SPDX-License-Identifier: GPL-2.0
/*
 * Read jitdump files, in which a program describes the code that it generates. A
 * function is addressed by the offset of its code in the dump, which stays the same
 * when the program moves it.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "jitdump.h"
#include "util/guard.h"

#define PATH_SIZE	4096
#define MAGIC		0x4a695444
#define FLAG_OWN_CLOCK	1

enum jitdump_type {
	JITDUMP_LOAD = 0,
	JITDUMP_MOVE = 1,
	JITDUMP_LINES = 2,	/* lines of the function in the next LOAD record */
};

/* A file name that stands for that of the previous line. */
#define SAME_FILE	"\xff"

/**
 * struct jitdump - an open dump
 * @map: the file, @size bytes
 * @guard: of the mapping
 * @flags: of its header
 * @rest: what has not been read yet
 */
struct jitdump {
	const unsigned char *map;
	size_t size;
	struct guard *guard;
	uint64_t flags;
	struct cursor rest;
};

bool jitdump_is(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	int length = 0;

	if (strncmp(name, "jit-", 4))	/* saves time: this is asked for each mapping */
		return false;
	sscanf(name, "jit-%*d.dump%n", &length);
	return length && !name[length];
}

/* Parse the rest of a LOAD record behind its header; @c ends with the record. */
static bool take_load(const struct jitdump *dump, struct cursor *c,
		      struct jit_load *load)
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

static bool take_move(struct cursor *c, struct jit_load *load)
{
	cursor_take(c, 2 * sizeof(uint32_t) + 2 * sizeof(uint64_t));
	load->address = cursor_u64(c);
	load->size = cursor_u64(c);
	load->index = cursor_u64(c);
	return !c->failed;
}

bool jitdump_next(struct jitdump *dump, struct jit_load *load)
{
	const unsigned char *start, *body;
	struct cursor c, lines = {};
	uint32_t type, size;
	bool found = false;

	while (!found && cursor_left(&dump->rest)) {
		*load = (struct jit_load){};
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

void jitdump_close(struct jitdump *dump)
{
	guard_end(dump->guard);
	if (dump->map)
		munmap((void *)dump->map, dump->size);
	free(dump);
}

struct jitdump *jitdump_open(const char *path,
			     const struct symbol_sources *sources)
{
	struct jitdump *dump = calloc(1, sizeof(*dump));

	if (!dump)
		return NULL;
	if (map_file(dump, path, sources) && take_header(dump))
		return dump;
	jitdump_close(dump);
	return NULL;
}

size_t jitdump_size(const struct jitdump *dump)
{
	return dump->size;
}

bool jitdump_has_own_clock(const struct jitdump *dump)
{
	return dump->flags & FLAG_OWN_CLOCK;
}

/* Lines have the address that the function had when it was compiled: that of its code. */
int jit_load_lines(const struct jit_load *load, jitdump_line tell, void *context)
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
