// SPDX-License-Identifier: GPL-2.0
/*
 * Name the stubs of the procedure linkage table (PLT), which have no symbols of their
 * own, after the functions that they jump to: "name@plt".
 *
 * A stub jumps to the address in its slot of the global offset table (GOT), and the
 * relocation of that slot names the function. Stubs and relocations may be in different
 * orders: those of functions that are chosen at program start (IFUNC) come last in the
 * one and first, or in reverse, in the other. Therefore decode the instructions
 * (plt_stub.c). This also skips the first stub of a table, which belongs to the dynamic
 * linker and has no name.
 */
#define _GNU_SOURCE
#include <endian.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plt.h"
#include "plt_stub.h"
#include "symbol_table.h"
#include "util/array.h"
#include "util/bisect.h"

/**
 * struct slot - a slot of the global offset table
 * @name: of its function; NULL: the function is chosen by @resolver
 */
struct slot {
	uint64_t address;
	const char *name;
	uint64_t resolver;
};

/**
 * struct plt - the jump targets of a file's stubs
 * @machine: description of the stubs on this machine
 * @got: base address for stubs that address slots relative to the GOT
 * @big: instructions are big-endian
 * @slots: @nr of them, with room for @room
 */
struct plt {
	Elf *elf;
	const struct plt_machine *machine;
	uint64_t got;
	bool big;
	struct slot *slots;
	size_t nr;
	size_t room;
};

/* Of several names, programs call the one with the fewest underscores. */
int ifuncs_add(struct ifuncs *ifuncs, const struct symbols *symbols)
{
	const struct symbol *last = &symbols->all[symbols->nr - 1];

	if (array_room(ifuncs->all, ifuncs->room, ifuncs->nr + 1))
		return -ENOMEM;
	ifuncs->all[ifuncs->nr++] = (struct ifunc){
		.resolver = last->start,
		.rank = symbol_rank(symbols->names + last->name, false, true,
				    false),
		.name = last->name,
	};
	return 0;
}

void ifuncs_free(struct ifuncs *ifuncs)
{
	free(ifuncs->all);
}

static int compare_ifuncs(const void *a, const void *b)
{
	const struct ifunc *left = a, *right = b;

	if (left->resolver != right->resolver)
		return left->resolver < right->resolver ? -1 : 1;
	if (left->rank != right->rank)
		return left->rank > right->rank ? -1 : 1;
	return left->name < right->name ? -1 : left->name > right->name;
}

static int compare_slots(const void *a, const void *b)
{
	const struct slot *left = a, *right = b;

	return left->address < right->address ? -1 :
	       left->address > right->address;
}

static int add_slot(struct plt *plt, const struct slot *slot)
{
	if (array_room(plt->slots, plt->room, plt->nr + 1))
		return -ENOMEM;
	plt->slots[plt->nr++] = *slot;
	return 0;
}

/* Name of the symbol that a relocation refers to; NULL: none. */
static const char *name_of(Elf *elf, const GElf_Shdr *table, Elf_Data *symbols,
			   const GElf_Rela *relocation)
{
	const char *name;
	GElf_Sym symbol;

	if (!gelf_getsym(symbols, GELF_R_SYM(relocation->r_info), &symbol))
		return NULL;
	name = elf_strptr(elf, table->sh_link, symbol.st_name);
	return name && *name ? name : NULL;
}

/* The section of @elf with contents at @address. */
static Elf_Scn *section_at(Elf *elf, uint64_t address, GElf_Shdr *header)
{
	Elf_Scn *section = NULL;

	while ((section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, header) &&
		    header->sh_type == SHT_PROGBITS &&
		    address - header->sh_addr < header->sh_size)
			return section;
	return NULL;
}

/* The 32 bits at @address; 0: not in the file. */
static uint32_t content_of(const struct plt *plt, uint64_t address)
{
	const char *ident = elf_getident(plt->elf, NULL);
	GElf_Shdr header;
	Elf_Scn *section = section_at(plt->elf, address, &header);
	Elf_Data *data = section ? elf_getdata(section, NULL) : NULL;
	uint32_t content;

	if (!data || !data->d_buf || data->d_size < sizeof(content) ||
	    address - header.sh_addr > data->d_size - sizeof(content))
		return 0;
	memcpy(&content, data->d_buf + (address - header.sh_addr),
	       sizeof(content));
	return ident[EI_DATA] == ELFDATA2MSB ? be32toh(content) :
					       le32toh(content);
}

