// SPDX-License-Identifier: GPL-2.0
/*
 * Print a struct perf_event_attr for `kermon header` and `kermon dump`; fields that are
 * 0 are omitted.
 */
#include <inttypes.h>

#include "text.h"

/* Names of the bits of sample_type, from the lowest on. */
static const char *const sample_names[] = {
	"IP", "TID", "TIME", "ADDR", "READ", "CALLCHAIN", "ID", "CPU", "PERIOD",
	"STREAM_ID", "RAW", "BRANCH_STACK", "REGS_USER", "STACK_USER", "WEIGHT",
	"DATA_SRC", "IDENTIFIER", "TRANSACTION", "REGS_INTR", "PHYS_ADDR",
	"AUX", "CGROUP", "DATA_PAGE_SIZE", "CODE_PAGE_SIZE", "WEIGHT_STRUCT",
	NULL
};

static const char *const read_names[] = {
	"TOTAL_TIME_ENABLED", "TOTAL_TIME_RUNNING", "ID", "GROUP", "LOST", NULL
};

/* Named bits by name, others as a number. */
static void bits(FILE *out, const char *field, uint64_t value,
		 const char *const *names)
{
	const char *before = "";

	if (!value)
		return;
	fprintf(out, ", %s ", field);
	for (; *names; names++, value >>= 1) {
		if (!(value & 1))
			continue;
		fprintf(out, "%s%s", before, *names);
		before = "|";
	}
	if (value)
		fprintf(out, "%smore", before);
}

static void number(FILE *out, const char *field, uint64_t value)
{
	if (value)
		fprintf(out, ", %s %" PRIu64, field, value);
}

static void hex(FILE *out, const char *field, uint64_t value)
{
	if (value)
		fprintf(out, ", %s 0x%" PRIx64, field, value);
}

/* The bit fields, each by its name in linux/perf_event.h. */
static void flags(FILE *out, const struct perf_event_attr *attr)
{
#define FLAG(name)	number(out, #name, attr->name)
	FLAG(disabled);
	FLAG(inherit);
	FLAG(pinned);
	FLAG(exclusive);
	FLAG(exclude_user);
	FLAG(exclude_kernel);
	FLAG(exclude_hv);
	FLAG(exclude_idle);
	FLAG(mmap);
	FLAG(comm);
	FLAG(freq);
	FLAG(inherit_stat);
	FLAG(enable_on_exec);
	FLAG(task);
	FLAG(watermark);
	FLAG(precise_ip);
	FLAG(mmap_data);
	FLAG(sample_id_all);
	FLAG(exclude_host);
	FLAG(exclude_guest);
	FLAG(exclude_callchain_kernel);
	FLAG(exclude_callchain_user);
	FLAG(mmap2);
	FLAG(comm_exec);
	FLAG(use_clockid);
	FLAG(context_switch);
	FLAG(write_backward);
	FLAG(namespaces);
	FLAG(ksymbol);
	FLAG(bpf_event);
	FLAG(aux_output);
	FLAG(cgroup);
	FLAG(text_poke);
	FLAG(build_id);
	FLAG(inherit_thread);
	FLAG(remove_on_exec);
	FLAG(sigtrap);
#undef FLAG
}

void attr_text(FILE *out, const struct perf_event_attr *attr)
{
	fprintf(out, "type %u, size %u, config 0x%" PRIx64, attr->type,
		attr->size, (uint64_t)attr->config);
	number(out, attr->freq ? "sample_freq" : "sample_period",
	       attr->sample_period);
	bits(out, "sample_type", attr->sample_type, sample_names);
	bits(out, "read_format", attr->read_format, read_names);
	flags(out, attr);
	number(out, attr->watermark ? "wakeup_watermark" : "wakeup_events",
	       attr->wakeup_events);
	number(out, "bp_type", attr->bp_type);
	hex(out, "config1", attr->config1);
	hex(out, "config2", attr->config2);
	hex(out, "branch_sample_type", attr->branch_sample_type);
	hex(out, "sample_regs_user", attr->sample_regs_user);
	number(out, "sample_stack_user", attr->sample_stack_user);
	if (attr->use_clockid)
		fprintf(out, ", clockid %d", attr->clockid);
	hex(out, "sample_regs_intr", attr->sample_regs_intr);
	number(out, "aux_watermark", attr->aux_watermark);
	number(out, "sample_max_stack", attr->sample_max_stack);
	number(out, "aux_sample_size", attr->aux_sample_size);
	hex(out, "sig_data", attr->sig_data);
}
