/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to machine.c: facts about this machine, and findings with a verdict and a
 * remedy. 'kermon status' shows all of them, 'kermon run' the one that made it fail.
 */
#ifndef KERMON_MACHINE_H
#define KERMON_MACHINE_H

#include <limits.h>
#include <stdbool.h>

#include <kermon/control.h>

/**
 * struct machine - the facts
 * @release: release of the kernel
 * @patched: the kernel has KerMon's class and system calls
 * @control: 0, or -errno of a query to kermon.ko; -ENODEV: it is not loaded
 * @module: kermon.ko is loaded
 * @module_version: version of kermon.ko, "" if unknown
 * @has_info: @info is valid
 * @info: what the module offers
 * @paranoid: kernel.perf_event_paranoid; -1 is the most permissive
 * @nmi_watchdog: the NMI watchdog is enabled
 * @own_proc: /proc belongs to the pid namespace of this process, so that pids are the
 *	same there
 * @shares: KerMon counts beside perf
 * @in_group: this process is in kernel.kermon_counters_group
 * @may_count: this process has CAP_PERFMON or CAP_SYS_ADMIN
 * @may_schedule: this process has CAP_SYS_NICE
 * @sideband: 0, or -errno of perf_event_open(2) for the side-band of this process
 */
struct machine {
	char release[65];
	bool patched;
	int control;
	bool module;
	char module_version[32];
	bool has_info;
	struct kermon_info info;
	int paranoid;
	bool nmi_watchdog;
	bool own_proc;
	bool shares;
	bool in_group;
	bool may_count;
	bool may_schedule;
	int sideband;
};

/* Fill @machine; what cannot be determined counts as missing. */
void machine_look(struct machine *machine);

/* Whether every process may execute RDPMC now; false without the module. */
bool machine_is_public(void);

enum verdict {
	VERDICT_OK,
	VERDICT_NOTE,		/* recording works, with a restriction */
	VERDICT_MISSING,	/* recording does not work */
};

/**
 * struct finding - the result of one check
 * @name: what was checked
 * @verdict: the result
 * @text: what was found
 * @remedy: what to do about it, "" for nothing
 */
struct finding {
	const char *name;
	enum verdict verdict;
	char text[160];
	char remedy[PATH_MAX + 240];
};

/* The command by which root lets every user of this tool record everything. */
#define MACHINE_GRANT	(PATH_MAX + 64)
void machine_grant(char text[MACHINE_GRANT]);

/* Checks; each fills @finding from @machine. */
void machine_kernel(const struct machine *machine, struct finding *finding);
void machine_module(const struct machine *machine, struct finding *finding);
void machine_pmu(const struct machine *machine, struct finding *finding);
/* Whether set_events() lets this user have counters, which are those of every CPU. */
bool machine_may_count(const struct machine *machine);
/* Why no counters are left, though there is a PMU. */
void machine_busy(const struct machine *machine, struct finding *finding);
/* Who uses the counters, if it is known that somebody does. */
void machine_holder(const struct machine *machine, struct finding *finding);
void machine_energy(const struct machine *machine, struct finding *finding);
void machine_class(const struct machine *machine, struct finding *finding);
void machine_modes(const struct machine *machine, struct finding *finding);
void machine_counting(const struct machine *machine, struct finding *finding);
void machine_sideband(const struct machine *machine, struct finding *finding);

/* Look at the machine, and print the finding of @find as a message of @command. */
void machine_say(const char *command,
		 void (*find)(const struct machine *machine,
			      struct finding *finding));

#endif /* KERMON_MACHINE_H */