/* Read a REL or RELA entry; the addend of REL is stored where it applies. */
static bool get_relocation(const struct plt *plt, Elf_Data *relocations,
			   bool has_addend, int index, GElf_Rela *relocation)
{
	GElf_Rel old;

	if (has_addend)
		return gelf_getrela(relocations, index, relocation);
	if (!gelf_getrel(relocations, index, &old))
		return false;
	*relocation = (GElf_Rela){
		.r_offset = old.r_offset,
		.r_info = old.r_info,
		.r_addend = content_of(plt, old.r_offset),
	};
	return true;
}

static bool is_irelative(const struct plt_machine *machine, uint32_t type)
{
	return type == machine->irelative ||
	       (machine->irelative_old && type == machine->irelative_old);
}

static bool is_of_function(const struct plt_machine *machine, uint32_t type)
{
	return type == machine->jump_slot ||
	       (machine->glob_dat && type == machine->glob_dat);
}

/* Add the slots of a relocation section that refer to functions. */
static int add_slots(struct plt *plt, Elf_Scn *section, const GElf_Shdr *header)
{
	Elf_Scn *linked = elf_getscn(plt->elf, header->sh_link);
	Elf_Data *relocations = elf_getdata(section, NULL);
	Elf_Data *symbols = linked ? elf_getdata(linked, NULL) : NULL;
	GElf_Shdr table = { 0 };
	GElf_Rela relocation;
	struct slot slot;
	uint32_t type;
	int err = 0;

	if (linked)
		gelf_getshdr(linked, &table);
	for (int i = 0; !err && get_relocation(plt, relocations,
					       header->sh_type == SHT_RELA, i,
					       &relocation); i++) {
		slot = (struct slot){ .address = relocation.r_offset };
		type = GELF_R_TYPE(relocation.r_info);
		if (is_irelative(plt->machine, type))
			slot.resolver = code_address(plt->machine->machine,
						     relocation.r_addend);
		else if (is_of_function(plt->machine, type))
			slot.name = name_of(plt->elf, &table, symbols,
					    &relocation);
		if (slot.resolver || slot.name)
			err = add_slot(plt, &slot);
	}
	return err;
}

/*
 * The best name of the function chosen by @resolver, and its length without the
 * version. Return: NULL if it has none.
 */
static const char *ifunc_name(const struct symbols *symbols,
			      const struct ifuncs *ifuncs, uint64_t resolver,
			      size_t *size)
{
	size_t at = count_while(ifuncs->nr, i,
				ifuncs->all[i].resolver < resolver);
	const char *name;

	if (at == ifuncs->nr || ifuncs->all[at].resolver != resolver)
		return NULL;
	name = symbols->names + ifuncs->all[at].name;
	*size = strcspn(name, "@");
	return name;
}

/* Add the symbol of a stub from @start to @end. */
static int add_stub(struct symbols *symbols, const struct ifuncs *ifuncs,
		    const struct slot *slot, uint64_t start, uint64_t end)
{
	const char *target = slot->name;
	size_t size = target ? strnlen(target, SYMBOL_NAME_MAX + 1) : 0;
	int printed, err;
	char *name;

	if (!target)
		target = ifunc_name(symbols, ifuncs, slot->resolver, &size);
	if (target)
		printed = asprintf(&name, "%.*s@plt", (int)size, target);
	else
		printed = asprintf(&name, "*ABS*+0x%" PRIx64 "@plt",
				   slot->resolver);
	if (printed < 0)
		return -ENOMEM;
	err = symbols_add(symbols, start, end, name,
			  symbol_rank(name, true, false, true));
	free(name);
	return err;
}

static const struct slot *find_slot(const struct plt *plt, uint64_t address)
{
	const struct slot key = { .address = address };

	return bsearch(&key, plt->slots, plt->nr, sizeof(key), compare_slots);
}

/**
 * struct stub - a stub in a section
 * @at: start of the stub
 * @end: end of its bytes at the latest; the next stub may begin before
 * @next: where to search for the next stub
 */
struct stub {
	const struct slot *slot;
	size_t at;
	size_t end;
	size_t next;
};

/* Find the next stub at or after @at. Return: false: there is none. */
static bool find_stub(const struct plt *plt, const struct plt_code *code,
		      size_t at, struct stub *stub)
{
	const struct plt_machine *machine = plt->machine;
	uint64_t address;
	size_t length;

	for (; at < code->size; at += machine->step) {
		length = machine->parse(code, at, &address);
		stub->slot = length ? find_slot(plt, address) : NULL;
		if (!stub->slot)
			continue;
		stub->at = at;
		stub->end = at + (machine->size ? machine->size : length);
		if (stub->end > code->size)
			stub->end = code->size;
		stub->next = at + (length + machine->step - 1) /
				  machine->step * machine->step;
		return true;
	}
	return false;
}

