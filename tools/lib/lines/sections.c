// SPDX-License-Identifier: GPL-2.0
/* Find and decompress the sections that contain lines. */
#include <gelf.h>

#include "program.h"

/* Maximum size after decompression: a damaged section may state any size. */
#define SECTION_MAX	(1UL << 30)

static void read_section(struct line_section *section)
{
	const Elf_Data *data;
	GElf_Chdr compressed;
	GElf_Shdr header;

	if (!gelf_getshdr(section->section, &header))
		return;
	if (header.sh_flags & SHF_COMPRESSED &&
	    (!gelf_getchdr(section->section, &compressed) ||
	     compressed.ch_size > SECTION_MAX ||
	     elf_compress(section->section, 0, 0) < 0))
		return;
	data = elf_getdata(section->section, NULL);
	if (!data || !data->d_buf)
		return;
	section->data = data->d_buf;
	section->size = data->d_size;
}

struct cursor line_section_at(struct line_section *section, uint64_t offset)
{
	struct cursor c;

	if (section->section && !section->data)
		read_section(section);
	c = cursor_of(section->data, section->size);
	cursor_take(&c, offset);
	return c;
}

/* Where to store a section with this name; NULL: not needed. */
static struct line_section *place_for(struct line_sections *sections,
				      const char *name)
{
	if (!strcmp(name, ".debug_line"))
		return &sections->line;
	if (!strcmp(name, ".debug_line_str"))
		return &sections->line_strings;
	return strcmp(name, ".debug_str") ? NULL : &sections->strings;
}

static bool is_swapped(Elf *elf)
{
	const char *ident = elf_getident(elf, NULL);
	bool big = ident && ident[EI_DATA] == ELFDATA2MSB;

	return big != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
}

bool line_sections_find(Elf *elf, struct line_sections *sections)
{
	struct line_section *place;
	Elf_Scn *section = NULL;
	const char *name;
	GElf_Shdr header;
	size_t names;

	*sections = (struct line_sections){ .swapped = is_swapped(elf) };
	if (elf_getshdrstrndx(elf, &names))
		return false;
	while ((section = elf_nextscn(elf, section))) {
		if (!gelf_getshdr(section, &header) ||
		    header.sh_type == SHT_NOBITS)
			continue;
		name = elf_strptr(elf, names, header.sh_name);
		place = name ? place_for(sections, name) : NULL;
		if (place)
			place->section = section;
	}
	return sections->line.section;
}
