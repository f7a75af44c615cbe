/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Line number programs of .debug_line (DWARF 5, 6.2; versions 2 to 5): each unit has
 * one, which emits rows of addresses, files and lines when it is executed.
 *
 * libdw is not used: dwarf_getsrclines() needs a compilation unit, and
 * dwarf_next_lines() searches for that of each program. Both decompress all debugging
 * information first, some twenty times as much as is read here.
 */
#ifndef KERMON_LINES_PROGRAM_H
#define KERMON_LINES_PROGRAM_H

#include <libelf.h>

#include "util/cursor.h"

/* A section; it has not been read yet if @data is NULL. */
struct line_section {
	Elf_Scn *section;
	const unsigned char *data;
	size_t size;
};

/**
 * struct line_sections - the sections that programs are read from
 * @line: .debug_line
 * @line_strings: .debug_line_str
 * @strings: .debug_str
 * @swapped: they are in the other byte order
 */
struct line_sections {
	struct line_section line;
	struct line_section line_strings;
	struct line_section strings;
	bool swapped;
};

/*
 * sections.c: find the sections in a file. Compressed sections are decompressed in
 * place when they are read. Return: false if there are no lines.
 */
bool line_sections_find(Elf *elf, struct line_sections *sections);
/* The bytes of a section from @offset on; empty beyond its end. */
struct cursor line_section_at(struct line_section *section, uint64_t offset);

/**
 * struct line_program - the program of a unit
 * @tables: its folders and files
 * @code: its opcodes
 * @lengths: number of operands of each standard opcode, beginning with opcode 1
 */
struct line_program {
	struct cursor tables;
	struct cursor code;
	const unsigned char *lengths;
	uint16_t version;
	uint8_t offset_size;
	uint8_t step;		/* minimum_instruction_length */
	int8_t line_base;
	uint8_t line_range;
	uint8_t opcode_base;
	uint32_t reciprocal;	/* 2^16 / line_range, rounded up: exact up to 255 */
};

/**
 * struct line_row - a line from this address up to the next row
 * @is_end: end of the sequence
 */
struct line_row {
	uint64_t address;
	uint32_t line;
	uint32_t file : 31;
	bool is_end : 1;
};

/* A file or a folder; @folder is unused for folders. */
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
 * struct line_files - the files of a program, numbered as in its rows
 * @folders: absolute, or relative to the first one, which is "" if unknown
 * @files: absolute, or relative to their folder
 */
struct line_files {
	struct line_names folders;
	struct line_names files;
};

/**
 * line_program_open - parse the next program in .debug_line
 * @at: advanced to the end of the program
 * @program: filled in
 *
 * Return: false if the program is not supported; @at tells whether others follow.
 */
bool line_program_open(struct cursor *at, struct line_program *program);

/* The address of the first row. Return: false if there is none. */
bool line_program_start(const struct line_program *program, uint64_t *start);

/*
 * Skip the next sequence in @code and set its first address and its end. Return: false
 * at the end.
 */
bool line_program_skip(const struct line_program *program, struct cursor *code,
		       uint64_t *start, uint64_t *end);

/* Return: 0 or -errno. */
typedef int (*line_row_fn)(void *context, const struct line_row *row);

/* Pass the rows of the sequence at @code to @take. Return: 0, or its first other value. */
int line_program_run(const struct line_program *program, struct cursor code,
		     line_row_fn take, void *context);

/* files.c: read the files, up to the damage if damaged. Return: 0 or -ENOMEM. */
int line_files_read(struct line_sections *sections,
		    const struct line_program *program,
		    struct line_files *files);
void line_files_free(struct line_files *files);
/* The path of a file, absolute as far as known. Return: false: no such file. */
bool line_files_path(const struct line_files *files, uint32_t file, char *path,
		     size_t size);

#endif /* KERMON_LINES_PROGRAM_H */
