// SPDX-License-Identifier: GPL-2.0
/* Finds out why registers cannot be accessed, and says what to do about it. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "private.h"
#include "util/sysfile.h"

#define LOCKDOWN	"/sys/kernel/security/lockdown"
#define ALLOW_WRITES	"/sys/module/msr/parameters/allow_writes"
#define SECURE_BOOT	"/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"
#define CAPABILITIES	"cap_sys_rawio,cap_dac_override=ep"

/* A folder that stands for "/", for tests. */
static const char *root_folder(void)
{
	const char *root = secure_getenv("KERMON_MSR_ROOT");

	return root ? root : "";
}

static bool read_line(char line[SYSFILE_LINE], const char *path)
{
	return sysfile_line(line, "%s%s", root_folder(), path);
}

/* The variable of the firmware: four bytes of attributes, then whether it is enabled. */
static bool is_secure_boot(void)
{
	unsigned char value[5] = { 0 };
	char path[PATH_MAX];
	FILE *file;

	snprintf(path, sizeof(path), "%s" SECURE_BOOT, root_folder());
	file = fopen(path, "re");
	if (file && fread(value, 1, sizeof(value), file) < sizeof(value))
		value[4] = 0;
	if (file)
		fclose(file);
	return value[4];
}

/*
 * Why the driver msr rejects all writes with EPERM. The file of the lockdown has its mode in
 * brackets, "none [integrity] confidentiality", but is missing in containers; only root reads
 * the parameter of the driver.
 */
static unsigned int writes_reason(void)
{
	char line[SYSFILE_LINE];
	bool known = read_line(line, LOCKDOWN);

	if (known && !strstr(line, "[none]"))
		return KERMON_MSR_LOCKDOWN;
	if (known || (read_line(line, ALLOW_WRITES) && !strcmp(line, "off")))
		return KERMON_MSR_WRITES_OFF;
	return KERMON_MSR_DENIED;
}

static bool exists(const char *path)
{
	return !access(path, F_OK);
}

/* CPU 0 may have no file "online", as it is always. */
static bool is_online(uint32_t cpu)
{
	uint64_t online;
	char path[64];

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u", cpu);
	return exists(path) &&
	       !(sysfile_number(&online, 10, "%s/online", path) && !online);
}

/* Why a device cannot be opened. */
static unsigned int device_reason(const struct msr_cause *cause)
{
	switch (-cause->error) {
	case ENOENT:
		if (!is_online(cause->cpu))
			return KERMON_MSR_NO_CPU;
		return exists("/sys/module/msr") ? KERMON_MSR_NO_DEVICE :
						   KERMON_MSR_NO_MODULE;
	case ENXIO:
		return KERMON_MSR_NO_CPU;
	case EPERM:
	case EACCES:
		return KERMON_MSR_NO_CAPABILITY;
	default:
		return KERMON_MSR_OTHER;
	}
}

static unsigned int reason_of(const struct msr_cause *cause)
{
	if (cause->reason == KERMON_MSR_NO_DEVICE)
		return device_reason(cause);
	if (cause->reason == KERMON_MSR_DENIED && cause->error == -EPERM)
		return writes_reason();
	return cause->reason;
}

