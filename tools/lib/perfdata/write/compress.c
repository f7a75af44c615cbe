// SPDX-License-Identifier: GPL-2.0
/* Compress records to PERF_RECORD_COMPRESSED. */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "compress.h"
#include "perfdata/format/format.h"

/* perf's number of zstd in the feature. */
#define TYPE_ZSTD	1

/* What a record can contain, as its size has 16 bits; and how much of that is aimed for. */
#define PACKED_MAX	(UINT16_MAX - sizeof(struct perf_event_header))
#define PACKED_GOAL	(PACKED_MAX / 8 * 7)

/* Even if it does not shrink at all, this much is worth an attempt. */
#define CONTENT_MIN	(PACKED_MAX / 2)

/**
 * struct compressor - records on their way to the file
 * @context: zstd's state
 * @level: of compression
 * @put: where the result goes, with @to
 * @before: bytes that were added, without those in @content
 * @after: bytes that they became
 * @goal: bytes of content that are expected to fit one record
 * @used: bytes in @content
 * @content: records that wait
 * @packed: the record that is made of them
 */
struct compressor {
	ZSTD_CCtx *context;
	int level;
	compress_put_fn put;
	void *to;
	uint64_t before;
	uint64_t after;
	size_t goal;
	size_t used;
	unsigned char content[COMPRESS_CONTENT];
	struct {
		struct perf_event_header header;
		unsigned char data[PACKED_MAX];
	} packed;
};

static int error_of(size_t result)
{
	return ZSTD_getErrorCode(result) == ZSTD_error_memory_allocation ? -ENOMEM : -EIO;
}

/*
 * The checksum reveals damage, which might be read as other counts. With a target length,
 * level 1 does not encode bytes without a match: counts are noise to it. Recordings are then
 * read 15 % faster, and 1 to 5 % larger.
 */
static int set_up(struct compressor *new)
{
	const struct {
		ZSTD_cParameter parameter;
		int value;
	} settings[] = {
		{ ZSTD_c_compressionLevel, new->level },
		{ ZSTD_c_checksumFlag, 1 },
		{ ZSTD_c_targetLength, new->level == 1 },
	};
	size_t result = 0;

	new->context = ZSTD_createCCtx();
	if (!new->context)
		return -ENOMEM;
	for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]) && !ZSTD_isError(result); i++)
		result = ZSTD_CCtx_setParameter(new->context, settings[i].parameter,
						settings[i].value);
	return ZSTD_isError(result) ? error_of(result) : 0;
}

int compress_open(struct compressor **compressor, int level, compress_put_fn put, void *to)
{
	struct compressor *new;
	int err;

	if (level < 1 || level > KERMON_COMPRESSION_MAX)
		return -EINVAL;
	new = calloc(1, sizeof(*new));
	if (!new)
		return -ENOMEM;
	new->level = level;
	new->put = put;
	new->to = to;
	new->goal = CONTENT_MIN;
	err = set_up(new);
	if (err) {
		compress_close(new);
		return err;
	}
	*compressor = new;
	return 0;
}

void compress_close(struct compressor *compressor)
{
	if (!compressor)
		return;
	ZSTD_freeCCtx(compressor->context);
	free(compressor);
}

/* Size of the whole records in the first @most bytes of the content; one at least. */
static size_t whole_records(const struct compressor *compressor, size_t most)
{
	size_t at = 0, size;

	while (at < compressor->used) {
		size = record_header(compressor->content + at, false).size;
		if (at && at + size > most)
			break;
		at += size;
	}
	return at;
}

static bool is_one_record(const struct compressor *compressor, size_t size)
{
	return size <= record_header(compressor->content, false).size;
}

/*
 * Pack as much of the first *@size bytes of the content as fit a record, and set *@size to
 * that. Return: size of the frame; 0: a record that does not fit; -errno.
 */
static int64_t pack(struct compressor *compressor, size_t *size)
{
	size_t result;

	for (;;) {
		result = ZSTD_compress2(compressor->context, compressor->packed.data,
					sizeof(compressor->packed.data),
					compressor->content, *size);
		if (!ZSTD_isError(result))
			return result;
		if (ZSTD_getErrorCode(result) != ZSTD_error_dstSize_tooSmall)
			return error_of(result);
		if (is_one_record(compressor, *size))
			return 0;
		*size = whole_records(compressor, *size / 2);
	}
}

/* How much content will fit the next record, if it is like @size bytes that became @packed. */
static void set_goal(struct compressor *compressor, size_t size, size_t packed)
{
	size_t goal = size * PACKED_GOAL / packed;

	if (goal > COMPRESS_CONTENT)
		goal = COMPRESS_CONTENT;
	compressor->goal = goal < CONTENT_MIN ? CONTENT_MIN : goal;
}

static void forget(struct compressor *compressor, size_t size)
{
	compressor->used -= size;
	memmove(compressor->content, compressor->content + size, compressor->used);
}

/* Put the first records that wait. What does not get smaller is put as it is. */
static int put_some(struct compressor *compressor)
{
	size_t size = whole_records(compressor, compressor->goal), whole;
	int64_t packed = pack(compressor, &size);
	int err;

	if (packed < 0)
		return packed;
	whole = packed + sizeof(struct perf_event_header);
	compressor->before += size;
	if (packed && whole < size) {
		set_goal(compressor, size, packed);
		compressor->packed.header = (struct perf_event_header){
			.type = PERFDATA_RECORD_COMPRESSED,
			.size = whole,
		};
		compressor->after += whole;
		err = compressor->put(compressor->to, &compressor->packed, whole);
	} else {
		compressor->after += size;
		err = compressor->put(compressor->to, compressor->content, size);
	}
	forget(compressor, size);
	return err;
}

int compress_flush(struct compressor *compressor)
{
	int err = 0;

	while (compressor->used && !err)
		err = put_some(compressor);
	return err;
}

int compress_put(struct compressor *compressor, const void *record, size_t size)
{
	int err = 0;

	while (!err && compressor->used && compressor->used + size > compressor->goal)
		err = put_some(compressor);
	if (err)
		return err;
	memcpy(compressor->content + compressor->used, record, size);
	compressor->used += size;
	return 0;
}

/* Rounded to the nearest, as perf does; 0 as long as nothing was compressed. */
static uint32_t ratio(const struct compressor *compressor)
{
	const uint64_t after = compressor->after;

	return after ? (compressor->before + after / 2) / after : 0;
}

void compress_describe(const struct compressor *compressor, struct blob *blob)
{
	blob_u32(blob, 1);	/* version */
	blob_u32(blob, TYPE_ZSTD);
	blob_u32(blob, compressor->level);
	blob_u32(blob, ratio(compressor));
	blob_u32(blob, COMPRESS_CONTENT);
}
