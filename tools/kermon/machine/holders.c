// SPDX-License-Identifier: GPL-2.0
/* Prints who holds the logs of monitored applications, and what that takes. */
#include <errno.h>
#include <inttypes.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>

#include <kermon/text.h>

#include "holders.h"
#include "machine.h"
#include "ui/command.h"
#include "ui/json.h"
#include "ui/message.h"
#include "ui/shown.h"

#define USER_SIZE	64
#define WHAT_SIZE	96

/* The name of a user, or the number if it has none here. */
static void user_name(uint32_t uid, char *name)
{
	const struct passwd *user = getpwuid(uid);

	if (user)
		snprintf(name, USER_SIZE, "%s", user->pw_name);
	else
		snprintf(name, USER_SIZE, "user %u", uid);
}

/*
 * "counters with 4 events", "counters with up to 4 events in each of 2 sets", "no counters",
 * "revoked"; the number of events is that of the largest set.
 */
static void what_counts(const struct kermon_holder *holder, char *what)
{
	const char *most = holder->sets > 1 ? "up to " : "";
	char sets[40] = "";

	if (holder->sets > 1)
		snprintf(sets, sizeof(sets), " in each of %u sets", holder->sets);
	if (holder->revoked)
		snprintf(what, WHAT_SIZE, "revoked");
	else if (!holder->counts)
		snprintf(what, WHAT_SIZE, "no counters");
	else
		snprintf(what, WHAT_SIZE, "counters with %s%u event%s%s",
			 most, holder->events, kermon_plural(holder->events), sets);
}

void holder_print(const struct kermon_holder *holder)
{
	char user[USER_SIZE], what[WHAT_SIZE], log[KERMON_SIZE_TEXT];

	user_name(holder->uid, user);
	what_counts(holder, what);
	kermon_size_text(holder->log_bytes, log, sizeof(log));
	shown_line(stdout, "%-8u %s, opened by pid %u (%s): pid %u, %u task%s, "
		   "%u descriptor%s, %s, log of %s", holder->id, user,
		   holder->opener, holder->comm, holder->pid, holder->tasks,
		   kermon_plural(holder->tasks), holder->descriptors,
		   kermon_plural(holder->descriptors), what, log);
}

static int print_text(const struct kermon_holder *holder, void *data)
{
	unsigned int *nr = data;

	holder_print(holder);
	++*nr;
	return 0;
}

static int print_json(const struct kermon_holder *holder, void *data)
{
	struct json *json = data;
	char user[USER_SIZE];

	user_name(holder->uid, user);
	json_begin_object(json, NULL);
	json_number(json, "id", holder->id);
	json_number(json, "uid", holder->uid);
	json_text(json, "user", user);
	json_number(json, "opened_by_pid", holder->opener);
	json_text(json, "opened_by_comm", holder->comm);
	json_number(json, "pid", holder->pid);
	json_number(json, "tasks", holder->tasks);
	json_number(json, "descriptors", holder->descriptors);
	json_bool(json, "counts", holder->counts);
	json_number(json, "sets", holder->sets);
	json_number(json, "events", holder->events);
	json_number(json, "log_bytes", holder->log_bytes);
	json_bool(json, "revoked", holder->revoked);
	json_end_object(json);
	return 0;
}

int holders_refused(const struct command *command, const char *what, int error)
{
	message(command->name, "cannot %s: %s", what, error == -EOPNOTSUPP ?
		"the module kermon.ko is older than this tool" :
		strerror(-error));
	return STATUS_FAILED;
}

int holders_connect(const struct command *command,
		    struct kermon_control **control)
{
	int result = kermon_control_open(control);

	if (!result)
		return STATUS_OK;
	if (result != -ENODEV)
		return holders_refused(command, "ask the module", result);
	machine_say(command->name, machine_module);
	return STATUS_FAILED;
}

bool holders_say_none(void)
{
	struct machine machine;

	machine_look(&machine);
	printf("No application is monitored%s.\n", machine.may_count ? "" :
	       " that this user may see (those of others require CAP_PERFMON)");
	return machine.may_count;
}

static int print_all(struct kermon_control *control)
{
	unsigned int nr = 0;
	int result = kermon_control_holders(control, print_text, &nr);

	if (!result && !nr)
		holders_say_none();
	return result;
}

static int print_all_json(struct kermon_control *control)
{
	struct json json = { .out = stdout };
	int result;

	json_begin_object(&json, NULL);
	json_begin_array(&json, "holders");
	result = kermon_control_holders(control, print_json, &json);
	json_end_array(&json);
	json_end_object(&json);
	return result;
}

int holders_print(const struct command *command, bool json)
{
	struct kermon_control *control;
	int status = holders_connect(command, &control);
	int result;

	if (status)
		return status;
	result = json ? print_all_json(control) : print_all(control);
	kermon_control_close(control);
	return result ? holders_refused(command, "list holders", result) : STATUS_OK;
}
