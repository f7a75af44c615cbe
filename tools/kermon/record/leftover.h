/* SPDX-License-Identifier: GPL-2.0 */
/* What remains after a recording: processes that the command leaves running. */
#ifndef KERMON_LEFTOVER_H
#define KERMON_LEFTOVER_H

struct recording;

/*
 * Number of processes that are still monitored, or were until the recording was revoked,
 * without that of the command.
 */
unsigned int leftover_count(const struct recording *recording);

#endif /* KERMON_LEFTOVER_H */
