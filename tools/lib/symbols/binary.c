// SPDX-License-Identifier: GPL-2.0
/*
 * Find and open the ELF file that was recorded: at its path, in perf's cache, among
 * debug kernels, or by its build id.
 */
#define _GNU_SOURCE
#include <elf.h>
#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "binary.h"
#include "debugfile.h"

#define PATH_SIZE	4096

static void drop(struct binary *binary)
{
	if (binary->dwfl)
		dwfl_end(binary->dwfl);
	elf_end(binary->debug);
	if (binary->debug_fd >= 0)
		close(binary->debug_fd);
	if (binary->fd >= 0)
		close(binary->fd);
	free(binary->debug_path);
	free(binary->path);
	free(binary);
}

void binary_close(struct binary *binary)
{
	if (binary)
		drop(binary);
}

/* With a symfs folder, debug files are below it, too. */
static struct binary *new_binary(const struct symbol_sources *sources)
{
	struct binary *binary = calloc(1, sizeof(*binary));

	if (!binary)
		return NULL;
	binary->fd = -1;
	binary->debug_fd = -1;
	binary->debug_path = debugfile_path(sources);
	binary->callbacks = (Dwfl_Callbacks){
		.find_elf = dwfl_build_id_find_elf,
		.find_debuginfo = debugfile_find,
		.section_address = dwfl_offline_section_address,
		.debuginfo_path = &binary->debug_path,
	};
	if (binary->debug_path)
		binary->dwfl = dwfl_begin(&binary->callbacks);
	if (binary->dwfl)
		return binary;
	drop(binary);
	return NULL;
}

/* The build id that the file must have; the kernel's is recorded separately. */
static const struct build_id *wanted_id(const struct dso *dso)
{
	return dso->kind == DSO_KERNEL ? &dso->running_on->build_id :
					 &dso->build_id;
}

static bool is_other_file(Dwfl_Module *module, const struct build_id *wanted)
{
	const unsigned char *bytes;
	GElf_Addr address;
	int size = dwfl_module_build_id(module, &bytes, &address);

	if (!wanted->size)
		return false;
	return size < wanted->size ||
	       memcmp(bytes, wanted->bytes, wanted->size);
}

/* The user data of debugfile_find(). */
static void set_root(Dwfl_Module *module, const struct symbol_sources *sources)
{
	void **root;

	dwfl_module_info(module, &root, NULL, NULL, NULL, NULL, NULL, NULL);
	*root = (void *)debugfile_root(sources);
}

/* Open the ELF file on @fd; takes ownership of @fd. */
static int take_file(const struct dso *dso, const struct symbol_sources *sources,
		     const char *path, int fd, struct binary **taken)
{
	struct binary *binary = new_binary(sources);
	int state = SYMBOLS_FOUND;

	if (!binary) {
		close(fd);
		return -ENOMEM;
	}
	binary->fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	binary->path = strdup(path);
	dwfl_report_begin(binary->dwfl);
	binary->module = dwfl_report_elf(binary->dwfl, dso->name, path, fd, 0,
					 true);
	dwfl_report_end(binary->dwfl, NULL, NULL);
	if (binary->module)
		set_root(binary->module, sources);
	if (!binary->module) {
		close(fd);
		state = SYMBOLS_NONE;
	} else if (is_other_file(binary->module, wanted_id(dso))) {
		state = SYMBOLS_OTHER_FILE;
	}
	if (state == SYMBOLS_FOUND)
		*taken = binary;
	else
		drop(binary);
	return state;
}

/* The vDSO has no file: write our own to one and let the build id decide. */
static int open_vdso(void)
{
	unsigned long start = getauxval(AT_SYSINFO_EHDR);
	unsigned long page = sysconf(_SC_PAGESIZE);
	Elf64_Ehdr header;
	size_t size;
	int fd;

	if (!start)
		return -1;
	memcpy(&header, (const void *)start, sizeof(header));
	size = header.e_shoff + header.e_shnum * header.e_shentsize;
	size = (size + page - 1) / page * page;
	fd = memfd_create("vdso", MFD_CLOEXEC);
	if (fd >= 0 && write(fd, (const void *)start, size) != (ssize_t)size) {
		close(fd);
		return -1;
	}
	return fd;
}

/*
 * Never read a file that was mapped as data unless it looks like a program: reading
 * device registers has side effects, and libelf would decompress a compressed file.
 */
static bool is_program(const struct dso *dso, int fd)
{
	unsigned char magic[SELFMAG];

	return !dso_is_data(dso) ||
	       (strncmp(dso->path, "/sys/", 5) &&
		strncmp(dso->path, "/proc/", 6) &&
		pread(fd, magic, SELFMAG, 0) == SELFMAG &&
		!memcmp(magic, ELFMAG, SELFMAG));
}

/* Devices are not even opened. */
static int open_mapped(const struct dso *dso, const char *path)
{
	struct stat status;
	int fd;

	if (stat(path, &status) || !S_ISREG(status.st_mode))
		return -1;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0 || is_program(dso, fd))
		return fd;
	close(fd);
	return -1;
}

static int open_recorded(const struct dso *dso,
			 const struct symbol_sources *sources,
			 char path[PATH_SIZE])
{
	const char *root = debugfile_root(sources);

	if (dso->kind == DSO_KERNEL) {
		snprintf(path, PATH_SIZE, "%s",
			 sources->vmlinux ? sources->vmlinux : "");
		return sources->vmlinux ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	}
	if (dso->kind == DSO_VDSO) {
		/* Without a build id, the vDSO cannot be identified. */
		snprintf(path, PATH_SIZE, "[vdso]");
		return dso->build_id.size ? open_vdso() : -1;
	}
	snprintf(path, PATH_SIZE, "%s%s", root, dso->path);
	if (dso->kind == DSO_MODULE && dso->path[0] == '[' &&
	    !binary_module_path(dso, root, path, PATH_SIZE))
		return -1;
	return open_mapped(dso, path);
}

