// SPDX-License-Identifier: GPL-2.0
/*
 * Decides what records: KerMon, if this kernel has it, and perf_event beside it or instead.
 * KerMon counts exactly, perf_event samples with call chains.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "machine/proc.h"
#include "machine/selection.h"
#include "plan.h"
#include "ui/message.h"
#include "util/perfevent.h"

#define MAX_RATE	"/proc/sys/kernel/perf_event_max_sample_rate"
#define FREQ_DEFAULT	4000
#define NS_PER_S	1000000000ULL

static bool has_kermon(const struct machine *machine)
{
	return machine->patched && machine->has_info && machine->own_proc;
}

/* An option was given that only perf_event can do. */
static bool asks_for_samples(const struct request *request)
{
	const struct sampling *sampling = &request->sampling;

	return sampling->freq || sampling->period ||
	       sampling->chains.kind != KERMON_CHAINS_NONE || request->targets.all;
}

static bool is_clock(const struct kermon_sampling *sampling)
{
	return sampling->type == PERF_TYPE_SOFTWARE &&
	       (sampling->config == PERF_COUNT_SW_CPU_CLOCK ||
		sampling->config == PERF_COUNT_SW_TASK_CLOCK);
}

static bool names_events(const struct request *request)
{
	return request->events != request_default_events;
}

/* Each name of a list, in turn; NULL after the last. @at is where the next one begins. */
static const char *next_name(const char **at, char name[KERMON_EVENT_NAME])
{
	const size_t length = *at ? kermon_events_length(*at) : 0;

	if (!*at)
		return NULL;
	snprintf(name, KERMON_EVENT_NAME, "%.*s", (int)length, *at);
	*at = (*at)[length] ? *at + length + 1 : NULL;
	return name;
}

static const struct kermon_event_list *find_set(const char *name)
{
	const struct kermon_event_list *set;

	for (unsigned int i = 0; (set = kermon_events_list(i)); i++)
		if (!strcasecmp(set->name, name))
			break;
	return set;
}

/* Whether the counters of the CPU count it. */
static bool is_of_cpu(const struct kermon_sampling *sampling)
{
	return sampling->type == PERF_TYPE_HARDWARE || sampling->type == PERF_TYPE_HW_CACHE ||
	       sampling->type == PERF_TYPE_RAW;
}

/* Whether @name is of an event that the counters of the CPU count, by its own name. */
static bool is_hardware(const char *name)
{
	struct kermon_sampling sampling;

	return !find_set(name) &&
	       !kermon_sampling_find(&sampling, name, KERMON_COUNT_USER) &&
	       is_of_cpu(&sampling);
}

/* Sampling an event of the CPU needs counters that KerMon's own events may take. */
static bool samples_counters(const struct request *request)
{
	const struct sampling *sampling = &request->sampling;
	const char *at = request->events;
	char name[KERMON_EVENT_NAME];

	if (!names_events(request) || (!sampling->freq && !sampling->period))
		return false;
	while (next_name(&at, name))
		if (is_hardware(name))
			return true;
	return false;
}

/* Why perf_event has to record without KerMon; plan->why is "" if it has not. */
static void choose_source(struct plan *plan, const struct request *request)
{
	const struct targets *targets = &request->targets;
	const size_t nr = targets->processes.nr + targets->threads.nr;
	struct finding finding;

	*plan->why = '\0';
	if (request->regions.alone)
		snprintf(plan->why, sizeof(plan->why), "--no-samples leaves it out");
	else if (!plan->machine.patched)
		snprintf(plan->why, sizeof(plan->why), "Linux %s has no SCHED_KERMON",
			 plan->machine.release);
	else if (!plan->machine.has_info) {
		machine_module(&plan->machine, &finding);
		snprintf(plan->why, sizeof(plan->why), "%s", finding.text);
	} else if (nr > 1)
		snprintf(plan->why, sizeof(plan->why),
			 "a recording of KerMon is of one process or thread");
	else if (targets->all && !request->argv)
		snprintf(plan->why, sizeof(plan->why),
			 "KerMon records an application, and none was named");
	else if (samples_counters(request))
		snprintf(plan->why, sizeof(plan->why),
			 "sampling an event of the CPU needs counters that KerMon's own events may take");
	plan->alone = *plan->why;
	plan->timed = !plan->alone && !machine_may_count(&plan->machine);
}

