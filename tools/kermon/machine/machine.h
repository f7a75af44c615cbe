/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What this machine has for KerMon: facts, and a verdict on each with what to
 * do about it. 'kermon status' shows them all, 'kermon run' the one it failed
 * on.
 */
#ifndef KERMON_MACHINE_H
#define KERMON_MACHINE_H

#include <limits.h>
#include <stdbool.h>

#include <kermon/control.h>

/**
 * struct machine - the facts
 * @release: of the kernel
 * @patched: the kernel has KerMon's class and system calls
 * @control: 0, or the error with which asking kermon.ko fails; -ENODEV: it is not there
 * @module: kermon.ko is there
 * @module_version: "" if it is not
 * @has_info: @info is valid
 * @info: what the module offers
 * @paranoid: kernel.perf_event_paranoid; -1 is the most liberal
 * @nmi_watchdog: the NMI watchdog is on
 * @own_proc: /proc is that of this pid namespace, so that a pid names the same
 *	process there
 * @may_count: CAP_PERFMON or CAP_SYS_ADMIN
 * @may_schedule: CAP_SYS_NICE
 * @sideband: 0, or the error with which perf_event_open(2) refuses the event of
 *	names and mappings, even about this process
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
	bool may_count;
	bool may_schedule;
	int sideband;
};

void machine_look(struct machine *machine);

/* Whether every process may execute RDPMC now; false if there is no module to say so. */
bool machine_is_public(void);

enum verdict {
	VERDICT_OK,
	VERDICT_NOTE,		/* a recording would lack something */
	VERDICT_MISSING,	/* no recording without it */
};

/**
 * struct finding - the verdict on one thing
 * @name: of the thing
 * @verdict: on it
 * @text: what is the case
 * @remedy: what to do, "" if nothing is to be done
 */
struct finding {
	const char *name;
	enum verdict verdict;
	char text[160];
	char remedy[PATH_MAX + 240];
};

/* How root lets everybody record all with this tool. */
#define MACHINE_GRANT	(PATH_MAX + 64)
void machine_grant(char text[MACHINE_GRANT]);

void machine_kernel(const struct machine *machine, struct finding *finding);
void machine_module(const struct machine *machine, struct finding *finding);
void machine_pmu(const struct machine *machine, struct finding *finding);
void machine_energy(const struct machine *machine, struct finding *finding);
void machine_class(const struct machine *machine, struct finding *finding);
void machine_modes(const struct machine *machine, struct finding *finding);
void machine_sideband(const struct machine *machine, struct finding *finding);

/* Looks, and tells the user of @command what is found and what to do about it. */
void machine_say(const char *command,
		 void (*find)(const struct machine *machine,
			      struct finding *finding));

#endif /* KERMON_MACHINE_H */
