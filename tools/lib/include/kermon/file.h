/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A perf.data file as it is: its header, its records one by one in the order of
 * the file, and whether it keeps to the format.
 *
 *	file = kermon_file_new(&options);
 *	err = kermon_file_open(file, "perf.data");
 *	if (!err)
 *		err = kermon_file_records(file, print, NULL);
 *	kermon_file_free(file);
 *
 * Everything that is handed out is owned by the file.
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
 * @damages: gets what is wrong with the file; NULL: nobody wants to know
 * @cancel: ends each function with -ECANCELED; NULL: nothing does
 * @progress: told every few megabytes how many of @total bytes a function has gone
 *	through; of a pipe @total is 0. NULL: nobody
 * @context: handed to @progress
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
 * @size is not set; E2BIG if it asks for what only a later version has.
 */
struct kermon_file *kermon_file_new(const struct kermon_file_options *options);
void kermon_file_free(struct kermon_file *file);

/*
 * Once: -EALREADY the next time. A pipe and "-" are files too. Return: as
 * kermon_report_read(). After an error there is nothing that other functions could show.
 */
int kermon_file_open(struct kermon_file *file, const char *path);

/*
 * Lines of events, each with its fields, then of features: name and value. What of
 * these does not fit is damage.
 */
void kermon_file_header(struct kermon_file *file,
			void (*line)(void *context, const char *name,
				     const char *value),
			void *context);

/**
 * struct kermon_file_record - a record
 * @offset: in the file, or of the compressed record that it was in
 * @time: ns; 0: none
 * @type: PERF_RECORD_*, or perf's own from 64 on
 * @size: bytes
 * @misc: PERF_RECORD_MISC_*
 * @compressed: it was in a compressed record
 * @name: of the type; NULL: nobody has heard of it
 * @event: name of the event that it belongs to; NULL: to none
 * @fields: "name value" of each, with commas between; valid during the call
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
 * Hands out every record, in the order of the file, until @fn returns other than
 * 0. Once, like kermon_file_check(). Return: 0, -EINVAL if no file is open, -ECANCELED,
 * -ENOMEM, or what @fn returned.
 */
int kermon_file_records(struct kermon_file *file,
			int (*fn)(void *context,
				  const struct kermon_file_record *record),
			void *context);

/**
 * struct kermon_file_count - records of a type
 * @name: NULL: nobody has heard of @type
 * @records: how many
 * @bytes: of them all
 */
struct kermon_file_count {
	uint32_t type;
	const char *name;
	uint64_t records;
	uint64_t bytes;
};

/**
 * kermon_file_check - read all of it, every feature and every field of every record
 * @count: called for each type that occurs, in ascending order
 * @late: set to the records that come later than the rounds of the file promise
 *
 * What is wrong is found among the damages. Return: 0, -EINVAL if no file is open,
 * -ECANCELED, or -ENOMEM.
 */
int kermon_file_check(struct kermon_file *file,
		      void (*count)(void *context,
				    const struct kermon_file_count *count),
		      void *context, uint64_t *late);

KERMON_END_DECLS

#endif /* KERMON_FILE_H */
