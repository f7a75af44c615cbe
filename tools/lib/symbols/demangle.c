// SPDX-License-Identifier: GPL-2.0
/*
 * Demangle names with libiberty, which knows C++, D, Rust and Ada; also names of PLT
 * stubs.
 */
#define _GNU_SOURCE
#include <libiberty/demangle.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "demangle.h"

/* Suffix of stubs that jump to functions in other files. */
#define PLT_SUFFIX	"@plt"

static bool is_stub(const char *name)
{
	size_t len = strlen(name);

	return len > strlen(PLT_SUFFIX) &&
	       !strcmp(name + len - strlen(PLT_SUFFIX), PLT_SUFFIX);
}

/* For some names of templates libiberty can only demangle without the parameters. */
char *symbol_demangle(const char *name)
{
	char *demangled = is_stub(name) ? NULL :
			  cplus_demangle(name, DMGL_PARAMS | DMGL_ANSI);

	return demangled ? demangled : symbol_demangle_short(name);
}

/* A stub has the name of its function followed by PLT_SUFFIX. */
char *symbol_demangle_short(const char *name)
{
	bool stub_name = is_stub(name);
	size_t len = strlen(name) - (stub_name ? strlen(PLT_SUFFIX) : 0);
	char *linked = strndup(name, len);
	char *demangled = linked ? cplus_demangle(linked, DMGL_NO_OPTS) : NULL;
	char *stub = NULL;

	free(linked);
	if (!demangled || !stub_name)
		return demangled;
	if (asprintf(&stub, "%s" PLT_SUFFIX, demangled) < 0)
		stub = NULL;
	free(demangled);
	return stub;
}
