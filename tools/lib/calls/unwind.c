// SPDX-License-Identifier: GPL-2.0
#include <asm/perf_regs.h>
#include <elfutils/libdwfl.h>
#include <stdlib.h>
#include <string.h>

#include "unwind.h"
#include "unwind_files.h"
#include "util/guard.h"

#define DEPTH_MAX	1024
/* Beside those of enum kermon_unwind_end: the chain is whole. */
#define WHOLE		(-1)
#define REGISTERS	17
#define ALL_KNOWN	((1U << REGISTERS) - 1)
/* By their numbers in DWARF. */
#define REGISTER_BX	3
#define REGISTER_BP	6
#define REGISTER_SP	7
#define REGISTER_R12	12
#define REGISTER_IP	16
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
 * struct registers - what is known of a frame
 * @values: by their numbers in DWARF
 * @known: a bit for each whose value is
 */
struct registers {
	Dwarf_Word values[REGISTERS];
	uint32_t known;
};

static bool knows(const struct registers *frame, unsigned int number)
{
	return frame->known >> number & 1;
}

/**
 * struct unwinder - the chain of the newest sample
 * @sample: number of it among those of the pipeline; 0: none yet
 * @stack: copy of the stack, from address @sp on
 * @recorded: bits of the registers that the recording has
 * @is_cut: what a step wanted is behind the copy of the stack
 * @is_before: ... or before it, such as what an epilogue has popped
 * @frame: of the outermost function that has been found
 * @at: where in @files that is
 * @caller: the frame around it, if libdwfl @has_caller
 * @is_first: that frame is still to come, as libdwfl tells both
 * @is_exact: the caller was interrupted, not left by a call
 */
struct unwinder {
	struct pipeline *pipeline;
	struct unwind_files files;
	uint64_t sample;
	struct process *process;
	struct sample_bytes stack;
	uint64_t sp;
	uint32_t recorded;
	bool is_cut;
	bool is_before;
	struct registers frame;
	uint64_t at;
	struct registers caller;
	bool is_first;
	bool has_caller;
	bool is_exact;
	size_t nr;
	uint64_t addresses[DEPTH_MAX];
};

struct unwinder *unwinder_new(struct pipeline *pipeline)
{
	struct unwinder *unwinder = calloc(1, sizeof(*unwinder));

	if (unwinder)
		unwinder->pipeline = pipeline;
	return unwinder;
}

