// SPDX-License-Identifier: GPL-2.0
/* The version that <kermon/version.h> has, as the library was built with it. */
#include <kermon/version.h>

#define TEXT(number)	#number
#define TEXT_OF(major, minor, patch) \
	TEXT(major) "." TEXT(minor) "." TEXT(patch)

unsigned int kermon_version_number(void)
{
	return KERMON_VERSION;
}

const char *kermon_version(void)
{
	return TEXT_OF(KERMON_VERSION_MAJOR, KERMON_VERSION_MINOR,
		       KERMON_VERSION_PATCH);
}
