// SPDX-License-Identifier: GPL-2.0
/*
 * usage: walk FILE
 *
 * The cost of visiting every record of FILE: by its size only, in the mapped
 * file; by the reader, in file order; and by the reader in rounds. Each opens
 * the file again, several times alternately; prints the minimum CPU seconds of
 * each, and the number of records, which must be the same.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "perfdata/format/format.h"
#include "perfdata/read/read.h"

#define RUNS	9

static struct reader *reader;
static size_t records;

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void walk_sizes(const unsigned char *at, const unsigned char *end)
{
	while (at < end) {
		at += record_header(at, false).size;
		records++;
	}
}

static void by_size(const char *path)
{
	struct perfdata_header header;
	int fd = open(path, O_RDONLY);
	struct stat stat;
	unsigned char *map;

	if (fd < 0 || fstat(fd, &stat))
		exit(1);
	map = mmap(NULL, stat.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (map == MAP_FAILED)
		exit(1);
	memcpy(&header, map, sizeof(header));
	walk_sizes(map + header.data.offset,
		   map + header.data.offset + header.data.size);
	munmap(map, stat.st_size);
	close(fd);
}

static int count(void *context, const struct record *record)
{
	(void)context;
	records++;
	reader_release(reader, record);
	return 0;
}

static int count_only(void *context, const struct record *record)
{
	(void)context;
	(void)record;
	records++;
	return 0;
}

static void by_reader(const char *path)
{
	struct damages damages = { .nr = 0 };

	if (reader_open(path, &reader, &damages) ||
	    reader_walk(reader, count, NULL) || damages.nr)
		exit(1);
	reader_close(reader);
}

static void in_rounds(const char *path)
{
	struct reader_rounds walk = { .fn = count_only, .rest = count };
	struct damages damages = { .nr = 0 };

	if (reader_open(path, &reader, &damages) ||
	    reader_walk_rounds(reader, &walk) || damages.nr)
		exit(1);
	reader_close(reader);
}

static const struct {
	const char *name;
	void (*walk)(const char *path);
} ways[] = {
	{ "sizes", by_size },
	{ "reader", by_reader },
	{ "rounds", in_rounds },
};

#define WAYS	(sizeof(ways) / sizeof(ways[0]))

int main(int argc, char **argv)
{
	double least[WAYS], begin;
	size_t found[WAYS];

	for (int run = 0; argc == 2 && run < RUNS; run++) {
		for (size_t way = 0; way < WAYS; way++) {
			records = 0;
			begin = seconds();
			ways[way].walk(argv[1]);
			begin = seconds() - begin;
			found[way] = records;
			if (!run || begin < least[way])
				least[way] = begin;
		}
	}
	for (size_t way = 0; argc == 2 && way < WAYS; way++)
		printf("%s %.6f %zu\n", ways[way].name, least[way], found[way]);
	return argc != 2;
}
