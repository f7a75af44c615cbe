// SPDX-License-Identifier: GPL-2.0
/*
 * Sums over selected entries for any part of the tree of calls: differences of running
 * totals.
 */
#include <errno.h>
#include <stdlib.h>

#include "report_private.h"
#include "util/bisect.h"

static void free_selection(struct selection *selected)
{
	if (!selected)
		return;
	free(selected->places);
	free(selected->samples);
	free(selected->values);
	free(selected);
}

void report_free_selection(struct kermon_report *report)
{
	free_selection(report->selected);
	report->selected = NULL;
}

/* NULL: the row's graphs contain all entries. */
static const struct entry_list *list_of(const struct table_node *node,
					const struct row *row)
{
	if (!node->table.callers)
		return &row->own;
	return node->groups->next ? &row->group->entries : NULL;
}

static int take_places(struct selection *selected)
{
	uint32_t at = selected->list->first;

	selected->places = calloc((size_t)selected->nr + 1,
				  sizeof(*selected->places));
	if (!selected->places)
		return -ENOMEM;
	for (uint32_t i = 0; at; at = selected->table->next_entry[at - 1])
		selected->places[i++] = at - 1;
	return 0;
}

static int sum_up(struct selection *selected,
		  const struct kermon_report *report)
{
	size_t column = 1 + selected->table->table.weight;
	const uint64_t *sums;
	uint32_t place;

	selected->samples = calloc((size_t)selected->nr + 1,
				   sizeof(*selected->samples));
	selected->values = calloc((size_t)selected->nr + 1,
				  sizeof(*selected->values));
	if (!selected->samples || !selected->values)
		return -ENOMEM;
	for (uint32_t i = 0; i < selected->nr; i++) {
		place = selected->places ? selected->places[i] : i;
		sums = report_sums(report, report->index->entries[place]);
		selected->samples[i + 1] = selected->samples[i] + sums[0];
		selected->values[i + 1] = selected->values[i] + sums[column];
	}
	return 0;
}

int report_select(struct kermon_report *report, struct table_node *node,
		  const struct row *row)
{
	const struct entry_list *list = list_of(node, row);
	struct selection *selected = report->selected;
	int err = 0;

	if (selected && selected->table == node && selected->list == list)
		return 0;
	report_free_selection(report);
	selected = calloc(1, sizeof(*selected));
	if (!selected)
		return -ENOMEM;
	selected->table = node;
	selected->list = list;
	if (list)
		err = report_link_entries(report, node);
	selected->nr = list ? list->nr : report->index->nr_entries;
	if (list && !err)
		err = take_places(selected);
	if (!err)
		err = sum_up(selected, report);
	if (err)
		free_selection(selected);
	else
		report->selected = selected;
	return err;
}

/* Number of selected entries before a position in the index. */
static uint32_t count_before(const struct selection *selected, uint32_t place)
{
	if (!selected->places)
		return place;
	return count_while(selected->nr, i, selected->places[i] < place);
}

struct call_sum report_selected(const struct kermon_report *report,
				uint32_t first, uint32_t end)
{
	const struct selection *selected = report->selected;
	const uint32_t *first_entry = report->index->first_entry;
	uint32_t from = count_before(selected, first_entry[first]);
	uint32_t to = count_before(selected, first_entry[end]);

	return (struct call_sum){
		.samples = selected->samples[to] - selected->samples[from],
		.value = selected->values[to] - selected->values[from],
	};
}
