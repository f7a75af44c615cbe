// SPDX-License-Identifier: GPL-2.0
/*
 * The functions of <kermon/self.h>, for programs that cannot include it. They have no other
 * declarations than these definitions.
 */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

#define KERMON_SELF_API	__attribute__((visibility("default")))
#include <kermon/self.h>
