/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A perf.data file, one sample after the other, for analyses of one's own.
 *
 *	static int count(void *context, const struct kermon_profile_sample *sample)
 *	{
 *		struct kermon_place place;
 *
 *		if (kermon_profile_place(sample, sample->mode, sample->ip, &place))
 *			puts(kermon_profile_symbol(sample->profile, &place,
 *						   KERMON_NAME_SHORT));
 *		return 0;
 *	}
 *
 *	static const struct kermon_profile_callbacks callbacks = {
 *		.size = sizeof(callbacks),
 *		.sample = count,
 *	};
 *
 *	profile = kermon_profile_new(&options, &callbacks, context);
 *	err = kermon_profile_read(profile, "perf.data");
 *	kermon_profile_free(profile);
 *
 * Samples come in the order of time. What a thread was called and had mapped is
 * told as of the sample. Only what is asked for is looked up: no symbols are read
 * for a program that wants counts. A program that outlives this header finds new
 * fields behind those that it knows.
 */
#ifndef KERMON_PROFILE_H
#define KERMON_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>

#include <kermon/abi.h>
#include <kermon/memory.h>
#include <kermon/report.h>
#include <linux/perf_event.h>

KERMON_BEGIN_DECLS

struct kermon_profile;

/**
 * struct kermon_profile_event - an event of the file
 * @index: among all of the file, from 0 on
 * @name: as recorded, "cycles:u"
 * @attr: as recorded; its sample_type says what the samples tell
 * @is_interval: it is "oncpu" of KerMon: each interval of a thread, which is one sample of
 *	its log, has one of this event and others that follow it, of the same time
 */
struct kermon_profile_event {
	size_t index;
	const char *name;
	const struct perf_event_attr *attr;
	bool is_interval;
};

/**
 * struct kermon_registers - of the CPU when the sample was taken
 * @abi: PERF_SAMPLE_REGS_ABI_*; NONE: there are no values
 * @mask: which registers, bit by bit as <asm/perf_regs.h> of the recording machine
 *	numbers them
 * @values: one word for each bit of @mask, for kermon_word()
 */
struct kermon_registers {
	uint64_t abi;
	uint64_t mask;
	const unsigned char *values;
};

/**
 * struct kermon_profile_sample - what happened; valid during the callback
 * @profile: that it comes from
 * @event: that it is a sample of
 * @comm: name of the thread; lives as long as @profile
 * @fields: PERF_SAMPLE_*: what has no bit here is 0; @period is always there
 * @pid: process; likewise @tid, the thread
 * @cpu: that it was taken on
 * @mode: PERF_RECORD_MISC_KERNEL, _USER...: of @ip
 * @misc: all flags of the record
 * @time: ns of the clock of the recording
 * @ip: instruction pointer
 * @addr: address of data
 * @id: which of the descriptors of @event; likewise @stream_id
 * @period: count of @event since the sample before; what was asked for if that was
 *	not recorded
 * @raw: @raw_size bytes that the kernel added, not aligned; NULL: none
 * @branches: @nr_branches times three words { from, to, flags }, for kermon_word(),
 *	the newest branch first; the flags as struct perf_branch_entry has them
 * @weight: cost of a memory access, for example
 * @weight2: second and third part of PERF_SAMPLE_WEIGHT_STRUCT
 * @data_src: PERF_MEM_*
 * @transaction: PERF_TXN_*
 * @phys_addr: physical address of @addr
 * @cgroup: id of the thread's cgroup
 * @data_page_size: of @addr in bytes; likewise @code_page_size, of @ip
 * @user_registers: of user mode, also if @mode is another
 * @registers: where the interrupt hit
 */
struct kermon_profile_sample {
	struct kermon_profile *profile;
	const struct kermon_profile_event *event;
	const char *comm;
	uint64_t fields;
	uint32_t pid;
	uint32_t tid;
	uint32_t cpu;
	uint16_t mode;
	uint16_t misc;
	uint64_t time;
	uint64_t ip;
	uint64_t addr;
	uint64_t id;
	uint64_t stream_id;
	uint64_t period;
	const unsigned char *raw;
	uint64_t raw_size;
	const unsigned char *branches;
	uint64_t nr_branches;
	uint64_t weight;
	uint16_t weight2[2];
	uint64_t data_src;
	uint64_t transaction;
	uint64_t phys_addr;
	uint64_t cgroup;
	uint64_t data_page_size;
	uint64_t code_page_size;
	struct kermon_registers user_registers;
	struct kermon_registers registers;
};

