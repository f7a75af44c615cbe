/* SPDX-License-Identifier: GPL-2.0 */
/* The record that KerMon's notes are in. */
#ifndef KERMON_PERFDATA_NOTES_H
#define KERMON_PERFDATA_NOTES_H

#include <stddef.h>
#include <stdint.h>

#include "blob.h"

/*
 * Append the record with @notes, which are those of the feature KERMON, to @record. @id: of
 * any event of the file. Return: 0; -E2BIG: they do not fit into a record; -ENOMEM.
 */
int notes_put(struct blob *record, uint64_t id, const void *notes, size_t size);

#endif /* KERMON_PERFDATA_NOTES_H */
