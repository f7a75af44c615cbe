/* SPDX-License-Identifier: GPL-2.0 */
/* Whether this is a virtual machine, and whose. */
#ifndef KERMON_HYPERVISOR_H
#define KERMON_HYPERVISOR_H

#define HYPERVISOR_SIZE	13

/*
 * The twelve letters that the hypervisor shows in CPUID leaf 40000000H, such as
 * "KVMKVMKVM"; "" on a real machine.
 */
void hypervisor_name(char name[HYPERVISOR_SIZE]);

#endif /* KERMON_HYPERVISOR_H */
