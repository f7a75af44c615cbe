/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Separate debug files, and files of which only the build id is known.
 *
 * libdwfl's search ends with debuginfod. Its library and two dozen dependencies are
 * loaded for each file without a debug file, which is most of them, even if no server
 * is configured. Therefore let libdwfl search only if there is something to find, or a
 * server to query.
 */
#ifndef KERMON_DEBUGFILE_H
#define KERMON_DEBUGFILE_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>

#include "build_id.h"
#include "sources.h"

/*
 * Search path for debug files in libdwfl's syntax: free it; NULL if out of memory. And
 * the folder that takes the place of /.
 */
char *debugfile_path(const struct symbol_sources *sources);
const char *debugfile_root(const struct symbol_sources *sources);

/*
 * Callback of libdwfl, for use with debugfile_path(). The user data of the module is
 * debugfile_root().
 */
int debugfile_find(Dwfl_Module *module, void **userdata, const char *name,
		   Dwarf_Addr base, const char *file, const char *link,
		   GElf_Word crc, char **found);

/*
 * Open the debug file of @file, the file of @module, below @root: @link and @crc are those
 * of its debug link, NULL and 0 if it has none. Return: file descriptor, -1 if there is
 * none or only a server may have it. Unlike the functions of libdwfl that its own callbacks
 * use, this does not change @module: called by others, they leave an ELF file in it that
 * has descriptor 0, which dwfl_end() closes.
 */
int debugfile_open(Dwfl_Module *module, const char *root, const char *file,
		   const char *link, GElf_Word crc);

/*
 * Whether libdwfl may find a file by this build id: @suffix is ".debug" for its debug
 * file, "" for the file itself.
 */
bool debugfile_may_be_known(const struct build_id *id, const char *suffix,
			    const struct symbol_sources *sources);

#endif /* KERMON_DEBUGFILE_H */
