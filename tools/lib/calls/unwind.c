// SPDX-License-Identifier: GPL-2.0
/*
 * Unwind copies of user stacks: by the rules of unwind_rules.c, and with libdwfl where
 * these do not suffice.
 */
#include <asm/perf_regs.h>
#include <elfutils/libdwfl.h>
#include <stdlib.h>
#include <string.h>

#include "unwind.h"
#include "unwind_files.h"
#include "unwind_rules.h"
#include "util/guard.h"

#define DEPTH_MAX	1024
/* In addition to those of enum kermon_unwind_end: the chain is complete. */
#define WHOLE		(-1)
#define ALL_KNOWN	((1U << UNWIND_REGISTERS) - 1)
/* Most bytes on a stack above its pointer. */
#define STACK_MAX	(1UL << 30)

/* perf's register numbers in the order of DWARF's (x86-64 psABI, 3.6.2). */
static const unsigned char dwarf_registers[UNWIND_REGISTERS] = {
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
	Dwarf_Word values[UNWIND_REGISTERS];
	uint32_t known;
};

static bool knows(const struct registers *frame, unsigned int number)
{
	return frame->known >> number & 1;
}

/**
 * struct unwinder - the chain of the newest sample
 * @rules: of code in @files
 * @only_libdwfl: do not use them
 * @sample: its number among the pipeline's samples; 0: none yet
 * @stack: copy of the stack, from address @sp on
 * @recorded: bits of the registers in the recording
 * @is_cut: a step needed memory after the copy of the stack
 * @is_before: a step needed memory before it, such as what an epilogue has popped
 * @frame: of the outermost function found so far
 * @at: its address in @files, if libdwfl takes the step
 * @caller: the frame around it, if libdwfl @has_caller
 * @is_first: libdwfl has not reported the initial frame yet, which precedes the caller
 * @is_exact: the caller was interrupted, so its address is not a return address
 */
