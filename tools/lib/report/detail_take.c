// SPDX-License-Identifier: GPL-2.0
/*
 * What the rarer keys take from a sample or a branch: a few words each, cheap to
 * compare.
 */
#include <string.h>

#include "details.h"
#include "report_private.h"

#define CACHE_LINE	64

struct place details_branch_end(struct kermon_report *report,
				const struct pipeline_sample *sample,
				uint64_t address)
{
	return places_find_branch_end(report->pipeline.places, sample->thread,
				   record_mode(sample->record), address);
}

/* What is not known is one, wherever it is. */
static void take_symbol(const struct place *place, struct raw_detail *raw)
{
	if (!place->symbol)
		return;
	raw->dso = place->dso;
	raw->symbol = place->symbol;
}

static void take_line(const struct place *place, struct raw_detail *raw)
{
	raw->dso = place->dso;
	raw->value = place->offset;
}

/* The function and the bytes from its start, or the address alone. */
static void take_address(const struct place *place, uint64_t address,
			 struct raw_detail *raw)
{
	take_symbol(place, raw);
	raw->value = place->symbol ? symbol_offset(place->dso, place->symbol,
						   place->offset) : address;
}

#define TAKE_BRANCH_END(end)						\
static void take_symbol_##end(struct kermon_report *report,		\
			      const struct detail_source *from,		\
			      struct raw_detail *raw)			\
{									\
	struct place place = details_branch_end(report, from->sample,	\
						from->branch->end);	\
									\
	take_symbol(&place, raw);					\
}									\
									\
static void take_dso_##end(struct kermon_report *report,		\
			   const struct detail_source *from,		\
			   struct raw_detail *raw)			\
{									\
	raw->dso = details_branch_end(report, from->sample,		\
				      from->branch->end).dso;		\
}									\
									\
static void take_srcline_##end(struct kermon_report *report,		\
			       const struct detail_source *from,	\
			       struct raw_detail *raw)			\
{									\
	struct place place = details_branch_end(report, from->sample,	\
						from->branch->end);	\
									\
	take_line(&place, raw);						\
}									\
									\
static void take_addr_##end(struct kermon_report *report,		\
			    const struct detail_source *from,		\
			    struct raw_detail *raw)			\
{									\
	struct place place = details_branch_end(report, from->sample,	\
						from->branch->end);	\
									\
	take_address(&place, from->branch->end, raw);			\
}

TAKE_BRANCH_END(from)
TAKE_BRANCH_END(to)

#define TAKE_VALUE(name, expression)					\
static void take_##name(struct kermon_report *report,			\
			const struct detail_source *from,		\
			struct raw_detail *raw)				\
{									\
	(void)report;							\
	raw->value = (expression);					\
}

#define MEMORY(field)	(union perf_mem_data_src){ .field = source.field }.val

/* A part of PERF_SAMPLE_DATA_SRC, the others 0. */
#define TAKE_MEMORY(name, parts)					\
static void take_##name(struct kermon_report *report,			\
			const struct detail_source *from,		\
			struct raw_detail *raw)				\
{									\
	union perf_mem_data_src source = {				\
		.val = from->sample->fields->data_src,			\
	};								\
									\
	(void)report;							\
	raw->value = (parts);						\
}

TAKE_VALUE(mispredict, from->branch->predicted ? 2 : from->branch->mispred)
TAKE_VALUE(in_tx, from->branch->in_tx)
TAKE_VALUE(abort, from->branch->abort)
TAKE_VALUE(cycles, from->branch->cycles)
TAKE_MEMORY(mem, MEMORY(mem_lvl) | MEMORY(mem_lvl_num) | MEMORY(mem_remote) |
		 MEMORY(mem_hops))
TAKE_MEMORY(tlb, MEMORY(mem_dtlb))
TAKE_MEMORY(locked, MEMORY(mem_lock))
TAKE_MEMORY(snoop, MEMORY(mem_snoop) | MEMORY(mem_snoopx))
TAKE_MEMORY(blocked, MEMORY(mem_blk))
TAKE_VALUE(weight, from->sample->fields->weight)
TAKE_VALUE(latency, from->sample->fields->weight2[0])
TAKE_VALUE(stage_cycles, from->sample->fields->weight2[1])
TAKE_VALUE(phys_daddr, from->sample->fields->phys_addr)
TAKE_VALUE(dcacheline, from->sample->fields->addr & ~(CACHE_LINE - 1ULL))
TAKE_VALUE(data_page_size, from->sample->fields->data_page_size)
TAKE_VALUE(code_page_size, from->sample->fields->code_page_size)
TAKE_VALUE(transaction, from->sample->fields->transaction)
TAKE_VALUE(addr, from->branch ? from->branch->to : from->sample->fields->ip)

static void take_time(struct kermon_report *report,
		      const struct detail_source *from, struct raw_detail *raw)
{
	uint64_t quantum = report->options.time_quantum;

	raw->value = from->sample->fields->time / quantum * quantum;
}

static struct place place_of(struct kermon_report *report,
			     const struct detail_source *from)
{
	return places_find(report->pipeline.places, from->sample->thread,
			      record_mode(from->sample->record),
			      from->sample->fields->ip, 0);
}

