/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions for the table of keys that show the value of a key, as taken from a sample:
 * as a number or a text.
 */
#ifndef KERMON_REPORT_KEY_SHOW_H
#define KERMON_REPORT_KEY_SHOW_H

#include "details.h"

/* See @show of struct report_key. */
#define SHOW(name)							\
	int show_##name(struct kermon_report *report, const struct raw_detail *raw, \
			struct kermon_detail *to)

SHOW(number);		/* as it is */
SHOW(symbol);		/* name of the function */
SHOW(dso);
SHOW(line);		/* "file.c:12" */
SHOW(address);		/* "function+0x10" */
SHOW(hex);		/* with all digits */
SHOW(ip);		/* without leading zeros */
SHOW(mispredict);	/* "Y", "N" */
SHOW(in_tx);		/* "T" */
SHOW(abort);		/* "A" */
SHOW(mem);		/* parts of PERF_SAMPLE_DATA_SRC */
SHOW(tlb);
SHOW(locked);
SHOW(snoop);
SHOW(blocked);
SHOW(page_size);	/* "4K" */
SHOW(transaction);	/* "TX SYNC" */
SHOW(time);		/* seconds */

#undef SHOW

/* regions.c: the region of a sample. */
void take_region(struct kermon_report *report, const struct detail_source *from,
		 struct raw_detail *raw);
int show_region(struct kermon_report *report, const struct raw_detail *raw,
		struct kermon_detail *to);
void take_module(struct kermon_report *report, const struct detail_source *from,
		 struct raw_detail *raw);
int show_module(struct kermon_report *report, const struct raw_detail *raw,
		struct kermon_detail *to);

#endif /* KERMON_REPORT_KEY_SHOW_H */
