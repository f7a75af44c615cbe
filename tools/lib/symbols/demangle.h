/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names of functions as people write them, of the names that linkers know.
 */
#ifndef KERMON_DEMANGLE_H
#define KERMON_DEMANGLE_H

/* For people to read: to be freed. NULL: it was not mangled. */
char *symbol_demangle(const char *name);

/* The same without the parameters of the function. */
char *symbol_demangle_short(const char *name);

#endif /* KERMON_DEMANGLE_H */
