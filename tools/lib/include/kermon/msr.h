/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Model-specific registers (MSRs) of the CPUs: performance counters, energy, frequency.
 *
 * Registers are accessed by kermon-msr-helper, a small process that is installed with the
 * capability to do so and permits what an allow-list permits: registers, and which of
 * their bits may be written. The caller needs no privilege, only membership in the group
 * "kermon". Documentation/msr.rst describes the design.
 *
 * What a client writes is temporary: before the first write to a register, the helper saves
 * its value, and it restores all of them when the client closes the connection, exits or is
 * killed. If the helper itself is killed, the next one restores them when it starts.
 *
 * Only one client may write to a CPU at a time; any number may read.
 *
 * A helper is started by the thread that opens a client and runs on the CPUs on which that
 * thread may run. It accesses registers of its own CPU without an interrupt to another one:
 * pin the thread to a CPU before it opens a client for that CPU alone.
 */
#ifndef KERMON_MSR_H
#define KERMON_MSR_H

#include <stddef.h>
#include <stdint.h>

#include <kermon/abi.h>

KERMON_BEGIN_DECLS

/* CPUs above this number cannot be accessed. */
#define KERMON_MSR_MAX_CPUS	1024

/* Why something failed. */
enum kermon_msr_reason {
	KERMON_MSR_OK,
	KERMON_MSR_OTHER,		/* see the error number */
	KERMON_MSR_NO_HELPER,		/* the helper is not installed */
	KERMON_MSR_NO_GROUP,		/* this user may not execute it */
	KERMON_MSR_NO_CAPABILITY,	/* it was installed without its capabilities */
	KERMON_MSR_HELPER_DIED,		/* it was killed */
	KERMON_MSR_NO_MODULE,		/* the module msr is not loaded */
	KERMON_MSR_NO_DEVICE,		/* it is, but there are no device nodes: a container */
	KERMON_MSR_NO_CPU,		/* there is no such CPU, or it is offline */
	KERMON_MSR_NOT_OPEN,		/* the client was opened for other CPUs, or to read */
	KERMON_MSR_LOCKDOWN,		/* the kernel is locked down, as with Secure Boot */
	KERMON_MSR_WRITES_OFF,		/* the kernel was booted with msr.allow_writes=off */
	KERMON_MSR_DENIED,		/* by the kernel, or by the list of msr_safe */
	KERMON_MSR_NO_LIST,		/* there is no allow-list for this processor */
	KERMON_MSR_BAD_LIST,		/* its files are not valid, or not trusted */
	KERMON_MSR_NOT_LISTED,		/* the register is not in the allow-list */
	KERMON_MSR_READ_ONLY,		/* it may only be read */
	KERMON_MSR_BITS,		/* bits would change or be set that may not be */
	KERMON_MSR_NO_REGISTER,		/* the CPU lacks the register, or rejects the value */
	KERMON_MSR_BUSY,		/* another client writes to this CPU */
	KERMON_MSR_NO_STATE,		/* values cannot be saved, so nothing is written */
	KERMON_MSR_CANCELLED,		/* another operation of the batch failed */
};

#define KERMON_MSR_TEXT		384

/**
 * struct kermon_msr_error - why a call failed
 * @error: -errno
 * @reason: enum kermon_msr_reason
 * @cpu: the CPU, if the reason is about one
 * @reg: the register, likewise
 * @text: what happened, in words; a line without newline
 * @remedy: what to do about it, likewise; "" if there is nothing
 */
struct kermon_msr_error {
	int32_t error;
	uint32_t reason;
	uint32_t cpu;
	uint32_t reg;
	char text[KERMON_MSR_TEXT];
	char remedy[KERMON_MSR_TEXT];
};

/* What a client does. */
enum kermon_msr_flags {
	KERMON_MSR_WRITE = 1,		/* registers may be written, not only read */
	KERMON_MSR_KEEP = 2,		/* keep written values until kermon_msr_restore() */
	KERMON_MSR_LIST_ONLY = 4,	/* open no register, only the allow-list */
};

/**
 * struct kermon_msr_options - how to open a client
 * @size: of this structure
 * @flags: enum kermon_msr_flags
 * @nr_cpus: number of @cpus; 0: all CPUs that are online
 * @cpus: the CPUs to access
 */
struct kermon_msr_options {
	size_t size;
	uint32_t flags;
	uint32_t nr_cpus;
	const uint32_t *cpus;
};

