// SPDX-License-Identifier: GPL-2.0
/* Finds and reads the ceilings of the machine of each recording. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "roofline.h"
#include "ui/message.h"

/* Of recordings of machines without ceilings. */
static const struct roofs no_roofs;

static void describe_machine(const struct roofline_run *run, struct kermon_machine *machine)
{
	const struct kermon_roofline_origin *origin = kermon_roofline_origin(run->table);

	*machine = (struct kermon_machine){ .cpus = origin->cpus };
	snprintf(machine->hostname, sizeof(machine->hostname), "%s",
		 origin->hostname ? origin->hostname : "");
	snprintf(machine->cpuid, sizeof(machine->cpuid), "%s",
		 origin->cpuid ? origin->cpuid : "");
	snprintf(machine->cpudesc, sizeof(machine->cpudesc), "%s",
		 origin->cpudesc ? origin->cpudesc : "");
}

static bool is_here(const struct kermon_machine *machine)
{
	struct kermon_machine here;

	kermon_machine_here(&here);
	return !strcmp(machine->hostname, here.hostname) &&
	       !strcmp(machine->cpuid, here.cpuid) && machine->cpus == here.cpus;
}

bool machines_are_same(const struct roofline_run *one, const struct roofline_run *other)
{
	struct kermon_machine a, b;

	describe_machine(one, &a);
	describe_machine(other, &b);
	return !strcmp(a.hostname, b.hostname) && !strcmp(a.cpuid, b.cpuid) &&
	       !strcmp(a.cpudesc, b.cpudesc) && a.cpus == b.cpus;
}

/* Whether an earlier recording is of the same machine, of which the label is. */
static bool is_known(const struct roofline_view *view, const struct roofline_run *run)
{
	for (const struct roofline_run *before = view->runs; before < run; before++)
		if (machines_are_same(before, run))
			return true;
	return false;
}

static void label_missing(struct roofline_view *view, const struct roofline_run *run,
			  const struct kermon_machine *machine)
{
	if (is_known(view, run))
		return;
	if (is_here(machine))
		labels_add(view, "no ceilings of this machine: measure them with kermon roofline bench");
	else
		labels_add(view, "no ceilings of the machine that was recorded (%s, %s): measure them there with kermon roofline bench, and name the file with --ceilings",
			   *machine->hostname ? machine->hostname : "unknown host",
			   *machine->cpudesc ? machine->cpudesc : "unknown CPU");
}

static bool read_roofs(struct roofs *roofs, const char *path, bool given)
{
	struct kermon_ceilings_error error;

	snprintf(roofs->path, sizeof(roofs->path), "%s", path);
	roofs->given = given;
	if (!kermon_ceilings_read(&roofs->ceilings, path, &error))
		return true;
	message("roofline", "cannot read the ceilings in %s: %s", path, error.text);
	if (!given)
		message_hint("measure them again with: kermon roofline bench");
	return false;
}

/* The ceilings of a file that was read before; NULL: there are none. */
static struct roofs *find_read(const struct roofline_view *view, const char *path)
{
	for (size_t i = 0; i < view->nr_machines; i++)
		if (!strcmp(view->machines[i].path, path))
			return &view->machines[i];
	return NULL;
}

/* Return: the exit status. */
static int read_given(struct roofline_view *view)
{
	for (size_t i = 0; i < view->given.nr; i++)
		if (!find_read(view, view->given.all[i]) &&
		    !read_roofs(&view->machines[view->nr_machines++], view->given.all[i], true))
			return STATUS_FAILED;
	return STATUS_OK;
}

static enum kermon_ceilings_match match_of(const struct roofs *roofs,
					   const struct roofline_run *run)
{
	const struct kermon_roofline_origin *origin = kermon_roofline_origin(run->table);

	return kermon_ceilings_match(roofs->ceilings, origin->cpuid, origin->cpudesc,
				     origin->cpus);
}

/* Of the files that were named, that of its machine; if it is only one, that in any case. */
static void find_given(struct roofline_view *view, struct roofline_run *run)
{
	for (size_t i = 0; i < view->nr_machines; i++)
		if (match_of(&view->machines[i], run) == KERMON_CEILINGS_SAME) {
			run->roofs = &view->machines[i];
			return;
		}
	if (view->nr_machines == 1)
		run->roofs = view->machines;
	else
		labels_add(view, "%s: none of the %zu files of ceilings is of its machine",
			   run->label, view->nr_machines);
}

/* The path of the file of its machine. Returns whether there is one. */
static bool find_path(const struct kermon_machine *machine, char path[KERMON_CEILINGS_PATH])
{
	for (int theoretical = 0; theoretical < 2; theoretical++)
		if (!kermon_ceilings_default_path(machine, theoretical, path) &&
		    !access(path, F_OK))
			return true;
	return false;
}

/* Return: the exit status. */
static int find_default(struct roofline_view *view, struct roofline_run *run)
{
	char path[KERMON_CEILINGS_PATH];
	struct kermon_machine machine;

	describe_machine(run, &machine);
	if (!find_path(&machine, path)) {
		label_missing(view, run, &machine);
		return STATUS_OK;
	}
	run->roofs = find_read(view, path);
	if (run->roofs)
		return STATUS_OK;
	run->roofs = &view->machines[view->nr_machines];
	return read_roofs(&view->machines[view->nr_machines++], path, false) ? STATUS_OK :
									       STATUS_FAILED;
}

