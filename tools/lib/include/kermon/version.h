/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The version of libkermon: macros for that of the headers that a program is built with,
 * functions for that of the library that it runs with.
 */
#ifndef KERMON_VERSION_H
#define KERMON_VERSION_H

#include <kermon/abi.h>

KERMON_BEGIN_DECLS

/* The only place where the version is defined. */
#define KERMON_VERSION_MAJOR	0
#define KERMON_VERSION_MINOR	1
#define KERMON_VERSION_PATCH	0

/* A version as a number that increases with each version: #if KERMON_VERSION >= ... */
#define KERMON_VERSION_NUMBER(major, minor, patch) \
	(((major) << 16) | ((minor) << 8) | (patch))
#define KERMON_VERSION \
	KERMON_VERSION_NUMBER(KERMON_VERSION_MAJOR, KERMON_VERSION_MINOR, \
			      KERMON_VERSION_PATCH)

/* The version of the library as a KERMON_VERSION_NUMBER(). For any thread. */
unsigned int kermon_version_number(void);

/* The same as text, "0.1.0"; always valid. For any thread. */
const char *kermon_version(void);

KERMON_END_DECLS
#endif /* KERMON_VERSION_H */
