/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The vocabulary in which the tables of features and of record types list fields;
 * expands to an array of struct data_field. Only for the sources with those tables.
 */
#ifndef KERMON_PERFDATA_FIELD_LIST_H
#define KERMON_PERFDATA_FIELD_LIST_H

#include "fields.h"

#define FIELDS(...)	((const struct data_field[]){ __VA_ARGS__, {} })

#define NOTHING			{}
#define U8(name)		{ #name, DATA_U8 }
#define U16(name)		{ #name, DATA_U16 }
#define U32(name)		{ #name, DATA_U32 }
#define U64(name)		{ #name, DATA_U64 }
#define S32(name)		{ #name, DATA_S32 }
#define S64(name)		{ #name, DATA_S64 }
#define HEX(name)		{ #name, DATA_HEX }
#define TIME(name)		{ #name, DATA_TIME }
#define PAD(size)		{ NULL, DATA_BYTES, size }
#define WORDS(name)		{ #name, DATA_WORDS }
#define NAME(name)		{ #name, DATA_NAME }
#define ATTR(name)		{ #name, DATA_ATTR }
#define CPUS(name)		{ #name, DATA_CPUS }
#define UPDATE(name)		{ #name, DATA_UPDATE }
#define STRING(name)		{ #name, DATA_STRING }
#define SIZED(name)		{ #name, DATA_SIZED }

/* With a size in bytes; without one, up to the end. */
#define BYTES(name, ...)	{ #name, DATA_BYTES, __VA_ARGS__ }
#define CHARS(name, ...)	{ #name, DATA_TEXT, __VA_ARGS__ }

#define REPEAT			{ NULL, DATA_REPEAT }
#define COUNTED(fields)		{ NULL, DATA_COUNTED, fields }
#define NEWER			{ NULL, DATA_NEWER }
#define EACH			{ NULL, DATA_EACH32 }
#define EACH64			{ NULL, DATA_EACH64 }
#define OTHER(words)		{ words, DATA_OTHER }

#endif /* KERMON_PERFDATA_FIELD_LIST_H */
