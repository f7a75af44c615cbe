/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A perf.data file at the level of its format: its header, its records in the order of the
 * file, and whether it conforms to the format.
 *
 *	file = kermon_file_new(&options);
 *	err = kermon_file_open(file, "perf.data");
 *	if (!err)
 *		err = kermon_file_records(file, print, NULL);
 *	kermon_file_free(file);
 *
 * All results are owned by the file.
 */
#ifndef KERMON_FILE_H
#define KERMON_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <kermon/abi.h>
#include <kermon/cancel.h>
#include <kermon/damage.h>

KERMON_BEGIN_DECLS

struct kermon_file;

/**
 * struct kermon_file_options - how to read; all may be 0
 * @size: sizeof(struct kermon_file_options)
 * @damages: receives problems of the file; may be NULL
 * @cancel: makes functions return -ECANCELED early; may be NULL
 * @progress: called every few megabytes with the number of bytes processed out of @total,
 *	which is 0 for a pipe; may be NULL
 * @context: passed to @progress
 */
struct kermon_file_options {
	size_t size;
	struct kermon_damages *damages;
	const struct kermon_cancel *cancel;
	void (*progress)(void *context, uint64_t done, uint64_t total);
	void *context;
};

/*
 * @options may be NULL, and is copied. Return: NULL, and errno: ENOMEM; EINVAL if its
 * @size is not set; E2BIG if it uses members of a later version.
 */
struct kermon_file *kermon_file_new(const struct kermon_file_options *options);
void kermon_file_free(struct kermon_file *file);

/*
 * Call once; -EALREADY after that. Pipes and "-" are accepted, too. Return: as
 * kermon_report_read(). After an error, the other functions return nothing.
 */
int kermon_file_open(struct kermon_file *file, const char *path);

/*
 * Call @line with the name and value of each event, including its fields, and then of
 * each feature. Invalid ones are reported as damage.
 */
void kermon_file_header(struct kermon_file *file,
			void (*line)(void *context, const char *name,
				     const char *value),
			void *context);

/**
 * struct kermon_file_record - a record
 * @offset: in the file; if compressed, of the record that contained it
 * @time: ns; 0: none
 * @type: PERF_RECORD_*, or perf's own from 64 on
 * @size: bytes
 * @misc: PERF_RECORD_MISC_*
 * @compressed: it was in a compressed record
 * @name: of the type; NULL: unknown
 * @event: name of its event; NULL: none
 * @fields: "name value" of each, separated by commas; valid during the call
 */
struct kermon_file_record {
	uint64_t offset;
	uint64_t time;
	uint32_t type;
	uint16_t size;
	uint16_t misc;
	bool compressed;
	const char *name;
	const char *event;
	const char *fields;
};

/*
 * Call @fn for every record, in file order, until it returns non-zero. Call either this
 * or kermon_file_check(), once. Return: 0, -EINVAL if no file is open, -ECANCELED,
 * -ENOMEM, or what @fn returned.
 */
int kermon_file_records(struct kermon_file *file,
			int (*fn)(void *context,
				  const struct kermon_file_record *record),
			void *context);

/**
 * struct kermon_file_count - number of records of a type
 * @name: NULL: unknown @type
 * @records: number of records
 * @bytes: their total size
 */
struct kermon_file_count {
	uint32_t type;
	const char *name;
	uint64_t records;
	uint64_t bytes;
};

/**
 * kermon_file_check - read the whole file, every feature and every field of every record
 * @count: called for each type that occurs, in ascending order
 * @late: set to the number of records that arrive later than the file's rounds allow
 *
 * Problems are reported as damages. Return: 0, -EINVAL if no file is open, -ECANCELED, or
 * -ENOMEM.
 */
int kermon_file_check(struct kermon_file *file,
		      void (*count)(void *context,
				    const struct kermon_file_count *count),
		      void *context, uint64_t *late);

KERMON_END_DECLS

#endif /* KERMON_FILE_H */
