/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Records of a machine with the other byte order become records of this one, in
 * place. Fields that do not fit in their record are left: whoever reads them
 * finds that out. What has bit fields is turned for a little-endian machine.
 */
#ifndef KERMON_PERFDATA_SWAP_H
#define KERMON_PERFDATA_SWAP_H

#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>

/* @size bytes of an attr, no more than a multiple of what it grew by. */
void swap_attr(unsigned char *attr, size_t size);

/*
 * A whole record of @size bytes, its header too. @attr: of its event, in the order
 * of this machine; NULL: of a record that has none.
 */
void swap_record(unsigned char *record, size_t size,
		 const struct perf_event_attr *attr);

void swap_words(unsigned char *words, size_t nr);

#endif /* KERMON_PERFDATA_SWAP_H */
