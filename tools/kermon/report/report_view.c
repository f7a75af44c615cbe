// SPDX-License-Identifier: GPL-2.0
/*
 * Tables, percentages and call graphs of a report, for text, JSON and CSV alike.
 */
#include <string.h>

#include "machine/hypervisor.h"
#include "report_view.h"

size_t report_sections(const struct report_view *view,
		       struct report_section sections[2])
{
	static const struct report_section threads = {
		.title = "Threads", .name = "threads", .keys = "comm,pid,tid",
		.threads = true,
	};
	static const struct report_section functions = {
		.title = "Functions", .name = "functions", .keys = "sym,dso",
	};

	if (view->sort) {
		sections[0] = (struct report_section){
			.title = view->sort, .name = "rows", .keys = view->sort,
		};
		return 1;
	}
	sections[0] = threads;
	sections[1] = functions;
	return 2;
}

int report_table(const struct report_view *view,
		 const struct report_section *section,
		 const struct kermon_table **table)
{
	if (view->children && !section->threads)
		return kermon_report_callers(view->report, section->keys,
					     view->weight, table);
	return kermon_report_table(view->report, section->keys, view->weight,
				   table);
}

/* A sample of KerMon has a record per event, so there are more records than samples. */
const char *report_counted(const struct kermon_table *table)
{
	const struct kermon_key *event = kermon_key_find("event");

	for (size_t i = 0; i < table->nr_keys; i++)
		if (table->keys[i] == event)
			return "records";
	return "samples";
}

double report_percent(const struct report_view *view, uint64_t value)
{
	uint64_t total = kermon_report_column(view->report,
					      view->weight)->total;

	return total ? 100.0 * (double)value / (double)total : 0;
}

uint64_t report_weight(const struct report_view *view,
		       const struct kermon_row *row)
{
	return row->all_values ? row->all_values[view->weight] :
				 row->values[view->weight];
}

bool report_shows(const struct report_view *view, const struct kermon_row *row)
{
	return report_percent(view, report_weight(view, row)) >=
	       view->percent_limit;
}

int report_graph(const struct report_view *view,
		 const struct report_section *section,
		 const struct kermon_table *table, size_t row,
		 struct kermon_call **graph)
{
	const struct calls_style *style = &view->calls;
	struct kermon_graph_options options = {
		.size = sizeof(options),
		.direction = style->direction,
		.min_percent = style->min_percent,
		.of_caller = style->type == CALLS_FRACTAL,
	};
	double percent = report_percent(view, report_weight(
					view, &table->rows[row]));

	*graph = NULL;
	if (style->type == CALLS_NONE || section->threads ||
	    !kermon_report_has_calls(view->report))
		return 0;
	if (style->type != CALLS_FRACTAL && percent < style->min_percent)
		return 0;
	return kermon_report_graph(view->report, table, row, &options, graph);
}

const char *report_cycles_caveat(const struct report_view *view)
{
	if (hypervisor_is_emulator(kermon_report_note(view->report, "hypervisor")))
		return "model cycles: this was recorded on an emulated CPU";
	return NULL;
}
