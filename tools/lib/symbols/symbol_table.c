// SPDX-License-Identifier: GPL-2.0
/*
 * A sorted array of symbols, and the search in it. The names are concatenated in one
 * buffer.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "symbol_table.h"
#include "util/array.h"
#include "util/bisect.h"

/* How far a search goes back to find an enclosing function. */
#define NESTING_MAX	8
#define NAMES_MAX_SIZE	(1UL << 30)

/* Fewer symbols are searched without an index; it has up to so many parts per symbol. */
#define INDEX_LEAST	32
#define INDEX_PARTS	4

/* Sorting takes one pass for so many bits. */
#define SORT_BITS	11
#define SORT_MASK	((1U << SORT_BITS) - 1)

static int add_name(struct symbols *symbols, const char *name, uint32_t *at)
{
	size_t size = strlen(name) + 1;

	if (array_room(symbols->names, symbols->names_room,
		       symbols->names_size + size))
		return -ENOMEM;
	memcpy(symbols->names + symbols->names_size, name, size);
	*at = symbols->names_size;
	symbols->names_size += size;
	return 0;
}

int symbols_add(struct symbols *symbols, uint64_t start, uint64_t end,
		const char *name, uint32_t rank)
{
	uint32_t at;

	if (strlen(name) > SYMBOL_NAME_MAX ||
	    symbols->names_size > NAMES_MAX_SIZE)
		return 0;
	if (array_room(symbols->all, symbols->room, symbols->nr + 1))
		return -ENOMEM;
	if (add_name(symbols, name, &at))
		return -ENOMEM;
	symbols->all[symbols->nr++] = (struct symbol){
		.start = start,
		.end = end,
		.name = at,
		.rank = rank,
	};
	return 0;
}

uint32_t symbol_rank(const char *name, bool has_size, bool is_weak,
		     bool is_global)
{
	size_t underscores = strspn(name, "_");
	size_t length = strlen(name);

	if (underscores > 15)
		underscores = 15;
	if (length > 0xffff)
		length = 0xffff;
	return (has_size ? SYMBOL_RANK_SIZED : 0) | (uint32_t)!is_weak << 30 |
	       (uint32_t)is_global << 29 | (uint32_t)(15 - underscores) << 16 |
	       (uint32_t)length;
}

/* Whether they are sorted by address, as kallsyms is; @all: bits in which addresses differ. */
static bool is_sorted(const struct symbols *symbols, uint64_t *all)
{
	bool sorted = true;

	*all = 0;
	for (size_t i = 1; i < symbols->nr; i++) {
		*all |= symbols->all[i].start ^ symbols->all[0].start;
		sorted &= symbols->all[i - 1].start <= symbols->all[i].start;
	}
	return sorted;
}

/* Sort by some bits of the address; symbols that are equal in these keep their order. */
static void sort_by_bits(const struct symbol *from, struct symbol *to, size_t nr,
			 unsigned int shift)
{
	uint32_t ends[1 << SORT_BITS] = {}, sum = 0, here;

	for (size_t i = 0; i < nr; i++)
		ends[from[i].start >> shift & SORT_MASK]++;
	for (size_t i = 0; i <= SORT_MASK; i++) {
		here = ends[i];
		ends[i] = sum;
		sum += here;
	}
	for (size_t i = 0; i < nr; i++)
		to[ends[from[i].start >> shift & SORT_MASK]++] = from[i];
}

/* From the lowest bits on: takes a third of the time of qsort(). Return: 0 or -ENOMEM. */
static int sort_by_address(struct symbols *symbols)
{
	struct symbol *other, *from = symbols->all;
	uint64_t bits;

	if (is_sorted(symbols, &bits))
		return 0;
	other = malloc(symbols->nr * sizeof(*other));
	if (!other)
		return -ENOMEM;
	for (unsigned int shift = 0; shift < 64 && bits >> shift; shift += SORT_BITS) {
		sort_by_bits(from, other, symbols->nr, shift);
		symbols->all = other;
		other = from;
		from = symbols->all;
	}
	symbols->room = symbols->nr;
	free(other);
	return 0;
}

static bool is_sized(const struct symbol *symbol)
{
	return symbol->rank & SYMBOL_RANK_SIZED;
}

/* Of the same rank, the first one in the file is preferred. */
static bool is_preferred(const struct symbol *symbol, const struct symbol *to)
{
	return symbol->rank != to->rank ? symbol->rank > to->rank :
					  symbol->name < to->name;
}

