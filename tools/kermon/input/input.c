// SPDX-License-Identifier: GPL-2.0
#include <errno.h>

#include "damages.h"
#include "input.h"
#include "statements.h"
#include "ui/message.h"
#include "unwinding.h"

int source_begin(struct source *source, const struct command *command)
{
	source->command = command->name;
	source->profile = NULL;
	return input_begin(&source->input, command);
}

void source_end(struct source *source)
{
	kermon_profile_free(source->profile);
	input_end(&source->input);
}

int source_read(struct source *source,
		const struct kermon_profile_callbacks *callbacks,
		void *context)
{
	source->profile = kermon_profile_new(&source->input.reading, callbacks,
					     context);
	if (!source->profile)
		return -ENOMEM;
	return kermon_profile_read(source->profile, source->input.path);
}

int source_status(const struct source *source, int err)
{
	bool damaged = damages_tell(source->command, source->input.path,
				    source->input.damages);

	if (source->profile)
		unwinding_tell(source->command, source->input.path,
			       kermon_profile_unwinding(source->profile));
	if (err && err != -EPIPE)
		return damages_failure(source->command, source->input.path, err,
				       damaged);
	if (!err)
		statements_tell(source->command, source->input.path,
				kermon_profile_statements(source->profile));
	return err || damaged ? STATUS_FAILED : STATUS_OK;
}
