// SPDX-License-Identifier: GPL-2.0
#include <asm/perf_regs.h>
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "binary.h"
#include "guard.h"
#include "unwind.h"

#define DEPTH_MAX	1024
/* Address spaces that are kept open; thousands of processes may come and go. */
#define SPACES		16
#define REGISTERS	17
/* Bytes that may be on a stack above its pointer. */
#define STACK_MAX	(1UL << 30)

/* Numbers of perf's registers in the order of those of DWARF (x86-64 psABI, 3.6.2). */
static const unsigned char dwarf_registers[REGISTERS] = {
	PERF_REG_X86_AX, PERF_REG_X86_DX, PERF_REG_X86_CX, PERF_REG_X86_BX,
	PERF_REG_X86_SI, PERF_REG_X86_DI, PERF_REG_X86_BP, PERF_REG_X86_SP,
	PERF_REG_X86_R8, PERF_REG_X86_R9, PERF_REG_X86_R10, PERF_REG_X86_R11,
	PERF_REG_X86_R12, PERF_REG_X86_R13, PERF_REG_X86_R14, PERF_REG_X86_R15,
	PERF_REG_X86_IP,
};

/**
 * struct space - an address space as libdwfl knows it
 * @version: of struct process; 0: free
 * @dwfl: with the modules that chains have been in
 * @attached: to what gives it memory and registers
 */
struct space {
	uint64_t version;
	Dwfl *dwfl;
	bool attached;
};

/**
 * struct unwinder - the chain of the newest sample
 * @spaces: by version
 * @space: of the sample
 * @stack: copy of the stack, from address @sp on
 * @unknown: address that stopped the walk because its module is not in @space
 */
struct unwinder {
	struct pipeline *pipeline;
	struct space spaces[SPACES];
	struct space *space;
	struct process *process;
	Dwarf_Word registers[REGISTERS];
	struct sample_bytes stack;
	uint64_t sp;
	uint64_t unknown;
	size_t nr;
	uint64_t addresses[DEPTH_MAX];
};

/*
 * Programs have .eh_frame with them, stripped or not. That of the rest, where a
 * thread starts above all, is not looked for in debug files: they are large.
 */
static int find_no_debuginfo(Dwfl_Module *module, void **context,
			     const char *name, Dwarf_Addr base,
			     const char *file, const char *debuglink,
			     GElf_Word crc, char **found)
{
	(void)module;
	(void)context;
	(void)name;
	(void)base;
	(void)file;
	(void)debuglink;
	(void)crc;
	(void)found;
	return -1;
}

/* Modules come with their file. */
static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = find_no_debuginfo,
};

struct unwinder *unwinder_new(struct pipeline *pipeline)
{
	struct unwinder *unwinder = calloc(1, sizeof(*unwinder));

	if (unwinder)
		unwinder->pipeline = pipeline;
	return unwinder;
}

static void close_space(struct space *space)
{
	if (space->dwfl)
		dwfl_end(space->dwfl);
	*space = (struct space){};
}

void unwinder_free(struct unwinder *unwinder)
{
	if (!unwinder)
		return;
	for (size_t i = 0; i < SPACES; i++)
		close_space(&unwinder->spaces[i]);
	free(unwinder);
}

/* The one thread there ever is. */
static pid_t next_thread(Dwfl *dwfl, void *context, void **thread)
{
	(void)dwfl;
	if (*thread)
		return 0;
	*thread = context;
	return 1;
}

static bool give_registers(Dwfl_Thread *thread, void *context)
{
	const struct unwinder *unwinder = context;

	return dwfl_thread_state_registers(thread, 0, REGISTERS,
					   unwinder->registers);
}

/*
 * Return addresses and saved registers are on the stack, and nowhere else. Behind
 * the copy it goes on with nobody knows what: a return address of 0 is an end, where
 * an error would make libdwfl look for other information on how to go on.
 */
static bool give_memory(Dwfl *dwfl, Dwarf_Addr address, Dwarf_Word *word,
			void *context)
{
	const struct unwinder *unwinder = context;
	uint64_t at = address - unwinder->sp;

	(void)dwfl;
	if (address < unwinder->sp || at >= STACK_MAX)
		return false;
	*word = 0;
	if (unwinder->stack.size >= sizeof(*word) &&
	    at <= unwinder->stack.size - sizeof(*word))
		memcpy(word, unwinder->stack.data + at, sizeof(*word));
	return true;
}

static const Dwfl_Thread_Callbacks thread_callbacks = {
	.next_thread = next_thread,
	.memory_read = give_memory,
	.set_initial_registers = give_registers,
};

/*
 * False: perf has not recorded what it takes, or it was not on x86-64, where the
 * kernel refuses to sample these segment registers: other machines have no others.
 */
