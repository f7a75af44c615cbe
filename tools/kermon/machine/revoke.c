// SPDX-License-Identifier: GPL-2.0
/* kermon revoke: ends the monitoring of applications, for their holders. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kermon/control.h>

#include "holders.h"
#include "ui/command.h"
#include "ui/completion.h"
#include "ui/message.h"
#include "ui/options.h"
#include "ui/values.h"
#include "util/array.h"

/**
 * struct wanted - the applications to revoke
 * @all: all of them
 * @ids: otherwise, these
 * @nr: length of @ids
 * @holders: those of all that are monitored
 * @nr_holders: length of @holders
 * @room: allocated length of @holders
 */
struct wanted {
	bool all;
	uint32_t *ids;
	size_t nr;
	struct kermon_holder *holders;
	size_t nr_holders;
	size_t room;
};

static int take_holder(const struct kermon_holder *holder, void *data)
{
	struct wanted *wanted = data;

	if (array_room(wanted->holders, wanted->room, wanted->nr_holders + 1))
		return -ENOMEM;
	wanted->holders[wanted->nr_holders++] = *holder;
	return 0;
}

static const struct kermon_holder *holder_of(const struct wanted *wanted,
					     uint32_t id)
{
	for (size_t i = 0; i < wanted->nr_holders; i++)
		if (wanted->holders[i].id == id)
			return &wanted->holders[i];
	return NULL;
}

static int say_refused(const struct command *command, uint32_t id, int error)
{
	switch (-error) {
	case EPERM:
		message(command->name, "cannot revoke %u: this requires CAP_SYS_ADMIN", id);
		message_hint("as root: kermon revoke %u", id);
		break;
	case ENOENT:
		message(command->name, "there is no application %u", id);
		message_hint("'kermon status --holders' lists them");
		break;
	case EALREADY:
		message(command->name, "%u was revoked before", id);
		message_hint("its log is released with the last descriptor");
		break;
	case EAGAIN:
		message(command->name, "application %u is just starting", id);
		message_hint("try again");
		break;
	default:
		message(command->name, "cannot revoke %u: %s", id,
			error == -EOPNOTSUPP ?
			"the module kermon.ko is older than this tool" :
			strerror(-error));
	}
	return STATUS_FAILED;
}

static void say_revoked(const struct wanted *wanted, uint32_t id)
{
	const struct kermon_holder *holder = holder_of(wanted, id);

	printf("revoked ");
	if (holder)
		holder_print(holder);
	else
		printf("%u\n", id);
}

static int revoke(const struct command *command, struct kermon_control *control,
		  const struct wanted *wanted, uint32_t id)
{
	const int result = kermon_control_revoke(control, id);

	if (result)
		return say_refused(command, id, result);
	say_revoked(wanted, id);
	return STATUS_OK;
}

/* Whether @error means that the monitoring has ended since the holders were listed. */
static bool has_ended(int error)
{
	return error == -ENOENT || error == -EALREADY;
}

/*
 * Those that were revoked before are none to revoke. Whether all are revoked is not known
 * to a user who does not see them.
 */
static int revoke_all(const struct command *command,
		      struct kermon_control *control, const struct wanted *wanted)
{
	int status = STATUS_OK;
	unsigned int nr = 0;

	for (size_t i = 0; i < wanted->nr_holders; i++) {
		const uint32_t id = wanted->holders[i].id;
		const int result = wanted->holders[i].revoked ? -EALREADY :
				   kermon_control_revoke(control, id);

		if (has_ended(result))
			continue;
		nr++;
		if (result)
			status = say_refused(command, id, result);
		else
			say_revoked(wanted, id);
	}
	if (!nr && !holders_say_none())
		status = STATUS_FAILED;
	return status;
}

static int revoke_each(const struct command *command,
		       struct kermon_control *control, const struct wanted *wanted)
{
	int status = STATUS_OK;

	if (wanted->all)
		return revoke_all(command, control, wanted);
	for (size_t i = 0; i < wanted->nr; i++)
		status |= revoke(command, control, wanted, wanted->ids[i]);
	return status;
}

static int run_wanted(const struct command *command, struct wanted *wanted)
{
	struct kermon_control *control;
	int status = holders_connect(command, &control);
	int result;

	if (status)
		return status;
	result = kermon_control_holders(control, take_holder, wanted);
	status = result ? holders_refused(command, "list holders", result) :
			  revoke_each(command, control, wanted);
	kermon_control_close(control);
	return status;
}

static bool read_id(const char *word, uint32_t *id)
{
	unsigned long number;
	char *end;

	if (!isdigit((unsigned char)*word))
		return false;
	errno = 0;
	number = strtoul(word, &end, 10);
	*id = number;
	return !*end && !errno && number <= UINT32_MAX;
}

static int take_ids(struct wanted *wanted, const struct command *command,
		    const struct options *options)
{
	wanted->ids = calloc(options->nr_operands + 1, sizeof(*wanted->ids));
	if (!wanted->ids)
		return holders_refused(command, "read the ids", -ENOMEM);
	for (; wanted->nr < options->nr_operands; wanted->nr++) {
		const char *word = options->operands[wanted->nr];

		if (!read_id(word, &wanted->ids[wanted->nr]))
			return options_bad(command, "'%s' is not the id of an application",
					   word);
	}
	return STATUS_OK;
}

static int offer_id(const struct kermon_holder *holder, void *data)
{
	char id[16], help[KERMON_NAME_SIZE + 24];

	if (holder->revoked)
		return 0;
	snprintf(id, sizeof(id), "%u", holder->id);
	snprintf(help, sizeof(help), "opened by pid %u (%s)", holder->opener,
		 holder->comm);
	completion_offer(data, id, help);
	return 0;
}

static void complete_ids(struct completion *completion)
{
	struct kermon_control *control;

	if (kermon_control_open(&control))
		return;
	kermon_control_holders(control, offer_id, completion);
	kermon_control_close(control);
}

static const struct value_type value_application = {
	.what = "application",
	.whats = "applications",
	.complete = complete_ids,
};

static const struct option_spec options_of_revoke[] = {
	{ 0, "all", NULL, "revoke all applications",
	  VALUE(flag, struct wanted, all) },
	{}
};

static int run_revoke(const struct command *command, int argc, char **argv)
{
	struct wanted wanted = { 0 };
	struct options options;
	int status;

	if (!options_parse(&options, command, argc, argv, &wanted))
		return options.status;
	if (wanted.all == !!options.nr_operands)
		return options_bad(command, "need the ID of an application, or --all");
	status = take_ids(&wanted, command, &options);
	if (!status)
		status = run_wanted(command, &wanted);
	free(wanted.ids);
	free(wanted.holders);
	return status;
}

const struct command revoke_command = {
	.name = "revoke",
	.synopsis = "ID... | --all",
	.summary = "End the monitoring of applications; what was recorded is kept",
	.options = options_of_revoke,
	.operand = &value_application,
	.max_operands = OPERANDS_ANY,
	.run = run_revoke,
};
