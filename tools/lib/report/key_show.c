// SPDX-License-Identifier: GPL-2.0
/*
 * Shows the values of keys, as taken from a sample: as a number, or as a text in perf's
 * words.
 */
#include <errno.h>
#include <inttypes.h>
#include <kermon/memory.h>
#include <stdio.h>
#include <string.h>

#include "key_show.h"
#include "report_private.h"

#define NSEC_PER_SEC	1000000000ULL
#define NSEC_PER_USEC	1000ULL

static int show_text(struct kermon_report *report, struct kermon_detail *to,
		     const char *text)
{
	to->text = intern(&report->strings, text);
	return to->text ? 0 : -ENOMEM;
}

int show_number(struct kermon_report *report,
		const struct raw_detail *raw, struct kermon_detail *to)
{
	(void)report;
	to->number = raw->value;
	return 0;
}

/* Different functions with the same name are different values. */
int show_symbol(struct kermon_report *report,
		const struct raw_detail *raw, struct kermon_detail *to)
{
	struct callee place = { .dso = raw->dso, .symbol = raw->symbol };

	if (!raw->symbol)
		return 0;
	to->number = (uintptr_t)raw->symbol;
	to->text = report_symbol_name(report, &place);
	return to->text ? 0 : -ENOMEM;
}

int show_dso(struct kermon_report *report, const struct raw_detail *raw,
	     struct kermon_detail *to)
{
	(void)report;
	to->text = raw->dso ? raw->dso->name : NULL;
	return 0;
}

int show_line(struct kermon_report *report, const struct raw_detail *raw,
	      struct kermon_detail *to)
{
	const char *path;

	if (!raw->dso)
		return 0;
	if (report_line_of(report, raw->dso, raw->value, &path))
		return -ENOMEM;
	to->number = (uintptr_t)path;
	to->text = report_base_of(path);
	return 0;
}

int show_hex(struct kermon_report *report, const struct raw_detail *raw,
	     struct kermon_detail *to)
{
	char text[32];

	snprintf(text, sizeof(text), "%#018" PRIx64, raw->value);
	return show_text(report, to, text);
}

int show_ip(struct kermon_report *report, const struct raw_detail *raw,
	    struct kermon_detail *to)
{
	char text[32];

	snprintf(text, sizeof(text), "%#" PRIx64, raw->value);
	return show_text(report, to, text);
}

int show_address(struct kermon_report *report,
		 const struct raw_detail *raw, struct kermon_detail *to)
{
	char text[4096];
	int err;

	if (!raw->symbol)
		return show_hex(report, raw, to);
	err = show_symbol(report, raw, to);
	if (err)
		return err;
	snprintf(text, sizeof(text), "%s+%#" PRIx64, to->text, raw->value);
	return show_text(report, to, text);
}

int show_mispredict(struct kermon_report *report,
		    const struct raw_detail *raw,
			   struct kermon_detail *to)
{
	static const char *const texts[] = { "N/A", "Y", "N" };

	(void)report;
	to->text = texts[raw->value];
	return 0;
}

int show_in_tx(struct kermon_report *report,
	       const struct raw_detail *raw, struct kermon_detail *to)
{
	(void)report;
	to->text = raw->value ? "T" : ".";
	return 0;
}

int show_abort(struct kermon_report *report,
	       const struct raw_detail *raw, struct kermon_detail *to)
{
	(void)report;
	to->text = raw->value ? "A" : ".";
	return 0;
}

#define SHOW_MEMORY(name, part)						\
int show_##name(struct kermon_report *report,			\
		       const struct raw_detail *raw,			\
		       struct kermon_detail *to)			\
{									\
	return show_memory(report, part, raw->value, to);		\
}

static int show_memory(struct kermon_report *report, enum kermon_memory part,
		       uint64_t source, struct kermon_detail *to)
{
	char text[256] = "";	/* large enough for all words of any part */
	FILE *out = fmemopen(text, sizeof(text), "w");

	if (!out)
		return -ENOMEM;
	kermon_memory_print(out, part, source);
	fclose(out);
	return show_text(report, to, text);
}

SHOW_MEMORY(mem, KERMON_MEMORY_LEVEL)
SHOW_MEMORY(tlb, KERMON_MEMORY_TRANSLATION)
SHOW_MEMORY(locked, KERMON_MEMORY_LOCK)
SHOW_MEMORY(snoop, KERMON_MEMORY_SNOOP)
SHOW_MEMORY(blocked, KERMON_MEMORY_BLOCKED)

int show_page_size(struct kermon_report *report,
		   const struct raw_detail *raw,
			  struct kermon_detail *to)
{
	char text[KERMON_PAGE_SIZE_TEXT];

	kermon_page_size_text(raw->value, text);
	return show_text(report, to, text);
}

/* PERF_TXN_*: "TX SYNC CAP-WRITE :2". */
int show_transaction(struct kermon_report *report,
		     const struct raw_detail *raw,
			    struct kermon_detail *to)
{
	static const struct {
		uint64_t bit;
		const char *name;
	} names[] = {
		{ PERF_TXN_ELISION, "EL" },
		{ PERF_TXN_TRANSACTION, "TX" },
		{ PERF_TXN_SYNC, "SYNC" },
		{ PERF_TXN_ASYNC, "ASYNC" },
		{ PERF_TXN_RETRY, "RETRY" },
		{ PERF_TXN_CONFLICT, "CON" },
		{ PERF_TXN_CAPACITY_WRITE, "CAP-WRITE" },
		{ PERF_TXN_CAPACITY_READ, "CAP-READ" },
	};
	uint64_t value = raw->value;
	char text[128] = "";
	size_t len = 0;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (value & names[i].bit)
			len += snprintf(text + len, sizeof(text) - len, "%s%s",
					len ? " " : "", names[i].name);
	if (value && !(value & (PERF_TXN_SYNC | PERF_TXN_ASYNC)))
		len += snprintf(text + len, sizeof(text) - len, "%sNEITHER",
				len ? " " : "");
	if (value & PERF_TXN_ABORT_MASK)
		snprintf(text + len, sizeof(text) - len, "%s:%" PRIx64,
			 len ? " " : "",
			 (value & PERF_TXN_ABORT_MASK) >> PERF_TXN_ABORT_SHIFT);
	return show_text(report, to, text);
}

/* The start of the slice in seconds, with nanoseconds only if slices are that fine. */
int show_time(struct kermon_report *report, const struct raw_detail *raw,
	      struct kermon_detail *to)
{
	uint64_t rest = raw->value % NSEC_PER_SEC;
	bool fine = report->options.time_quantum % NSEC_PER_USEC;
	char text[40];

	to->number = raw->value;
	snprintf(text, sizeof(text), "%" PRIu64 ".%0*" PRIu64,
		 (uint64_t)(raw->value / NSEC_PER_SEC), fine ? 9 : 6,
		 fine ? rest : (uint64_t)(rest / NSEC_PER_USEC));
	return show_text(report, to, text);
}
