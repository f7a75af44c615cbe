// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "file_command.h"
#include "message.h"
#include "pager.h"

enum {
	KEY_NO_PAGER = 256,
};

const struct option_spec file_options[] = {
	{ 'i', 'i', "input", "FILE", "file to read (default: perf.data)" },
	{ 0, KEY_NO_PAGER, "no-pager", NULL, "do not start a pager" },
	{}
};

/* Says what is wrong with the file. Returns whether anything is. */
static bool tell_damage(const struct file_command *command)
{
	const struct kermon_damage *damage;
	uint64_t nr = kermon_file_nr_damages(command->file);
	size_t i;

	for (i = 0; (damage = kermon_file_damage(command->file, i)); i++)
		message(command->name, "%s: at offset %" PRIu64 ": %s",
			command->path, damage->offset, damage->text);
	if (nr > i)
		message_hint("and %" PRIu64 " more of the kind", nr - i);
	return nr;
}

static int tell_failure(const struct file_command *command, int err)
{
	if (!tell_damage(command))
		message(command->name, "%s: %s", command->path,
			err == -ENOENT ? "there is no such file" :
			strerror(-err));
	return STATUS_FAILED;
}

static int open_and_show(struct file_command *command,
			 int (*show)(struct file_command *command))
{
	struct pager pager = { 0 };
	int err = kermon_file_open(command->file, command->path);

	if (err)
		return tell_failure(command, err);
	if (!command->no_pager)
		pager_start(&pager);
	err = show(command);
	if (!pager_finish(&pager))
		return STATUS_FAILED;
	if (err)
		return tell_failure(command, err);
	return tell_damage(command) ? STATUS_FAILED : STATUS_OK;
}

int file_command_run(const struct command *command, int argc, char **argv,
		     int (*show)(struct file_command *command))
{
	struct file_command file = {
		.name = command->name,
		.path = "perf.data",
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
	if (options.done)
		return options.status;
	if (argv[options.index])
		return options_bad(command, "'%s': the file is named with -i FILE",
				   argv[options.index]);
	file.file = kermon_file_new();
	if (!file.file) {
		message(command->name, "out of memory");
		return STATUS_FAILED;
	}
	status = open_and_show(&file, show);
	kermon_file_free(file.file);
	return status;
}
