// SPDX-License-Identifier: GPL-2.0
/* ITT: what its static part finds in this library. */
#include "collector.h"
#include "itt.h"
#include "itt_table.h"

/* The static part asks for groups; its own functions are what is there without a collector. */
void __itt_api_init(struct itt_global *global, int groups)
{
	const bool is_collected = collector_open();
	void *function;

	for (struct itt_api *api = global->list; api && api->name; api++) {
		function = NULL;
		if (is_collected && api->group & groups)
			function = itt_function(api->name);
		*api->function = function ? function : api->null;
	}
}

void __itt_api_fini(struct itt_global *global)
{
	for (struct itt_api *api = global->list; api && api->name; api++)
		*api->function = api->null;
}

const char *__itt_api_version(void)
{
	return "KerMon";
}
