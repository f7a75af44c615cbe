/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The line table of a file: which line an address is of, and nothing else.
 *
 * A program is executed when an address is asked for that it may have; all are if
 * none of the likely ones has it. The rows of a sequence are kept when one is asked
 * for, until there are too many: then all are forgotten.
 */
#ifndef KERMON_LINES_TABLE_H
#define KERMON_LINES_TABLE_H

#include <libelf.h>

struct line_table;

/**
 * line_table_open - the table of a file
 * @elf: that has it, with its addresses; has to live as long as the table. What is
 *	compressed there is not any more
 * @table: set; NULL: there is none
 *
 * Return: 0 or -ENOMEM.
 */
int line_table_open(Elf *elf, struct line_table **table);
void line_table_free(struct line_table *table);

/**
 * line_table_find - the line of an instruction
 * @table: of its file
 * @address: anywhere in it
 * @path: set to the path of its file
 * @size: of @path
 * @line: set; 0: the instruction is of no line
 *
 * Return: 1; 0 if nobody knows; or -ENOMEM.
 */
int line_table_find(struct line_table *table, uint64_t address, char *path,
		    size_t size, unsigned int *line);

#endif /* KERMON_LINES_TABLE_H */
