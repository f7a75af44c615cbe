/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sort records by time.
 *
 * A file is written CPU buffer by CPU buffer, so it consists of runs that are sorted
 * themselves. perf record ends every pass over the buffers with FINISHED_ROUND: no record
 * after it is older than the newest record before the previous FINISHED_ROUND. So two
 * rounds are held back, or the whole file if there are no rounds. Records that do not fit
 * in memory go to a temporary file. The run time is O(n log(runs)) in any case.
 */
#ifndef KERMON_ORDER_H
#define KERMON_ORDER_H

#include "perfdata/format/format.h"

struct order;

/* Records are delivered to @fn, called with @context. Return: NULL if out of memory. */
struct order *order_new(record_fn fn, void *context);
void order_free(struct order *order);

/**
 * order_record - add a record
 * @order: a struct order; void, so that this is a record_fn
 * @record: as the reader returns it; copied, but not the bytes it points to
 *
 * Records without a time are delivered immediately, and FINISHED_ROUND after the records
 * that it releases. Records of equal time keep their order.
 *
 * Return: 0, -ENOMEM, or the result of @fn.
 */
int order_record(void *order, const struct record *record);

/* Deliver the remaining records. Return: 0, -ENOMEM, or the result of @fn. */
int order_flush(struct order *order);

#endif /* KERMON_ORDER_H */
