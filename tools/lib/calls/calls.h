/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Call chains, for other folders: the frames of one sample, and the tree that all chains
 * of a file make.
 */
#ifndef KERMON_CALLS_H
#define KERMON_CALLS_H

#include "callchain.h"
#include "callindex.h"
#include "calltree.h"

#endif /* KERMON_CALLS_H */
