// SPDX-License-Identifier: GPL-2.0
/* Counts what each step of a method executes: some processes for user, some for kernel mode. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../probe/probe.h"
#include "overhead.h"

const char *const access_names[NR_ACCESSES] = {
	"instructions of user mode", "system calls", "RDPMC", "RDMSR", "WRMSR",
};

double access_of(const struct accesses *accesses, unsigned int i)
{
	const double values[NR_ACCESSES] = {
		accesses->instructions, accesses->calls, accesses->rdpmc,
		accesses->rdmsr, accesses->wrmsr,
	};

	return values[i];
}

/* What was seen of each process. */
struct sight {
	struct accesses steps[OBSERVED][PROBE_STEPS];
};

static enum step step_of(enum probe_step step)
{
	static const enum step steps[PROBE_STEPS] = {
		[PROBE_START] = STEP_START,
		[PROBE_FIRST] = STEP_FIRST,
		[PROBE_LATER] = STEP_LATER,
		[PROBE_STOP] = STEP_STOP,
	};

	return steps[step];
}

static void take_code(const struct probe_report *report, struct accesses *steps)
{
	for (unsigned int i = 0; i < PROBE_STEPS; i++) {
		steps[i].instructions = report->code[i].instructions;
		steps[i].calls = report->code[i].calls;
		steps[i].rdpmc = report->code[i].rdpmc;
	}
}

/* A process that fails is a remark on the method, as it works without being observed. */
static int remark(struct cell *cell, const char *what, int error)
{
	if (error != -ECHILD)
		return error;
	snprintf(cell->unseen, sizeof(cell->unseen), "%s: %.200s", what, cell->why);
	return 0;
}

static int see_user_mode(const struct study *study, struct cell *cell, struct sight *sight)
{
	struct probe_report report;
	int ret = 0;

	for (unsigned int i = 0; !ret && i < OBSERVED; i++) {
		ret = run_probe(study, cell, "steps", &report, NULL);
		if (!ret)
			take_code(&report, sight->steps[i]);
	}
	cell->observed = !ret;
	return remark(cell, "accesses of all modes are unknown", ret);
}

/* Bit mask of the steps between marks. */
static unsigned int marked(const struct study *study)
{
	unsigned int steps = 0;

	for (unsigned int i = 0; i < PROBE_STEPS; i++)
		if (step_exists(step_of(i), study->nr_reads))
			steps |= 1U << i;
	return steps;
}

static int see_kernel_mode(const struct study *study, struct cell *cell, struct sight *sight)
{
	struct probe_report report;
	struct tracing tracing;
	char mode[192];
	pid_t pid;
	int ret = tracing_open(&tracing, cell->unseen, sizeof(cell->unseen));

	if (ret)
		return 0;
	snprintf(mode, sizeof(mode), "marks=%s", tracing.marks);
	for (unsigned int i = 0; !ret && i < OBSERVED; i++) {
		ret = run_probe(study, cell, mode, &report, &pid);
		if (!ret && tracing_take(&tracing, pid, marked(study), sight->steps[i],
					 cell->why, sizeof(cell->why)))
			ret = -ECHILD;
	}
	tracing_close(&tracing);
	return remark(cell, "RDMSR, WRMSR and RDPMC of the kernel are unknown", ret);
}

static double median(const struct sight *sight, enum probe_step step, unsigned int which)
{
	double values[OBSERVED];

	for (unsigned int i = 0; i < OBSERVED; i++)
		values[i] = access_of(&sight->steps[i][step], which);
	return box_of(values, OBSERVED).median;
}

static struct accesses medians(const struct sight *sight, enum probe_step step,
			       bool is_kernel_known)
{
	const double calls = median(sight, step, 1);

	return (struct accesses){
		.instructions = median(sight, step, 0),
		.calls = calls,
		.rdpmc = is_kernel_known || !calls ? median(sight, step, 2) : NAN,
		.rdmsr = is_kernel_known ? median(sight, step, 3) : NAN,
		.wrmsr = is_kernel_known ? median(sight, step, 4) : NAN,
	};
}

static struct accesses sum(const struct accesses *steps)
{
	const struct accesses *start = &steps[STEP_START], *first = &steps[STEP_FIRST],
			      *stop = &steps[STEP_STOP];

	return (struct accesses){
		.instructions = start->instructions + first->instructions +
				stop->instructions,
		.calls = start->calls + first->calls + stop->calls,
		.rdpmc = start->rdpmc + first->rdpmc + stop->rdpmc,
		.rdmsr = start->rdmsr + first->rdmsr + stop->rdmsr,
		.wrmsr = start->wrmsr + first->wrmsr + stop->wrmsr,
	};
}

int observe_cell(const struct study *study, struct cell *cell)
{
	struct sight *sight = calloc(1, sizeof(*sight));
	char why[sizeof(cell->why)];
	int ret;

	if (!sight)
		return -ENOMEM;
	memcpy(why, cell->why, sizeof(why));
	ret = see_user_mode(study, cell, sight);
	if (!ret && cell->observed)
		ret = see_kernel_mode(study, cell, sight);
	for (unsigned int i = 0; !ret && i < PROBE_STEPS; i++)
		cell->accesses[step_of(i)] = medians(sight, i, !*cell->unseen);
	/* That of a process that was measured. */
	memcpy(cell->why, why, sizeof(why));
	free(sight);
	if (!ret)
		cell->accesses[STEP_TOTAL] = sum(cell->accesses);
	return ret;
}
