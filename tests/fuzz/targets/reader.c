// SPDX-License-Identifier: GPL-2.0
/* A file: header, events, features and every record. */
#include "perfdata/format/format.h"
#include "records.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char path[INPUT_PATH];
	int fd = input_file(data, size, path);

	read_all(path);
	close(fd);
	return 0;
}
