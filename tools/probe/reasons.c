// SPDX-License-Identifier: GPL-2.0
/* Says why a method does not work here, and what to do about it. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "probe.h"

int probe_say(int error, const char *format, ...)
{
	va_list arguments;

	fputs(PROBE_SAYS, stderr);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	return error;
}

/* What perf permits to everybody; beyond that, it asks for a capability. */
static const char *rights_of_perf(void)
{
	return probe_kernel ?
	       "; it requires the sysctl kernel.perf_event_paranoid to be 1 at most, or CAP_PERFMON" :
	       "; it requires the sysctl kernel.perf_event_paranoid to be 2 at most, or CAP_PERFMON";
}

static const char *advice_of_perf(int error)
{
	switch (error) {
	case -EACCES:
	case -EPERM:
		return rights_of_perf();
	case -ENOENT:
	case -ENODEV:
	case -EOPNOTSUPP:
		return "; perf has no counter for it here, software events need none (--software)";
	case -EINVAL:
		return "; this processor has no counter for it, or not so many at the same time";
	case -ENOSYS:
		return "; this kernel has no perf events (CONFIG_PERF_EVENTS)";
	case -EBUSY:
		return "; others have taken the counters";
	default:
		return "";
	}
}

int probe_say_perf(int error, const char *what)
{
	return probe_say(error, "%s: %s%s", what, strerror(-error), advice_of_perf(error));
}

int probe_say_kermon(int error, const char *what)
{
	switch (error) {
	case -ENOSYS:
		return probe_say(error, "this kernel has no KerMon: it requires a kernel with KerMon's patches, and the module kermon.ko");
	case -ENODEV:
		return probe_say(error, "KerMon's module kermon.ko is not loaded (modprobe kermon), or does not know this processor");
	case -EACCES:
	case -EPERM:
		return probe_say(error, "%s: %s; 'kermon status' says which rights are missing",
				 what, strerror(-error));
	case -EBUSY:
		return probe_say(error, "%s: others have taken the counters, for example perf",
				 what);
	case -ENOSPC:
		return probe_say(error, "%s: this processor cannot count all of these events at the same time",
				 what);
	default:
		return probe_say(error, "%s: %s", what, strerror(-error));
	}
}
