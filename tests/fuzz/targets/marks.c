// SPDX-License-Identifier: GPL-2.0
/*
 * Two rings of a process, one of names and one of marks, which the application may have filled
 * with anything: the first byte says how much of the rest is names; then come the heads, and
 * the records. What arrives has to be what marks/marks.h promises.
 */
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <x86intrin.h>

#include "../input.h"
#include "marks/marks_private.h"

#define RING	4096

static uint64_t now;

static int take_name(void *data, pid_t pid, uint64_t tsc, const struct name_record *name)
{
	(void)data;
	promise(pid == getpid() && tsc <= now);
	promise(name->size <= NAME_RECORD_MAX && name->kind <= MARK_NAME_THREAD);
	promise(strlen(name->name) < name->size - sizeof(*name));
	for (const char *at = name->name; *at; at++)
		promise((unsigned char)*at >= ' ' && *at != 0x7f);
	return 0;
}

static int take_mark(void *data, struct marks_thread *thread, const struct mark_record *mark)
{
	uint64_t *last = data;

	promise(thread->pid == getpid());
	promise(mark->kind > MARK_NONE && mark->kind < MARK_MAX && mark->kind != MARK_COUNTED);
	promise(mark->words >= MARK_WORDS && mark->tsc <= __rdtsc());
	if (mark_has_counts(mark->kind))
		promise(mark->words == MARK_WORDS ||
			mark->words == MARK_WORDS + 1 + thread->counted.nr_values);
	if (mark->kind == MARK_VALUE || mark->kind == MARK_FRAME)
		promise(mark->words > MARK_WORDS);
	if (mark->kind != MARK_FRAME) {
		promise(mark->tsc >= *last);
		*last = mark->tsc;
	}
	input_touch(mark->values, (mark->words - MARK_WORDS) * sizeof(uint64_t));
	return 0;
}

/* Memory as an application hands it over, with @size bytes of @data after its head. */
static int make_memory(uint64_t bytes, const uint8_t *data, size_t size)
{
	struct ring_head head = { .head = size / 8 * 8 };
	const int fd = memfd_create("ring", MFD_ALLOW_SEALING);

	if (size >= 24) {
		memcpy(&head.head, data, 8);
		memcpy(&head.lost, data + 8, 8);
		memcpy(&head.closed, data + 16, 4);
		data += 24;
		size -= 24;
	}
	if (fd < 0 || ftruncate(fd, RING_HEAD_SIZE + bytes) ||
	    pwrite(fd, &head, sizeof(head), 0) != sizeof(head) ||
	    pwrite(fd, data, size, RING_HEAD_SIZE) != (ssize_t)size ||
	    fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK))
		abort();
	return fd;
}

static struct ring *make_ring(struct kermon_marks *marks, enum ring_kind kind,
			      const uint8_t *data, size_t size)
{
	const uint64_t bytes = kind == RING_NAMES ? RING_NAMES_BYTES : RING;
	struct ring *ring = calloc(1, sizeof(*ring));
	const int fd = make_memory(bytes, data, size < bytes ? size : bytes);

	promise(!shared_map(&ring->shared, fd, bytes));
	close(fd);
	ring->kind = kind;
	ring->thread = (struct marks_thread){ .pid = getpid(), .tid = getpid() };
	marks->nr_rings++;
	marks->bytes += bytes;
	return ring;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct kermon_marks_options options = {
		.size = sizeof(options), .ring_bytes = RING,
	};
	static const struct marks_consumer consumer = { .name = take_name, .mark = take_mark };
	struct process *process = calloc(1, sizeof(*process));
	struct kermon_marks *marks;
	uint64_t last = 0;
	size_t names;

	if (size < 1 || kermon_marks_open(&marks, &options)) {
		free(process);
		return 0;
	}
	names = *data < size - 1 ? *data : size - 1;
	*process = (struct process){
		.source = { SOURCE_PROCESS, -1 }, .pid = getpid(),
		.rings = make_ring(marks, RING_NAMES, data + 1, names),
	};
	process->rings->next = make_ring(marks, RING_MARKS, data + 1 + names,
					 size - 1 - names);
	marks->processes = process;
	for (int i = 0; i < 2; i++) {
		now = __rdtsc();
		promise(!marks_drain(marks, &consumer, &last, i));
	}
	kermon_marks_close(marks);
	return 0;
}
