/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The line table of a file: maps addresses to lines, and nothing else.
 *
 * A program is executed when an address is looked up that it may contain; all programs
 * are executed if none of the likely ones has it. The rows of a sequence are cached
 * when one is needed. When there are too many, all are dropped.
 */
#ifndef KERMON_LINES_TABLE_H
#define KERMON_LINES_TABLE_H

#include <kermon/cancel.h>
#include <libelf.h>

struct line_table;

/**
 * line_table_open - open the line table of a file
 * @elf: file with the table; must outlive the table. Its compressed sections are
 *	decompressed in place
 * @cancel: cancels this and searches, which can be repeated; NULL: not cancellable
 * @table: set; NULL: there is none
 *
 * Return: 0, -ECANCELED or -ENOMEM.
 */
int line_table_open(Elf *elf, const struct kermon_cancel *cancel,
		    struct line_table **table);
void line_table_free(struct line_table *table);

/**
 * line_table_find - find the line of an instruction
 * @table: of its file
 * @address: anywhere in the instruction
 * @path: set to the path of the source file
 * @size: of @path
 * @line: set; 0: the instruction belongs to no line
 *
 * Return: 1; 0 if unknown; -ECANCELED or -ENOMEM.
 */
int line_table_find(struct line_table *table, uint64_t address, char *path,
		    size_t size, unsigned int *line);

#endif /* KERMON_LINES_TABLE_H */