static void take_symbol_iaddr(struct kermon_report *report,
			      const struct detail_source *from,
			      struct raw_detail *raw)
{
	struct place place = place_of(report, from);

	take_symbol(&place, raw);
}

static struct place data_of(struct kermon_report *report,
			    const struct pipeline_sample *sample)
{
	return places_find_data(report->pipeline.places, sample->thread,
			     record_mode(sample->record), sample->fields->addr);
}

static void take_symbol_daddr(struct kermon_report *report,
			      const struct detail_source *from,
			      struct raw_detail *raw)
{
	struct place place = data_of(report, from->sample);

	take_symbol(&place, raw);
}

static void take_dso_daddr(struct kermon_report *report,
			   const struct detail_source *from,
			   struct raw_detail *raw)
{
	raw->dso = data_of(report, from->sample).dso;
}

static void take_symbol_size(struct kermon_report *report,
			     const struct detail_source *from,
			     struct raw_detail *raw)
{
	const struct symbol *symbol = place_of(report, from).symbol;

	if (symbol)
		raw->value = symbol->end - symbol->start;
}

static void take_dso_size(struct kermon_report *report,
			  const struct detail_source *from,
			  struct raw_detail *raw)
{
	struct process *space = processes_space(
		&report->pipeline.processes, from->sample->thread,
		record_mode(from->sample->record));
	const struct mapping *mapping =
		space ? mappings_find(&space->code, from->sample->fields->ip) :
			NULL;

	if (mapping)
		raw->value = mapping->end - mapping->start;
}

#define DETAIL_KEY(key)	[KERMON_KEY_##key - FIRST_DETAIL]

static const struct {
	bool of_branches;
	void (*take)(struct kermon_report *report,
		     const struct detail_source *from, struct raw_detail *raw);
} kinds[KERMON_KEY_COUNT - FIRST_DETAIL] = {
	DETAIL_KEY(SYMBOL_FROM) = { true, take_symbol_from },
	DETAIL_KEY(SYMBOL_TO) = { true, take_symbol_to },
	DETAIL_KEY(DSO_FROM) = { true, take_dso_from },
	DETAIL_KEY(DSO_TO) = { true, take_dso_to },
	DETAIL_KEY(SRCLINE_FROM) = { true, take_srcline_from },
	DETAIL_KEY(SRCLINE_TO) = { true, take_srcline_to },
	DETAIL_KEY(ADDR_FROM) = { true, take_addr_from },
	DETAIL_KEY(ADDR_TO) = { true, take_addr_to },
	DETAIL_KEY(MISPREDICT) = { true, take_mispredict },
	DETAIL_KEY(IN_TX) = { true, take_in_tx },
	DETAIL_KEY(ABORT) = { true, take_abort },
	DETAIL_KEY(CYCLES) = { true, take_cycles },
	DETAIL_KEY(MEM) = { false, take_mem },
	DETAIL_KEY(TLB) = { false, take_tlb },
	DETAIL_KEY(LOCKED) = { false, take_locked },
	DETAIL_KEY(SNOOP) = { false, take_snoop },
	DETAIL_KEY(BLOCKED) = { false, take_blocked },
	DETAIL_KEY(LOCAL_WEIGHT) = { false, take_weight },
	DETAIL_KEY(WEIGHT) = { false, take_weight },
	DETAIL_KEY(LOCAL_INS_LAT) = { false, take_latency },
	DETAIL_KEY(INS_LAT) = { false, take_latency },
	DETAIL_KEY(LOCAL_P_STAGE_CYC) = { false, take_stage_cycles },
	DETAIL_KEY(P_STAGE_CYC) = { false, take_stage_cycles },
	DETAIL_KEY(SYMBOL_DADDR) = { false, take_symbol_daddr },
	DETAIL_KEY(DSO_DADDR) = { false, take_dso_daddr },
	DETAIL_KEY(SYMBOL_IADDR) = { false, take_symbol_iaddr },
	DETAIL_KEY(PHYS_DADDR) = { false, take_phys_daddr },
	DETAIL_KEY(DCACHELINE) = { false, take_dcacheline },
	DETAIL_KEY(DATA_PAGE_SIZE) = { false, take_data_page_size },
	DETAIL_KEY(CODE_PAGE_SIZE) = { false, take_code_page_size },
	DETAIL_KEY(TRANSACTION) = { false, take_transaction },
	DETAIL_KEY(TIME) = { false, take_time },
	DETAIL_KEY(ADDR) = { false, take_addr },
	DETAIL_KEY(SYMBOL_SIZE) = { false, take_symbol_size },
	DETAIL_KEY(DSO_SIZE) = { false, take_dso_size },
};

void detail_take(struct kermon_report *report, enum kermon_key key,
		 const struct detail_source *from, struct raw_detail *raw)
{
	kinds[key - FIRST_DETAIL].take(report, from, raw);
}

bool detail_is_of_branches(enum kermon_key key)
{
	return kinds[key - FIRST_DETAIL].of_branches;
}