/**
 * struct kermon_profile_record - a record that is no sample; valid during the callback
 * @profile: that it comes from
 * @event: that it was recorded for
 * @comm: name of the thread that it is about; lives as long as @profile
 * @bytes: as <linux/perf_event.h> describes it, in this machine's byte order and not
 *	aligned, from its header on: @size bytes
 * @type: PERF_RECORD_*
 * @misc: PERF_RECORD_MISC_*
 * @pid: who caused it; likewise @tid, @cpu, @time. Where events have no sample_id_all,
 *	whom it is about, CPU 0, and the time if it has one
 */
struct kermon_profile_record {
	struct kermon_profile *profile;
	const struct kermon_profile_event *event;
	const char *comm;
	const unsigned char *bytes;
	size_t size;
	uint32_t type;
	uint16_t misc;
	uint32_t pid;
	uint32_t tid;
	uint32_t cpu;
	uint64_t time;
};

/**
 * struct kermon_profile_count - what perf stat record has counted; valid during the callback
 * @profile: that it comes from
 * @event: that was counted
 * @cpu: on which CPU; -1: on any
 * @tid: of which thread; -1: of any
 * @value: count from the start on if counts were those of all CPUs and threads together;
 *	otherwise since the interval before (perf stat -I), and scaled to all of it if the
 *	event was counted in a part of it only
 * @enabled: ns that it was to be counted, since when as @value
 * @running: ns that it was counted
 * @time: ns from the start to the end of the interval
 * @scale: @value times this is so many @unit
 * @unit: "msec"; "": none
 */
struct kermon_profile_count {
	struct kermon_profile *profile;
	const struct kermon_profile_event *event;
	int32_t cpu;
	int32_t tid;
	uint64_t value;
	uint64_t enabled;
	uint64_t running;
	uint64_t time;
	double scale;
	const char *unit;
};

/* Word @index of a run of words of a sample, which are not aligned. */
static inline uint64_t kermon_word(const unsigned char *words, size_t index)
{
	uint64_t word;

	memcpy(&word, words + index * sizeof(word), sizeof(word));
	return word;
}

/**
 * struct kermon_profile_callbacks - what is done with a file; any may be NULL
 * @size: sizeof(struct kermon_profile_callbacks)
 * @begin: the file is open: its events are known, its records have not been read
 * @sample: each sample
 * @end: there are no more
 * @record: each other record of the kernel, on a CPU that the filter passes; threads
 *	are as they were after it
 * @count: each count of perf stat record: interval by interval, event by event, thread by
 *	thread, CPU by CPU. NULL: a file that has no samples but counts is -ENOMSG
 *
 * Return: 0 to go on, anything else to stop: kermon_profile_read() returns it.
 */
struct kermon_profile_callbacks {
	size_t size;
	int (*begin)(void *context, struct kermon_profile *profile);
	int (*sample)(void *context,
		      const struct kermon_profile_sample *sample);
	int (*end)(void *context, struct kermon_profile *profile);
	int (*record)(void *context,
		      const struct kermon_profile_record *record);
	int (*count)(void *context, const struct kermon_profile_count *count);
};

/*
 * @options may be NULL; they and @callbacks are copied. @context is handed to each
 * callback. Return: NULL, and errno: ENOMEM; EINVAL if a @size is not set; E2BIG if
 * something is asked for that only a later version has.
 */
struct kermon_profile *
kermon_profile_new(const struct kermon_report_options *options,
		   const struct kermon_profile_callbacks *callbacks,
		   void *context);
void kermon_profile_free(struct kermon_profile *profile);

/*
 * Once for each profile: -EALREADY the next time. Return: as kermon_report_read(), or a
 * callback's.
 */
int kermon_profile_read(struct kermon_profile *profile, const char *path);

/* Of the samples so far whose frames were asked for: as kermon_report_unwinding(). */
const struct kermon_unwinding *
kermon_profile_unwinding(const struct kermon_profile *profile);

/* As kermon_report_statements(). */
const struct kermon_statements *
kermon_profile_statements(const struct kermon_profile *profile);

/* The events of the file, from @begin on. NULL: there are no more. */
const struct kermon_profile_event *
kermon_profile_event(const struct kermon_profile *profile, size_t index);

/* The machine that recorded, as uname -m has it; NULL: the file does not say. */
const char *kermon_profile_arch(const struct kermon_profile *profile);

/*
 * Writes a record as perf script does, "PERF_RECORD_EXIT(1:1):(0:0)", and a newline.
 * False: it is too short for its fields, or of a type that perf script does not print.
 */
bool kermon_profile_record_text(const struct kermon_profile_record *record,
				FILE *out);

/**
 * kermon_profile_trace - a tracepoint's data as the kernel would print them
 * @sample: in its callback
 * @text: set to the text; valid until the next call
 *
 * Return: bytes of the text, 0 if it is no tracepoint or the file does not describe
 * it, or -ENOMEM.
 */
