// SPDX-License-Identifier: GPL-2.0
/* Read the names of the files of a line number program (DWARF 5, 6.2.4 and 6.2.4.1). */
#include <dwarf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "cursor_leb.h"
#include "program.h"
#include "util/array.h"

/* Maximum number of fields of an entry. */
#define FORMATS_MAX	16

struct format {
	uint64_t what;
	uint64_t form;
};

static const char *text_at(struct line_section *section, uint64_t offset)
{
	struct cursor c = line_section_at(section, offset);

	return cursor_left(&c) ? cursor_text(&c) : "";
}

static uint64_t take_number(struct cursor *c, uint64_t form,
			    unsigned int offset_size)
{
	switch (form) {
	case DW_FORM_data1:
		return cursor_u8(c);
	case DW_FORM_data2:
		return cursor_u16(c);
	case DW_FORM_data4:
		return cursor_u32(c);
	case DW_FORM_data8:
		return cursor_u64(c);
	case DW_FORM_udata:
		return cursor_uleb(c);
	case DW_FORM_line_strp:
	case DW_FORM_strp:
		return cursor_offset(c, offset_size);
	case DW_FORM_data16:
		cursor_take(c, 16);
		return 0;
	case DW_FORM_block:
		cursor_take(c, cursor_uleb(c));
		return 0;
	default:
		c->failed = true;
		return 0;
	}
}

static const char *take_name(struct cursor *c, uint64_t form,
			     struct line_sections *sections,
			     unsigned int offset_size)
{
	uint64_t offset;

	if (form == DW_FORM_string)
		return cursor_text(c);
	offset = take_number(c, form, offset_size);
	if (form == DW_FORM_line_strp)
		return text_at(&sections->line_strings, offset);
	if (form == DW_FORM_strp)
		return text_at(&sections->strings, offset);
	return "";
}

static struct line_name take_entry(struct cursor *c,
				   const struct format *formats, size_t nr,
				   struct line_sections *sections,
				   unsigned int offset_size)
{
	struct line_name entry = { .name = "" };

	for (size_t i = 0; i < nr; i++) {
		if (formats[i].what == DW_LNCT_path)
			entry.name = take_name(c, formats[i].form, sections,
					       offset_size);
		else if (formats[i].what == DW_LNCT_directory_index)
			entry.folder = take_number(c, formats[i].form,
						   offset_size);
		else if (formats[i].form == DW_FORM_string)
			cursor_text(c);
		else
			take_number(c, formats[i].form, offset_size);
	}
	return entry;
}

/* Return: number of formats; 0 if they are not supported. */
static size_t take_formats(struct cursor *c, struct format *formats)
{
	size_t nr = cursor_u8(c);

	if (nr > FORMATS_MAX)
		return 0;
	for (size_t i = 0; i < nr; i++) {
		formats[i].what = cursor_uleb(c);
		formats[i].form = cursor_uleb(c);
	}
	return c->failed ? 0 : nr;
}

static int add(struct line_names *names, struct line_name name)
{
	if (array_room(names->all, names->room, names->nr + 1))
		return -ENOMEM;
	names->all[names->nr++] = name;
	return 0;
}

/* Version 5: the formats of an entry, the number of entries, and the entries. */
static int read_names(struct line_sections *sections, struct cursor *c,
		      unsigned int offset_size, struct line_names *names)
{
	struct format formats[FORMATS_MAX];
	size_t nr_formats = take_formats(c, formats);
	struct line_name name;
	int err = 0;

	for (uint64_t nr = cursor_uleb(c); nr && nr_formats && !err; nr--) {
		name = take_entry(c, formats, nr_formats, sections,
				  offset_size);
		if (c->failed)
			break;
		err = add(names, name);
	}
	return err;
}

/* Up to version 4, numbers begin at 1, and 0 is the unit itself. */
static int read_old_names(struct cursor *c, bool are_files,
			  struct line_names *names)
{
	struct line_name name = { .name = "" };
	int err;

	do {
		err = add(names, name);
		name.name = cursor_text(c);
		if (are_files && *name.name) {
			name.folder = cursor_uleb(c);
			cursor_uleb(c);		/* time */
			cursor_uleb(c);		/* size */
		}
	} while (!err && !c->failed && *name.name);
	return err;
}

int line_files_read(struct line_sections *sections,
		    const struct line_program *program,
		    struct line_files *files)
{
	unsigned int offset_size = program->offset_size;
	struct cursor c = program->tables;
	int err;

	if (program->version < 5) {
		err = read_old_names(&c, false, &files->folders);
		return err ? err : read_old_names(&c, true, &files->files);
	}
	err = read_names(sections, &c, offset_size, &files->folders);
	if (err)
		return err;
	return read_names(sections, &c, offset_size, &files->files);
}

void line_files_free(struct line_files *files)
{
	free(files->folders.all);
	free(files->files.all);
	*files = (struct line_files){};
}

static const char *folder_of(const struct line_files *files, uint64_t number)
{
	return number < files->folders.nr ? files->folders.all[number].name :
					    "";
}

bool line_files_path(const struct line_files *files, uint32_t file, char *path,
		     size_t size)
{
	const char *name, *folder, *top = folder_of(files, 0);

	if (file >= files->files.nr)
		return false;
	name = files->files.all[file].name;
	folder = folder_of(files, files->files.all[file].folder);
	if (*name == '/')
		folder = "";
	if (*name == '/' || *folder == '/' || folder == top)
		top = "";
	snprintf(path, size, "%s%s%s%s%s", top, *top ? "/" : "", folder,
		 *folder ? "/" : "", name);
	return *name;
}
