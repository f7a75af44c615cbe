/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Records in the order of their time.
 *
 * A file is written CPU buffer by CPU buffer, so it consists of runs that are
 * in order each. perf record ends every pass over the buffers with
 * FINISHED_ROUND: what comes after it is not older than the newest record
 * before the FINISHED_ROUND before it. So two rounds wait, or the whole file where
 * there are none. What is too much for memory waits in a temporary file; time is
 * n log(runs), whatever the order.
 */
#ifndef KERMON_ORDER_H
#define KERMON_ORDER_H

#include "perfdata/format/format.h"

struct order;

/* Records come out through @fn, called with @context. NULL: no memory. */
struct order *order_new(record_fn fn, void *context);
void order_free(struct order *order);

/**
 * order_record - take a record in
 * @order: a struct order; void, so that this is a record_fn
 * @record: as the reader gives it; copied, but not the bytes it points to
 *
 * Records without a time pass through at once, FINISHED_ROUND behind what it lets
 * go. Records of the same time come
 * out in the order they came in. Return: 0, -ENOMEM, or what @fn returned.
 */
int order_record(void *order, const struct record *record);

/* Gives out what is left. Return: 0, -ENOMEM, or what @fn returned. */
int order_flush(struct order *order);

#endif /* KERMON_ORDER_H */
