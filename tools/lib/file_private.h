/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KERMON_FILE_PRIVATE_H
#define KERMON_FILE_PRIVATE_H

#include <kermon/file.h>

#include "perfdata/damage.h"
#include "perfdata/reader.h"

struct kermon_file {
	struct reader *reader;
	struct damages damages;
};

#endif /* KERMON_FILE_PRIVATE_H */
