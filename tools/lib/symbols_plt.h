/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KERMON_SYMBOLS_PLT_H
#define KERMON_SYMBOLS_PLT_H

#include <gelf.h>

struct symbols;

/* Adds the stubs of the procedure linkage table. Return: 0 or -ENOMEM. */
int symbols_add_plt(struct symbols *symbols, Elf *elf);

#endif /* KERMON_SYMBOLS_PLT_H */
