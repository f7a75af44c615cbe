/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The data of tracepoints as text, formatted with the descriptions that the kernel provided
 * when they were recorded: the feature TRACING_DATA.
 *
 *	tracepoints = tracepoints_new(bytes, size);
 *	nr = tracepoints_text(tracepoints, attr->config, sample, &text);
 *	tracepoints_free(tracepoints);
 */
#ifndef KERMON_TRACEPOINTS_H
#define KERMON_TRACEPOINTS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "perfdata/format/format.h"

struct tracepoints;

/*
 * Damaged descriptions are skipped, as are those nested more deeply than any in the
 * kernel. They are tried out in a child process, which is waited for. If that fails, no
 * tracepoint is known. Return: NULL if out of memory.
 */
struct tracepoints *tracepoints_new(const unsigned char *bytes, size_t size);
bool tracepoints_are_known(const struct tracepoints *tracepoints);
void tracepoints_free(struct tracepoints *tracepoints);

/**
 * tracepoints_text - format a sample as the kernel would print it
 * @tracepoints: from tracepoints_new()
 * @id: of the tracepoint
 * @sample: with its raw data
 * @text: set to the text; valid until the next call
 *
 * Return: bytes of the text; 0: the tracepoint is unknown, or its data is too short; or
 * -ENOMEM.
 */
ssize_t tracepoints_text(struct tracepoints *tracepoints, uint64_t id,
			 const struct sample *sample, const char **text);

#endif /* KERMON_TRACEPOINTS_H */
