// SPDX-License-Identifier: GPL-2.0
/*
 * Find the files of kernel modules, and where their code was put.
 *
 * The kernel links a module when it loads it. The code sections follow each other in
 * the order of the file, except for those that are freed after initialisation
 * (layout_sections() in kernel/module/main.c).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "binary.h"

#define INIT_PREFIX	".init"

static bool is_kept_code(Elf *elf, const GElf_Shdr *header, size_t names)
{
	const uint64_t wanted = SHF_ALLOC | SHF_EXECINSTR;
	const char *name = elf_strptr(elf, names, header->sh_name);

	return (header->sh_flags & wanted) == wanted && name &&
	       strncmp(name, INIT_PREFIX, strlen(INIT_PREFIX));
}

static uint64_t align(uint64_t address, uint64_t to)
{
	return to > 1 ? (address + to - 1) / to * to : address;
}

int binary_module_segments(const struct binary *binary, uint64_t start,
			   struct segments *segments)
{
	Elf *elf = binary_elf(binary);
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	size_t nr, names;

	if (!elf || elf_getshdrnum(elf, &nr) || elf_getshdrstrndx(elf, &names))
		return 0;
	segments->all = calloc(nr + 1, sizeof(*segments->all));
	if (!segments->all)
		return -ENOMEM;
	while (segments->nr < nr && (section = elf_nextscn(elf, section))) {
		if (!gelf_getshdr(section, &header) ||
		    !is_kept_code(elf, &header, names))
			continue;
		start = align(start, header.sh_addralign);
		segments->all[segments->nr++] = (struct segment){
			.offset = start,
			.size = header.sh_size,
			.address = header.sh_addr,
			.is_code = true,
		};
		start += header.sh_size;
	}
	return 0;
}

/* "kernel/fs/snd-hda.ko.xz" is called "[snd_hda]". */
static bool is_called(const char *path, const char *name)
{
	const char *slash = strrchr(path, '/');

	path = slash ? slash + 1 : path;
	for (name++; *name && *name != ']'; name++, path++)
		if (*path != *name && !(*path == '-' && *name == '_'))
			return false;
	return !strncmp(path, ".ko", 3);
}

bool binary_module_path(const struct dso *dso, const char *root, char *path,
			size_t size)
{
	const char *release = dso->running_on->release;
	char *line = NULL;
	bool found = false;
	size_t room = 0;
	FILE *file;

	if (!*release)
		return false;
	snprintf(path, size, "%s/lib/modules/%s/modules.dep", root, release);
	file = fopen(path, "re");
	if (!file)
		return false;
	while (!found && getline(&line, &room, file) > 0) {
		line[strcspn(line, ":\n")] = '\0';
		found = is_called(line, dso->path);
	}
	if (found)
		snprintf(path, size, "%s/lib/modules/%s/%s", root, release,
			 line);
	free(line);
	fclose(file);
	return found;
}
