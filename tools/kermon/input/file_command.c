// SPDX-License-Identifier: GPL-2.0
#include <errno.h>

#include "damages.h"
#include "file_command.h"
#include "ui/message.h"
#include "ui/pager.h"

enum {
	KEY_NO_PAGER = 256,
};

const struct option_spec file_options[] = {
	{ 'i', 'i', "input", "FILE", "file to read (default: perf.data)" },
	{ 0, KEY_NO_PAGER, "no-pager", NULL, "do not start a pager" },
	{}
};

static void tell_one(void *context, const struct kermon_damage *damage)
{
	const struct file_command *command = context;

	damages_one(command->name, command->path, damage);
}

/* Says what is wrong with the file. Returns whether anything is. */
static bool tell_damage(struct file_command *command)
{
	const struct kermon_damage *damage;
	uint64_t nr = kermon_file_nr_damages(command->file);
	size_t i;

	if (command->told_all)
		return nr;
	for (i = 0; (damage = kermon_file_damage(command->file, i)); i++)
		tell_one(command, damage);
	return damages_end(nr, i);
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

	if (command->told_all)
		kermon_file_tell_damages(command->file, tell_one, command);
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
	return tell_damage(command) ? STATUS_FAILED : STATUS_OK;
}

static int run(const struct command *command, int argc, char **argv,
	       int (*show)(struct file_command *command), bool told_all)
{
	struct file_command file = {
		.name = command->name,
		.path = "perf.data",
		.told_all = told_all,
	};
	struct options options;
	int key, status;

	options_begin(&options, command, argc, argv);
	while ((key = options_next(&options))) {
		if (key == 'i')
			file.path = options.value;
		else
			file.no_pager = true;
	}
	if (!options_no_words(&options, "-i FILE"))
		return options.status;
	file.file = kermon_file_new();
	if (!file.file) {
		message(command->name, "out of memory");
		return STATUS_FAILED;
	}
	status = open_and_show(&file, show);
	kermon_file_free(file.file);
	return status;
}

int file_command_run(const struct command *command, int argc, char **argv,
		     int (*show)(struct file_command *command))
{
	return run(command, argc, argv, show, false);
}

int file_command_run_telling_all(const struct command *command, int argc,
				 char **argv,
				 int (*show)(struct file_command *command))
{
	return run(command, argc, argv, show, true);
}
