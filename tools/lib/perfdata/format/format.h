/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The format of perf.data, for other folders: the layout of the file, its features,
 * records, samples and marks, and the collection of damage.
 */
#ifndef KERMON_PERFDATA_FORMAT_H
#define KERMON_PERFDATA_FORMAT_H

#include "cpu_map.h"
#include "damage.h"
#include "features.h"
#include "fields.h"
#include "layout.h"
#include "mark.h"
#include "record.h"
#include "record_types.h"
#include "sample.h"

#endif /* KERMON_PERFDATA_FORMAT_H */
