/* SPDX-License-Identifier: GPL-2.0 */
/* Interface to terminal.c: the plot of a roofline in the terminal. */
#ifndef KERMON_ROOFLINE_TERMINAL_H
#define KERMON_ROOFLINE_TERMINAL_H

#include "roofline.h"

/* Print what @view->plot asks for. Returns 0 or -ENOMEM. */
int terminal_plot(const struct roofline_view *view);

#endif /* KERMON_ROOFLINE_TERMINAL_H */
