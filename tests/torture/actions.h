/* SPDX-License-Identifier: GPL-2.0 */
/* Operations on running tasks, of any class, and on CPUs. */
#ifndef KERMON_TORTURE_ACTIONS_H
#define KERMON_TORTURE_ACTIONS_H

/**
 * struct action - an operation on a random victim
 * @name: for the command line and the report
 * @act: do it; 0 or -errno, since the victim may have exited meanwhile
 * @weight: relative frequency among the actions of the same hand
 * @hand: process that does it; hands do not wait for each other
 */
struct action {
	const char *name;
	int (*act)(void);
	unsigned int weight;
	unsigned int hand;
};

/* scheduling.c */
int set_any_policy(void);
int set_realtime_policy(void);
int set_any_affinity(void);
int set_any_nice(void);
int set_any_cookie(void);

/* states.c */
int stop_any(void);
int continue_all(void);
int trace_any(void);
int kill_any(void);
int kill_group(void);

/* groups.c */
int move_to_any_group(void);
int freeze_any_group(void);
int set_any_limits(void);

/* monitoring.c */
int monitor_any(void);
int read_any_log(void);
int close_any_log(void);
int revoke_any(void);
int replace_module(void);

/* machine.c */
int switch_any_cpu(void);
int look_at_any(void);
int look_at_all(void);
/* Restores the initial state. */
void all_cpus_online(void);

#endif /* KERMON_TORTURE_ACTIONS_H */
