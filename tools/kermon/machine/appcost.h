/* SPDX-License-Identifier: GPL-2.0 */
/* What monitoring costs: the time that the kernel took to take samples. */
#ifndef KERMON_APPCOST_H
#define KERMON_APPCOST_H

#include <stdint.h>
#include <sys/types.h>

#include <kermon/control.h>

/*
 * TSC cycles that the samples of the application which set_events(@pid) made have
 * taken so far; 0 if there is none, or it is not this user's.
 */
uint64_t cost_of(pid_t pid);

double cost_ms(uint64_t cycles, const struct kermon_info *info);

#endif /* KERMON_APPCOST_H */
