// SPDX-License-Identifier: GPL-2.0
/* Reads the recordings of a roofline, and says what is missing in them. */
#include <errno.h>
#include <kermon/text.h>
#include <stdlib.h>
#include <string.h>

#include "input/damages.h"
#include "machine/hypervisor.h"
#include "machine/machine.h"
#include "roofline.h"
#include "ui/message.h"
#include "util/cpulist.h"

static char *label_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return kermon_text_escaped(slash && slash[1] ? slash + 1 : path);
}

int runs_begin(struct roofline_view *view, size_t nr)
{
	view->runs = calloc(nr, sizeof(*view->runs));
	view->room = view->runs ? nr : 0;
	return view->runs ? 0 : -ENOMEM;
}

int runs_read(struct roofline_view *view, struct input *input, const char *path,
	      bool *damaged)
{
	struct roofline_run *run = &view->runs[view->nr_runs];
	bool is_damaged;
	int err = -ENOMEM;

	view->nr_runs++;
	run->path = path;
	if (!run->label)
		run->label = label_of(path);
	run->damages = damages_new("roofline");
	if (!run->damages || !run->label)
		return STATUS_FAILED;
	input->reading.damages = run->damages;
	input->reading.keys = view_has_functions(view) ? "sym" : NULL;
	run->table = kermon_roofline_new(&input->reading);
	if (run->table) {
		progress_start(&input->progress, "reading");
		err = kermon_roofline_read(run->table, path);
		progress_finish(&input->progress);
	}
	is_damaged = damages_tell("roofline", path, run->damages);
	*damaged |= is_damaged;
	if (err)
		return damages_failure("roofline", path, err, is_damaged);
	run->model = hypervisor_is_emulator(kermon_roofline_origin(run->table)->hypervisor);
	return STATUS_OK;
}

void runs_free(struct roofline_view *view)
{
	for (size_t i = 0; i < view->room; i++) {
		kermon_roofline_free(view->runs[i].table);
		kermon_damages_free(view->runs[i].damages);
		free(view->runs[i].label);
	}
	free(view->runs);
}

static bool has_flop(const struct roofline_run *run)
{
	return kermon_roofline_basis(run->table)->flop;
}

bool runs_have_flop(const struct roofline_view *view)
{
	for (size_t i = 0; i < view->nr_runs; i++)
		if (has_flop(&view->runs[i]))
			return true;
	return false;
}

/* The command that was recorded, if a "--" tells where it begins. */
static const char *recorded_command(const struct roofline_run *run)
{
	const char *line = kermon_roofline_origin(run->table)->command;
	const char *dashes = line ? strstr(line, " -- ") : NULL;

	return dashes ? dashes + strlen(" -- ") : "COMMAND";
}

/* The command that records it on this machine. */
static void hint_command(const struct roofline_run *run)
{
	const char *command = recorded_command(run);
	struct machine machine;
	char reason[160];

	machine_look(&machine);
	if (machine.has_info && machine.info.counters) {
		message_hint("record it with: kermon run -e roofline -o %s -- %s", run->path,
			     command);
		return;
	}
	hypervisor_no_counters(reason, sizeof(reason));
	message_hint("%s; record it on the model: scripts/kermon-vm -- kermon run -e roofline -o %s -- %s",
		     reason, run->path, command);
}

void runs_tell_without(const struct roofline_view *view)
{
	for (size_t i = 0; i < view->nr_runs; i++) {
		if (has_flop(&view->runs[i]))
			continue;
		message("roofline", "%s: no event of floating-point operations was counted",
			view->runs[i].path);
		hint_command(&view->runs[i]);
	}
}

int run_domain(const struct roofline_run *run, const char *name)
{
	const char *domain;

	for (int i = 0; (domain = kermon_roofline_domain(run->table, i)); i++)
		if (!strcmp(domain, name))
			return i;
	return -1;
}

bool view_has_functions(const struct roofline_view *view)
{
	return view->by == BY_FUNCTION || view->dots == DOTS_FUNCTION;
}

const char *function_name(const struct kermon_roofline_function *function)
{
	static char text[256];

	if (function->name)
		return function->name;
	snprintf(text, sizeof(text), "[%s]", function->file ? function->file : "unknown");
	return text;
}

void thread_name(const struct roofline_run *run, size_t index, char text[THREAD_NAME])
{
	const struct kermon_roofline_thread *thread = kermon_roofline_thread(run->table, index);

	if (run_is_of_cpus(run))
		snprintf(text, THREAD_NAME, "%s", thread->comm);
	else
		snprintf(text, THREAD_NAME, "%s (%u)",
			 thread->comm[strspn(thread->comm, " ")] ? thread->comm : "(no name)",
			 thread->tid);
}

const struct kermon_roofline_sums *run_sums(const struct roofline_run *run, unsigned int by,
					    size_t index)
{
	const struct kermon_roofline_function *function;
	const struct kermon_roofline_thread *thread;

	if (by == BY_FUNCTION) {
		function = kermon_roofline_function(run->table, index);
		return function ? function->sums : NULL;
	}
	thread = kermon_roofline_thread(run->table, index);
	return thread ? thread->sums : NULL;
}

bool run_is_of_cpus(const struct roofline_run *run)
{
	return kermon_roofline_origin(run->table)->monitor == KERMON_MONITOR_SPY;
}

bool stay_is_spread(const struct kermon_roofline_interval *stay)
{
	return stay->oncpu < stay->end - stay->begin;
}

size_t run_cpus(const struct roofline_run *run)
{
	const struct kermon_roofline_interval *stay;
	size_t nr = 0;

	for (size_t i = 0; (stay = kermon_roofline_interval(run->table, i)); i++)
		if (stay->cpu >= nr && stay->cpu < CPULIST_MOST)
			nr = stay->cpu + 1;
	return nr;
}

static bool is_in(const char *const *names, size_t nr, const char *name)
{
	for (size_t i = 0; i < nr; i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

size_t runs_domains(const struct roofline_view *view,
		    const char *names[KERMON_ROOFLINE_DOMAINS])
{
	const char *name;
	size_t nr = 0;

	for (size_t i = 0; i < view->nr_runs; i++)
		for (int j = 0; (name = kermon_roofline_domain(view->runs[i].table, j)); j++)
			if (nr < KERMON_ROOFLINE_DOMAINS && !is_in(names, nr, name))
				names[nr++] = name;
	return nr;
}
