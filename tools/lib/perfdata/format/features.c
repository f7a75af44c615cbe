// SPDX-License-Identifier: GPL-2.0
/*
 * The table of features as data: their titles, encodings and texts. Functions that
 * write or print a feature are in the tables of perfdata/write and perfdata/text.
 */
#include <stddef.h>

#include "features.h"
#include "field_list.h"

#define TEXT(text)	text
#define BY(function)	NULL
#define SIZE		NULL
#define ROW(number, name, title, written, shown, ...)			\
	[number] = { title, shown, FIELDS(__VA_ARGS__) },

static const struct feature_type types[PERFDATA_FEATURES] = {
	PERFDATA_FEATURE_TABLE(ROW)
};

const struct feature_type *feature_type(unsigned int bit)
{
	return &types[bit];
}