ssize_t kermon_profile_trace(const struct kermon_profile_sample *sample,
			     const char **text);

/**
 * struct kermon_place - where an address is; lives as long as the profile
 * @dso: identifies program, library, module or kernel
 * @symbol: identifies the function or variable; NULL: nobody knows
 * @name: of the DSO, for tables: "libc.so.6", "[kernel.kallsyms]"
 * @path: of the DSO, as recorded
 * @is_kernel: it is the kernel or a module
 * @offset: in its file; the address itself in kernel, modules and memory that is of
 *	no file
 */
struct kermon_place {
	const void *dso;
	const void *symbol;
	const char *name;
	const char *path;
	bool is_kernel;
	uint64_t offset;
};

/**
 * kermon_profile_place - what an address of a sample's thread belongs to
 * @sample: that tells thread and time
 * @mode: PERF_RECORD_MISC_USER or _KERNEL: whose address it is
 * @address: of code
 * @place: filled
 *
 * Return: false if nothing is known to be mapped there; all of @place is 0 then.
 */
bool kermon_profile_place(const struct kermon_profile_sample *sample,
			  unsigned int mode, uint64_t address,
			  struct kermon_place *place);

/* The same of an end of a branch, which may be on the other side: user space or kernel. */
bool kermon_profile_branch_end(const struct kermon_profile_sample *sample,
			       uint64_t address, struct kermon_place *place);

/*
 * The same of what the sample accessed, at its addr, on either side. Its symbol is a
 * variable, or a function; of memory that no code is in that is known if it was recorded
 * (perf record -d), and struct kermon_report_options' @data was set.
 */
bool kermon_profile_data(const struct kermon_profile_sample *sample,
			 struct kermon_place *place);

enum kermon_name {
	KERMON_NAME_FULL,	/* as in source code: "list::add(int)" */
	KERMON_NAME_SHORT,	/* without parameters: "list::add" */
	KERMON_NAME_LINKED,	/* as in the file: "_ZN4list3addEi" */
};

/**
 * kermon_profile_symbol - the name of the function at a place
 * @profile: that the place is of
 * @place: from kermon_profile_place() or of a frame
 * @form: how to write it
 *
 * Return: lives as long as @profile. NULL: nobody knows.
 */
const char *kermon_profile_symbol(struct kermon_profile *profile,
				  const struct kermon_place *place,
				  enum kermon_name form);

/* Bytes from the start of that function to the place; 0 if it is not known. */
uint64_t kermon_place_offset(const struct kermon_place *place);

/**
 * struct kermon_source_line - a function at a place, and the line that is executed
 * @function: NULL: not known
 * @file: absolute, as far as the compiler was told; NULL: not known
 * @line: from 1 on; 0: not known
 */
struct kermon_source_line {
	const char *function;
	const char *file;
	unsigned int line;
};

/**
 * kermon_profile_source - what the source has at a place
 * @profile: that the place is of
 * @place: from kermon_profile_place() or of a frame
 * @is_return: it is behind a call; the line is that of the call
 * @form: how to write the names of functions
 * @lines: set to the lines, the innermost first: all but the last are of functions
 *	that were inlined into the next; valid until the next call
 *
 * Return: how many there are, 0 if nobody knows, -ECANCELED, or -ENOMEM.
 */
ssize_t kermon_profile_source(struct kermon_profile *profile,
			      const struct kermon_place *place, bool is_return,
			      enum kermon_name form,
			      const struct kermon_source_line **lines);

/**
 * struct kermon_frame - a function that was active
 * @address: as recorded
 * @mode: PERF_RECORD_MISC_KERNEL, _USER...
 * @is_return: @address is where a call returns to
 * @has_inlines: kermon_profile_source() has further functions that are of the chain:
 *	those that were inlined there, as far as struct kermon_report_options' @inlines
 *	says so
 * @place: of @address; its symbol is that of the call if @is_return
 */
struct kermon_frame {
	uint64_t address;
	uint16_t mode;
	bool is_return;
	bool has_inlines;
	struct kermon_place place;
};

/**
 * kermon_profile_frames - the call chain of a sample
 * @sample: in its callback
 * @frames: set to the frames, the innermost first; valid until the next call
 *
 * Of a sample without PERF_SAMPLE_CALLCHAIN that is one frame, of its ip. Return:
 * how many there are, or -ENOMEM.
 */
ssize_t kermon_profile_frames(const struct kermon_profile_sample *sample,
			      const struct kermon_frame **frames);

KERMON_END_DECLS
#endif /* KERMON_PROFILE_H */
