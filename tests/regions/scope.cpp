// SPDX-License-Identifier: GPL-2.0
/* A library with a region of the same name as one of the program, which are one. */
#include <kermon/region.h>

void in_library();

void in_library()
{
	KERMON_REGION("leave");
}
