// SPDX-License-Identifier: GPL-2.0
#include <kermon/version.h>

const char *kermon_version(void)
{
	return KERMON_VERSION;
}
