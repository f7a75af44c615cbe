// SPDX-License-Identifier: GPL-2.0
/* What text and JSON have in common. */
#include <string.h>

#include "report_view.h"

size_t report_sections(const struct report_view *view,
		       struct report_section sections[2])
{
	static const struct report_section threads = {
		.title = "Threads", .name = "threads", .keys = "comm,pid,tid",
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

double report_percent(const struct report_view *view,
		      const struct kermon_row *row)
{
	uint64_t total = kermon_report_column(view->report,
					      view->weight)->total;

	return total ? 100.0 * (double)row->values[view->weight] /
		       (double)total : 0;
}

const char *report_cycles_caveat(const struct report_view *view)
{
	const char *hypervisor = kermon_report_note(view->report, "hypervisor");

	/* CPUID 0x40000000 of QEMU's emulator: target/i386/cpu.c of QEMU */
	if (hypervisor && !strcmp(hypervisor, "TCGTCGTCGTCG"))
		return "model cycles: this was recorded on an emulated CPU";
	return NULL;
}
