/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Build ids: the hash that a linker gives a file, which distinguishes the recorded file
 * from others of the same name.
 */
#ifndef KERMON_BUILD_ID_H
#define KERMON_BUILD_ID_H

#include <stdbool.h>
#include <stdint.h>

#define BUILD_ID_MAX	20

struct build_id {
	uint8_t size;		/* 0: unknown */
	uint8_t bytes[BUILD_ID_MAX];
};

bool build_id_equal(const struct build_id *a, const struct build_id *b);

/* Path in file caches: "12/345678...". Return: false if there is no build id. */
#define BUILD_ID_PATH	(2 * BUILD_ID_MAX + 2)
bool build_id_path(const struct build_id *id, char path[BUILD_ID_PATH]);

#endif /* KERMON_BUILD_ID_H */
