/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Line number programs of .debug_line (DWARF 5, 6.2; versions 2 to 5): each unit
 * has one, which makes rows of addresses, files and lines when it is executed.
 *
 * libdw is not used for it: dwarf_getsrclines() takes a compilation unit, and
 * dwarf_next_lines() searches for that of each program. Both have all debugging
 * information decompressed first, some twenty times as much as is read here.
 */
#ifndef KERMON_LINES_PROGRAM_H
#define KERMON_LINES_PROGRAM_H

#include <libelf.h>

#include "util/cursor.h"

/* @section: not read yet, if @data is not there. */
struct line_section {
	Elf_Scn *section;
	const unsigned char *data;
	size_t size;
};

/**
 * struct line_sections - what programs are read from
 * @line: .debug_line
 * @line_strings: .debug_line_str
 * @strings: .debug_str
 * @swapped: they are of the other byte order
 */
struct line_sections {
	struct line_section line;
	struct line_section line_strings;
	struct line_section strings;
	bool swapped;
};

/*
 * sections.c: those of a file. What is compressed is decompressed in place,
 * when it is read. Return: false if it has no lines.
 */
bool line_sections_find(Elf *elf, struct line_sections *sections);
/* Its bytes from there on; none, if it ends before. */
struct cursor line_section_at(struct line_section *section, uint64_t offset);

/**
 * struct line_program - of a unit
 * @tables: its folders and files
 * @code: what is executed
 * @lengths: operands of its standard opcodes, the first is that of 1
 */
struct line_program {
	struct cursor tables;
	struct cursor code;
	const unsigned char *lengths;
	uint16_t version;
	uint8_t offset_size;
	uint8_t step;		/* bytes of the smallest instruction */
	int8_t line_base;
	uint8_t line_range;
	uint8_t opcode_base;
	uint32_t reciprocal;	/* of line_range in 2^-16, rounded up: exact up to 255 */
};

/**
 * struct line_row - from this address on, up to the next row
 * @is_end: there is nothing of the sequence from here on
 */
struct line_row {
	uint64_t address;
	uint32_t line;
	uint32_t file : 31;
	bool is_end : 1;
};

/* A file or a folder; of a folder, @folder says nothing. */
struct line_name {
	const char *name;
	uint64_t folder;
};

struct line_names {
	struct line_name *all;
	size_t nr;
	size_t room;
};

/**
 * struct line_files - those of a program, as its rows count them
 * @folders: absolute, or below the first one; that is "" where nobody knows
 * @files: absolute, or below their folder
 */
struct line_files {
	struct line_names folders;
	struct line_names files;
};

/**
 * line_program_open - the program at the head of what is left of .debug_line
 * @at: moved behind it
 * @program: filled
 *
 * Return: false if it is none that is understood; @at says whether others follow.
 */
bool line_program_open(struct cursor *at, struct line_program *program);

/* The address of the first row. Return: false if there is none. */
bool line_program_start(const struct line_program *program, uint64_t *start);

/*
 * The addresses of the sequence that is next in @code, which is moved behind it.
 * Return: false if there is no more.
 */
bool line_program_skip(const struct line_program *program, struct cursor *code,
		       uint64_t *start, uint64_t *end);

/* Return: 0 or -errno. */
typedef int (*line_row_fn)(void *context, const struct line_row *row);

/* Tells the rows of the sequence at @code. Return: what @take did, if it was not 0. */
int line_program_run(const struct line_program *program, struct cursor code,
		     line_row_fn take, void *context);

/* files.c: 0 or -ENOMEM. What is damaged is read up to the damage. */
int line_files_read(struct line_sections *sections,
		    const struct line_program *program,
		    struct line_files *files);
void line_files_free(struct line_files *files);
/* The path of a file, absolute as far as that is known. Return: false: no such file. */
bool line_files_path(const struct line_files *files, uint32_t file, char *path,
		     size_t size);

#endif /* KERMON_LINES_PROGRAM_H */
