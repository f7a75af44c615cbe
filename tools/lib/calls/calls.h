/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The header of this folder for other folders: call chains of samples, and the tree of
 * all chains of a file.
 */
#ifndef KERMON_CALLS_H
#define KERMON_CALLS_H

#include "callbatch.h"
#include "callchain.h"
#include "callindex.h"
#include "calltree.h"

#endif /* KERMON_CALLS_H */
