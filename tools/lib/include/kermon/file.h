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
 * Call @fn for every record, in file order, until it returns non-zero. Only one of this,
 * kermon_file_check() and kermon_file_order() may be called, once. Return: 0, -EINVAL if no
 * file is open, -ECANCELED, -ENOMEM, or what @fn returned.
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

/**
 * struct kermon_file_moment - the time of a record
 * @number: of the record in the file, from 0 on
 * @offset: as of struct kermon_file_record
 * @time: ns
 * @upper: time of the newest record up to and including this one
 * @lower: by the file's rounds, no record from this one on is older; 0: not known yet
 * @cpu: -1: not recorded
 */
struct kermon_file_moment {
	uint64_t number;
	uint64_t offset;
	uint64_t time;
	uint64_t upper;
	uint64_t lower;
	int64_t cpu;
};

/**
 * struct kermon_file_order - how far records are out of the order of time
 * @records: number of records
 * @timed: of these, records with a time; the others follow no order
 * @unordered: records that are older than one before them
 * @step: ns by which a record is older than the newest one before it, at most
 * @step_number: number of the first such record
 * @step_offset: its offset
 * @held: largest number of records that are newer than a later one at any place in the
 *	file: what a reader has to hold back at least to deliver all in order. If there are
 *	@late records, of the order in which rounds deliver
 * @held_by_rounds: the largest number that it holds back if it only knows the rounds
 * @rounds: number of FINISHED_ROUND records, including those that the reader inserts
 *	between the files of a directory
 * @round: largest number of records with a time in a round
 * @crossing: records that are older than one before the last FINISHED_ROUND
 * @late: records that are older than the rounds allow: than one before the last but one
 */
struct kermon_file_order {
	uint64_t records;
	uint64_t timed;
	uint64_t unordered;
	uint64_t step;
	uint64_t step_number;
	uint64_t step_offset;
	uint64_t held;
	uint64_t held_by_rounds;
	uint64_t rounds;
	uint64_t round;
	uint64_t crossing;
	uint64_t late;
};

/**
 * kermon_file_order - read the whole file, and compare its order with that of time
 * @file: an open file
 * @fn: called for each record with a time, in file order, until it returns non-zero
 * @context: passed to it
 * @order: set to the result, which is owned by @file
 *
 * Return: as kermon_file_records().
 */
int kermon_file_order(struct kermon_file *file,
		      int (*fn)(void *context,
				const struct kermon_file_moment *moment),
		      void *context, const struct kermon_file_order **order);

KERMON_END_DECLS

#endif /* KERMON_FILE_H */