/* Keep one symbol per address. */
static void drop_aliases(struct symbols *symbols)
{
	struct symbol *all = symbols->all, *last = all;

	for (size_t i = 1; i < symbols->nr; i++) {
		if (all[i].start != last->start)
			*++last = all[i];
		else if (is_preferred(&all[i], last))
			*last = all[i];
	}
	symbols->nr = last + 1 - all;
}

/* Keep no labels inside sized symbols. */
static void drop_labels(struct symbols *symbols)
{
	struct symbol *all = symbols->all;
	uint64_t sized_until = 0;
	size_t kept = 0;

	for (size_t i = 0; i < symbols->nr; i++) {
		if (is_sized(&all[i]) && all[i].end > sized_until)
			sized_until = all[i].end;
		else if (!is_sized(&all[i]) && all[i].start < sized_until)
			continue;
		all[kept++] = all[i];
	}
	symbols->nr = kept;
}

/* If memory is short, the search takes longer. */
static void make_index(struct symbols *symbols)
{
	uint64_t base = symbols->all[0].start, part;
	uint64_t range = symbols->all[symbols->nr - 1].start - base;
	size_t at = 0;

	while (range >> symbols->shift >= INDEX_PARTS * symbols->nr)
		symbols->shift++;
	symbols->nr_parts = (range >> symbols->shift) + 1;
	symbols->index = calloc(symbols->nr_parts + 1, sizeof(*symbols->index));
	for (size_t i = 0; symbols->index && i < symbols->nr_parts; i++) {
		part = base + ((uint64_t)i << symbols->shift);
		while (symbols->all[at].start < part)
			at++;
		symbols->index[i] = at;
	}
	if (symbols->index)
		symbols->index[symbols->nr_parts] = symbols->nr;
}

/* Without segments, all addresses are converted in the same way. */
static void find_code(struct symbols *symbols)
{
	const struct segment *code = segments_code(&symbols->segments);

	if (code)
		symbols->code = *code;
	else if (!symbols->segments.nr)
		symbols->code = (struct segment){
			.size = UINT64_MAX,
			.address = symbols->move,
		};
}

/* Sort the symbols, and set the end of those without a size. */
int symbols_sort(struct symbols *symbols)
{
	struct symbol *all;

	find_code(symbols);
	if (!symbols->nr)
		return 0;
	if (sort_by_address(symbols)) {
		symbols->nr = 0;
		return -ENOMEM;
	}
	drop_aliases(symbols);
	drop_labels(symbols);
	all = symbols->all;
	for (size_t i = 0; i + 1 < symbols->nr; i++)
		if (!is_sized(&all[i]) && all[i].end > all[i + 1].start)
			all[i].end = all[i + 1].start;
	if (symbols->nr >= INDEX_LEAST)
		make_index(symbols);
	return 0;
}

uint64_t symbols_address_elsewhere(const struct symbols *symbols, uint64_t offset)
{
	uint64_t address = offset + symbols->move;

	segments_find(&symbols->segments, offset, &address);
	return address;
}

/* The number of symbols that start at or before @address, which is in this part. */
static inline size_t count_in(const struct symbols *symbols, const uint32_t *index,
			      uint64_t address)
{
	size_t from = index[0], to = index[1];

	return from + count_while(to - from, i,
				  symbols->all[from + i].start <= address);
}

/* The number of symbols that start at or before @address. */
static size_t count_up_to(const struct symbols *symbols, uint64_t address)
{
	const uint32_t *index = symbols_index_at(symbols, address);

	if (index)
		return count_in(symbols, index, address);
	if (symbols->index)
		return address < symbols->all[0].start ? 0 : symbols->nr;
	return count_while(symbols->nr, i, symbols->all[i].start <= address);
}

/* The symbol at @address; @at of them start at or before it. */
static inline const struct symbol *last_around(const struct symbols *symbols, size_t at,
					       uint64_t address)
{
	const struct symbol *symbol;

	for (size_t i = 0; i < NESTING_MAX && at; i++) {
		symbol = &symbols->all[--at];
		if (address < symbol->end)
			return symbol;
	}
	return NULL;
}

const struct symbol *symbols_find(const struct symbols *symbols,
				  uint64_t address)
{
	return last_around(symbols, count_up_to(symbols, address), address);
}

const struct symbol *symbols_find_in(const struct symbols *symbols,
				     const uint32_t *index, uint64_t address)
{
	return last_around(symbols, count_in(symbols, index, address), address);
}

void symbols_free(struct symbols *symbols)
{
	if (!symbols)
		return;
	free(symbols->all);
	free(symbols->index);
	free(symbols->names);
	free(symbols->segments.all);
	free(symbols);
}
