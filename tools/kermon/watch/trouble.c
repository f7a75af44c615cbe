// SPDX-License-Identifier: GPL-2.0
/* Messages about what the monitor cannot count, why, and what to do about it. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <kermon/msr.h>
#include <kermon/text.h>

#include "machine/erratum.h"
#include "machine/hypervisor.h"
#include "machine/machine.h"
#include "machine/selection.h"
#include "ui/message.h"
#include "watch.h"

#define LEAVE_OUT	"leave out --backend for what the kernel itself counts per CPU"

/* perf_event per CPU is more than what other commands of kermon require. */
static void hint_at_permission(void)
{
	struct machine machine;

	machine_look(&machine);
	message_hint("as root: sysctl kernel.perf_event_paranoid=0 (it is %d), or give the "
		     "tool CAP_PERFMON%s", machine.paranoid, machine.paranoid > 2 ?
		     "; above 2, Debian's kernels require CAP_SYS_ADMIN" : "");
}

/*
 * Find out why the registers of a CPU cannot be written: write the first event select whose
 * value is rejected, as it is, but for the bits that any write has to clear.
 */
static bool find_rejected(struct kermon_msr *msr, uint32_t cpu)
{
	const struct kermon_msr_entry *entry;
	uint64_t value;

	for (size_t i = 0; (entry = kermon_msr_entry(msr, i)); i++)
		if (entry->zero && (kermon_msr_read(msr, cpu, entry->reg, &value) ||
				    kermon_msr_write(msr, cpu, entry->reg,
						     value & ~entry->zero)))
			return true;
	return false;
}

/* The message of the library for registers has the cause and the remedy. */
static void say_registers(const char *name, int cpu)
{
	const uint32_t number = cpu < 0 ? 0 : cpu;
	const struct kermon_msr_options options = {
		.size = sizeof(options),
		.flags = KERMON_MSR_WRITE,
		.nr_cpus = 1,
		.cpus = &number,
	};
	struct kermon_msr_error error = { .error = 0 };
	struct kermon_msr *msr;

	if (!kermon_msr_open(&msr, &options, &error)) {
		if (find_rejected(msr, number))
			error = *kermon_msr_error(msr);
		else
			snprintf(error.text, sizeof(error.text), "the registers of CPU %u "
				 "cannot be written", number);
		kermon_msr_close(msr);
	}
	message(name, "%s", error.text);
	if (*error.remedy)
		message_hint("%s", error.remedy);
}

static bool is_msr(const struct watch *watch)
{
	return watch->backend &&
	       !strcmp(kermon_spy_backend_name(watch->backend - 1), "msr");
}

static void say_no_pmu(const char *name)
{
	char text[128];

	hypervisor_no_counters(text, sizeof(text));
	message(name, "%s", text);
}

static void say_held(const char *name, int cpu)
{
	struct machine machine;
	struct finding finding;

	machine_look(&machine);
	machine_holder(&machine, &finding);
	message(name, "CPU %d: %s", cpu, finding.text);
	message_hint("%s", finding.remedy);
	message_hint("or see what the kernel itself counts: --backend software");
}

static int say_event(const char *name, const struct kermon_spy_trouble *trouble)
{
	if (trouble->error == -EALREADY) {
		message(name, "'%s': the fixed counters count user and kernel mode together",
			trouble->what);
		message_hint("leave out the modifier");
	} else {
		selection_say(name, KERMON_COUNT_KERNEL, trouble->error, &trouble->event);
	}
	return STATUS_USAGE;
}

static void say_system(const char *name, const struct kermon_spy_trouble *trouble)
{
	char where[32] = "";

	if (trouble->cpu >= 0)
		snprintf(where, sizeof(where), " CPU %d", trouble->cpu);
	message(name, "cannot watch%s: %s%s%s", where, trouble->what,
		*trouble->what ? ": " : "", strerror(-trouble->error));
	if (trouble->error == -EMFILE)
		message_hint("each CPU requires a file per event; raise the limit: "
			     "ulimit -n");
}

