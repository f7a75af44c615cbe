// SPDX-License-Identifier: GPL-2.0
/* Write sorted runs of records to a temporary file and merge them when read back. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "order_spill.h"
#include "util/array.h"
#include "util/fileio.h"

/* Records per run that are buffered in memory. */
#define BUFFER	1024

void spill_free(struct spill *spill)
{
	for (size_t i = 0; i < spill->nr_runs; i++)
		free(spill->runs[i].buffer);
	free(spill->runs);
	heap_free(&spill->heap);
	if (spill->file)
		close(spill->file - 1);
}

static const struct record *head(const struct spill *spill, size_t run)
{
	return &spill->runs[run].buffer[spill->runs[run].next];
}

/* Read the next few records of a run. Return: 0 or -errno. */
static int fill(struct spill *spill, struct spill_run *run)
{
	size_t nr = run->end - run->at, size, done = 0;
	ssize_t got;

	if (nr > BUFFER)
		nr = BUFFER;
	size = nr * sizeof(*run->buffer);
	while (done < size) {
		got = pread(spill->file - 1, (char *)run->buffer + done,
			    size - done,
			    run->at * sizeof(*run->buffer) + done);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got ? -errno : -EIO;
		done += got;
	}
	run->at += nr;
	run->nr = nr;
	run->next = 0;
	return 0;
}

static int open_file(struct spill *spill)
{
	int fd;

	if (spill->file)
		return 0;
	fd = temporary_file();
	if (fd < 0)
		return fd;
	spill->file = fd + 1;
	return 0;
}

int spill_add(struct spill *spill, const struct record *records, size_t nr)
{
	struct spill_run run = { .at = spill->size, .end = spill->size + nr };
	int err = open_file(spill);

	if (!err)
		err = array_room(spill->runs, spill->room, spill->nr_runs + 1);
	if (!err && lseek(spill->file - 1, spill->size * sizeof(*records),
			  SEEK_SET) < 0)
		err = -errno;
	if (!err)
		err = write_all(spill->file - 1, records,
				nr * sizeof(*records));
	if (err)
		return err;
	run.buffer = malloc(BUFFER * sizeof(*run.buffer));
	if (!run.buffer)
		return -ENOMEM;
	err = fill(spill, &run);
	if (!err)
		err = heap_add(&spill->heap, run.buffer->time, spill->nr_runs);
	if (err) {
		free(run.buffer);
		return err;
	}
	spill->size += nr;
	spill->runs[spill->nr_runs++] = run;
	return 0;
}

const struct record *spill_first(const struct spill *spill)
{
	return spill->heap.nr ? head(spill, spill->heap.items[0].number) : NULL;
}

/* All runs have been read completely: reuse the file from its start. */
static void begin_anew(struct spill *spill)
{
	for (size_t i = 0; i < spill->nr_runs; i++)
		free(spill->runs[i].buffer);
	spill->nr_runs = 0;
	spill->size = 0;
}

int spill_next(struct spill *spill)
{
	size_t number = spill->heap.items[0].number;
	struct spill_run *run = &spill->runs[number];
	int err = 0;

	run->next++;
	if (run->next == run->nr && run->at < run->end)
		err = fill(spill, run);
	if (run->next == run->nr)
		heap_remove_first(&spill->heap);
	else
		heap_move_first(&spill->heap, head(spill, number)->time);
	if (!spill->heap.nr)
		begin_anew(spill);
	return err;
}