unsigned int plan_count(const struct plan *plan, const struct request *request)
{
	return plan->timed ? 0 : request->count;
}

static uint64_t max_rate(void)
{
	unsigned long long rate = 0;
	FILE *file = fopen(MAX_RATE, "re");

	if (file && fscanf(file, "%llu", &rate) != 1)
		rate = 0;
	if (file)
		fclose(file);
	return rate;
}

/* As perf does, lower a frequency that the kernel would reject. */
static uint64_t frequency(const struct request *request)
{
	const uint64_t asked = request->sampling.freq, max = max_rate();

	if (asked && max && asked > max) {
		if (asked != SAMPLING_MAX_FREQ)
			message(request->command->name, "sampling at %llu Hz, not %llu: "
				"kernel.perf_event_max_sample_rate is the limit",
				(unsigned long long)max, (unsigned long long)asked);
		return max;
	}
	return asked ? asked : max && max < FREQ_DEFAULT ? max : FREQ_DEFAULT;
}

/* --interval is the period of a clock, and gives about as many samples of other events. */
static void set_interval(struct kermon_sampling *sampling, uint64_t interval_ns)
{
	if (is_clock(sampling) || interval_ns > NS_PER_S)
		sampling->period = interval_ns;
	else
		sampling->freq = NS_PER_S / interval_ns;
}

/* As in perf, each time that a tracepoint is passed, and what terms say wins. */
static void set_rate(struct kermon_sampling *sampling, const struct request *request,
		     uint64_t freq)
{
	const struct sampling *how = &request->sampling;

	if (sampling->period || sampling->freq)
		;
	else if (how->period)
		sampling->period = how->period;
	else if (sampling->type == PERF_TYPE_TRACEPOINT && !how->freq)
		sampling->period = 1;
	else if (!how->freq && request->interval_ns)
		set_interval(sampling, request->interval_ns);
	else
		sampling->freq = freq;
	sampling->chains = how->chains.kind;
	sampling->stack_bytes = how->chains.stack_bytes;
}

int plan_try(const struct kermon_sampling *sampling, const struct targets *targets)
{
	const int cpu = targets->nr_cpus ? (int)targets->cpus[0] : targets->all ? 0 : -1;
	struct perf_event_attr attr;

	kermon_sampling_attr(sampling, KERMON_CLOCK_PERF, &attr);
	attr.disabled = 1;
	return perfevent_try(&attr, targets->all ? -1 : 0, cpu);
}

/* Without permission for kernel mode, sample user mode, and call it so. */
static int try_user_only(struct kermon_sampling *sampling,
			 const struct targets *targets)
{
	const size_t length = strlen(sampling->name);

	if (sampling->modes != (KERMON_COUNT_USER | KERMON_COUNT_KERNEL) ||
	    sampling->type == PERF_TYPE_TRACEPOINT ||
	    length + sizeof(":u") > sizeof(sampling->name))
		return -EACCES;
	sampling->modes = KERMON_COUNT_USER;
	/* Terms end with a slash, which modifiers follow immediately. */
	strcpy(sampling->name + length, strchr(sampling->name, '/') ? "u" : ":u");
	return plan_try(sampling, targets);
}

static bool is_denied(int result)
{
	return result == -EACCES || result == -EPERM;
}

/*
 * Add @sampling, at the rate of the request, if the kernel has it. Returns 0 or -errno. The
 * kernel checks permission first: for a mode that is permitted, it says whether there is such
 * an event.
 */
static int add_sampling(struct plan *plan, const struct request *request,
			struct kermon_sampling sampling, uint64_t freq)
{
	int result, user_only;

	if (plan->nr_samplings == KERMON_MAX_SAMPLED)
		return -E2BIG;
	set_rate(&sampling, request, freq);
	result = plan_try(&sampling, &request->targets);
	if (is_denied(result) && !(request->count & KERMON_COUNT_KERNEL)) {
		user_only = try_user_only(&sampling, &request->targets);
		plan->user_only |= !user_only;
		result = is_denied(user_only) ? result : user_only;
	}
	if (!result)
		plan->samplings[plan->nr_samplings++] = sampling;
	return result;
}

static const unsigned int both_modes = KERMON_COUNT_USER | KERMON_COUNT_KERNEL;

