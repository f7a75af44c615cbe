// SPDX-License-Identifier: GPL-2.0
/*
 * Writes folded stacks for flamegraph.pl: "thread;outermost;...;innermost N".
 */
#include <errno.h>
#include <inttypes.h>
#include <kermon/text.h>
#include <stdlib.h>

#include "export.h"

/* Replace separators, for which the format has no escapes. */
static void write_name(FILE *out, const char *name, bool is_comm)
{
	while (*name) {
		if (*name != ';' && (*name != ' ' || !is_comm)) {
			name += kermon_text_print_next(out, name);
			continue;
		}
		fputc(*name++ == ';' ? ':' : '_', out);
	}
}

static void write_stack(const struct stacks *stacks, const uint32_t *path,
			size_t nr, FILE *out)
{
	const struct stack_node *node = &stacks->nodes[path[0]];
	char name[EXPORT_NAME_MAX];

	write_name(out, stacks->roots[node->root].comm, true);
	while (nr--) {
		node = &stacks->nodes[path[nr]];
		export_frame_name(&stacks->frames[node->frame], name,
				  sizeof(name));
		fputc(';', out);
		write_name(out, name, false);
	}
}

static int write_folded(const struct export *export, FILE *out)
{
	const struct stacks *stacks = &export->stacks;
	uint32_t *path = calloc(stacks->max_depth + 1, sizeof(*path));
	uint64_t value;

	if (!path)
		return -ENOMEM;
	for (size_t i = 0; i < stacks->nr_nodes; i++) {
		value = stacks_values(stacks, i)[export->event];
		if (!value)
			continue;
		write_stack(stacks, path, stacks_path(stacks, i, path), out);
		fprintf(out, " %" PRIu64 "\n", value);
	}
	free(path);
	return 0;
}

const struct export_format folded_format = {
	.name = "folded",
	.write = write_folded,
};
