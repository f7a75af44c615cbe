/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The words in which the tables of features and of record types list fields; they
 * become an array of struct data_field. For the sources of those tables only.
 */
#ifndef KERMON_PERFDATA_FIELD_LIST_H
#define KERMON_PERFDATA_FIELD_LIST_H

#include "fields.h"

#define FIELDS(...)	((const struct data_field[]){ __VA_ARGS__, {} })

#define NOTHING		{}
#define U32(name)	{ #name, FIELD_U32 }
#define U64(name)	{ #name, FIELD_U64 }
#define TIME(name)	{ #name, FIELD_TIME }
#define STRING(name)	{ #name, FIELD_STRING }
#define DATA(name)	{ #name, FIELD_DATA }
#define EACH		{ NULL, FIELD_EACH32 }
#define EACH64		{ NULL, FIELD_EACH64 }
#define OTHER(words)	{ words, FIELD_OTHER }

#endif /* KERMON_PERFDATA_FIELD_LIST_H */