static void say_unknown(const struct request *request, const char *name, int result)
{
	struct kermon_event_error error = { 0 };
	struct kermon_selection selection;

	if (explain_name(request, name, result))
		return;
	kermon_events_select(name, request->count, &selection, &error);
	snprintf(error.word, sizeof(error.word), "%s", name);
	selection_say(request->command->name, request->count, result, &error);
}

/* An event by its name, which is said to be unknown if it is. Returns the exit status. */
static int find_named(const struct request *request, const char *name,
		      struct kermon_sampling *sampling)
{
	const int result = kermon_sampling_find(sampling, name, both_modes);

	if (!result)
		return STATUS_OK;
	say_unknown(request, name, result);
	return STATUS_USAGE;
}

/* Sample an event by its name. Returns the exit status. */
static int add_named(struct plan *plan, const struct request *request,
		     const char *name, uint64_t freq)
{
	struct kermon_sampling sampling;
	int result = find_named(request, name, &sampling);

	if (result)
		return result;
	result = add_sampling(plan, request, sampling, freq);
	if (!result)
		return STATUS_OK;
	explain_sampling(request, plan, &sampling, result);
	return STATUS_FAILED;
}

/* Whether @name is a pattern for tracepoints, "sched:sched_*". */
static bool is_pattern(const char *name)
{
	return strchr(name, ':') && strpbrk(name, "*?[") && !strpbrk(name, "/{@");
}

/* Tracepoints that a pattern has matched. */
struct matches {
	int (*fn)(void *data, const char *name);
	void *data;
	size_t nr;
};

static int count_match(void *data, const char *name)
{
	struct matches *matches = data;

	matches->nr++;
	return matches->fn(matches->data, name);
}

static int each_match(const struct request *request, const char *pattern,
		      int (*fn)(void *data, const char *name), void *data)
{
	struct matches matches = { .fn = fn, .data = data };
	const int result = kermon_tracepoints_each(pattern, count_match, &matches);

	if (matches.nr)
		return result;
	explain_name(request, pattern, result ? result : -ENOENT);
	return STATUS_USAGE;
}

/* Call @fn with each event of a set, or of those sets that it stands for. */
static int each_of_set(const struct kermon_event_list *set,
		       int (*fn)(void *data, const char *name), void *data)
{
	const struct kermon_event_list *member;
	int status = STATUS_OK;

	for (size_t i = 0; set->events[i] && !status; i++) {
		member = find_set(set->events[i]);
		if (!member)
			status = fn(data, set->events[i]);
		for (size_t j = 0; member && member->events[j] && !status; j++)
			status = fn(data, member->events[j]);
	}
	return status;
}

/* Call @fn with each event of @name: those of a set, tracepoints of a pattern, or itself. */
static int each_of(const struct request *request, const char *name,
		   int (*fn)(void *data, const char *name), void *data)
{
	const struct kermon_event_list *set = find_set(name);

	if (is_pattern(name))
		return each_match(request, name, fn, data);
	return set ? each_of_set(set, fn, data) : fn(data, name);
}

/* Call @fn with each event that was named, until it does not return 0. */
static int each_event(const struct request *request,
		      int (*fn)(void *data, const char *name), void *data)
{
	const char *at = request->events;
	char name[KERMON_EVENT_NAME];
	int status = STATUS_OK;

	while (!status && next_name(&at, name))
		status = each_of(request, name, fn, data);
	return status;
}

/* A plan that is being made. */
struct making {
	struct plan *plan;
	const struct request *request;
	uint64_t freq;
	size_t nr;
};

static int check_event(void *data, const char *name)
{
	struct making *making = data;
	struct kermon_sampling sampling;

	if (++making->nr > KERMON_MAX_SAMPLED) {
		message(making->request->command->name,
			"too many events to sample: %d are the most", KERMON_MAX_SAMPLED);
		return STATUS_USAGE;
	}
	return find_named(making->request, name, &sampling);
}

static int add_event(void *data, const char *name)
{
	struct making *making = data;

	return add_named(making->plan, making->request, name, making->freq);
}

/* All events that were named, of which none may be unknown. */
static int add_all(struct plan *plan, const struct request *request, uint64_t freq)
{
	struct making making = { .plan = plan, .request = request, .freq = freq };
	const int status = each_event(request, check_event, &making);

	return status ? status : each_event(request, add_event, &making);
}

