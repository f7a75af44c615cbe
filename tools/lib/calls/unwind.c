// SPDX-License-Identifier: GPL-2.0
/* Unwind copies of user stacks with libdwfl. */
#include <asm/perf_regs.h>
#include <elfutils/libdwfl.h>
#include <stdlib.h>
#include <string.h>

#include "unwind.h"
#include "unwind_files.h"
#include "util/guard.h"

#define DEPTH_MAX	1024
/* In addition to those of enum kermon_unwind_end: the chain is complete. */
#define WHOLE		(-1)
#define REGISTERS	17
#define ALL_KNOWN	((1U << REGISTERS) - 1)
/* DWARF's register numbers. */
#define REGISTER_BX	3
#define REGISTER_BP	6
#define REGISTER_SP	7
#define REGISTER_R12	12
#define REGISTER_IP	16
/* Most bytes on a stack above its pointer. */
#define STACK_MAX	(1UL << 30)

/* perf's register numbers in the order of DWARF's (x86-64 psABI, 3.6.2). */
static const unsigned char dwarf_registers[REGISTERS] = {
	PERF_REG_X86_AX, PERF_REG_X86_DX, PERF_REG_X86_CX, PERF_REG_X86_BX,
	PERF_REG_X86_SI, PERF_REG_X86_DI, PERF_REG_X86_BP, PERF_REG_X86_SP,
	PERF_REG_X86_R8, PERF_REG_X86_R9, PERF_REG_X86_R10, PERF_REG_X86_R11,
	PERF_REG_X86_R12, PERF_REG_X86_R13, PERF_REG_X86_R14, PERF_REG_X86_R15,
	PERF_REG_X86_IP,
};

/**
 * struct registers - known registers of a frame
 * @values: by DWARF's register number
 * @known: a bit for each that is known
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
 * @sample: its number among the pipeline's samples; 0: none yet
 * @stack: copy of the stack, from address @sp on
 * @recorded: bits of the registers in the recording
 * @is_cut: a step needed memory after the copy of the stack
 * @is_before: a step needed memory before it, such as what an epilogue has popped
 * @frame: of the outermost function found so far
 * @at: its address in @files
 * @caller: the frame around it, if libdwfl @has_caller
 * @is_first: libdwfl has not reported the initial frame yet, which precedes the caller
 * @is_exact: the caller was interrupted, so its address is not a return address
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

/* There is only one thread. */
static pid_t next_thread(Dwfl *dwfl, void *context, void **thread)
{
	(void)dwfl;
	if (*thread)
		return 0;
	*thread = context;
	return 1;
}

/*
 * The registers of the frame, relocated to @files; DWARF's IP is the address in the
 * process.
 */
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
 * Only return addresses and saved registers are read, which are on the stack. Its
 * contents beyond the copy are unknown: return address 0, which ends the chain, because
 * libdwfl would react to an error by trying other unwind information.
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
 * libdw list rax instead (elfutils 0.188, backends/x86_64_cfi.c). So the caller's rbx
 * is unknown if a function has not saved it. r12 is not affected if there were rules.
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

/* libdwfl first reports the frame that it was given, then the one around it. */
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

/* Find the file with the code at the outermost address. Return: false: there is none. */
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

/* Needs a file, from which libdwfl determines the machine. */
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
 * The frame pointer is 0 in the outermost frame (x86-64 psABI, 3.4.1). That is the only
 * sign of the end in the start code of the dynamic loader, which has no unwind
 * information.
 */
static bool is_outermost(const struct registers *frame)
{
	return knows(frame, REGISTER_BP) && !frame->values[REGISTER_BP];
}

/*
 * Why there is no caller: libdwfl has @failed, or has reached what it takes for the
 * outermost function. A recorded register may become unknown: the unwind information of
 * an epilogue may say that it is saved where the stack has ended already, which is not
 * in the copy.
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
 * Advance from a function to its caller. Return: false: there is none, and @end is set
 * to the reason. A signal handler returns to code that has not called it: the address
 * is that of its first byte.
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
 * Unwind from @ip on with the files of the address space. Return: why it ended, from
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

/* The same; a file that was truncated meanwhile is reopened for the next sample. */
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

/*
 * On x86, the kernel rejects sampling of these segment registers: a mask that contains
 * any of them is from another machine.
 */
static bool is_of_x86(const struct sample_regs *regs)
{
	return !(regs->mask &
		 (1ULL << PERF_REG_X86_DS | 1ULL << PERF_REG_X86_ES |
		  1ULL << PERF_REG_X86_FS | 1ULL << PERF_REG_X86_GS));
}

/*
 * The instruction pointer in user mode. Return: false if the sample is from the kernel,
 * and the user-mode address is not recorded.
 */
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

/* Return: why the chain ended, as for walk_from(). */
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
