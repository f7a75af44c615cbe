// SPDX-License-Identifier: GPL-2.0
/*
 * Descriptions of tracepoints and the data of one: its id in two bytes, the size of the
 * descriptions in two, the descriptions, and the data.
 */
#include <string.h>

#include "../input.h"
#include "views/tracepoints.h"

#define HEAD	(2 * sizeof(uint16_t))

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tracepoints *tracepoints;
	struct sample sample = { .cpu = 1 };
	uint16_t id, length;
	const char *text;
	ssize_t got;

	if (size < HEAD)
		return 0;
	memcpy(&id, data, sizeof(id));
	memcpy(&length, data + sizeof(id), sizeof(length));
	data += HEAD;
	size -= HEAD;
	if (length > size)
		length = size;
	sample.raw = data + length;
	sample.raw_size = size - length;
	tracepoints = tracepoints_new(data, length);
	promise(tracepoints);
	got = tracepoints_text(tracepoints, id, &sample, &text);
	if (got > 0)
		input_touch(text, got);
	tracepoints_free(tracepoints);
	return 0;
}
