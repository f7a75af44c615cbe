// SPDX-License-Identifier: GPL-2.0
/* Scopes that are regions, in a program and in a library, left by exceptions and returns. */
#include <kermon/region.h>

#include <cstdio>
#include <stdexcept>

void in_library();

static int leave(int how)
{
	KERMON_REGION("leave");
	KERMON_REGION("inner");

	if (how == 1)
		return 1;
	if (how == 2)
		throw std::runtime_error("left");
	in_library();
	return 0;
}

int main()
{
	KERMON_REGION("main");

	for (int how = 0; how < 3; how++) {
		try {
			leave(how);
		} catch (const std::runtime_error &) {
			KERMON_REGION("catch");
		}
	}
}
