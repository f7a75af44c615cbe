// SPDX-License-Identifier: GPL-2.0
/* Compiled for 32 bits: the assertions of the header are all there is to it. */
#include "layout.h"
