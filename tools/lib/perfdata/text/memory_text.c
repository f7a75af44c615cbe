// SPDX-License-Identifier: GPL-2.0
/*
 * Print PERF_SAMPLE_DATA_SRC with perf's words, such as "LOAD", "L1 hit" and "None",
 * for perf script's field of that name and for report keys of memory accesses.
 */
#include <inttypes.h>
#include <kermon/memory.h>
#include <linux/perf_event.h>
#include <stdio.h>

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

/* Print the names of the bits that are set, from the lowest on. Return: number of names. */
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

static void put_operation(FILE *out, union perf_mem_data_src source)
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
		if (source.mem_op & names[i].bit) {
			fputs(names[i].name, out);
			return;
		}
	fputs("No", out);
}

/* The level as a number, from newer kernels. */
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

static void put_translation(FILE *out, union perf_mem_data_src source)
{
	static const char *const names[] = {
		"N/A", "HIT", "MISS", "L1", "L2", "Walker", "Fault",
	};
	uint64_t translation = source.mem_dtlb;
	uint64_t bits = translation & ~(PERF_MEM_TLB_HIT | PERF_MEM_TLB_MISS);

	if (!put_bits(out, bits, names, ARRAY_SIZE(names), 0))
		fputs("N/A", out);
	if (translation & PERF_MEM_TLB_HIT)
		fputs(" hit", out);
	if (translation & PERF_MEM_TLB_MISS)
		fputs(" miss", out);
}

static void put_lock(FILE *out, union perf_mem_data_src source)
{
	fputs(source.mem_lock & PERF_MEM_LOCK_NA ? "N/A" :
	      source.mem_lock & PERF_MEM_LOCK_LOCKED ? "Yes" : "No", out);
}

static void put_blocked(FILE *out, union perf_mem_data_src source)
{
	uint64_t blocked = source.mem_blk;

	if (!blocked || blocked & PERF_MEM_BLK_NA) {
		fputs("N/A", out);
		return;
	}
	if (blocked & PERF_MEM_BLK_DATA)
		fputs("Data", out);
	if (blocked & PERF_MEM_BLK_ADDR)
		fputs(blocked & PERF_MEM_BLK_DATA ? " Addr" : "Addr", out);
}

void kermon_memory_print(FILE *out, enum kermon_memory part, uint64_t data_src)
{
	static void (*const put[])(FILE *out, union perf_mem_data_src source) = {
		[KERMON_MEMORY_OPERATION] = put_operation,
		[KERMON_MEMORY_LEVEL] = put_level,
		[KERMON_MEMORY_SNOOP] = put_snoop,
		[KERMON_MEMORY_TRANSLATION] = put_translation,
		[KERMON_MEMORY_LOCK] = put_lock,
		[KERMON_MEMORY_BLOCKED] = put_blocked,
	};

	put[part](out, (union perf_mem_data_src){ .val = data_src });
}

void kermon_page_size_text(uint64_t size, char text[KERMON_PAGE_SIZE_TEXT])
{
	static const char units[] = "BKMG";
	size_t unit = 0;

	for (; size / 1024 > 1 && units[unit + 1]; unit++)
		size /= 1024;
	snprintf(text, KERMON_PAGE_SIZE_TEXT, "%" PRIu64 "%c", size,
		 units[unit]);
	if (!size)
		snprintf(text, KERMON_PAGE_SIZE_TEXT, "N/A");
}
