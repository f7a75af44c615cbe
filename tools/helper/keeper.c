// SPDX-License-Identifier: GPL-2.0
/* Checks and executes requests, saves values before they are written, restores them. */
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "keeper.h"

/* Set those bits to @value that a write can change, without changing others. */
static int put_back(struct keeper *keeper, uint32_t cpu, uint32_t reg,
		    uint64_t value)
{
	const struct kermon_msr_entry *entry =
		allowlist_find(&keeper->list, reg);
	uint64_t now, bits, driver;
	int err;

	if (!entry || !entry->mask)
		return -EACCES;
	bits = entry->mask | entry->zero;
	err = registers_read_mask(&keeper->registers, cpu, reg, &now, &driver);
	if (err || !((now ^ value) & bits))
		return err;
	err = registers_write(&keeper->registers, cpu, reg,
			      (now & ~bits) | (value & bits));
	return !err && (now ^ value) & bits & ~driver ? -EACCES : err;
}

/*
 * Restore the values of a locked CPU, the newest first. Return: number of registers;
 * @error: of the first one that could not be restored.
 */
static unsigned int put_all_back(struct keeper *keeper, uint32_t cpu, bool kept,
				 int *error)
{
	unsigned int nr = 0;
	struct saved saved;
	int err;

	for (uint32_t i = state_nr(&keeper->state, cpu); i-- > 0;) {
		saved = keeper->state.slots[cpu].saved[i];
		if (!saved.kept == kept)
			continue;
		err = put_back(keeper, cpu, saved.reg, saved.value);
		if (!err)
			nr++;
		else if (!*error)
			*error = err;
	}
	return nr;
}

/*
 * Twice, because a counter goes on until the register that controls it is restored. What a CPU
 * keeps while it is offline is left to the next helper. Return: number of registers; @error as
 * above.
 */
static unsigned int restore(struct keeper *keeper, uint32_t cpu, bool kept,
			    int *error)
{
	unsigned int nr;
	int last = 0;

	put_all_back(keeper, cpu, kept, error);
	nr = put_all_back(keeper, cpu, kept, &last);
	if (last != -ENXIO)
		state_forget(&keeper->state, cpu, kept);
	return nr;
}

unsigned int keeper_recover(struct keeper *keeper, uint32_t cpu)
{
	unsigned int nr;
	int error = 0;

	/* A lock for nothing would be in the way of others. */
	if (!state_has_any(&keeper->state, cpu, false) ||
	    state_lock(&keeper->state, cpu))
		return 0;
	nr = restore(keeper, cpu, false, &error);
	state_unlock(&keeper->state, cpu);
	return nr;
}

/* Become the one who may write to a CPU, which a helper may have left as it was. */
static int take_cpu(struct keeper *keeper, uint32_t cpu)
{
	int error = 0, err;

	if (state_is_locked(&keeper->state, cpu))
		return 0;
	err = state_lock(&keeper->state, cpu);
	if (!err)
		restore(keeper, cpu, false, &error);
	return err;
}

void keeper_end(struct keeper *keeper)
{
	int error = 0;

	for (uint32_t cpu = 0; cpu < KERMON_MSR_MAX_CPUS; cpu++) {
		if (!state_is_locked(&keeper->state, cpu))
			continue;
		restore(keeper, cpu, false, &error);
		state_unlock(&keeper->state, cpu);
	}
}

static int fail(struct kermon_msr_op *op, int error,
		enum kermon_msr_reason reason)
{
	op->error = error;
	op->reason = reason;
	return error;
}

/* What the kernel says about an access. */
static int judge(struct kermon_msr_op *op, int error)
{
	switch (error) {
	case 0:
		return 0;
	case -EIO:
		return fail(op, error, KERMON_MSR_NO_REGISTER);
	case -ENXIO:
		return fail(op, error, KERMON_MSR_NO_CPU);
	case -EPERM:
	case -EACCES:
		return fail(op, error, KERMON_MSR_DENIED);
	default:
		return fail(op, error, KERMON_MSR_OTHER);
	}
}

/* Whether the client may do this at all. */
static int check(const struct keeper *keeper, struct kermon_msr_op *op)
{
	const struct kermon_msr_entry *entry =
		allowlist_find(&keeper->list, op->reg);
	const bool is_write = op->kind == KERMON_MSR_OP_WRITE;

	op->error = 0;
	op->reason = KERMON_MSR_OK;
	if (op->kind > KERMON_MSR_OP_WRITE)
		return fail(op, -EINVAL, KERMON_MSR_OTHER);
	if (!entry)
		return fail(op, -EACCES, KERMON_MSR_NOT_LISTED);
	if (!registers_has(&keeper->registers, op->cpu) ||
	    (is_write && !(keeper->flags & KERMON_MSR_WRITE)))
		return fail(op, -EBADF, KERMON_MSR_NOT_OPEN);
	if (is_write && !entry->mask)
		return fail(op, -EACCES, KERMON_MSR_READ_ONLY);
	return 0;
}

/* Save the value that the register has, unless an earlier one is saved. */
static int save(struct keeper *keeper, const struct kermon_msr_op *op,
		uint64_t value)
{
	const bool keep = keeper->flags & KERMON_MSR_KEEP;
	const struct saved saved = {
		.reg = op->reg,
		.kept = keep,
		.value = value,
	};

	if (state_find(&keeper->state, op->cpu, op->reg, keep))
		return 0;
	return state_save(&keeper->state, op->cpu, &saved);
}

