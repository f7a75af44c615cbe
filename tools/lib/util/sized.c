// SPDX-License-Identifier: GPL-2.0
/*
 * Copy a structure that begins with its size from a program that may have been built
 * with an older or a newer header.
 */
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "sized.h"

static bool is_zero(const unsigned char *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (bytes[i])
			return false;
	return true;
}

int sized_take(void *known, size_t size, const void *given)
{
	size_t given_size;

	memset(known, 0, size);
	if (given) {
		memcpy(&given_size, given, sizeof(given_size));
		if (given_size < sizeof(given_size))
			return -EINVAL;
		if (given_size > size &&
		    !is_zero((const unsigned char *)given + size,
			     given_size - size))
			return -E2BIG;
		memcpy(known, given, given_size < size ? given_size : size);
	}
	memcpy(known, &size, sizeof(size));
	return 0;
}
