// SPDX-License-Identifier: GPL-2.0
/* Runs the commands that show a file as it is: options, damages, pager. */
#include <errno.h>

#include "damages.h"
#include "file_command.h"
#include "input_options.h"
#include "ui/common_options.h"
#include "ui/message.h"
#include "ui/pager.h"

const struct option_spec file_command_options[] = {
	FILE_OPTION(INPUT_DEFAULT),
	GROUP(pager, struct file_command, no_pager),
	{}
};

static void tell_one(void *context, const struct kermon_damage *damage)
{
	const struct file_command *command = context;

	damages_one(command->name, command->path, damage);
}

/* Report the damages of the file. Returns whether there are any. */
static bool tell_damage(struct file_command *command)
{
	if (command->told_all)
		return kermon_damages_count(command->damages);
	return damages_tell(command->name, command->path, command->damages);
}

static int tell_failure(struct file_command *command, int err)
{
	return damages_failure(command->name, command->path, err,
			       tell_damage(command));
}

static int open_and_show(struct file_command *command,
			 int (*show)(struct file_command *command))
{
	struct pager pager = { 0 };
	int err;

	err = kermon_file_open(command->file, command->path);
	if (err)
		return tell_failure(command, err);
	if (!command->no_pager && !command->told_all)
		pager_start(&pager, command->name);
	err = pager_finish(&pager, show(command));
	if (err == -EPIPE)
		return STATUS_FAILED;
	if (err)
		return tell_failure(command, err);
	return tell_damage(command) || command->failed ? STATUS_FAILED : STATUS_OK;
}

int file_command_show(struct file_command *command,
		      int (*show)(struct file_command *command))
{
	struct kermon_file_options options = { .size = sizeof(options) };
	int status;

	command->damages = kermon_damages_new(command->told_all ? tell_one : NULL,
					      command);
	options.damages = command->damages;
	if (options.damages)
		command->file = kermon_file_new(&options);
	if (command->file) {
		status = open_and_show(command, show);
	} else {
		message(command->name, "out of memory");
		status = STATUS_FAILED;
	}
	kermon_file_free(command->file);
	kermon_damages_free(command->damages);
	return status;
}

int file_command_run(const struct command *command, int argc, char **argv,
		     int (*show)(struct file_command *command))
{
	struct file_command file = { .name = command->name };
	struct options options;

	if (!options_parse(&options, command, argc, argv, &file))
		return options.status;
	file.path = input_path(&options);
	return file_command_show(&file, show);
}