void unwinder_free(struct unwinder *unwinder)
{
	if (!unwinder)
		return;
	unwind_files_close(&unwinder->files);
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

/* Those of the frame, which is where the file is; DWARF's IP is where the process was. */
static bool give_registers(Dwfl_Thread *thread, void *context)
{
	struct unwinder *unwinder = context;
	const struct registers *frame = &unwinder->frame;

	for (int i = 0; i < REGISTERS; i++)
		if (knows(frame, i) &&
		    !dwfl_thread_state_registers(thread, i, 1,
						 &frame->values[i]))
			return false;
	dwfl_thread_state_register_pc(thread, unwinder->at);
	return true;
}

/*
 * Return addresses and saved registers are on the stack, and nowhere else. Behind
 * the copy it goes on with nobody knows what: a return address of 0 is an end, where
 * an error would make libdwfl look for other information on how to go on.
 */
static bool give_memory(Dwfl *dwfl, Dwarf_Addr address, Dwarf_Word *word,
			void *context)
{
	struct unwinder *unwinder = context;
	uint64_t at = address - unwinder->sp;

	(void)dwfl;
	unwinder->is_before |= address < unwinder->sp;
	if (address < unwinder->sp || at >= STACK_MAX)
		return false;
	*word = 0;
	if (unwinder->stack.size >= sizeof(*word) &&
	    at <= unwinder->stack.size - sizeof(*word))
		memcpy(word, unwinder->stack.data + at, sizeof(*word));
	else
		unwinder->is_cut = true;
	return true;
}

static const Dwfl_Thread_Callbacks thread_callbacks = {
	.next_thread = next_thread,
	.memory_read = give_memory,
	.set_initial_registers = give_registers,
};

/*
 * Calls preserve rbx like rbp and r12 to r15 (x86-64 psABI, 3.2.1), but the defaults of
 * libdw have rax in its place (elfutils 0.188, backends/x86_64_cfi.c): where a function
 * has not saved it, the caller's is unknown. That of r12 is not, where there were rules.
 */
static void keep_rbx(struct unwinder *unwinder)
{
	const struct registers *frame = &unwinder->frame;
	struct registers *caller = &unwinder->caller;

	if (unwinder->is_before || !knows(caller, REGISTER_R12) ||
	    !knows(frame, REGISTER_BX) || knows(caller, REGISTER_BX))
		return;
	caller->values[REGISTER_BX] = frame->values[REGISTER_BX];
	caller->known |= 1U << REGISTER_BX;
}

/* libdwfl tells the frame that it has been given, and then the one around it. */
static int take_frame(Dwfl_Frame *frame, void *context)
{
	struct unwinder *unwinder = context;
	struct registers *caller = &unwinder->caller;

	if (unwinder->is_first) {
		unwinder->is_first = false;
		return DWARF_CB_OK;
	}
	*caller = (struct registers){};
	for (unsigned int i = 0; i < REGISTERS; i++)
		if (!dwfl_frame_reg(frame, i, &caller->values[i]))
			caller->known |= 1U << i;
	keep_rbx(unwinder);
	caller->known |= 1U << REGISTER_IP;
	unwinder->has_caller = dwfl_frame_pc(frame,
					     &caller->values[REGISTER_IP],
					     &unwinder->is_exact);
	return DWARF_CB_ABORT;
}

/* Where the file is that has the code at the outermost address; false: there is none. */
static bool find_file(struct unwinder *unwinder)
{
	uint64_t address = unwinder->addresses[unwinder->nr - 1];
	const struct mapping *map = mappings_find(&unwinder->process->code,
						  address);

	return map && unwind_files_find(&unwinder->files, map->dso,
					&unwinder->pipeline->sources,
					map->offset + address - map->start,
					&unwinder->at);
}

/* Once there is a file, for libdwfl wants to know what machine it is of. */
static bool attach(struct unwinder *unwinder)
{
	struct unwind_files *files = &unwinder->files;

	if (!files->attached)
		files->attached = dwfl_attach_state(files->dwfl, NULL, 1,
						    &thread_callbacks,
						    unwinder);
	return files->attached;
}

/*
 * The frame pointer is 0 in the outermost one (x86-64 psABI, 3.4.1): all there is to go
 * by where the dynamic loader starts, which has no unwind information.
 */
static bool is_outermost(const struct registers *frame)
{
	return knows(frame, REGISTER_BP) && !frame->values[REGISTER_BP];
}

/*
 * Why there is no caller; libdwfl has @failed, or has come to the outermost function, or
 * takes it for that. A register that was recorded may be lost on the way: in an epilogue
 * it is said to be saved where the stack ends already, which is not in the copy.
 */
static int why_it_ended(const struct unwinder *unwinder, bool failed)
{
	const struct registers *frame = &unwinder->frame;
	bool wants = unwind_files_want(&unwinder->files, unwinder->at,
				       frame->known);

	if (wants && unwinder->recorded != ALL_KNOWN)
		return KERMON_UNWIND_REGISTERS;
	if (wants || unwinder->is_cut)
		return KERMON_UNWIND_STACK;
	return failed && !is_outermost(frame) ? KERMON_UNWIND_RULES : WHOLE;
}

/*
 * From a function to the one that called it; false: there is none, and @end says why.
 * A handler of a signal returns to code that nothing has called: the address is that of
 * its first byte.
 */
static bool step(struct unwinder *unwinder, int *end)
{
	uint64_t *address = &unwinder->addresses[unwinder->nr - 1];
	uint64_t caller;
	int err;

	unwinder->is_first = true;
	unwinder->has_caller = false;
	unwinder->is_cut = false;
	unwinder->is_before = false;
	err = dwfl_getthread_frames(unwinder->files.dwfl, 1, take_frame,
				    unwinder);
	if (!unwinder->has_caller) {
		*end = why_it_ended(unwinder, err < 0);
		return false;
	}
	caller = unwinder->caller.values[REGISTER_IP];
	if (unwinder->is_exact)
		*address = unwinder->frame.values[REGISTER_IP];
	unwinder->frame = unwinder->caller;
	unwinder->addresses[unwinder->nr++] = unwinder->is_exact ? caller :
								   caller - 1;
	return true;
}

/*
 * From @ip on, by what the files in the address space say. Return: why it ended, of
 * enum kermon_unwind_end, or WHOLE.
 */
static int walk_from(struct unwinder *unwinder, uint64_t ip)
{
	struct registers *frame = &unwinder->frame;
	int end;

	frame->values[REGISTER_IP] = ip;
	frame->known |= 1U << REGISTER_IP;
	unwinder->addresses[unwinder->nr++] = ip;
	while (unwinder->nr < DEPTH_MAX) {
		if (!find_file(unwinder) || !attach(unwinder))
			return KERMON_UNWIND_FILE;
		if (!step(unwinder, &end))
			return end;
	}
	return KERMON_UNWIND_DEPTH;
}

/* The same; a file that was cut off is opened anew for the next sample. */
static int walk_guarded(struct unwinder *unwinder, uint64_t ip)
{
	unsigned int before = guard_enter();
	int end;

	if (unwind_files_are_many(&unwinder->files))
		unwind_files_close(&unwinder->files);
	end = walk_from(unwinder, ip);
	if (!guard_leave(before))
		return end;
	unwind_files_close(&unwinder->files);
	unwinder->nr = 1;
	return KERMON_UNWIND_FILE;
}

static bool has_register(const struct sample_regs *regs, unsigned int bit)
{
	return regs->values && regs->mask >> bit & 1;
}

static uint64_t register_value(const struct sample_regs *regs, unsigned int bit)
{
	uint64_t below = regs->mask & ((1ULL << bit) - 1);

	return sample_word(regs->values, __builtin_popcountll(below));
}

static void take_registers(struct unwinder *unwinder,
			   const struct sample_regs *regs)
{
	struct registers *frame = &unwinder->frame;

	*frame = (struct registers){};
	for (size_t i = 0; i < REGISTERS; i++) {
		if (!has_register(regs, dwarf_registers[i]))
			continue;
		frame->values[i] = register_value(regs, dwarf_registers[i]);
		frame->known |= 1U << i;
	}
	unwinder->recorded = frame->known;
	unwinder->sp = frame->values[REGISTER_SP];
}

/* The kernel refuses to sample these segment registers: other machines have no others. */
static bool is_of_x86(const struct sample_regs *regs)
{
	return !(regs->mask &
		 (1ULL << PERF_REG_X86_DS | 1ULL << PERF_REG_X86_ES |
		  1ULL << PERF_REG_X86_FS | 1ULL << PERF_REG_X86_GS));
}

/* Where user mode was. False: it was in the kernel, and nothing says from where. */
static bool find_ip(const struct pipeline_sample *sample, uint64_t *ip)
{
	const struct sample_regs *regs = &sample->fields->user_regs;

	if (is_of_x86(regs) && has_register(regs, PERF_REG_X86_IP)) {
		*ip = register_value(regs, PERF_REG_X86_IP);
		return true;
	}
	*ip = sample->fields->ip;
	return record_mode(sample->record) == PERF_RECORD_MISC_USER &&
	       sample->event->attr.sample_type & PERF_SAMPLE_IP;
}

/* Return: why the chain ended, as that of walk_from(). */
static int unwind_stack(struct unwinder *unwinder,
			const struct pipeline_sample *sample)
{
	const struct sample_regs *regs = &sample->fields->user_regs;
	uint64_t ip;
	bool known = find_ip(sample, &ip);

	if (regs->values &&
	    (regs->abi != PERF_SAMPLE_REGS_ABI_64 || !is_of_x86(regs))) {
		if (known)
			unwinder->addresses[unwinder->nr++] = ip;
		return KERMON_UNWIND_FOREIGN;
	}
	take_registers(unwinder, regs);
	return known ? walk_guarded(unwinder, ip) : KERMON_UNWIND_REGISTERS;
}

size_t unwind(struct unwinder *unwinder, const struct pipeline_sample *sample,
	      const uint64_t **addresses)
{
	struct kermon_unwinding *sums = &unwinder->pipeline->unwinding;
	int end;

	*addresses = unwinder->addresses;
	if (unwinder->sample == unwinder->pipeline->nr_samples)
		return unwinder->nr;
	unwinder->sample = unwinder->pipeline->nr_samples;
	unwinder->nr = 0;
	unwinder->stack = sample->fields->user_stack;
	unwinder->process = sample->thread->process;
	if (!unwinder->stack.size)
		return 0;
	sums->stacks++;
	end = unwind_stack(unwinder, sample);
	if (end != WHOLE)
		sums->ended[end]++;
	return unwinder->nr;
}
