/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to allowlist.c: which registers may be read, and which of their bits written.
 * A list has the format of msr-safe's:
 *
 *	0x0000038f 0x00000007000000ff # IA32_PERF_GLOBAL_CTRL: enables counters
 *
 * A register and the mask of its writable bits, 0 if there are none. The first word of the
 * comment is the name. Behind it can be bits that each write must set to 0, which msr-safe
 * does not know: "# IA32_PERFEVTSEL0 zero=0x380000: an event". The file "index" has the list
 * of each processor:
 *
 *	GenuineIntel 0x06 0x3a,0x3e intel-core.list
 *	AuthenticAMD 0x19 0x10-0x1f amd-zen4.list
 *	AuthenticAMD 0x19 *         amd-zen.list
 *
 * Vendor, family, models, file; the first line that matches applies.
 */
#ifndef KERMON_HELPER_ALLOWLIST_H
#define KERMON_HELPER_ALLOWLIST_H

#include <stddef.h>
#include <stdint.h>

#include <kermon/msr.h>

#define ALLOWLIST_MAX	256

/* Entries are sorted by register. @line is that of the error, from 1. */
struct allowlist {
	unsigned int nr;
	unsigned int line;
	struct kermon_msr_entry entries[ALLOWLIST_MAX];
};

/*
 * Parse @size bytes of @text. Return: 0; -EINVAL: a line is not valid; -EEXIST: its register
 * is in the list already; -E2BIG: too many entries. The list is empty then.
 */
int allowlist_parse(struct allowlist *list, const char *text, size_t size);

/* The entry of a register, or NULL. */
const struct kermon_msr_entry *allowlist_find(const struct allowlist *list,
					      uint32_t reg);

/* A processor as CPUID reports it. */
struct processor {
	char vendor[13];
	unsigned int family;
	unsigned int model;
};

/* Fill in that of this machine. */
void processor_read(struct processor *processor);

#define ALLOWLIST_FILE	64

/*
 * Find the list of a processor in the text of an index. Return: 0; -ENOENT: there is none;
 * -EINVAL: line @line is not valid.
 */
int allowlist_choose(const char *text, size_t size,
		     const struct processor *processor,
		     char file[ALLOWLIST_FILE], unsigned int *line);

#endif /* KERMON_HELPER_ALLOWLIST_H */