static const char *or_unknown(const char *text)
{
	return text && *text ? text : "unknown";
}

/* Ceilings of another machine are only used if the user has named them. */
static void check_machine(struct roofline_view *view, struct roofline_run *run)
{
	const struct kermon_ceilings_about *about = kermon_ceilings_about(run->roofs->ceilings);
	const struct kermon_roofline_origin *origin = kermon_roofline_origin(run->table);

	run->match = match_of(run->roofs, run);
	if (run->match == KERMON_CEILINGS_SAME)
		return;
	labels_add(view, "%s: %s of another machine: %s with %u CPUs on %s; recorded on %s with %u CPUs on %s",
		   run->label, run->match == KERMON_CEILINGS_OTHER ? "the ceilings are" :
								     "the ceilings may be",
		   or_unknown(about->cpudesc), about->cpus, or_unknown(about->hostname),
		   or_unknown(origin->cpudesc), origin->cpus, or_unknown(origin->hostname));
}

/* Return: the exit status. */
static int find(struct roofline_view *view, struct roofline_run *run)
{
	int status = STATUS_OK;

	run->roofs = &no_roofs;
	if (view->given.nr)
		find_given(view, run);
	else
		status = find_default(view, run);
	if (!status && run->roofs->ceilings)
		check_machine(view, run);
	return status;
}

/* By its host; also by its CPU, and by the file, if others have the same. */
static void name_machine(const struct roofline_view *view, struct roofs *roofs)
{
	const struct kermon_ceilings_about *about = kermon_ceilings_about(roofs->ceilings), *other;
	const char *slash = strrchr(roofs->path, '/');
	bool same_host = false, same_cpu = false;

	for (size_t i = 0; i < view->nr_machines; i++) {
		other = kermon_ceilings_about(view->machines[i].ceilings);
		if (other == about || strcmp(other->hostname, about->hostname))
			continue;
		same_host = true;
		same_cpu |= !strcmp(other->cpudesc, about->cpudesc);
	}
	if (same_cpu)
		snprintf(roofs->name, sizeof(roofs->name), "%.*s", ROOFS_NAME - 1,
			 slash ? slash + 1 : roofs->path);
	else if (same_host)
		snprintf(roofs->name, sizeof(roofs->name), "%s, %s",
			 or_unknown(about->hostname), or_unknown(about->cpudesc));
	else
		snprintf(roofs->name, sizeof(roofs->name), "%s", or_unknown(about->hostname));
}

static void add_about(struct roofline_view *view, const struct roofs *roofs, const char *text)
{
	if (view_has_machines(view))
		labels_add(view, "%s: %s", roofs->name, text);
	else
		labels_add(view, "%s", text);
}

static void label_about(struct roofline_view *view, const struct roofs *roofs)
{
	const struct kermon_ceilings_about *about = kermon_ceilings_about(roofs->ceilings);

	if (about->theoretical)
		add_about(view, roofs, "the ceilings are theoretical: from documentation, not measured");
	if (about->incomplete)
		add_about(view, roofs, "the measurement of the ceilings was interrupted: some are missing");
	if (about->is_model)
		add_about(view, roofs, "the ceilings are those of a simulated CPU");
	else if (about->is_virtual)
		add_about(view, roofs, "the ceilings were measured in a virtual machine, which shares its CPUs");
}

static int say_no_memory(void)
{
	message("roofline", "out of memory");
	return STATUS_FAILED;
}

int machines_find(struct roofline_view *view)
{
	int status;

	view->machines = calloc(view->room + view->given.nr, sizeof(*view->machines));
	status = view->machines ? read_given(view) : say_no_memory();
	for (size_t i = 0; i < view->nr_runs && !status; i++)
		status = find(view, &view->runs[i]);
	for (size_t i = 0; i < view->nr_machines && !status; i++) {
		name_machine(view, &view->machines[i]);
		label_about(view, &view->machines[i]);
		if (roofs_choose(view, &view->machines[i]))
			status = say_no_memory();
	}
	return status;
}

void machines_free(struct roofline_view *view)
{
	for (size_t i = 0; i < view->nr_machines; i++) {
		kermon_ceilings_free(view->machines[i].ceilings);
		free(view->machines[i].all);
	}
	free(view->machines);
	free(view->given.all);
}

bool view_has_roofs(const struct roofline_view *view)
{
	return view->nr_machines;
}

bool view_has_machines(const struct roofline_view *view)
{
	return view->nr_machines > 1;
}

void machine_roof_name(const struct roofline_view *view, size_t machine,
		       const struct roof *roof, char name[ROOF_NAME])
{
	if (view_has_machines(view))
		snprintf(name, ROOF_NAME, "%zu: %s", machine + 1, roof->from->label);
	else
		snprintf(name, ROOF_NAME, "%s", roof->from->label);
}

void machine_key(const struct roofline_view *view, size_t machine, char name[ROOF_NAME])
{
	snprintf(name, ROOF_NAME, "%zu: ceilings of %s", machine + 1,
		 view->machines[machine].name);
}
