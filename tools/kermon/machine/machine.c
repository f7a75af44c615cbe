// SPDX-License-Identifier: GPL-2.0
/*
 * Checks what a recording requires of the machine and of this user, and puts each
 * finding and its remedy into words.
 */
#include <errno.h>
#include <limits.h>
#include <linux/capability.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <kermon/session.h>

#include "machine.h"
#include "ui/message.h"
#include "util/perfevent.h"

#define MODULE_VERSION	"/sys/module/kermon/version"
#define PARANOID	"/proc/sys/kernel/perf_event_paranoid"
#define NMI_WATCHDOG	"/proc/sys/kernel/nmi_watchdog"
#define SHARE		"/sys/module/kermon/parameters/share"
#define COUNTERS_GROUP	"/proc/sys/kernel/kermon_counters_group"

/* Inode of the initial user namespace, PROC_USER_INIT_INO of the kernel. */
#define INITIAL_USER_NAMESPACE	0xeffffffd

static int read_number(const char *path, int otherwise)
{
	FILE *file = fopen(path, "re");
	int number;

	if (!file)
		return otherwise;
	if (fscanf(file, "%d", &number) != 1)
		number = otherwise;
	fclose(file);
	return number;
}

static bool is_set(const char *path)
{
	FILE *file = fopen(path, "re");
	bool set = file && fgetc(file) == 'Y';

	if (file)
		fclose(file);
	return set;
}

/* Whether one of the groups of this process is in the range in the file. */
static bool in_groups_of(const char *path)
{
	FILE *file = fopen(path, "re");
	unsigned long first = 1, last = 0;
	static gid_t groups[NGROUPS_MAX + 1];
	int nr = getgroups(NGROUPS_MAX, groups);
	bool in = false;

	if (file) {
		if (fscanf(file, "%lu %lu", &first, &last) != 2)
			last = 0;
		fclose(file);
	}
	nr = nr < 0 ? 0 : nr;
	groups[nr++] = getegid();
	while (nr-- && !in)
		in = groups[nr] >= first && groups[nr] <= last;
	return in;
}

static void read_version(struct machine *machine)
{
	FILE *file = fopen(MODULE_VERSION, "re");

	if (!file)
		return;
	if (fscanf(file, "%31s", machine->module_version) != 1)
		machine->module_version[0] = '\0';
	fclose(file);
}

/* In any other namespace, capabilities do not apply to machine-wide resources. */
static bool in_initial_user_namespace(void)
{
	struct stat st;

	return stat("/proc/self/ns/user", &st) ||
	       st.st_ino == INITIAL_USER_NAMESPACE;
}

static uint64_t effective_capabilities(void)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct data[2] = { 0 };

	if (!in_initial_user_namespace() || syscall(SYS_capget, &header, data))
		return 0;
	return (uint64_t)data[1].effective << 32 | data[0].effective;
}

static bool has(uint64_t capabilities, int capability)
{
	return capabilities >> capability & 1;
}

static bool has_own_proc(void)
{
	char self[16] = "";

	return readlink("/proc/self", self, sizeof(self) - 1) > 0 &&
	       atoi(self) == getpid();
}

/*
 * Try it, since permissions depend on the kernel: Debian's kernels have a level 3 of
 * kernel.perf_event_paranoid, for which CAP_PERFMON is not enough, and a container may
 * filter system calls.
 */
static int try_sideband(void)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.mmap = 1,
		.comm = 1,
		.task = 1,
	};

	return perfevent_try(&attr, 0, -1);
}

static void look_at_module(struct machine *machine)
{
	struct kermon_control *control;

	machine->control = kermon_control_open(&control);
	if (machine->control)
		return;
	machine->module = true;
	read_version(machine);
	machine->has_info = !kermon_control_info(control, &machine->info);
	kermon_control_close(control);
}

bool machine_is_public(void)
{
	struct machine machine = { 0 };

	look_at_module(&machine);
	return machine.info.rdpmc_for_all;
}

void machine_look(struct machine *machine)
{
	uint64_t capabilities = effective_capabilities();
	struct utsname name;

	memset(machine, 0, sizeof(*machine));
	if (!uname(&name))
		snprintf(machine->release, sizeof(machine->release), "%s",
			 name.release);
	machine->patched = !kermon_session_probe();
	look_at_module(machine);
	machine->paranoid = read_number(PARANOID, 2);
	machine->nmi_watchdog = read_number(NMI_WATCHDOG, 0) > 0;
	machine->shares = is_set(SHARE);
	machine->in_group = in_groups_of(COUNTERS_GROUP);
	machine->own_proc = has_own_proc();
	machine->may_count = has(capabilities, CAP_PERFMON) ||
			     has(capabilities, CAP_SYS_ADMIN);
	machine->may_schedule = has(capabilities, CAP_SYS_NICE);
	machine->sideband = try_sideband();
}

