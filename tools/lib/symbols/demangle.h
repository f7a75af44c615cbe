/* SPDX-License-Identifier: GPL-2.0 */
/* Convert names of functions from linkers' to source form. */
#ifndef KERMON_DEMANGLE_H
#define KERMON_DEMANGLE_H

/* Free the result. NULL if the name is not mangled. */
char *symbol_demangle(const char *name);

/* The same without the parameters of the function. */
char *symbol_demangle_short(const char *name);

#endif /* KERMON_DEMANGLE_H */
