/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Compress records to PERF_RECORD_COMPRESSED, as perf record -z does: a stage between those
 * who make records and the file.
 *
 * Each COMPRESSED record contains one complete zstd frame of whole records, and says how
 * many bytes these are. So a record can be read without those before it, and a file that
 * is cut off loses only the last one.
 */
#ifndef KERMON_PERFDATA_COMPRESS_H
#define KERMON_PERFDATA_COMPRESS_H

#include <kermon/writer.h>

#include "blob.h"

/* Most bytes in a frame: perf allocates as many for each, and says so in the file. */
#define COMPRESS_CONTENT	(256U << 10)

struct compressor;

/* Where the result goes. Return: 0 or -errno. */
typedef int (*compress_put_fn)(void *to, const void *data, size_t size);

/* @level: 1 to KERMON_COMPRESSION_MAX. Return: 0, -EINVAL, -ENOMEM. */
int compress_open(struct compressor **compressor, int level, compress_put_fn put, void *to);
void compress_close(struct compressor *compressor);

/* Add a whole record. Return: 0; -errno of @put; -ENOMEM; -EIO if zstd fails. */
int compress_put(struct compressor *compressor, const void *record, size_t size);

/* Put all records that were added so far. Return: as compress_put(). */
int compress_flush(struct compressor *compressor);

/* Append the contents of the feature COMPRESSED. */
void compress_describe(const struct compressor *compressor, struct blob *blob);

#endif /* KERMON_PERFDATA_COMPRESS_H */