/* Why cycles are not sampled; NULL: because of what also forbids other events. */
static const char *why_no_cycles(int error)
{
	switch (-error) {
	case ENOENT:
	case ENODEV:
	case EOPNOTSUPP:
		return " (this machine has no counter of cycles)";
	case EBUSY:
		return " (the counters of cycles are in use)";
	default:
		return NULL;
	}
}

/* cycles, as perf does; a clock where the machine has no counters, or beside KerMon's. */
static int add_default(struct plan *plan, const struct request *request, uint64_t freq)
{
	struct kermon_sampling sampling;
	int error;

	/* --interval would not be a time. */
	if ((plan->alone || plan->timed) && !request->interval_ns) {
		kermon_sampling_find(&sampling, "cycles", both_modes);
		error = add_sampling(plan, request, sampling, freq);
		if (!error)
			return STATUS_OK;
		plan->why_event = why_no_cycles(error);
	}
	return add_named(plan, request, "cpu-clock", freq);
}

/* Whether perf_event samples @name even if KerMon counts; or nothing has this name. */
static bool is_sampled(const struct request *request, const char *name, int *status)
{
	struct kermon_sampling sampling;
	const int result = kermon_sampling_find(&sampling, name, both_modes);

	if (is_pattern(name))
		return true;
	if (result && explain_name(request, name, result))
		*status = STATUS_USAGE;
	return !result && !is_of_cpu(&sampling);
}

/* Beside KerMon: what of -e the CPU counts is counted; software and tracepoints are sampled. */
static int split_events(struct plan *plan, const struct request *request, uint64_t freq)
{
	struct making making = { .plan = plan, .request = request, .freq = freq };
	char name[KERMON_EVENT_NAME], *counted;
	const char *at = request->events;
	int status = STATUS_OK;
	size_t length = 0;

	counted = calloc(1, strlen(at) + 1);
	if (!counted)
		return STATUS_FAILED;
	while (!status && next_name(&at, name)) {
		if (is_sampled(request, name, &status))
			status = each_of(request, name, add_event, &making);
		else
			length += sprintf(counted + length, "%s%s", length ? "," : "", name);
	}
	if (!status)
		status = request_select(request, length || !plan->nr_samplings ? counted :
					request_default_events, &plan->selection);
	free(counted);
	return status;
}

static int choose_events(struct plan *plan, const struct request *request)
{
	const uint64_t freq = frequency(request);
	int status;

	if (plan->alone || plan->timed)
		return names_events(request) ? add_all(plan, request, freq) :
					       add_default(plan, request, freq);
	status = split_events(plan, request, freq);
	if (!status && !plan->nr_samplings && asks_for_samples(request))
		status = add_default(plan, request, freq);
	return status;
}

/* Options that only KerMon has; @plan->why says why it does not record. */
static int check_options(const struct plan *plan, const struct request *request)
{
	const char *option = request->coalesce ? "--coalesce" :
			     request->overwrite ? "--overwrite" :
			     request->insist ? "--sched kermon" :
			     request->raw ? "--raw-log" :
			     request->rotate_ns || request->by_signal ? "--rotate" :
			     request->report == REPORT_THREADS ? "--report threads" :
			     request->report && !request_runs(request) ? "--report" : NULL;

	if (option) {
		message(request->command->name, "%s requires KerMon: %s", option, plan->why);
		message_hint("'kermon status' shows all that a recording requires");
		return STATUS_FAILED;
	}
	if (request->interval_ns && (request->sampling.freq || request->sampling.period)) {
		message(request->command->name, "--interval and -F or -c exclude each other without KerMon");
		return STATUS_USAGE;
	}
	return STATUS_OK;
}

/* @tids: the tasks are threads */
static int check_exist(const struct request *request,
		       const struct pid_list *tasks, bool tids)
{
	for (size_t i = 0; i < tasks->nr; i++) {
		if (proc_process(tasks->ids[i]))
			continue;
		message(request->command->name, "no %s with %s %d",
			tids ? "thread" : "process", tids ? "tid" : "pid",
			tasks->ids[i]);
		return STATUS_FAILED;
	}
	return STATUS_OK;
}

