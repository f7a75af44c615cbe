// SPDX-License-Identifier: GPL-2.0
/* Reads recordings sample by sample, with progress, and reports what is wrong with them. */
#include <errno.h>

#include "damages.h"
#include "profile_input.h"
#include "statements.h"
#include "ui/message.h"
#include "unwinding.h"

int profile_input_begin(struct profile_input *source,
			const struct command *command)
{
	source->command = command->name;
	source->profile = NULL;
	return input_begin(&source->input, command);
}

void profile_input_end(struct profile_input *source)
{
	kermon_profile_free(source->profile);
	input_end(&source->input);
}

int profile_input_read(struct profile_input *source,
		       const struct kermon_profile_callbacks *callbacks,
		       void *context)
{
	int err;

	source->profile = kermon_profile_new(&source->input.reading, callbacks,
					     context);
	if (!source->profile)
		return -ENOMEM;
	progress_start(&source->input.progress, "reading");
	err = kermon_profile_read(source->profile, source->input.path);
	progress_finish(&source->input.progress);
	return err;
}

int profile_input_status(const struct profile_input *source, int err)
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