struct unwinder {
	struct pipeline *pipeline;
	struct unwind_files files;
	struct unwind_rules rules;
	bool only_libdwfl;
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

/* The next time, a file may have other contents. */
static void close_files(struct unwinder *unwinder)
{
	unwind_files_close(&unwinder->files);
	unwind_rules_free(&unwinder->rules);
}

void unwinder_free(struct unwinder *unwinder)
{
	if (!unwinder)
		return;
	close_files(unwinder);
	free(unwinder);
}

void unwinder_use_libdwfl(struct unwinder *unwinder)
{
	unwinder->only_libdwfl = true;
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

	for (int i = 0; i < UNWIND_REGISTERS; i++)
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
static bool keeps_rbx(uint32_t known, uint32_t known_to_caller)
{
	return known_to_caller >> UNWIND_R12 & known >> UNWIND_BX & 1 &&
	       !(known_to_caller >> UNWIND_BX & 1);
}

static void keep_rbx(struct unwinder *unwinder)
{
	const struct registers *frame = &unwinder->frame;
	struct registers *caller = &unwinder->caller;

	if (unwinder->is_before || !keeps_rbx(frame->known, caller->known))
		return;
	caller->values[UNWIND_BX] = frame->values[UNWIND_BX];
	caller->known |= 1U << UNWIND_BX;
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
	for (unsigned int i = 0; i < UNWIND_REGISTERS; i++)
		if (!dwfl_frame_reg(frame, i, &caller->values[i]))
			caller->known |= 1U << i;
	keep_rbx(unwinder);
	caller->known |= 1U << UNWIND_IP;
	unwinder->has_caller = dwfl_frame_pc(frame,
					     &caller->values[UNWIND_IP],
					     &unwinder->is_exact);
	return DWARF_CB_ABORT;
}

/* Where the outermost function is at. */
struct code {
	struct dso *dso;
	uint64_t offset;
};

/* Return: false: nothing is mapped there. */
static bool find_code(const struct unwinder *unwinder, struct code *code)
{
	uint64_t address = unwinder->addresses[unwinder->nr - 1];
	const struct mapping *map = mappings_find(&unwinder->process->code,
						  address);

	if (!map)
		return false;
	*code = (struct code){
		.dso = map->dso,
		.offset = map->offset + address - map->start,
	};
	return true;
}

/*
 * Prepare libdwfl for that code. It needs a file, from which it determines the machine.
 * Return: false: there is none.
 */
static bool attach(struct unwinder *unwinder, const struct code *code)
{
	struct unwind_files *files = &unwinder->files;

	if (!unwind_files_find(files, code->dso, &unwinder->pipeline->sources,
			       code->offset, &unwinder->at))
		return false;
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
	return knows(frame, UNWIND_BP) && !frame->values[UNWIND_BP];
}

static int end_of_rules(const struct unwinder *unwinder, bool failed)
{
	return failed && !is_outermost(&unwinder->frame) ? KERMON_UNWIND_RULES :
							   WHOLE;
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
	return end_of_rules(unwinder, failed);
}

/*
 * Advance from a function to its caller. Return: false: there is none, perhaps because
 * libdwfl @failed. A signal handler returns to code that has not called it: the address
 * is that of its first byte.
 */
static bool step_by_libdwfl(struct unwinder *unwinder, bool *failed)
{
	uint64_t *address = &unwinder->addresses[unwinder->nr - 1];
	uint64_t caller;

	unwinder->is_first = true;
	unwinder->has_caller = false;
	unwinder->is_cut = false;
	unwinder->is_before = false;
	dwfl_errno();	/* the next call would return an error of an earlier step */
	*failed = dwfl_getthread_frames(unwinder->files.dwfl, 1, take_frame,
					unwinder) < 0;
	if (!unwinder->has_caller)
		return false;
	caller = unwinder->caller.values[UNWIND_IP];
	if (unwinder->is_exact)
		*address = unwinder->frame.values[UNWIND_IP];
	unwinder->frame = unwinder->caller;
	unwinder->addresses[unwinder->nr++] = unwinder->is_exact ? caller :
								   caller - 1;
	return true;
}

/* The rule of that code, which libdwfl has. Return: NULL if out of memory. */
static struct unwind_rule *learn(struct unwinder *unwinder,
				 const struct code *code)
{
	Dwarf_Frame *frame = unwind_files_frame(&unwinder->files, unwinder->at);
	struct unwind_rule *rule = unwind_rules_learn(&unwinder->rules, code->dso,
						      code->offset, frame);

	free(frame);
	return rule;
}

enum outcome { HAS_CALLER, HAS_ENDED, UNDECIDED };

/*
 * Advance to the caller whose stack pointer is @cfa, which is at @stack in the copy. All
 * saved registers are in the copy, too.
 */
static enum outcome restore(struct unwinder *unwinder,
			    const struct unwind_rule *rule, uint64_t cfa,
			    const unsigned char *stack)
{
	struct registers *frame = &unwinder->frame;
	uint32_t known = frame->known & rule->same, left = rule->saved;
	uint64_t ip = sample_word(stack + rule->ip_offset, 0);

	if (!ip || ip >= UNWIND_FILES_START)
		return UNDECIDED;
	for (const int16_t *offset = rule->offsets; left; left &= left - 1)
		frame->values[__builtin_ctz(left)] =
			sample_word(stack + *offset++, 0);
	known |= rule->saved | 1U << UNWIND_SP;
	if (keeps_rbx(frame->known, known))
		known |= 1U << UNWIND_BX;
	frame->values[UNWIND_SP] = cfa;
	frame->known = known;
	unwinder->addresses[unwinder->nr++] = ip - 1;
	return HAS_CALLER;
}

/*
 * Advance to the caller, or set @end, unless only libdwfl can tell. It reads 0 where the
 * copy has ended, as give_memory() does, which ends the chain.
 */
static enum outcome step_by_rule(struct unwinder *unwinder,
				 const struct unwind_rule *rule, int *end)
{
	uint64_t cfa = unwinder->frame.values[rule->cfa_register] +
		       rule->cfa_offset;
	uint64_t at = cfa - unwinder->sp, size = unwinder->stack.size;

	if (cfa < unwinder->sp || at < rule->depth || at >= STACK_MAX)
		return UNDECIDED;
	if (at <= size)
		return restore(unwinder, rule, cfa, unwinder->stack.data + at);
	*end = KERMON_UNWIND_STACK;
	return rule->kind == UNWIND_STEP &&
	       at + rule->ip_offset + sizeof(uint64_t) > size ? HAS_ENDED :
								UNDECIDED;
}

/* Whether libdwfl accepts rbp as a frame pointer; if in doubt, it decides itself. */
static bool has_pointer(const struct registers *frame)
{
	return knows(frame, UNWIND_SP) && frame->values[UNWIND_BP] &&
	       frame->values[UNWIND_BP] >= frame->values[UNWIND_SP];
}

/* The same for each kind of rule. Libdwfl has to find the end once. */
static enum outcome try_rule(struct unwinder *unwinder,
			     const struct unwind_rule *rule, int *end)
{
	uint32_t known = unwinder->frame.known;

	if (rule->kind == UNWIND_BY_LIBDWFL || !(known >> rule->cfa_register & 1))
		return UNDECIDED;
	if (rule->kind == UNWIND_POINTER && !has_pointer(&unwinder->frame))
		return UNDECIDED;
	if (rule->kind != UNWIND_OUTERMOST)
		return step_by_rule(unwinder, rule, end);
	*end = end_of_rules(unwinder, rule->failed);
	return rule->tried == known ? HAS_ENDED : UNDECIDED;
}

/* Let libdwfl take the step. Return, and @end: as for step(). */
static bool leave_to_libdwfl(struct unwinder *unwinder, struct unwind_rule *rule,
			     int *end)
{
	bool failed;

	if (step_by_libdwfl(unwinder, &failed))
		return true;
	*end = why_it_ended(unwinder, failed);
	if (rule) {
		rule->tried = unwinder->frame.known;
		rule->failed = failed;
	}
	return false;
}

/*
 * Advance from a function to its caller. Return: false: there is none, and @end is set
 * to the reason.
 */
static bool step(struct unwinder *unwinder, int *end)
{
	struct unwind_rule *rule = NULL;
	enum outcome outcome = UNDECIDED;
	struct code code;

	*end = KERMON_UNWIND_FILE;
	if (!find_code(unwinder, &code))
		return false;
	if (!unwinder->only_libdwfl)
		rule = unwind_rules_find(&unwinder->rules, code.dso, code.offset);
	if (rule)
		outcome = try_rule(unwinder, rule, end);
	if (outcome != UNDECIDED)
		return outcome == HAS_CALLER;
	*end = KERMON_UNWIND_FILE;
	if (!attach(unwinder, &code))
		return false;
	if (!rule && !unwinder->only_libdwfl) {
		rule = learn(unwinder, &code);
		outcome = rule ? try_rule(unwinder, rule, end) : UNDECIDED;
	}
	return outcome == UNDECIDED ? leave_to_libdwfl(unwinder, rule, end) :
				      outcome == HAS_CALLER;
}

/*
 * Unwind from @ip on with the files of the address space. Return: why it ended, from
 * enum kermon_unwind_end, or WHOLE.
 */
static int walk_from(struct unwinder *unwinder, uint64_t ip)
{
	struct registers *frame = &unwinder->frame;
	int end;

	frame->values[UNWIND_IP] = ip;
	frame->known |= 1U << UNWIND_IP;
	unwinder->addresses[unwinder->nr++] = ip;
	while (unwinder->nr < DEPTH_MAX)
		if (!step(unwinder, &end))
			return end;
	return KERMON_UNWIND_DEPTH;
}

/* The same; a file that was truncated meanwhile is reopened for the next sample. */
static int walk_guarded(struct unwinder *unwinder, uint64_t ip)
{
	unsigned int before = guard_enter();
	int end;

	if (unwind_files_are_many(&unwinder->files))
		close_files(unwinder);
	end = walk_from(unwinder, ip);
	if (!guard_leave(before))
		return end;
	close_files(unwinder);
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
	for (size_t i = 0; i < UNWIND_REGISTERS; i++) {
		if (!has_register(regs, dwarf_registers[i]))
			continue;
		frame->values[i] = register_value(regs, dwarf_registers[i]);
		frame->known |= 1U << i;
	}
	unwinder->recorded = frame->known;
	unwinder->sp = frame->values[UNWIND_SP];
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