static int do_write(struct keeper *keeper, struct kermon_msr_op *op)
{
	const struct kermon_msr_entry *entry =
		allowlist_find(&keeper->list, op->reg);
	uint64_t now, driver;
	uint32_t saved;
	int err;

	err = take_cpu(keeper, op->cpu);
	if (err == -EBUSY) {
		op->value = state_holder(&keeper->state, op->cpu);
		return fail(op, err, KERMON_MSR_BUSY);
	}
	if (err)
		return fail(op, err, KERMON_MSR_NO_STATE);
	err = registers_read_mask(&keeper->registers, op->cpu, op->reg, &now,
				  &driver);
	if (err)
		return judge(op, err);
	if ((op->value ^ now) & ~(entry->mask | entry->zero) ||
	    op->value & entry->zero)
		return fail(op, -EACCES, KERMON_MSR_BITS);
	/* The driver would keep these bits as they are, and report success. */
	if ((op->value ^ now) & ~driver)
		return fail(op, -EACCES, KERMON_MSR_DENIED);
	saved = state_nr(&keeper->state, op->cpu);
	err = save(keeper, op, now);
	if (err)
		return fail(op, err, KERMON_MSR_NO_STATE);
	err = registers_write(&keeper->registers, op->cpu, op->reg, op->value);
	if (err)
		state_cut(&keeper->state, op->cpu, saved);
	return judge(op, err);
}

/* Execute the reads that @ops begin with. Return: their number, at least 1. */
static uint32_t do_reads(const struct keeper *keeper, struct kermon_msr_op *ops,
			 uint32_t nr)
{
	uint32_t reads = 0;

	while (reads < nr && ops[reads].kind == KERMON_MSR_OP_READ)
		reads++;
	if (registers_read_all(&keeper->registers, ops, reads))
		return reads;
	for (uint32_t i = 0; i < reads; i++)
		judge(&ops[i], registers_read(&keeper->registers, ops[i].cpu,
					      ops[i].reg, &ops[i].value));
	return reads;
}

static void cancel(struct kermon_msr_op *ops, uint32_t nr)
{
	for (uint32_t i = 0; i < nr; i++)
		if (!ops[i].error)
			fail(&ops[i], -ECANCELED, KERMON_MSR_CANCELLED);
}

static void do_batch(struct keeper *keeper, struct kermon_msr_op *ops,
		     uint32_t nr)
{
	bool stop = false;
	uint32_t i;

	for (i = 0; i < nr; i++)
		stop |= check(keeper, &ops[i]) != 0;
	for (i = 0; i < nr && !stop;) {
		if (ops[i].kind == KERMON_MSR_OP_WRITE)
			stop = do_write(keeper, &ops[i++]);
		else
			i += do_reads(keeper, &ops[i], nr - i);
	}
	cancel(ops + i, nr - i);
}

static void do_list(const struct keeper *keeper, struct msr_packet *packet)
{
	const struct allowlist *list = &keeper->list;
	const uint32_t first = packet->header.index;
	uint32_t nr = first < list->nr ? list->nr - first : 0;

	if (nr > MSR_ENTRIES)
		nr = MSR_ENTRIES;
	packet->header.nr = nr;
	memcpy(packet->entries, list->entries + (nr ? first : 0),
	       nr * sizeof(*packet->entries));
}

static void do_restore(struct keeper *keeper, struct msr_header *header)
{
	const bool kept = keeper->flags & KERMON_MSR_KEEP;
	int err;

	header->nr = 0;
	header->error = 0;
	if (!(keeper->flags & KERMON_MSR_WRITE))
		return;
	for (uint32_t cpu = 0; cpu < KERMON_MSR_MAX_CPUS; cpu++) {
		if (!registers_has(&keeper->registers, cpu) ||
		    !state_nr(&keeper->state, cpu))
			continue;
		err = 0;
		if (kept || state_is_locked(&keeper->state, cpu))
			err = take_cpu(keeper, cpu);
		if (!err && state_is_locked(&keeper->state, cpu))
			header->nr += restore(keeper, cpu, kept, &err);
		if (err && !header->error) {
			header->error = err;
			header->reason = err == -EBUSY ? KERMON_MSR_BUSY :
							 KERMON_MSR_OTHER;
			header->cpu = cpu;
			header->index = state_holder(&keeper->state, cpu);
		}
	}
}

size_t keeper_answer(struct keeper *keeper, struct msr_packet *packet,
		     size_t size)
{
	struct msr_header *header = &packet->header;

	if (size < sizeof(*header))
		return 0;
	header->error = 0;
	header->reason = KERMON_MSR_OK;
	switch (header->type) {
	case MSR_BATCH:
		if (header->nr > KERMON_MSR_BATCH || size != sizeof(*header) +
		    header->nr * sizeof(*packet->ops))
			return 0;
		do_batch(keeper, packet->ops, header->nr);
		return size;
	case MSR_LIST:
		if (size != sizeof(*header))
			return 0;
		do_list(keeper, packet);
		return size + header->nr * sizeof(*packet->entries);
	case MSR_RESTORE:
		if (size != sizeof(*header))
			return 0;
		do_restore(keeper, header);
		return size;
	default:
		return 0;
	}
}
