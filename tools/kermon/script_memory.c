// SPDX-License-Identifier: GPL-2.0
/* PERF_SAMPLE_DATA_SRC as perf script prints it: "|OP LOAD|LVL L1 hit|SNP None...". */
#include <errno.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdio.h>

#include "script.h"

/* perf's own buffers have this many bytes; what is longer is cut off. */
#define TEXT_ROOM	100

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

/* The names of the bits of a set, from the lowest on. Returns how many were written. */
static unsigned int put_bits(FILE *out, uint64_t bits, const char *const *names,
			     size_t nr_names, unsigned int before)
{
	for (size_t i = 0; i < nr_names; i++) {
		if (!(bits & 1ULL << i))
			continue;
		fprintf(out, "%s%s", before++ ? " or " : "", names[i]);
	}
	return before;
}

static void put_operation(FILE *out, uint64_t operation)
{
	static const struct {
		uint64_t bit;
		const char *name;
	} names[] = {
		{ PERF_MEM_OP_NA, "N/A" },
		{ PERF_MEM_OP_LOAD, "LOAD" },
		{ PERF_MEM_OP_STORE, "STORE" },
		{ PERF_MEM_OP_PFETCH, "PFETCH" },
		{ PERF_MEM_OP_EXEC, "EXEC" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (operation & names[i].bit) {
			fputs(names[i].name, out);
			return;
		}
	fputs("No", out);
}

/* A level by its number, of newer kernels. */
static void put_level_number(FILE *out, unsigned int number)
{
	static const char *const names[16] = {
		[PERF_MEM_LVLNUM_CXL] = "CXL",
		[PERF_MEM_LVLNUM_IO] = "I/O",
		[PERF_MEM_LVLNUM_ANY_CACHE] = "Any cache",
		[PERF_MEM_LVLNUM_LFB] = "LFB/MAB",
		[PERF_MEM_LVLNUM_RAM] = "RAM",
		[PERF_MEM_LVLNUM_PMEM] = "PMEM",
		[PERF_MEM_LVLNUM_NA] = "N/A",
	};

	if (names[number])
		fputs(names[number], out);
	else
		fprintf(out, "L%u", number);
}

static void put_level(FILE *out, union perf_mem_data_src source)
{
	static const char *const names[] = {
		"N/A", "HIT", "MISS", "L1", "LFB/MAB", "L2", "L3", "Local RAM",
		"Remote RAM (1 hop)", "Remote RAM (2 hops)",
		"Remote Cache (1 hop)", "Remote Cache (2 hops)", "I/O",
		"Uncached",
	};
	static const char *const hops[8] = {
		"N/A", "core, same node", "node, same socket",
		"socket, same board", "board", "N/A", "N/A", "N/A",
	};
	uint64_t levels = source.mem_lvl &
			  ~(PERF_MEM_LVL_HIT | PERF_MEM_LVL_MISS);
	unsigned int nr = 0;

	if (source.mem_remote)
		fputs("Remote ", out);
	if (source.mem_hops)
		fprintf(out, "%s ", hops[source.mem_hops]);
	else
		nr = put_bits(out, levels, names, ARRAY_SIZE(names), 0);
	if (source.mem_lvl_num) {
		fputs(nr++ ? " or " : "", out);
		put_level_number(out, source.mem_lvl_num);
	}
	if (!nr && !source.mem_remote && !source.mem_hops)
		fputs("N/A", out);
	if (source.mem_lvl & PERF_MEM_LVL_HIT)
		fputs(" hit", out);
	if (source.mem_lvl & PERF_MEM_LVL_MISS)
		fputs(" miss", out);
}

static void put_snoop(FILE *out, union perf_mem_data_src source)
{
	static const char *const names[] = {
		"N/A", "None", "Hit", "Miss", "HitM",
	};
	static const char *const more[] = { "Fwd", "Peer" };
	unsigned int nr;

	nr = put_bits(out, source.mem_snoop, names, ARRAY_SIZE(names), 0);
	nr = put_bits(out, source.mem_snoopx, more, ARRAY_SIZE(more), nr);
	if (!nr)
		fputs("N/A", out);
}

static void put_translation(FILE *out, uint64_t translation)
{
	static const char *const names[] = {
		"N/A", "HIT", "MISS", "L1", "L2", "Walker", "Fault",
	};
	uint64_t bits = translation & ~(PERF_MEM_TLB_HIT | PERF_MEM_TLB_MISS);

	if (!put_bits(out, bits, names, ARRAY_SIZE(names), 0))
		fputs("N/A", out);
	if (translation & PERF_MEM_TLB_HIT)
		fputs(" hit", out);
	if (translation & PERF_MEM_TLB_MISS)
		fputs(" miss", out);
}

static void put_blocked(FILE *out, uint64_t blocked)
{
	if (!blocked || blocked & PERF_MEM_BLK_NA) {
		fputs(" N/A", out);
		return;
	}
	if (blocked & PERF_MEM_BLK_DATA)
		fputs(" Data", out);
	if (blocked & PERF_MEM_BLK_ADDR)
		fputs(" Addr", out);
}

static void put_source(FILE *out, union perf_mem_data_src source)
{
	fprintf(out, "%16" PRIx64 " |OP ", (uint64_t)source.val);
	put_operation(out, source.mem_op);
	fputs("|LVL ", out);
	put_level(out, source);
	fputs("|SNP ", out);
	put_snoop(out, source);
	fputs("|TLB ", out);
	put_translation(out, source.mem_dtlb);
	fprintf(out, "|LCK %s|BLK ",
		source.mem_lock & PERF_MEM_LOCK_NA ? "N/A" :
		source.mem_lock & PERF_MEM_LOCK_LOCKED ? "Yes" : "No");
	put_blocked(out, source.mem_blk);
}

int script_memory(struct script *script, uint64_t source)
{
	char text[TEXT_ROOM] = "";
	FILE *out = fmemopen(text, sizeof(text), "w");
	size_t size;

	if (!out)
		return -ENOMEM;
	put_source(out, (union perf_mem_data_src){ .val = source });
	fclose(out);
	size = strlen(text);
	if (size > script->memory_width)
		script->memory_width = size;
	line_left(&script->line, text, script->memory_width);
	return 0;
}
