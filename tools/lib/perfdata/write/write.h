/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writing perf.data, for other folders: the events of KerMon's files, buffers for
 * sections, notes, compression, and marks of regions. The writer itself is <kermon/writer.h>.
 */
#ifndef KERMON_PERFDATA_WRITE_H
#define KERMON_PERFDATA_WRITE_H

#include "attrs.h"
#include "blob.h"
#include "compress.h"
#include "marked.h"
#include "notes.h"

#endif /* KERMON_PERFDATA_WRITE_H */
