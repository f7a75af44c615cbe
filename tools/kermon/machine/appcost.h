/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to appcost.c: sampling overhead of an application, as accounted by the
 * kernel.
 */
#ifndef KERMON_APPCOST_H
#define KERMON_APPCOST_H

#include <stdint.h>
#include <sys/types.h>

#include <kermon/control.h>

/*
 * TSC cycles spent so far on samples of the application that set_events(@pid) created; 0
 * if there is none, or it belongs to another user.
 */
uint64_t cost_of(pid_t pid);

/* @cycles of the TSC in milliseconds; 0 if its frequency is unknown. */
double cost_ms(uint64_t cycles, const struct kermon_info *info);

#endif /* KERMON_APPCOST_H */
