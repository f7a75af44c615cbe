/* SPDX-License-Identifier: GPL-2.0 */
/* The fuzzer's input, as bytes for the libraries and as a file for the tool. */
#ifndef TESTS_FUZZ_INPUT_H
#define TESTS_FUZZ_INPUT_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define INPUT_PATH	32

/* Called by libFuzzer, provided by each target. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Fails the target: an assertion does not hold. */
#define promise(kept)							\
	do {								\
		if (!(kept)) {						\
			fprintf(stderr, "%s:%d: not kept: %s\n",	\
				__FILE__, __LINE__, #kept);		\
			abort();					\
		}							\
	} while (0)

/* A file with these bytes, which has the name @path until it is closed. */
static inline int input_file(const uint8_t *data, size_t size,
			     char path[INPUT_PATH])
{
	int fd = memfd_create("input", MFD_CLOEXEC);

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(path, INPUT_PATH, "/proc/self/fd/%d", fd);
	return fd;
}

/* Reads every byte, so that ASan checks it. */
static inline void input_touch(const void *bytes, size_t size)
{
	const volatile unsigned char *at = bytes;

	while (size--)
		(void)*at++;
}

#endif /* TESTS_FUZZ_INPUT_H */