/* Perf's cache may have a copy of the very same file. */
static int open_cached(const struct dso *dso,
		       const struct symbol_sources *sources,
		       char path[PATH_SIZE])
{
	const char *home = getenv("HOME");
	char id[BUILD_ID_PATH];

	(void)sources;
	if (!home || !build_id_path(wanted_id(dso), id))
		return -1;
	snprintf(path, PATH_SIZE, "%s/.debug/.build-id/%s/%s", home, id,
		 dso->kind == DSO_VDSO ? "vdso" : "elf");
	return open(path, O_RDONLY | O_CLOEXEC);
}

/* Distributions ship kernels without symbols, and a debug kernel separately. */
static int open_debug_kernel(const struct dso *dso,
			     const struct symbol_sources *sources,
			     char path[PATH_SIZE])
{
	const char *root = debugfile_root(sources);
	char id[BUILD_ID_PATH];

	if (dso->kind != DSO_KERNEL || !build_id_path(wanted_id(dso), id))
		return -1;
	snprintf(path, PATH_SIZE, "%s/usr/lib/debug/.build-id/%s.debug", root,
		 id);
	return open(path, O_RDONLY | O_CLOEXEC);
}

/* libdwfl's own search, which queries debuginfod if DEBUGINFOD_URLS is set. */
static int open_by_build_id(const struct dso *dso,
			    const struct symbol_sources *sources,
			    char path[PATH_SIZE])
{
	struct binary *binary;
	Dwfl_Module *module;
	char *found = NULL;
	Elf *elf = NULL;
	int fd = -1;

	if (!wanted_id(dso)->size ||
	    !debugfile_may_be_known(wanted_id(dso), "", sources))
		return -1;
	binary = new_binary(sources);
	if (!binary)
		return -1;
	dwfl_report_begin(binary->dwfl);
	module = dwfl_report_module(binary->dwfl, dso->name, 0, 1);
	if (module && !dwfl_module_report_build_id(module,
						   wanted_id(dso)->bytes,
						   wanted_id(dso)->size, 0))
		fd = dwfl_build_id_find_elf(module, NULL, dso->name, 0, &found,
					    &elf);
	elf_end(elf);
	snprintf(path, PATH_SIZE, "%s", found ? found : dso->path);
	free(found);
	drop(binary);
	return fd;
}

typedef int (*open_fn)(const struct dso *dso,
		       const struct symbol_sources *sources,
		       char path[PATH_SIZE]);

static const open_fn places_to_look[] = {
	open_recorded, open_cached, open_debug_kernel, open_by_build_id,
};

int binary_open(const struct dso *dso, const struct symbol_sources *sources,
		struct binary **binary)
{
	size_t nr = sizeof(places_to_look) / sizeof(places_to_look[0]);
	int state = SYMBOLS_NO_FILE;
	char path[PATH_SIZE];
	int fd, found;

	*binary = NULL;
	for (size_t i = 0; i < nr; i++) {
		errno = 0;
		fd = places_to_look[i](dso, sources, path);
		if (fd < 0 && errno == EACCES && !i)
			state = SYMBOLS_FORBIDDEN;
		if (fd < 0)
			continue;
		found = take_file(dso, sources, path, fd, binary);
		if (found < 0 || found == SYMBOLS_FOUND)
			return found;
		if (state == SYMBOLS_NO_FILE || state == SYMBOLS_FORBIDDEN)
			state = found;
	}
	return state;
}

Elf *binary_elf(const struct binary *binary)
{
	GElf_Addr bias;

	return dwfl_module_getelf(binary->module, &bias);
}

/* The debug file of a module for which libdwfl has opened none, without relocation. */
static Elf *open_debug_file(struct binary *binary, Elf *elf)
{
	const char *link;
	GElf_Word crc = 0;
	void **root;

	link = dwelf_elf_gnu_debuglink(elf, &crc);
	dwfl_module_info(binary->module, &root, NULL, NULL, NULL, NULL, NULL,
			 NULL);
	if (binary->debug_fd < 0)
		binary->debug_fd = debugfile_open(binary->module, *root,
						  binary->path, link, crc);
	if (binary->debug_fd >= 0 && !binary->debug)
		binary->debug = elf_begin(binary->debug_fd,
					  ELF_C_READ_MMAP_PRIVATE, NULL);
	return binary->debug;
}

bool binary_is_module(const struct binary *binary)
{
	Elf *elf = binary_elf(binary);
	GElf_Ehdr header;

	return elf && gelf_getehdr(elf, &header) && header.e_type == ET_REL;
}

Elf *binary_debug_elf(struct binary *binary)
{
	Elf *debug = NULL, *elf = binary_elf(binary);
	Dwarf_Addr bias;

	if (!elf)
		return NULL;
	if (!binary_is_module(binary))
		debug = open_debug_file(binary, elf);
	return debug ? debug :
		       dwarf_getelf(dwfl_module_getdwarf(binary->module, &bias));
}

uint64_t binary_text(const struct binary *binary)
{
	int nr = dwfl_module_getsymtab(binary->module);
	const char *name;
	GElf_Addr address;
	GElf_Sym symbol;

	for (int i = 1; i < nr; i++) {
		name = dwfl_module_getsym_info(binary->module, i, &symbol,
					       &address, NULL, NULL, NULL);
		if (name && !strcmp(name, "_text"))
			return address;
	}
	return 0;
}