/* A connection to a helper of its own. */
struct kermon_msr;

/**
 * kermon_msr_open - start a helper
 * @msr: the client
 * @options: NULL: read registers of all CPUs
 * @error: filled in on failure; may be NULL
 *
 * Return: 0 or -errno.
 */
int kermon_msr_open(struct kermon_msr **msr, const struct kermon_msr_options *options,
		    struct kermon_msr_error *error);

/*
 * Restore what this client has written, unless it was opened with KERMON_MSR_KEEP, and end
 * the helper; wait for it, for at most 10 seconds.
 */
void kermon_msr_close(struct kermon_msr *msr);

/* What an operation does. */
enum kermon_msr_kind {
	KERMON_MSR_OP_READ,
	KERMON_MSR_OP_WRITE,
};

/**
 * struct kermon_msr_op - an operation of a batch
 * @cpu: which CPU
 * @reg: number of the register
 * @value: what to write, or what was read; after KERMON_MSR_BUSY the process that has the CPU
 * @kind: enum kermon_msr_kind
 * @reason: of its failure, enum kermon_msr_reason
 * @error: 0 or -errno
 */
struct kermon_msr_op {
	uint32_t cpu;
	uint32_t reg;
	uint64_t value;
	uint16_t kind;
	uint16_t reason;
	int32_t error;
};

/* Operations that take one round trip to the helper; a longer batch takes several. */
#define KERMON_MSR_BATCH	256

/*
 * Execute operations in order, in one round trip per KERMON_MSR_BATCH of them. The same
 * array can be used again for the next reading. If the allow-list forbids one, none of the
 * round trip is executed; if a write fails, none after it is. A failed read does not
 * prevent others. Each operation has its result; those not executed have
 * KERMON_MSR_CANCELLED. Return: 0, or the first error of an operation, -errno.
 */
int kermon_msr_batch(struct kermon_msr *msr, struct kermon_msr_op *ops, size_t nr);

/* Read or write one register, which is a batch of one. Return: 0 or -errno. */
int kermon_msr_read(struct kermon_msr *msr, uint32_t cpu, uint32_t reg, uint64_t *value);
int kermon_msr_write(struct kermon_msr *msr, uint32_t cpu, uint32_t reg, uint64_t value);

/*
 * Restore what this client has written; with KERMON_MSR_KEEP instead what it and earlier
 * clients with this flag have written to its CPUs. Return: number of restored registers, or
 * -errno if not all were.
 */
int kermon_msr_restore(struct kermon_msr *msr);

#define KERMON_MSR_NAME		48
#define KERMON_MSR_ABOUT	80

/**
 * struct kermon_msr_entry - an entry of the allow-list
 * @reg: number of the register
 * @reserved: 0
 * @mask: bits that may be written; 0: the register may only be read
 * @zero: other bits, which every write must set to 0, such as that of an interrupt; they are
 *	restored as well
 * @name: "IA32_PERF_GLOBAL_CTRL"
 * @about: what for
 */
struct kermon_msr_entry {
	uint32_t reg;
	uint32_t reserved;
	uint64_t mask;
	uint64_t zero;
	char name[KERMON_MSR_NAME];
	char about[KERMON_MSR_ABOUT];
};

/* Entry @index of the allow-list in force, ordered by register; NULL after the last. */
const struct kermon_msr_entry *kermon_msr_entry(struct kermon_msr *msr, size_t index);

/* The entry of this name, ignoring case, or NULL. */
const struct kermon_msr_entry *kermon_msr_find(struct kermon_msr *msr, const char *name);

/**
 * struct kermon_msr_info - properties of a client
 * @list: path of the allow-list
 * @is_msr_safe: registers are accessed by the driver msr_safe, whose list applies as well
 * @recovered: registers that this helper has restored because the last one was killed
 * @nr_cpus: number of CPUs that are open
 */
struct kermon_msr_info {
	const char *list;
	uint32_t is_msr_safe;
	uint32_t recovered;
	uint32_t nr_cpus;
};

/* Get these properties. */
void kermon_msr_info(const struct kermon_msr *msr, struct kermon_msr_info *info);

/* CPU @index of those that are open, ascending; -ENOENT after the last. */
int kermon_msr_cpu(const struct kermon_msr *msr, uint32_t index);

/* Why the last call of this client failed. */
const struct kermon_msr_error *kermon_msr_error(struct kermon_msr *msr);

KERMON_END_DECLS

#endif /* KERMON_MSR_H */