static int check_cpus(const struct request *request,
		      const struct targets *targets)
{
	const long nr = sysconf(_SC_NPROCESSORS_CONF);

	for (size_t i = 0; i < targets->nr_cpus; i++) {
		if (targets->cpus[i] < nr)
			continue;
		message(request->command->name,
			"no CPU %u: this machine has CPUs 0 to %ld",
			targets->cpus[i], nr - 1);
		return STATUS_FAILED;
	}
	return STATUS_OK;
}

static int check_targets(const struct request *request)
{
	const struct targets *targets = &request->targets;
	int status = check_exist(request, &targets->processes, false);

	if (!status)
		status = check_exist(request, &targets->threads, true);
	return status ? status : check_cpus(request, targets);
}

/* Programs and their mappings are read from /proc, by the pids of this namespace. */
static int check_proc(const struct plan *plan, const struct request *request)
{
	if (plan->machine.own_proc)
		return STATUS_OK;
	message(request->command->name,
		"/proc belongs to another pid namespace than this process");
	message_hint("mount the right one: mount -t proc proc /proc, or use "
		     "'unshare --pid --mount-proc'");
	return STATUS_FAILED;
}

int plan_make(struct plan *plan, const struct request *request)
{
	int status;

	memset(plan, 0, sizeof(*plan));
	machine_look(&plan->machine);
	if (request->any_kernel) {
		plan->counts = !has_kermon(&plan->machine) ||
			       !machine_may_count(&plan->machine);
		return request_select(request, request->events, &plan->selection);
	}
	status = check_proc(plan, request);
	if (!status)
		status = check_targets(request);
	if (status)
		return status;
	choose_source(plan, request);
	if (plan->alone)
		status = check_options(plan, request);
	return status || request->regions.alone ? status : choose_events(plan, request);
}

/* "cycles", "cycles and 2 more events" */
static void name_events(const struct plan *plan, char *text, size_t size)
{
	const struct kermon_sampling *first = &plan->samplings[0];
	size_t n = snprintf(text, size, "%s", first->name);

	if (plan->nr_samplings > 1 && n < size)
		n += snprintf(text + n, size - n, " and %zu more", plan->nr_samplings - 1);
	if (n >= size)
		return;
	if (first->type == PERF_TYPE_TRACEPOINT && first->period == 1)
		snprintf(text + n, size - n, ", each time");
	else if (!first->period)
		snprintf(text + n, size - n, " at %llu Hz", (unsigned long long)first->freq);
	else if (is_clock(first))
		snprintf(text + n, size - n, " every %g ms", first->period / 1e6);
	else
		snprintf(text + n, size - n, " every %llu", (unsigned long long)first->period);
}

/* The kernel has KerMon, but not its module: nobody wants that. */
static bool lacks_module(const struct plan *plan)
{
	return plan->alone && plan->machine.patched && !plan->machine.has_info;
}

static void say_cure(const struct plan *plan,
		     void (*find)(const struct machine *machine, struct finding *finding))
{
	struct finding finding;

	find(&plan->machine, &finding);
	message_hint("%s", finding.remedy);
}

void plan_say(const struct plan *plan, const struct request *request)
{
	const char *name = request->command->name;
	const bool chains = plan->samplings[0].chains != KERMON_CHAINS_NONE;
	char events[KERMON_EVENT_NAME + 64];

	if (plan->counts || request->any_kernel ||
	    (request->quiet && !lacks_module(plan)) || request->regions.alone)
		return;
	name_events(plan, events, sizeof(events));
	if (plan->alone)
		message(name, "perf_event samples %s%s, as %s; KerMon would add exact counts per thread and switch%s",
			events, plan->why_event ? plan->why_event : "", plan->why,
			chains ? "" : ", -g call chains");
	else if (plan->timed)
		message(name, "KerMon records times, and perf_event samples %s%s, because this user may not occupy counters of every CPU",
			events, plan->why_event ? plan->why_event : "");
	else if (plan->nr_samplings)
		message(name, "KerMon counts exactly, and perf_event samples %s beside it%s",
			events, chains ? "" : "; -g would add call chains");
	else if (!strcmp(name, "record"))
		message(name, "KerMon counts exactly; -g would add samples of perf_event with call chains");
	if (lacks_module(plan))
		say_cure(plan, machine_module);
	if (plan->timed)
		say_cure(plan, machine_counting);
	if (plan->user_only) {
		message(name, "sampling user mode alone, which is what this user may sample");
		message_hint("as root: sysctl kernel.perf_event_paranoid=1");
	}
}