static int add_stubs(struct symbols *symbols, const struct ifuncs *ifuncs,
		     const struct plt *plt, const struct plt_code *code)
{
	struct stub stub, next;
	bool found = find_stub(plt, code, 0, &stub);
	int err = 0;

	for (; found && !err; stub = next) {
		found = find_stub(plt, code, stub.next, &next);
		if (found && next.at < stub.end)
			stub.end = next.at;
		err = add_stub(symbols, ifuncs, stub.slot,
			       code->address + stub.at,
			       code->address + stub.end);
	}
	return err;
}

/* ".plt", ".plt.sec", ".plt.got", and those of other linkers. */
static bool has_stubs(const struct plt *plt, const GElf_Shdr *header,
		      const char *name)
{
	return header->sh_type == SHT_PROGBITS &&
	       header->sh_flags & SHF_EXECINSTR && name &&
	       (plt->machine->anywhere || !strncmp(name, ".plt", 4) ||
		!strncmp(name, ".iplt", 5));
}

static int find_slots(struct plt *plt)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	int err = 0;

	while (!err && (section = elf_nextscn(plt->elf, section)))
		if (gelf_getshdr(section, &header) &&
		    header.sh_flags & SHF_ALLOC &&
		    (header.sh_type == SHT_RELA || header.sh_type == SHT_REL))
			err = add_slots(plt, section, &header);
	if (plt->nr)
		qsort(plt->slots, plt->nr, sizeof(*plt->slots), compare_slots);
	return err;
}

/* The base for slots relative to the GOT; linkers may merge the parts of the GOT. */
static uint64_t find_got(const struct plt *plt, size_t names)
{
	const char *wanted = plt->machine->got, *name;
	uint64_t got = 0, other = 0;
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	if (!wanted)
		return 0;
	while ((section = elf_nextscn(plt->elf, section))) {
		if (!gelf_getshdr(section, &header))
			continue;
		name = elf_strptr(plt->elf, names, header.sh_name);
		if (name && !strcmp(name, wanted))
			got = header.sh_addr;
		else if (name && !strcmp(name, ".got"))
			other = header.sh_addr;
	}
	return (got ? got : other) + plt->machine->got_bias;
}

/* On newer ARM, only data is big-endian (BE8); on AArch64 and RISC-V always. */
static bool has_big_code(Elf *elf, const GElf_Ehdr *header)
{
	const char *ident = elf_getident(elf, NULL);

	if (header->e_machine == EM_AARCH64 || header->e_machine == EM_RISCV ||
	    (header->e_machine == EM_ARM && header->e_flags & EF_ARM_BE8))
		return false;
	return ident[EI_DATA] == ELFDATA2MSB;
}

static int add_all(struct symbols *symbols, const struct ifuncs *ifuncs,
		   const struct plt *plt, size_t names)
{
	struct plt_code code = { .got = plt->got, .big = plt->big };
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	Elf_Data *data;
	int err = 0;

	while (!err && (section = elf_nextscn(plt->elf, section))) {
		if (!gelf_getshdr(section, &header) ||
		    !has_stubs(plt, &header,
			       elf_strptr(plt->elf, names, header.sh_name)))
			continue;
		data = elf_getdata(section, NULL);
		if (!data || !data->d_buf)
			continue;
		code.bytes = data->d_buf;
		code.size = data->d_size;
		code.address = header.sh_addr;
		err = add_stubs(symbols, ifuncs, plt, &code);
	}
	return err;
}

int symbols_add_plt(struct symbols *symbols, Elf *elf, struct ifuncs *ifuncs)
{
	struct plt plt = { .elf = elf };
	GElf_Ehdr header;
	size_t names;
	int err;

	if (!gelf_getehdr(elf, &header) || elf_getshdrstrndx(elf, &names))
		return 0;
	plt.machine = plt_machine_of(header.e_machine);
	if (!plt.machine)
		return 0;
	if (ifuncs->nr)
		qsort(ifuncs->all, ifuncs->nr, sizeof(*ifuncs->all),
		      compare_ifuncs);
	plt.got = find_got(&plt, names);
	plt.big = has_big_code(elf, &header);
	err = find_slots(&plt);
	if (!err && plt.nr)
		err = add_all(symbols, ifuncs, &plt, names);
	free(plt.slots);
	return err;
}