static bool take_registers(struct unwinder *unwinder,
			   const struct sample_regs *regs)
{
	uint64_t below, mask = regs->mask;
	unsigned int bit;

	if (regs->abi != PERF_SAMPLE_REGS_ABI_64 || !regs->values ||
	    mask & (1ULL << PERF_REG_X86_DS | 1ULL << PERF_REG_X86_ES |
		    1ULL << PERF_REG_X86_FS | 1ULL << PERF_REG_X86_GS))
		return false;
	for (size_t i = 0; i < REGISTERS; i++) {
		bit = dwarf_registers[i];
		if (!(mask >> bit & 1))
			return false;
		below = mask & ((1ULL << bit) - 1);
		memcpy(&unwinder->registers[i], regs->values +
		       sizeof(uint64_t) * __builtin_popcountll(below),
		       sizeof(uint64_t));
	}
	return true;
}

/* Known once its symbols have been read: what is missing is missed once. */
static bool has_file(const struct dso *dso)
{
	return (dso->kind == DSO_FILE || dso->kind == DSO_VDSO) &&
	       dso->symbols && (dso->symbols->state == SYMBOLS_FOUND ||
				dso->symbols->state == SYMBOLS_NONE);
}

/* Puts the file that has code at @address where the process had it. */
static bool report_module(struct unwinder *unwinder, uint64_t address)
{
	const struct symbol_sources *sources = &unwinder->pipeline->sources;
	const struct mapping *map = mappings_find(&unwinder->process->code,
						  address);
	struct binary *binary;
	Dwfl_Module *module;
	uint64_t base;
	int fd;

	if (!map)
		return false;
	/* its first page may be of the segment before it, too */
	base = address - dso_address(map->dso, sources,
				     map->offset + address - map->start);
	if (!has_file(map->dso) ||
	    binary_open(map->dso, sources, &binary) != SYMBOLS_FOUND)
		return false;
	fd = fcntl(binary->fd, F_DUPFD_CLOEXEC, 0);
	dwfl_report_begin_add(unwinder->space->dwfl);
	module = dwfl_report_elf(unwinder->space->dwfl, map->dso->path,
				 binary->path, fd, base, true);
	dwfl_report_end(unwinder->space->dwfl, NULL, NULL);
	if (!module)
		close(fd);
	binary_close(binary);
	return dwfl_addrmodule(unwinder->space->dwfl, address);
}

static int take_frame(Dwfl_Frame *frame, void *context)
{
	struct unwinder *unwinder = context;
	bool was_here;
	Dwarf_Addr pc;

	if (unwinder->nr == DEPTH_MAX || !dwfl_frame_pc(frame, &pc, &was_here))
		return DWARF_CB_ABORT;
	if (!was_here)
		pc--;
	unwinder->addresses[unwinder->nr++] = pc;
	if (dwfl_addrmodule(unwinder->space->dwfl, pc))
		return DWARF_CB_OK;
	unwinder->unknown = pc;
	return DWARF_CB_ABORT;
}

static void open_space(struct unwinder *unwinder)
{
	uint64_t version = unwinder->process->version;
	struct space *space = &unwinder->spaces[version % SPACES];

	if (space->version != version) {
		close_space(space);
		space->dwfl = dwfl_begin(&callbacks);
		space->version = space->dwfl ? version : 0;
	}
	unwinder->space = space;
}

/* Once there is a module, for libdwfl wants to know what machine it is of. */
static bool attach(struct unwinder *unwinder)
{
	struct space *space = unwinder->space;

	if (!space->attached)
		space->attached = dwfl_attach_state(space->dwfl, NULL, 1,
						    &thread_callbacks,
						    unwinder);
	return space->attached;
}

/* From the start; the first chain in a module tells that it is needed. */
static bool walk(struct unwinder *unwinder)
{
	unwinder->nr = 0;
	unwinder->unknown = 0;
	dwfl_getthread_frames(unwinder->space->dwfl, 1, take_frame, unwinder);
	return unwinder->unknown &&
	       report_module(unwinder, unwinder->unknown);
}

/* From @ip on, by what the files in the address space say. */
static void walk_from(struct unwinder *unwinder, uint64_t ip)
{
	unsigned int before = guard_enter();

	open_space(unwinder);
	if (unwinder->space->dwfl &&
	    (dwfl_addrmodule(unwinder->space->dwfl, ip) ||
	     report_module(unwinder, ip)) && attach(unwinder))
		while (walk(unwinder))
			;
	if (!guard_leave(before))
		return;
	/* a file was cut off: what is left of it counts from the next sample on */
	unwinder->nr = 0;
	close_space(unwinder->space);
}

size_t unwind(struct unwinder *unwinder, const struct pipeline_sample *sample,
	      const uint64_t **addresses)
{
	const struct sample *fields = sample->fields;
	uint64_t ip;

	unwinder->nr = 0;
	unwinder->stack = fields->user_stack;
	unwinder->process = sample->thread->process;
	*addresses = unwinder->addresses;
	if (!unwinder->stack.size ||
	    !take_registers(unwinder, &fields->user_regs))
		return 0;
	ip = unwinder->registers[REGISTERS - 1];
	unwinder->sp = unwinder->registers[7];
	walk_from(unwinder, ip);
	if (!unwinder->nr)
		unwinder->addresses[unwinder->nr++] = ip;
	return unwinder->nr;
}
