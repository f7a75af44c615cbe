/* SPDX-License-Identifier: GPL-2.0 */
/*
 * libkermon: recording with KerMon and reading what was recorded.
 *
 * Conventions of all its headers: nothing is printed and nothing exits;
 * functions that can fail return 0 (or what they are asked for) and -errno;
 * what one function opens or makes another of the same prefix closes or frees,
 * and takes NULL. An object may be used by one thread at a time.
 */
#ifndef KERMON_VERSION_H
#define KERMON_VERSION_H

#pragma GCC visibility push(default)

/* "0.1.0": of the library that is linked. */
const char *kermon_version(void);

#pragma GCC visibility pop
#endif /* KERMON_VERSION_H */
