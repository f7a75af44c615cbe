// SPDX-License-Identifier: GPL-2.0
/*
 * The assembled page inside the program, so that it needs no file at run time. The Makefile
 * defines the path.
 */
#include "page/template.h"

__asm__(".pushsection .rodata\n"
	".globl page_template\n"
	".hidden page_template\n"
	"page_template:\n"
	".incbin \"" PAGE_TEMPLATE "\"\n"
	".globl page_template_end\n"
	".hidden page_template_end\n"
	"page_template_end:\n"
	".byte 0\n"
	".popsection\n");
