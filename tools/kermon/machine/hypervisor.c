// SPDX-License-Identifier: GPL-2.0
/*
 * Reads the signature of the hypervisor from CPUID.
 */
#include <cpuid.h>
#include <string.h>

#include "hypervisor.h"

#define LEAF_HYPERVISOR	0x40000000
/* of CPUID.01H:ECX; always 0 on hardware */
#define HYPERVISOR_BIT	(1U << 31)

void hypervisor_name(char name[HYPERVISOR_SIZE])
{
	unsigned int eax, ebx, ecx, edx;

	memset(name, 0, HYPERVISOR_SIZE);
	if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx) || !(ecx & HYPERVISOR_BIT))
		return;
	__cpuid(LEAF_HYPERVISOR, eax, ebx, ecx, edx);
	memcpy(name, &ebx, sizeof(ebx));
	memcpy(name + 4, &ecx, sizeof(ecx));
	memcpy(name + 8, &edx, sizeof(edx));
}

/* target/i386/cpu.c of QEMU */
bool hypervisor_is_emulator(const char *name)
{
	return name && !strcmp(name, "TCGTCGTCGTCG");
}