int trouble_say(const struct watch *watch, const struct kermon_spy_trouble *trouble)
{
	const char *name = watch->command->name;

	switch (trouble->kind) {
	case KERMON_SPY_NO_PMU:
		say_no_pmu(name);
		message_hint(watch->backend ? LEAVE_OUT :
			     "leave out -e for what the kernel itself counts per CPU");
		break;
	case KERMON_SPY_DENIED:
		if (is_msr(watch)) {
			say_registers(name, trouble->cpu);
			break;
		}
		message(name, "this user may not count events of whole CPUs");
		hint_at_permission();
		message_hint(watch->backend ? LEAVE_OUT :
			     "leave out -e for what every user may see");
		break;
	case KERMON_SPY_HELD:
		say_held(name, trouble->cpu);
		break;
	case KERMON_SPY_EVENT:
		return say_event(name, trouble);
	case KERMON_SPY_REFUSED:
		message(name, "CPU %d cannot count '%s'", trouble->cpu, trouble->what);
		message_hint("'kermon list' shows the sets and events of this CPU");
		break;
	case KERMON_SPY_EXCESS:
		message(name, "CPU %d has too few counters for '%s' beside the events before "
			"it", trouble->cpu, trouble->what);
		message_hint("divide them: each -e is a set, and SIGUSR1 or --set changes to "
			     "another one");
		break;
	case KERMON_SPY_CPU:
		message(name, "cannot watch CPU %d: it is offline, or this process may not "
			"run there", trouble->cpu);
		break;
	default:
		say_system(name, trouble);
	}
	return STATUS_FAILED;
}

/* Perf gives such events no counters while the other hyperthread counts; here nobody does. */
static void say_erratum(const struct watch *watch, const struct kermon_spy_set *set)
{
	struct kermon_selection selection = { .nr = 0 };

	for (; selection.nr < set->nr; selection.nr++) {
		struct kermon_selected_event *event = &selection.events[selection.nr];

		event->event.config = set->events[selection.nr].config;
		memcpy(event->name, set->events[selection.nr].name, sizeof(event->name));
	}
	erratum_say(watch->command->name, &selection);
}

static void say_errata(const struct watch *watch)
{
	const struct kermon_spy_set *set;

	if (!strcmp(kermon_spy_backend(watch->spy), "msr"))
		for (unsigned int i = 0; (set = kermon_spy_set(watch->spy, i)); i++)
			say_erratum(watch, set);
}

void trouble_say_backend(const struct watch *watch)
{
	const char *name = watch->command->name;

	say_errata(watch);
	switch (kermon_spy_reason(watch->spy)) {
	case KERMON_SPY_NO_PMU:
		say_no_pmu(name);
		message_hint("what the kernel itself counts per CPU is shown instead");
		break;
	case KERMON_SPY_DENIED:
		if (!strcmp(kermon_spy_backend(watch->spy), "msr")) {
			message(name, "this user may not count events of whole CPUs by "
				"perf_event: registers are read instead");
			break;
		}
		message(name, "this user may not count events of whole CPUs: the kernel's "
			"times per CPU are shown instead");
		hint_at_permission();
		break;
	case KERMON_SPY_HELD:
		break;
	default:
		return;
	}
}

void trouble_say_move(const struct watch *watch, unsigned int cpu, bool online,
		      const struct kermon_spy_trouble *trouble)
{
	const char *name = watch->command->name;

	if (!online)
		message(name, "CPU %u went offline: its intervals end here", cpu);
	else if (!trouble)
		message(name, "CPU %u came online: it is watched from now on", cpu);
	else
		trouble_say(watch, trouble);
}

static void say_cpu(const struct watch *watch, const struct kermon_spy_cpu *info)
{
	const char *name = watch->command->name;

	if (info->error && info->error != -ENODEV)
		message(name, "CPU %u was not watched to the end: %s", info->cpu,
			strerror(-info->error));
	if (info->missed)
		message(name, "CPU %u: %llu of %llu deadlines missed: other intervals are "
			"longer", info->cpu, (unsigned long long)info->missed,
			(unsigned long long)(info->missed + info->samples));
	if (info->merged)
		message(name, "CPU %u: %llu sample%s found no room in the channel: the next "
			"ones have their counts", info->cpu, (unsigned long long)info->merged,
			kermon_plural(info->merged));
	if (info->uncounted)
		message(name, "CPU %u: the counters were taken away in %llu sample%s, whose "
			"counts are too low", info->cpu, (unsigned long long)info->uncounted,
			kermon_plural(info->uncounted));
}

void trouble_say_losses(const struct watch *watch)
{
	struct kermon_spy_cpu info;

	for (unsigned int i = 0; kermon_spy_cpu(watch->spy, i, &info); i++)
		say_cpu(watch, &info);
}
