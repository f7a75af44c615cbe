// SPDX-License-Identifier: GPL-2.0
/*
 * How the rarer keys are shown: turns what was taken from a sample into a number, or a
 * text in perf's words.
 */
#include <errno.h>
#include <inttypes.h>
#include <kermon/memory.h>
#include <stdio.h>
#include <string.h>

#include "details.h"
#include "report_private.h"

#define NSEC_PER_SEC	1000000000ULL
#define NSEC_PER_USEC	1000ULL

static int show_text(struct kermon_report *report, struct kermon_detail *to,
		     const char *text)
{
	to->text = intern(&report->strings, text);
	return to->text ? 0 : -ENOMEM;
}

static int show_number(struct kermon_report *report,
		       const struct raw_detail *raw, struct kermon_detail *to)
{
	(void)report;
	to->number = raw->value;
	return 0;
}

/* Two functions of one name are two. */
static int show_symbol(struct kermon_report *report,
		       const struct raw_detail *raw, struct kermon_detail *to)
{
	struct callee place = { .dso = raw->dso, .symbol = raw->symbol };

	if (!raw->symbol)
		return 0;
	to->number = (uintptr_t)raw->symbol;
	to->text = report_symbol_name(report, &place);
	return to->text ? 0 : -ENOMEM;
}

static int show_dso(struct kermon_report *report, const struct raw_detail *raw,
		    struct kermon_detail *to)
{
	(void)report;
	to->text = raw->dso ? raw->dso->name : NULL;
	return 0;
}

static int show_line(struct kermon_report *report, const struct raw_detail *raw,
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

static int show_hex(struct kermon_report *report, const struct raw_detail *raw,
		    struct kermon_detail *to)
{
	char text[32];

	snprintf(text, sizeof(text), "%#018" PRIx64, raw->value);
	return show_text(report, to, text);
}

static int show_ip(struct kermon_report *report, const struct raw_detail *raw,
		   struct kermon_detail *to)
{
	char text[32];

	snprintf(text, sizeof(text), "%#" PRIx64, raw->value);
	return show_text(report, to, text);
}

static int show_address(struct kermon_report *report,
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

static int show_mispredict(struct kermon_report *report,
			   const struct raw_detail *raw,
			   struct kermon_detail *to)
{
	static const char *const texts[] = { "N/A", "Y", "N" };

	(void)report;
	to->text = texts[raw->value];
	return 0;
}

static int show_in_tx(struct kermon_report *report,
		      const struct raw_detail *raw, struct kermon_detail *to)
{
	(void)report;
	to->text = raw->value ? "T" : ".";
	return 0;
}

static int show_abort(struct kermon_report *report,
		      const struct raw_detail *raw, struct kermon_detail *to)
{
	(void)report;
	to->text = raw->value ? "A" : ".";
	return 0;
}

#define SHOW_MEMORY(name, part)						\
static int show_##name(struct kermon_report *report,			\
		       const struct raw_detail *raw,			\
		       struct kermon_detail *to)			\
{									\
	return show_memory(report, part, raw->value, to);		\
}

static int show_memory(struct kermon_report *report, enum kermon_memory part,
		       uint64_t source, struct kermon_detail *to)
{
	char text[256] = "";	/* all words of any part fit */
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

static int show_page_size(struct kermon_report *report,
			  const struct raw_detail *raw,
			  struct kermon_detail *to)
{
	char text[KERMON_PAGE_SIZE_TEXT];

	kermon_page_size_text(raw->value, text);
	return show_text(report, to, text);
}

/* PERF_TXN_*: "TX SYNC CAP-WRITE :2". */
static int show_transaction(struct kermon_report *report,
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

/* When the slice began, in seconds, to the nanosecond only if slices are as fine. */
static int show_time(struct kermon_report *report, const struct raw_detail *raw,
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

#define DETAIL_KEY(key)	[KERMON_KEY_##key - FIRST_DETAIL]

static int (*const shows[KERMON_KEY_COUNT - FIRST_DETAIL])(
	struct kermon_report *report, const struct raw_detail *raw,
	struct kermon_detail *to) = {
	DETAIL_KEY(SYMBOL_FROM) = show_symbol,
	DETAIL_KEY(SYMBOL_TO) = show_symbol,
	DETAIL_KEY(DSO_FROM) = show_dso,
	DETAIL_KEY(DSO_TO) = show_dso,
	DETAIL_KEY(SRCLINE_FROM) = show_line,
	DETAIL_KEY(SRCLINE_TO) = show_line,
	DETAIL_KEY(ADDR_FROM) = show_address,
	DETAIL_KEY(ADDR_TO) = show_address,
	DETAIL_KEY(MISPREDICT) = show_mispredict,
	DETAIL_KEY(IN_TX) = show_in_tx,
	DETAIL_KEY(ABORT) = show_abort,
	DETAIL_KEY(CYCLES) = show_number,
	DETAIL_KEY(MEM) = show_mem,
	DETAIL_KEY(TLB) = show_tlb,
	DETAIL_KEY(LOCKED) = show_locked,
	DETAIL_KEY(SNOOP) = show_snoop,
	DETAIL_KEY(BLOCKED) = show_blocked,
	DETAIL_KEY(LOCAL_WEIGHT) = show_number,
	DETAIL_KEY(WEIGHT) = show_number,
	DETAIL_KEY(LOCAL_INS_LAT) = show_number,
	DETAIL_KEY(INS_LAT) = show_number,
	DETAIL_KEY(LOCAL_P_STAGE_CYC) = show_number,
	DETAIL_KEY(P_STAGE_CYC) = show_number,
	DETAIL_KEY(SYMBOL_DADDR) = show_symbol,
	DETAIL_KEY(DSO_DADDR) = show_dso,
	DETAIL_KEY(SYMBOL_IADDR) = show_symbol,
	DETAIL_KEY(PHYS_DADDR) = show_hex,
	DETAIL_KEY(DCACHELINE) = show_hex,
	DETAIL_KEY(DATA_PAGE_SIZE) = show_page_size,
	DETAIL_KEY(CODE_PAGE_SIZE) = show_page_size,
	DETAIL_KEY(TRANSACTION) = show_transaction,
	DETAIL_KEY(TIME) = show_time,
	DETAIL_KEY(ADDR) = show_ip,
	DETAIL_KEY(SYMBOL_SIZE) = show_number,
	DETAIL_KEY(DSO_SIZE) = show_number,
};

int detail_show(struct kermon_report *report, const struct raw_detail *raw,
		struct kermon_detail *to)
{
	return shows[to->key - FIRST_DETAIL](report, raw, to);
}

bool detail_is_number(enum kermon_key key)
{
	return shows[key - FIRST_DETAIL] == show_number;
}
