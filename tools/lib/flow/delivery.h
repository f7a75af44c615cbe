/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The stage of the pipeline that a record comes to when its turn has come:
 *
 *	reader -> order -> delivery -> filter -> consumer
 *
 * Processes and facts learn from records that are no samples; a sample is taken apart,
 * gets its thread, and is offered to the filter.
 */
#ifndef KERMON_DELIVERY_H
#define KERMON_DELIVERY_H

#include "pipeline.h"

/* A record_fn; @pipeline: a struct pipeline. Records come in the order of time. */
int deliver_in_order(void *pipeline, const struct record *record);

/* struct reader_rounds' @fn and @batch: samples come in no particular order. */
int deliver_in_rounds(void *pipeline, const struct record *record);
uint64_t deliver_batch(void *pipeline, struct reader_batch *batch);

#endif /* KERMON_DELIVERY_H */
