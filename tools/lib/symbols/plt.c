// SPDX-License-Identifier: GPL-2.0
/*
 * Stubs of the procedure linkage table have no symbols of their own: they get those of
 * the functions that they jump to, as "name@plt".
 *
 * A stub of x86-64 jumps to what its slot of the global offset table holds, and the
 * relocation of that slot says which function that is. Stubs and relocations need not be
 * in the same order: those of functions that are chosen when the program starts come
 * last in the one and first, or backwards, in the other.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plt.h"
#include "symbol_table.h"
#include "util/array.h"
#include "util/bisect.h"

/* Stubs begin at multiples of the one in their section, and none is larger. */
#define STUB_ALIGN	8
#define STUB_MAX	16

/**
 * struct slot - of the global offset table
 * @name: of its function; NULL: it is the one that @resolver chooses
 */
struct slot {
	uint64_t address;
	const char *name;
	uint64_t resolver;
};

/**
 * struct plt - what stubs jump to
 * @slots: @nr of them, with room for @room
 */
struct plt {
	struct slot *slots;
	size_t nr;
	size_t room;
};

/* Of several names the one with the fewest underscores is what programs call. */
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

/* The name of the symbol that a relocation is about; NULL: it has none. */
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

/* The relocations of a section that are about functions. */
static int add_slots(struct plt *plt, Elf *elf, Elf_Scn *section,
		     const GElf_Shdr *header)
{
	Elf_Scn *linked = elf_getscn(elf, header->sh_link);
	Elf_Data *relocations = elf_getdata(section, NULL);
	Elf_Data *symbols = linked ? elf_getdata(linked, NULL) : NULL;
	GElf_Shdr table = { 0 };
	GElf_Rela relocation;
	struct slot slot;
	int type, err = 0;

	if (linked)
		gelf_getshdr(linked, &table);
	for (int i = 0; !err && gelf_getrela(relocations, i, &relocation); i++) {
		slot = (struct slot){ .address = relocation.r_offset };
		type = GELF_R_TYPE(relocation.r_info);
		if (type == R_X86_64_IRELATIVE)
			slot.resolver = relocation.r_addend;
		else if (type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT)
			slot.name = name_of(elf, &table, symbols, &relocation);
		if (slot.resolver || slot.name)
			err = add_slot(plt, &slot);
	}
	return err;
}

/*
 * The best name of the function that @resolver chooses; sets how much of it is before
 * the version. NULL: it has none.
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

/* One that reaches up to @limit at most, where the next one begins, or nothing more is. */
static int add_stub(struct symbols *symbols, const struct ifuncs *ifuncs,
		    const struct slot *slot, uint64_t start, uint64_t limit)
{
	uint64_t end = limit - start < STUB_MAX ? limit : start + STUB_MAX;
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

/*
 * The slot that a stub at @at jumps by: "jmp *slot(%rip)", behind "endbr64" and with "bnd"
 * before it if the linker was told so. Sets @slot.
 */
static bool parse_stub(const Elf_Data *code, size_t at, uint64_t address,
		       uint64_t *slot)
{
	static const unsigned char endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa };
	unsigned char bytes[STUB_MAX] = { 0 };
	size_t left = code->d_size - at, used = 0;
	int32_t distance;

	memcpy(bytes, (const unsigned char *)code->d_buf + at,
	       left < sizeof(bytes) ? left : sizeof(bytes));
	if (!memcmp(bytes, endbr64, sizeof(endbr64)))
		used = sizeof(endbr64);
	used += bytes[used] == 0xf2;
	if (bytes[used] != 0xff || bytes[used + 1] != 0x25)
		return false;
	memcpy(&distance, bytes + used + 2, sizeof(distance));
	*slot = address + used + 2 + sizeof(distance) + (int64_t)distance;
	return true;
}

static int add_stubs(struct symbols *symbols, const struct ifuncs *ifuncs,
		     const struct plt *plt, const Elf_Data *code, uint64_t start)
{
	const struct slot *found, *last = NULL;
	struct slot key = { 0 };
	uint64_t begin = 0;
	int err = 0;

	for (size_t at = 0; !err && at < code->d_size; at += STUB_ALIGN) {
		if (!parse_stub(code, at, start + at, &key.address))
			continue;
		found = bsearch(&key, plt->slots, plt->nr, sizeof(key),
				compare_slots);
		if (!found)
			continue;
		if (last)
			err = add_stub(symbols, ifuncs, last, begin, start + at);
		last = found;
		begin = start + at;
	}
	if (last && !err)
		err = add_stub(symbols, ifuncs, last, begin,
			       start + code->d_size);
	return err;
}

/* ".plt", ".plt.sec", ".plt.got", and of other linkers. */
static bool has_stubs(Elf *elf, const GElf_Shdr *header, size_t names)
{
	const char *name = elf_strptr(elf, names, header->sh_name);

	return header->sh_type == SHT_PROGBITS &&
	       header->sh_flags & SHF_EXECINSTR && name &&
	       (!strncmp(name, ".plt", 4) || !strncmp(name, ".iplt", 5));
}

static int find_slots(struct plt *plt, Elf *elf)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	int err = 0;

	while (!err && (section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &header) &&
		    header.sh_type == SHT_RELA && header.sh_flags & SHF_ALLOC)
			err = add_slots(plt, elf, section, &header);
	if (plt->nr)
		qsort(plt->slots, plt->nr, sizeof(*plt->slots), compare_slots);
	return err;
}

int symbols_add_plt(struct symbols *symbols, Elf *elf, struct ifuncs *ifuncs)
{
	struct plt plt = { .nr = 0 };
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	GElf_Ehdr whole;
	Elf_Data *code;
	size_t names;
	int err;

	if (!gelf_getehdr(elf, &whole) || whole.e_machine != EM_X86_64 ||
	    elf_getshdrstrndx(elf, &names))
		return 0;
	if (ifuncs->nr)
		qsort(ifuncs->all, ifuncs->nr, sizeof(*ifuncs->all),
		      compare_ifuncs);
	err = find_slots(&plt, elf);
	while (!err && plt.nr && (section = elf_nextscn(elf, section))) {
		if (!gelf_getshdr(section, &header) ||
		    !has_stubs(elf, &header, names))
			continue;
		code = elf_getdata(section, NULL);
		if (code && code->d_buf)
			err = add_stubs(symbols, ifuncs, &plt, code,
					header.sh_addr);
	}
	free(plt.slots);
	return err;
}
