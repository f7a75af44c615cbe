// SPDX-License-Identifier: GPL-2.0
/* Allow-lists of registers, and their index. */
#include <string.h>

#include "helper/allowlist.h"

#include "../input.h"

static void try_list(const char *text, size_t size)
{
	static struct allowlist list;
	const struct kermon_msr_entry *entry = list.entries;

	if (allowlist_parse(&list, text, size))
		promise(!list.nr);
	for (; entry < list.entries + list.nr; entry++) {
		promise(entry == list.entries || entry[-1].reg < entry->reg);
		promise(allowlist_find(&list, entry->reg) == entry);
		promise(strlen(entry->name) < sizeof(entry->name));
		promise(strlen(entry->about) < sizeof(entry->about));
	}
}

static void try_index(const char *text, size_t size)
{
	static const struct processor processor = {
		.vendor = "GenuineIntel", .family = 6, .model = 0x3e,
	};
	char file[ALLOWLIST_FILE];
	unsigned int line;

	if (!allowlist_choose(text, size, &processor, file, &line))
		promise(*file && !strchr(file, '/'));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* Of exactly this size, so that ASan sees what is read beyond. */
	char *text = malloc(size + !size);

	memcpy(text, data, size);
	try_list(text, size);
	try_index(text, size);
	free(text);
	return 0;
}
