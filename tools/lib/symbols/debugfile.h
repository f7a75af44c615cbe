/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Separate debug files, and files that are known by their build id alone.
 *
 * libdwfl's own search ends with debuginfod: its library and the two dozen that this
 * needs are loaded for each file that has no debug file, which is most of them, whether
 * there is a server to ask or not. So libdwfl searches only where there is something
 * to be found, or to be asked.
 */
#ifndef KERMON_DEBUGFILE_H
#define KERMON_DEBUGFILE_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>

#include "build_id.h"
#include "sources.h"

/*
 * Where debug files are, as libdwfl wants it: to be freed; NULL: no memory. And the
 * folder in the place of /.
 */
char *debugfile_path(const struct symbol_sources *sources);
const char *debugfile_root(const struct symbol_sources *sources);

/*
 * libdwfl's callback, of whom debugfile_path() is the path: the user data of the module
 * is debugfile_root().
 */
int debugfile_find(Dwfl_Module *module, void **userdata, const char *name,
		   Dwarf_Addr base, const char *file, const char *link,
		   GElf_Word crc, char **found);

/*
 * Whether libdwfl may find the file of a build id: @suffix is ".debug" for its debug
 * file, "" for itself.
 */
bool debugfile_may_be_known(const struct build_id *id, const char *suffix,
			    const struct symbol_sources *sources);

#endif /* KERMON_DEBUGFILE_H */
