/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to hypervisor.c: whether this is a virtual machine, and of which hypervisor.
 */
#ifndef KERMON_HYPERVISOR_H
#define KERMON_HYPERVISOR_H

#include <stdbool.h>
#include <stddef.h>

#define HYPERVISOR_SIZE	13

/*
 * The signature of the hypervisor in CPUID leaf 40000000H, up to 12 characters such as
 * "KVMKVMKVM"; "" on hardware.
 */
void hypervisor_name(char name[HYPERVISOR_SIZE]);

/* Whether that is the signature of QEMU's emulator, whose cycles are a model; NULL: no. */
bool hypervisor_is_emulator(const char *name);

/* What people call the hypervisor with this signature: "KVM"; if unknown, the signature. */
const char *hypervisor_label(const char *name);

/* Say in words that nothing counts hardware events here, and where the reason is. */
void hypervisor_no_counters(char *text, size_t size);

#endif /* KERMON_HYPERVISOR_H */
