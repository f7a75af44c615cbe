// SPDX-License-Identifier: GPL-2.0
/*
 * The table of keys, and the functions that take the value of a key from a sample or a
 * branch.
 */
#include <stddef.h>
#include <string.h>

#include "details.h"
#include "key_show.h"
#include "report_private.h"

#define CACHE_LINE	64

struct place details_branch_end(struct kermon_report *report,
				const struct pipeline_sample *sample,
				uint64_t address)
{
	return places_find_branch_end(report->pipeline.places, sample->thread,
				   record_mode(sample->record), address);
}

/* All unknown functions are equal, wherever they are. */
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

/* The function and the offset in it, or only the address. */
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

/* One part of PERF_SAMPLE_DATA_SRC; the others are 0. */
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

/* Keys with a member in struct kermon_row of the same name. */
#define MEMBER_TEXT(key, bits, text)					\
	{ { #key, NULL, #key, text, false }, bits, offsetof(struct kermon_row, key) }
#define MEMBER_NUMBER(key, bits, text)					\
	{ { #key, NULL, #key, text, true }, bits, offsetof(struct kermon_row, key) }

/* Other keys: take_...() takes the value from a sample, show_...() shows it. */
#define TEXT(key, bits, take, show, text)				\
	{ { #key, NULL, #key, text, false }, bits, 0, take_##take, show_##show }
#define NUMBER(key, bits, take, text)					\
	{ { #key, NULL, #key, text, true }, bits, 0, take_##take, show_number }

/*
 * To add a key, add a row, and a function above if none takes its value yet. See
 * Documentation/extending.rst; kermon-report(1) lists all keys.
 */
static const struct report_key keys[] = {
	[KEY_COMM] =	MEMBER_TEXT(comm,    0,        "name of the thread"),
	[KEY_PID] =	MEMBER_NUMBER(pid,   0,        "process"),
	[KEY_TID] =	MEMBER_NUMBER(tid,   0,        "thread"),
	[KEY_CPU] =	MEMBER_NUMBER(cpu,   0,        "CPU"),
	[KEY_DSO] =	MEMBER_TEXT(dso,     BY_PLACE, "program, library or kernel"),
	[KEY_SYM] =	{ { "sym", "symbol", "sym", "function" }, BY_PLACE,
			  offsetof(struct kermon_row, sym) },
	[KEY_EVENT] =	MEMBER_TEXT(event,   0,        "event"),
	[KEY_SRCLINE] =	MEMBER_TEXT(srcline, BY_LINE,  "source line"),
	[KEY_SRCFILE] =	MEMBER_TEXT(srcfile, BY_LINE,  "source file"),
	[KEY_CGROUP] =	MEMBER_TEXT(cgroup,  0,        "control group"),

	/* of a branch */
	TEXT(symbol_from,    BY_BRANCH,   symbol_from,    symbol,      "function of the branch"),
	TEXT(symbol_to,      BY_BRANCH,   symbol_to,      symbol,      "function of its target"),
	TEXT(dso_from,       BY_BRANCH,   dso_from,       dso,         "program or library of the branch"),
	TEXT(dso_to,         BY_BRANCH,   dso_to,         dso,         "program or library of its target"),
	TEXT(srcline_from,   BY_BRANCH,   srcline_from,   line,        "line of the branch"),
	TEXT(srcline_to,     BY_BRANCH,   srcline_to,     line,        "line of its target"),
	TEXT(addr_from,      BY_BRANCH,   addr_from,      address,     "address of the branch"),
	TEXT(addr_to,        BY_BRANCH,   addr_to,        address,     "address of its target"),
	TEXT(mispredict,     BY_BRANCH,   mispredict,     mispredict,  "whether it was mispredicted"),
	TEXT(in_tx,          BY_BRANCH,   in_tx,          in_tx,       "whether it was in a transaction"),
	TEXT(abort,          BY_BRANCH,   abort,          abort,       "whether it aborted a transaction"),
	NUMBER(cycles,            BY_BRANCH,   cycles,       "cycles since the previous branch"),

	/* of an access to memory */
	TEXT(mem,            0,           mem,            mem,         "where the data was found"),
	TEXT(tlb,            0,           tlb,            tlb,         "how the address was translated"),
	TEXT(locked,         0,           locked,         locked,      "whether the access was locked"),
	TEXT(snoop,          0,           snoop,          snoop,       "state in other caches"),
	TEXT(blocked,        0,           blocked,        blocked,     "why the access was blocked"),
	NUMBER(local_weight,      0,           weight,       "cost of one access"),
	NUMBER(weight,            IN_ALL,      weight,       "cost of all accesses in the row"),
	NUMBER(local_ins_lat,     0,           latency,      "latency of one instruction"),
	NUMBER(ins_lat,           IN_ALL,      latency,      "latency of all in the row"),
	NUMBER(local_p_stage_cyc, 0,           stage_cycles, "cycles of one in a pipeline stage"),
	NUMBER(p_stage_cyc,       IN_ALL,      stage_cycles, "cycles of all in the row"),
	TEXT(symbol_daddr,   OF_DATA,     symbol_daddr,   symbol,      "variable with the data"),
	TEXT(dso_daddr,      OF_DATA,     dso_daddr,      dso,         "program or library of the data"),
	TEXT(symbol_iaddr,   BY_POSITION, symbol_iaddr,   symbol,      "function of the instruction"),
	TEXT(phys_daddr,     0,           phys_daddr,     hex,         "physical address of the data"),
	TEXT(dcacheline,     0,           dcacheline,     hex,         "cache line of the data"),
	TEXT(data_page_size, 0,           data_page_size, page_size,   "page size of the data"),
	TEXT(code_page_size, 0,           code_page_size, page_size,   "page size of the code"),

	/* of regions that the program has marked */
	TEXT(region,         BY_REGION,   region,         region,      "marked region, with those around it"),
	TEXT(module,         BY_REGION,   module,         module,      "marked region, only its own name"),

	/* others */
	TEXT(transaction,    0,           transaction,    transaction, "outcome of a transaction"),
	{ { "time", NULL, "time_s", "start of the time slice" },
	  BY_POSITION | BY_SLICE, 0, take_time, show_time },
	TEXT(addr,           BY_POSITION, addr,           ip,          "address of the instruction"),
	NUMBER(symbol_size,       BY_POSITION, symbol_size,  "size of the function in bytes"),
	NUMBER(dso_size,          BY_POSITION, dso_size,     "mapped size of the library in bytes"),
};

#define NR_KEYS	(sizeof(keys) / sizeof(keys[0]))

_Static_assert(NR_KEYS <= REPORT_MAX_KEYS, "struct report_keys has a bit for each key");

const struct report_key *report_key(size_t number)
{
	return number < NR_KEYS ? &keys[number] : NULL;
}

size_t report_key_number(const struct kermon_key *key)
{
	return report_key_of(key) - keys;
}
