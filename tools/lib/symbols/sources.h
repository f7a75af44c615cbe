/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where symbols, source lines and files are looked for, and what came of the search.
 */
#ifndef KERMON_SYMBOL_SOURCES_H
#define KERMON_SYMBOL_SOURCES_H

/**
 * struct symbol_sources - where to look
 * @symfs: folder below which all paths are looked up; NULL: /
 * @kallsyms: file to take the kernel's symbols from, whatever its build id;
 *	NULL: /proc/kallsyms if this is the kernel that was recorded
 */
struct symbol_sources {
	const char *symfs;
	const char *kallsyms;
};

enum symbols_state {
	SYMBOLS_FOUND,
	SYMBOLS_NO_FILE,	/* there is no such file any more */
	SYMBOLS_OTHER_FILE,	/* there is, but it is not what ran */
	SYMBOLS_OTHER_KERNEL,	/* another kernel runs here than was recorded */
	SYMBOLS_ANY_KERNEL,	/* the file does not say which kernel was recorded */
	SYMBOLS_NONE,		/* it is the one, and has no symbols */
	SYMBOLS_OTHER_CLOCK,	/* it tells of times by another clock than was recorded */
	SYMBOLS_HIDDEN,		/* the kernel does not show its addresses */
	SYMBOLS_CUT_OFF,	/* the file was cut off while it was read */
	SYMBOLS_UNTRUSTED,	/* anybody may write such a file, and another user has */
	SYMBOLS_IRREGULAR,	/* the same of a link, a pipe or a folder */
	SYMBOLS_FORBIDDEN,	/* there is a file, but this user may not read it */
};

#endif /* KERMON_SYMBOL_SOURCES_H */
