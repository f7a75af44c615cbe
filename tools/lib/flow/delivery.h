/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The stage of the pipeline that processes records in their final order:
 *
 *	reader -> order -> delivery -> filter -> consumer
 *
 * Records other than samples update processes and facts; a sample is parsed, gets its
 * thread, and is passed to the filter.
 */
#ifndef KERMON_DELIVERY_H
#define KERMON_DELIVERY_H

#include "pipeline.h"

/* A record_fn; @pipeline: a struct pipeline. Records arrive ordered by time. */
int deliver_in_order(void *pipeline, const struct record *record);

/* For @fn and @batch of struct reader_rounds: samples arrive in any order. */
int deliver_in_rounds(void *pipeline, const struct record *record);
uint64_t deliver_batch(void *pipeline, struct reader_batch *batch);

#endif /* KERMON_DELIVERY_H */
