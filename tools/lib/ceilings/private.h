/* SPDX-License-Identifier: GPL-2.0 */
/* Shared by the files of this folder. */
#ifndef KERMON_CEILINGS_PRIVATE_H
#define KERMON_CEILINGS_PRIVATE_H

#include <json-c/json.h>
#include <kermon/ceilings.h>

#define LABEL_SIZE	96

/* A ceiling, whose texts are in the JSON, except for its label. */
struct entry {
	struct kermon_ceiling ceiling;
	char label[LABEL_SIZE];
};

/**
 * struct kermon_ceilings - ceilings that were read
 * @root: the JSON, which the texts are in
 * @about: where they are from
 * @entries: the ceilings, peaks first
 * @nr: number of these
 */
struct kermon_ceilings {
	struct json_object *root;
	struct kermon_ceilings_about about;
	struct entry *entries;
	size_t nr;
};

/*
 * Parse the file at @path, up to its limits. Return: 0 or -errno, with @error; -EINVAL: it
 * is not JSON.
 */
int ceilings_parse(struct json_object **root, const char *path,
		   struct kermon_ceilings_error *error);

/* Take everything from @ceilings->root. Return: 0; -EINVAL with @error; -ENOMEM. */
int ceilings_take(struct kermon_ceilings *ceilings,
		  struct kermon_ceilings_error *error);

/* Store the reason. Returns @err, a negative errno. */
int ceilings_fail(struct kermon_ceilings_error *error, int err,
		  const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif /* KERMON_CEILINGS_PRIVATE_H */
