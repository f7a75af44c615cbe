// SPDX-License-Identifier: GPL-2.0
/*
 * Reads the signature of the hypervisor from CPUID.
 */
#include <cpuid.h>
#include <stdio.h>
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
#define EMULATOR	"TCGTCGTCGTCG"

bool hypervisor_is_emulator(const char *name)
{
	return name && !strcmp(name, EMULATOR);
}

const char *hypervisor_label(const char *name)
{
	static const struct {
		const char *name;
		const char *label;
	} labels[] = {
		{ "KVMKVMKVM", "KVM" },
		{ EMULATOR, "QEMU without KVM" },
		{ "Microsoft Hv", "Hyper-V" },
		{ "VMwareVMware", "VMware" },
		{ "XenVMMXenVMM", "Xen" },
		{ "VBoxVBoxVBox", "VirtualBox" },
		{ "bhyve bhyve ", "bhyve" },
	};

	for (size_t i = 0; i < sizeof(labels) / sizeof(labels[0]); i++)
		if (!strcmp(labels[i].name, name))
			return labels[i].label;
	return name;
}

void hypervisor_no_counters(char *text, size_t size)
{
	char name[HYPERVISOR_SIZE];

	hypervisor_name(name);
	if (*name)
		snprintf(text, size, "this virtual machine (%s) has no hardware counters",
			 hypervisor_label(name));
	else
		snprintf(text, size, "the kernel offers no hardware counters of this CPU");
}
