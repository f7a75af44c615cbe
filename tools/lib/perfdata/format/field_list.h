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
#define U8(name)		{ #name, FIELD_U8 }
#define U16(name)		{ #name, FIELD_U16 }
#define U32(name)		{ #name, FIELD_U32 }
#define U64(name)		{ #name, FIELD_U64 }
#define S32(name)		{ #name, FIELD_S32 }
#define S64(name)		{ #name, FIELD_S64 }
#define HEX(name)		{ #name, FIELD_HEX }
#define TIME(name)		{ #name, FIELD_TIME }
#define PAD(size)		{ NULL, FIELD_BYTES, size }
#define WORDS(name)		{ #name, FIELD_WORDS }
#define NAME(name)		{ #name, FIELD_NAME }
#define ATTR(name)		{ #name, FIELD_ATTR }
#define CPUS(name)		{ #name, FIELD_CPUS }
#define UPDATE(name)		{ #name, FIELD_UPDATE }
#define STRING(name)		{ #name, FIELD_STRING }
#define DATA(name)		{ #name, FIELD_DATA }

/* With a size in bytes; without one, up to the end. */
#define BYTES(name, ...)	{ #name, FIELD_BYTES, __VA_ARGS__ }
#define CHARS(name, ...)	{ #name, FIELD_TEXT, __VA_ARGS__ }

#define REPEAT			{ NULL, FIELD_REPEAT }
#define COUNTED(fields)		{ NULL, FIELD_COUNTED, fields }
#define NEWER			{ NULL, FIELD_NEWER }
#define EACH			{ NULL, FIELD_EACH32 }
#define EACH64			{ NULL, FIELD_EACH64 }
#define OTHER(words)		{ words, FIELD_OTHER }

#endif /* KERMON_PERFDATA_FIELD_LIST_H */
