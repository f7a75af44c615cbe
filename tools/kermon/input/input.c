// SPDX-License-Identifier: GPL-2.0
#include <errno.h>

#include "damages.h"
#include "input.h"
#include "statements.h"
#include "ui/message.h"
#include "unwinding.h"

int source_begin(struct source *source, const struct command *command)
{
	*source = (struct source){
		.command = command->name,
		.path = "perf.data",
		.reading.size = sizeof(source->reading),
		.filter = kermon_filter_new(),
		.damages = kermon_damages_new(NULL, NULL),
	};
	source->reading.filter = source->filter;
	source->reading.damages = source->damages;
	if (source->filter && source->damages)
		return 0;
	message(source->command, "out of memory");
	return -ENOMEM;
}

void source_end(struct source *source)
{
	kermon_profile_free(source->profile);
	kermon_filter_free(source->filter);
	kermon_damages_free(source->damages);
}

bool source_option(struct source *source, struct options *options, int key)
{
	switch (key) {
	case 'i':
		source->path = options->value;
		return true;
	case SOURCE_KEY_SYMFS:
		source->reading.symfs = options->value;
		return true;
	case SOURCE_KEY_KALLSYMS:
		source->reading.kallsyms = options->value;
		return true;
	}
	if (inline_option(key, &source->reading.inlines))
		return true;
	if (!filter_option(options, key, source->filter))
		return false;
	source->is_filtered = true;
	return true;
}

int source_read(struct source *source,
		const struct kermon_profile_callbacks *callbacks,
		void *context)
{
	source->profile = kermon_profile_new(&source->reading, callbacks,
					     context);
	if (!source->profile)
		return -ENOMEM;
	return kermon_profile_read(source->profile, source->path);
}

int source_status(const struct source *source, int err)
{
	bool damaged = damages_tell(source->command, source->path,
				    source->damages);

	if (source->profile)
		unwinding_tell(source->command, source->path,
			       kermon_profile_unwinding(source->profile));
	if (err && err != -EPIPE)
		return damages_failure(source->command, source->path, err,
				       damaged);
	if (!err)
		statements_tell(source->command, source->path,
				kermon_profile_statements(source->profile));
	return err || damaged ? STATUS_FAILED : STATUS_OK;
}
