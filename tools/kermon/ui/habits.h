/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to habits.c: what users of perf type that kermon does in another way.
 */
#ifndef KERMON_HABITS_H
#define KERMON_HABITS_H

/*
 * Advice for a user of perf who typed the option @token, "-D" or "--stats=x", after
 * @command, which has no such option; NULL if perf's command has none either.
 */
const char *habits_option(const char *command, const char *token);

/* Likewise for an event of perf that no set and no event of this CPU is called by. */
const char *habits_event(const char *name);

/* Likewise for a command of perf that kermon lacks. */
const char *habits_command(const char *name);

/* The name of the command that perf calls @name; @name itself if it is the same. */
const char *habits_alias(const char *name);

#endif /* KERMON_HABITS_H */