static void say(char text[KERMON_MSR_TEXT], const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void say(char text[KERMON_MSR_TEXT], const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(text, KERMON_MSR_TEXT, format, args);
	va_end(args);
}

/* What keeps the helper from working. */
static void explain_helper(struct kermon_msr_error *error,
			   const struct msr_cause *cause)
{
	switch (error->reason) {
	case KERMON_MSR_NO_HELPER:
		say(error->text, "kermon-msr-helper cannot be executed: %s",
		    strerror(-error->error));
		say(error->remedy, "in the sources of KerMon: sudo make install");
		break;
	case KERMON_MSR_NO_GROUP:
		say(error->text, "this user may not execute '%s'", cause->helper);
		say(error->remedy, "as root: usermod -aG kermon USER; then log in again");
		break;
	case KERMON_MSR_NO_CAPABILITY:
		say(error->text, "the helper may not open /dev/cpu/%u/msr: %s",
		    error->cpu, strerror(-error->error));
		if (geteuid())
			say(error->remedy, "as root: setcap " CAPABILITIES " %s",
			    cause->helper);
		else
			say(error->remedy, "CAP_SYS_RAWIO is missing, as in a container: run on the host, or with --cap-add SYS_RAWIO");
		break;
	case KERMON_MSR_HELPER_DIED:
		say(error->text, "kermon-msr-helper was killed");
		say(error->remedy, "registers that it has written are restored when the next helper starts: 'kermon msr restore' starts one");
		break;
	}
}

static void explain_lockdown(struct kermon_msr_error *error)
{
	const bool secure = is_secure_boot();

	say(error->text, "the kernel is locked down (" LOCKDOWN ")%s: registers may be read, but not written",
	    secure ? " because of Secure Boot" : "");
	say(error->remedy, "%s, and boot again; 'kermon stat' and 'kermon spy' also count without such writes",
	    secure ? "disable Secure Boot in the firmware" :
		     "remove lockdown= from the kernel's command line");
}

/* By the driver msr if EPERM, otherwise by msr_safe. */
static void explain_denied(struct kermon_msr_error *error)
{
	if (error->error == -EPERM) {
		say(error->text, "the kernel permits no writes to registers: it is locked down, or msr.allow_writes is off");
		say(error->remedy, "as root, on the host: grep . " LOCKDOWN " " ALLOW_WRITES);
		return;
	}
	say(error->text, "the driver msr_safe denies access to register 0x%x of CPU %u, or to bits that would change",
	    error->reg, error->cpu);
	say(error->remedy, "as root, write a list to /dev/cpu/msr_allowlist that has the register, and all these bits in its mask");
}

/* What keeps the driver from working. */
static void explain_driver(struct kermon_msr_error *error)
{
	switch (error->reason) {
	case KERMON_MSR_NO_MODULE:
		say(error->text, "the kernel module msr is not loaded");
		say(error->remedy, "as root: modprobe msr; at each boot: echo msr >/etc/modules-load.d/msr.conf");
		break;
	case KERMON_MSR_NO_DEVICE:
		say(error->text, "the driver msr is loaded, but /dev/cpu/%u/msr does not exist, as in a container",
		    error->cpu);
		say(error->remedy, "run on the host, or give the container the devices: --device /dev/cpu/%u/msr --cap-add SYS_RAWIO",
		    error->cpu);
		break;
	case KERMON_MSR_NO_CPU:
		say(error->text, "there is no CPU %u, or it is offline",
		    error->cpu);
		say(error->remedy, "/sys/devices/system/cpu/online lists those that are online");
		break;
	case KERMON_MSR_LOCKDOWN:
		explain_lockdown(error);
		break;
	case KERMON_MSR_WRITES_OFF:
		say(error->text, "the kernel's module msr rejects all writes, because its parameter allow_writes is off: registers may be read, but not written");
		say(error->remedy, "as root: echo default >" ALLOW_WRITES);
		break;
	case KERMON_MSR_DENIED:
		explain_denied(error);
		break;
	case KERMON_MSR_NO_REGISTER:
		say(error->text, "CPU %u does not have register 0x%x, or does not accept this value",
		    error->cpu, error->reg);
		break;
	}
}

/* What the allow-list forbids. */
static void explain_list(struct kermon_msr_error *error,
			 const struct msr_cause *cause)
{
	switch (error->reason) {
	case KERMON_MSR_NO_LIST:
		say(error->text, "there is no allow-list for this processor");
		say(error->remedy, "as root, add its vendor, family and model to '%s'",
		    cause->path);
		break;
	case KERMON_MSR_BAD_LIST:
		if (cause->line)
			say(error->text, "line %u of '%s' is not valid",
			    cause->line, cause->path);
		else
			say(error->text, "cannot use '%s': %s", cause->path,
			    error->error == -EPERM ? "others than root may write to it or to a folder above" :
			    strerror(-error->error));
		say(error->remedy, "install it again: sudo make install");
		break;
	case KERMON_MSR_NOT_LISTED:
		say(error->text, "register 0x%x is not in the allow-list",
		    error->reg);
		say(error->remedy, "'kermon msr list' shows it; as root, add the register to '%s'",
		    cause->path);
		break;
	case KERMON_MSR_READ_ONLY:
		say(error->text, "register 0x%x may only be read", error->reg);
		say(error->remedy, "the allow-list '%s' decides this", cause->path);
		break;
	case KERMON_MSR_BITS:
		say(error->text, "0x%llx would change or set bits of register 0x%x on CPU %u that may not be written",
		    (unsigned long long)cause->value, error->reg, error->cpu);
		say(error->remedy, "read the register first; 'kermon msr list' shows the mask");
		break;
	}
}

/* What is in the way of a client. */
static void explain_client(struct kermon_msr_error *error,
			   const struct msr_cause *cause)
{
	const unsigned int pid = cause->value;
	char name[SYSFILE_LINE];

	switch (error->reason) {
	case KERMON_MSR_NOT_OPEN:
		say(error->text, "CPU %u was not opened, or only to read",
		    error->cpu);
		break;
	case KERMON_MSR_BUSY:
		sysfile_line(name, "/proc/%u/comm", pid);
		say(error->text, "CPU %u is in use by process %u (%.32s), which has written to its registers",
		    error->cpu, pid, name);
		say(error->remedy, "wait until it has ended, or end it");
		break;
	case KERMON_MSR_NO_STATE:
		say(error->text, "cannot save values in /run/kermon/msr: %s",
		    strerror(-error->error));
		say(error->remedy, error->error == -ENOSPC ?
		    "free some space in /run, or restore values that were written: 'kermon msr restore'" :
		    "as root: install -d -m 700 /run/kermon");
		break;
	case KERMON_MSR_CANCELLED:
		say(error->text, "another operation of the batch failed");
		break;
	default:
		say(error->text, "cannot access registers: %s",
		    strerror(-error->error));
	}
}

void msr_explain(struct kermon_msr_error *error, const struct msr_cause *cause)
{
	*error = (struct kermon_msr_error){
		.error = cause->error,
		.reason = reason_of(cause),
		.cpu = cause->cpu,
		.reg = cause->reg,
	};
	explain_helper(error, cause);
	explain_driver(error);
	explain_list(error, cause);
	if (!*error->text)
		explain_client(error, cause);
}
