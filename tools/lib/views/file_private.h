/* SPDX-License-Identifier: GPL-2.0 */
/* Declarations shared by the views of a file as a whole, and no others. */
#ifndef KERMON_FILE_PRIVATE_H
#define KERMON_FILE_PRIVATE_H

#include <kermon/file.h>

#include "perfdata/format/format.h"
#include "perfdata/read/read.h"

struct kermon_file {
	struct reader *reader;
	struct damages damages;
	struct kermon_file_options options;
	struct kermon_file_order order;
	bool was_opened;	/* or could not be */
};

/* file.c: pass on lines for all features, and add damages for those that are invalid. */
void file_features(struct kermon_file *file,
		   void (*line)(void *context, const char *name,
				const char *value),
		   void *context);

#endif /* KERMON_FILE_PRIVATE_H */
