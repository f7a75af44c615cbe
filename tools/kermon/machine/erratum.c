// SPDX-License-Identifier: GPL-2.0
/*
 * Checks for memory events of Sandy Bridge to Haswell, 0xd0 to 0xd3, which may also count
 * for the other hyperthread of the core (Intel's specification updates; the kernel's
 * arch/x86/events/intel/core.c, "leaks between hyperthreads").
 */
#include <cpuid.h>
#include <stddef.h>
#include <stdio.h>

#include "erratum.h"
#include "ui/message.h"

#define SMT_ACTIVE	"/sys/devices/system/cpu/smt/active"

static const struct {
	unsigned int model;	/* of Intel family 6 */
	const char *name;
} leaks[] = {
	{ 0x2a, "BJ122" }, { 0x2d, "BJ122" },
	{ 0x3a, "BV98" }, { 0x3e, "BV98" },
	{ 0x3c, "HSD29" }, { 0x3f, "HSD29" },
	{ 0x45, "HSD29" }, { 0x46, "HSD29" },
};

static bool has_hyperthreads(void)
{
	FILE *file = fopen(SMT_ACTIVE, "re");
	int active = 0;

	if (!file)
		return false;
	if (fscanf(file, "%d", &active) != 1)
		active = 0;
	fclose(file);
	return active;
}

static const char *name_of_leak(void)
{
	unsigned int eax, ebx, ecx, edx, model;
	size_t i;

	if (!__get_cpuid(0, &eax, &ebx, &ecx, &edx) ||
	    ebx != signature_INTEL_ebx)
		return NULL;
	__get_cpuid(1, &eax, &ebx, &ecx, &edx);
	if ((eax >> 8 & 0xf) != 6)
		return NULL;
	model = (eax >> 4 & 0xf) | (eax >> 12 & 0xf0);
	for (i = 0; i < sizeof(leaks) / sizeof(leaks[0]); i++)
		if (leaks[i].model == model)
			return leaks[i].name;
	return NULL;
}

const struct erratum *erratum_of(const struct kermon_selection *selection)
{
	static struct erratum erratum;
	unsigned int i, select;

	erratum.name = name_of_leak();
	if (!erratum.name || !has_hyperthreads())
		return NULL;
	for (i = 0; i < selection->nr; i++) {
		select = selection->events[i].event.config & 0xff;
		erratum.event = selection->events[i].name;
		if (select >= 0xd0 && select <= 0xd3)
			return &erratum;
	}
	return NULL;
}

void erratum_say(const char *name, const struct kermon_selection *selection)
{
	const struct erratum *erratum = erratum_of(selection);

	if (!erratum)
		return;
	message(name, "%s may also count what the other hyperthread of its core does (erratum %s)",
		erratum->event, erratum->name);
	message_hint("disable hyperthreading for exact counts");
}
