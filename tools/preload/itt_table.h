/* SPDX-License-Identifier: GPL-2.0 */
/* All functions of ITT. */
#ifndef KERMON_PRELOAD_ITT_TABLE_H
#define KERMON_PRELOAD_ITT_TABLE_H

/**
 * itt_function() - what is called for a function of ITT
 * @name: of the function, with its prefix
 *
 * Return: the function, or NULL if its static part is to do what it does without a
 * collector. A function of ours that does nothing would not do: callers may need what it
 * returns, as libomp does of __itt_stack_caller_create().
 */
void *itt_function(const char *name);

#endif /* KERMON_PRELOAD_ITT_TABLE_H */
