/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KERMON_PERFDATA_FEATURE_TEXT_H
#define KERMON_PERFDATA_FEATURE_TEXT_H

#include <stdbool.h>

#include "perfdata/read/reader.h"

/*
 * What feature @bit says, if the file has it: a line or several, name and value.
 * Return: false if there is less of it than it says.
 */
bool feature_text(const struct reader *reader, unsigned int bit,
		  void (*line)(void *context, const char *name,
			       const char *value),
		  void *context);

#endif /* KERMON_PERFDATA_FEATURE_TEXT_H */
