// SPDX-License-Identifier: GPL-2.0
/* Compiled for 32 bits; only the static assertions of the header matter. */
#include "layout.h"
