/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The data of tracepoints as text, by the descriptions that the kernel gave when
 * they were recorded: the feature TRACING_DATA.
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
 * Descriptions that are damaged are passed over, and so are those that nest deeper
 * than any of the kernel does. They are tried in a child process, which is waited for:
 * none is known if that does not end well. NULL: no memory.
 */
struct tracepoints *tracepoints_new(const unsigned char *bytes, size_t size);
bool tracepoints_are_known(const struct tracepoints *tracepoints);
void tracepoints_free(struct tracepoints *tracepoints);

/**
 * tracepoints_text - what the kernel would print of a sample
 * @tracepoints: that are known
 * @id: of the tracepoint
 * @sample: with its raw data
 * @text: set to the text; valid until the next call
 *
 * Return: bytes of the text; 0: the tracepoint is not known, or its data are shorter
 * than they should be; or -ENOMEM.
 */
ssize_t tracepoints_text(struct tracepoints *tracepoints, uint64_t id,
			 const struct sample *sample, const char **text);

#endif /* KERMON_TRACEPOINTS_H */
