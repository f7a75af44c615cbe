// SPDX-License-Identifier: GPL-2.0
/*
 * Names of registers by the numbering of <asm/perf_regs.h>.
 */
#include <stddef.h>
#include <string.h>

#include "script.h"

static const char *const x86_names[64] = {
	"AX", "BX", "CX", "DX", "SI", "DI", "BP", "SP", "IP", "FLAGS",
	"CS", "SS", "DS", "ES", "FS", "GS",
	"R8", "R9", "R10", "R11", "R12", "R13", "R14", "R15",
};

static const char *const no_names[64];

const char *const *script_registers(const char *arch)
{
	size_t len = arch ? strlen(arch) : 0;

	/* i386 to i686 and x86_64 number their registers alike */
	if (!arch || !strncmp(arch, "x86", 3) ||
	    (len == 4 && arch[0] == 'i' && !strcmp(arch + 2, "86")))
		return x86_names;
	return no_names;
}