static void say(struct finding *finding, enum verdict verdict,
		const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void say(struct finding *finding, enum verdict verdict,
		const char *format, ...)
{
	va_list args;

	finding->verdict = verdict;
	va_start(args, format);
	vsnprintf(finding->text, sizeof(finding->text), format, args);
	va_end(args);
}

static void advise(struct finding *finding, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void advise(struct finding *finding, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(finding->remedy, sizeof(finding->remedy), format, args);
	va_end(args);
}

void machine_grant(char text[MACHINE_GRANT])
{
	char tool[PATH_MAX] = "";

	if (readlink("/proc/self/exe", tool, sizeof(tool) - 1) < 0)
		snprintf(tool, sizeof(tool), "kermon");
	snprintf(text, MACHINE_GRANT,
		 "as root: setcap cap_perfmon,cap_sys_nice=ep %s", tool);
}

void machine_kernel(const struct machine *machine, struct finding *finding)
{
	*finding = (struct finding){ .name = "kernel" };
	if (machine->patched) {
		say(finding, VERDICT_OK, "Linux %s has SCHED_KERMON",
		    machine->release);
		return;
	}
	say(finding, VERDICT_MISSING, "Linux %s has no SCHED_KERMON",
	    machine->release);
	advise(finding, "boot a kernel with KerMon's patches, or run the "
	       "command on the virtual machine: scripts/kermon-vm -- COMMAND");
}

/* It cannot be determined whether the module is loaded. */
static void say_control(const struct machine *machine, struct finding *finding)
{
	say(finding, VERDICT_MISSING, "cannot query kermon.ko: %s",
	    strerror(-machine->control));
	if (machine->control == -EMFILE)
		advise(finding, "raise the limit: ulimit -n");
}

void machine_module(const struct machine *machine, struct finding *finding)
{
	*finding = (struct finding){ .name = "module" };
	if (machine->control && machine->control != -ENODEV) {
		say_control(machine, finding);
		return;
	}
	if (machine->has_info)
		say(finding, VERDICT_OK, "kermon.ko is loaded%s%s",
		    *machine->module_version ? ", version " : "",
		    machine->module_version);
	else if (machine->module)
		say(finding, VERDICT_MISSING, "cannot query kermon.ko: it has "
		    "another version than this tool");
	else
		say(finding, VERDICT_MISSING, "kermon.ko is not loaded");
	if (finding->verdict == VERDICT_OK)
		return;
	advise(finding, machine->patched ?
	       "as root: modprobe kermon" : "it requires the patched kernel");
}

void machine_holder(const struct machine *machine, struct finding *finding)
{
	*finding = (struct finding){ .name = "counters" };
	if (machine->has_info && (machine->info.owner == KERMON_PMU_KERMON ||
				  machine->info.owner == KERMON_PMU_SHARED)) {
		say(finding, VERDICT_MISSING, "the counters are in use by KerMon");
		advise(finding, "'kermon status' shows what is monitored; end that first");
		return;
	}
	say(finding, VERDICT_MISSING, "the counters are in use by %s",
	    machine->nmi_watchdog ? "the NMI watchdog" :
	    "perf or another module");
	advise(finding, machine->nmi_watchdog ?
	       "as root: sysctl kernel.nmi_watchdog=0" :
	       "stop programs that count hardware events (perf stat, perf "
	       "record, perf top) or unload the module (see 'lsmod')");
}

void machine_busy(const struct machine *machine, struct finding *finding)
{
	if (!machine->shares) {
		machine_holder(machine, finding);
		return;
	}
	*finding = (struct finding){ .name = "counters" };
	say(finding, VERDICT_MISSING, "perf, the NMI watchdog or other recordings leave too "
	    "few counters for these events");
	advise(finding, "record fewer events, or stop programs that count on all CPUs (perf "
	       "stat -a, kermon spy), or end other recordings ('kermon status --holders')%s",
	       machine->nmi_watchdog ? "; as root: sysctl kernel.nmi_watchdog=0" : "");
}

/* A newer module may report owners that have no name here. */
static const char *owner_text(uint32_t owner)
{
	static const char *const owners[] = {
		[KERMON_PMU_FREE] = "free",
		[KERMON_PMU_KERMON] = "in use by KerMon",
		[KERMON_PMU_OTHER] = "some in use by perf or another module",
		[KERMON_PMU_SHARED] = "some in use by KerMon",
	};

	return owner < sizeof(owners) / sizeof(owners[0]) && owners[owner] ?
	       owners[owner] : "unknown";
}

void machine_pmu(const struct machine *machine, struct finding *finding)
{
	const struct kermon_info *info = &machine->info;

	*finding = (struct finding){ .name = "counters" };
	if (!machine->has_info) {
		say(finding, VERDICT_MISSING, "unknown without the module");
		return;
	}
	switch (info->owner) {
	case KERMON_PMU_OTHER:
		if (machine->shares)
			break;
		machine_holder(machine, finding);
		return;
	case KERMON_PMU_NONE:
		say(finding, VERDICT_MISSING,
		    "this CPU has no counters that KerMon supports");
		advise(finding, "if this is a virtual machine, give it a PMU; "
		       "'dmesg' shows what kermon.ko found");
		return;
	}
	say(finding, info->rdpmc_for_all ? VERDICT_NOTE : VERDICT_OK,
	    "%s: %u programmable of %u bits, %u fixed of %u bits, %s%s",
	    info->pmu_name, info->counters, info->counter_width,
	    info->fixed, info->fixed_width,
	    owner_text(info->owner), info->rdpmc_for_all ? ", readable by every process" : "");
	if (info->rdpmc_for_all)
		advise(finding, "to disable RDPMC in user mode, as root: "
		       "echo 1 >/sys/bus/event_source/devices/cpu/rdpmc");
}

static void list_domains(const struct kermon_info *info, char *text,
			 size_t size)
{
	unsigned int i;
	size_t n = 0;

	for (i = 0; i < info->nr_domains && n < size; i++)
		n += snprintf(text + n, size - n, "%s%s (2^-%u J)",
			      i ? ", " : "", info->domains[i].name,
			      info->domains[i].unit);
}

void machine_energy(const struct machine *machine, struct finding *finding)
{
	char domains[120] = "", grant[MACHINE_GRANT];

	*finding = (struct finding){ .name = "energy" };
	if (!machine->has_info) {
		say(finding, VERDICT_NOTE, "unknown without the module");
		return;
	}
	list_domains(&machine->info, domains, sizeof(domains));
	if (!machine->info.nr_domains) {
		say(finding, VERDICT_NOTE, "this machine has no energy "
		    "counters");
	} else if (machine->may_count) {
		say(finding, VERDICT_OK, "%s", domains);
	} else {
		say(finding, VERDICT_NOTE, "%s, but not for this user",
		    domains);
		machine_grant(grant);
		advise(finding, "reading energy requires CAP_PERFMON; %s", grant);
	}
}

void machine_class(const struct machine *machine, struct finding *finding)
{
	char grant[MACHINE_GRANT];

	*finding = (struct finding){ .name = "class" };
	if (machine->may_schedule) {
		say(finding, VERDICT_OK,
		    "this user may put tasks into SCHED_KERMON");
		return;
	}
	say(finding, VERDICT_NOTE,
	    "this user may not put tasks into SCHED_KERMON");
	machine_grant(grant);
	advise(finding, "that requires CAP_SYS_NICE, without which recordings "
	       "are as with --sched inherit; %s", grant);
}

void machine_modes(const struct machine *machine, struct finding *finding)
{
	*finding = (struct finding){ .name = "kernel mode" };
	if (machine->may_count || machine->paranoid < 2) {
		say(finding, VERDICT_OK,
		    "this user may count in kernel mode");
		return;
	}
	say(finding, VERDICT_NOTE,
	    "this user may not count in kernel mode");
	advise(finding, "that requires CAP_PERFMON, or as root: "
	       "sysctl kernel.perf_event_paranoid=1");
}

bool machine_may_count(const struct machine *machine)
{
	return machine->may_count || machine->in_group || machine->paranoid < 1;
}

void machine_counting(const struct machine *machine, struct finding *finding)
{
	char grant[MACHINE_GRANT];

	*finding = (struct finding){ .name = "counting" };
	if (machine_may_count(machine)) {
		say(finding, VERDICT_OK, "this user may occupy counters");
		return;
	}
	say(finding, VERDICT_NOTE,
	    "this user may not occupy counters of every CPU, as KerMon does");
	machine_grant(grant);
	advise(finding, "%s; or, as root, for your group: sysctl "
	       "kernel.kermon_counters_group='%u %u'", grant, getegid(), getegid());
}

/* Above 2, set_events() requires CAP_PERFMON, and perf more than that on some kernels. */
static bool is_too_paranoid(const struct machine *machine)
{
	return machine->paranoid > 2 &&
	       (machine->sideband == -EACCES || !machine->may_count);
}

void machine_sideband(const struct machine *machine, struct finding *finding)
{
	*finding = (struct finding){ .name = "side-band" };
	if (is_too_paranoid(machine)) {
		say(finding, VERDICT_MISSING, "kernel.perf_event_paranoid is "
		    "%d: this user may not record anything",
		    machine->paranoid);
		advise(finding, "as root: sysctl kernel.perf_event_paranoid=2; "
		       "above that, Debian's kernels require CAP_SYS_ADMIN, "
		       "not just CAP_PERFMON");
		return;
	}
	if (!machine->sideband) {
		say(finding, VERDICT_OK, "kernel.perf_event_paranoid is %d",
		    machine->paranoid);
		return;
	}
	say(finding, VERDICT_MISSING, "perf_event_open(2) fails (%s): "
	    "cannot record names and mappings of tasks",
	    strerror(-machine->sideband));
	advise(finding, "check the system call filter of the container, "
	       "security modules, and CONFIG_PERF_EVENTS of the kernel");
}

void machine_say(const char *command,
		 void (*find)(const struct machine *machine,
			      struct finding *finding))
{
	struct machine machine;
	struct finding finding;

	machine_look(&machine);
	find(&machine, &finding);
	message(command, "%s", finding.text);
	if (*finding.remedy)
		message_hint("%s", finding.remedy);
}
