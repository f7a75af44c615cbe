/* SPDX-License-Identifier: GPL-2.0 */
/* Where to look for symbols, source lines and files, and the result of the search. */
#ifndef KERMON_SYMBOL_SOURCES_H
#define KERMON_SYMBOL_SOURCES_H

#include <kermon/cancel.h>

/**
 * struct symbol_sources - where to look
 * @symfs: folder below which all paths are looked up; NULL: /
 * @kallsyms: file with the kernel's symbols, whatever its build id;
 *	NULL: /proc/kallsyms if this is the kernel that was recorded
 * @vmlinux: file of the kernel; NULL: search by its build id
 * @cancel: cancels the search, whose partial results are dropped; NULL: not cancellable
 */
struct symbol_sources {
	const char *symfs;
	const char *kallsyms;
	const char *vmlinux;
	const struct kermon_cancel *cancel;
};

enum symbols_state {
	SYMBOLS_FOUND,
	SYMBOLS_NO_FILE,	/* the file does not exist */
	SYMBOLS_OTHER_FILE,	/* the file exists, but it is not the one that ran */
	SYMBOLS_OTHER_KERNEL,	/* the running kernel is not the recorded one */
	SYMBOLS_ANY_KERNEL,	/* the recorded kernel is unknown */
	SYMBOLS_NONE,		/* the right file, but without symbols */
	SYMBOLS_OTHER_CLOCK,	/* the timestamps are from another clock than the recording's */
	SYMBOLS_HIDDEN,		/* the kernel hides its addresses */
	SYMBOLS_UNLISTED,	/* the user's copy of /proc/kallsyms has no such symbols */
	SYMBOLS_CUT_OFF,	/* the file was truncated while it was read */
	SYMBOLS_UNTRUSTED,	/* another user owns the file, and anyone can create such files */
	SYMBOLS_IRREGULAR,	/* the same, and it is a link, a pipe or a folder */
	SYMBOLS_FORBIDDEN,	/* the file exists, but this user may not read it */
};

#endif /* KERMON_SYMBOL_SOURCES_H */
