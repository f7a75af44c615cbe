/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Read a perf.data file sample by sample, for custom analyses.
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
 * Samples are delivered in the order of time. Names and mappings of threads are those at
 * the time of the sample. Information is only looked up on request: no symbols are read
 * for a program that only needs counts. Later versions add new fields behind the existing
 * ones.
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
 * @index: among all events of the file, from 0 on
 * @name: as recorded, "cycles:u"
 * @attr: as recorded; its sample_type says what samples contain
 * @is_interval: it is "oncpu" of KerMon: each interval of a thread, which is one sample of
 *	its log, has one sample of this event and others that follow it, with the same time
 */
struct kermon_profile_event {
	size_t index;
	const char *name;
	const struct perf_event_attr *attr;
	bool is_interval;
};

/**
 * struct kermon_registers - registers of the CPU when the sample was taken
 * @abi: PERF_SAMPLE_REGS_ABI_*; NONE: there are no values
 * @mask: a bit for each register, as numbered in <asm/perf_regs.h> of the recording
 *	machine
 * @values: one word for each bit of @mask, for kermon_word()
 */
struct kermon_registers {
	uint64_t abi;
	uint64_t mask;
	const unsigned char *values;
};

/**
 * struct kermon_profile_sample - a sample; valid during the callback
 * @profile: that it comes from
 * @event: event of the sample
 * @comm: name of the thread; valid as long as @profile
 * @fields: PERF_SAMPLE_*: fields without a bit here are 0; @period is always set
 * @pid: process; likewise @tid, the thread
 * @cpu: CPU on which it was taken
 * @mode: PERF_RECORD_MISC_KERNEL, _USER...: of @ip
 * @misc: all flags of the record
 * @time: ns of the clock of the recording
 * @ip: instruction pointer
 * @addr: address of data
 * @id: of one of the descriptors of @event; likewise @stream_id
 * @period: count of @event since the previous sample; the requested period if it was not
 *	recorded
 * @raw: @raw_size bytes added by the kernel, not aligned; NULL: none
 * @branches: @nr_branches times three words { from, to, flags }, for kermon_word(),
 *	the newest branch first; flags as in struct perf_branch_entry
 * @weight: cost of a memory access, for example
 * @weight2: second and third part of PERF_SAMPLE_WEIGHT_STRUCT
 * @data_src: PERF_MEM_*
 * @transaction: PERF_TXN_*
 * @phys_addr: physical address of @addr
 * @cgroup: id of the thread's cgroup
 * @data_page_size: of @addr in bytes; likewise @code_page_size, of @ip
 * @user_registers: of user mode, even if @mode differs
 * @registers: at the time of the interrupt
 * @passes: the filter; false only in the callback @mark
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
	bool passes;
};

/**
 * struct kermon_profile_record - a record other than a sample; valid during the callback
 * @profile: that it comes from
 * @event: event for which it was recorded
 * @comm: name of the thread that it is about; valid as long as @profile
 * @bytes: as described in <linux/perf_event.h>, in this machine's byte order, not
 *	aligned, including the header: @size bytes
 * @type: PERF_RECORD_*
 * @misc: PERF_RECORD_MISC_*
 * @pid: process that caused it; likewise @tid, @cpu, @time. For events without
 *	sample_id_all, the process that it is about, CPU 0, and the time if it has one
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
 * struct kermon_profile_count - a count of perf stat record; valid during the callback
 * @profile: that it comes from
 * @event: event that was counted
 * @cpu: CPU; -1: any
 * @tid: thread; -1: any
 * @value: count since the start if counts are sums over all CPUs and threads; otherwise
 *	since the previous interval (perf stat -I), scaled to the whole interval if the
 *	event was only counted in a part of it
 * @enabled: ns for which it was enabled, since the same time as @value
 * @running: ns for which it was counted
 * @time: ns from the start to the end of the interval
 * @scale: @value times @scale is in units of @unit
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

/* Word @index of an array of words in a sample, which are not aligned. */
static inline uint64_t kermon_word(const unsigned char *words, size_t index)
{
	uint64_t word;

	memcpy(&word, words + index * sizeof(word), sizeof(word));
	return word;
}

/**
 * struct kermon_profile_callbacks - callbacks for the contents of a file; any may be NULL
 * @size: sizeof(struct kermon_profile_callbacks)
 * @begin: the file is open: its events are known, but no record has been read
 * @sample: for each sample
 * @end: there are no more
 * @record: for each other record of the kernel, on a CPU that passes the filter; threads
 *	are in the state after the record
 * @count: for each count of perf stat record, by interval, event, thread and CPU. If it
 *	is NULL, a file with counts but without samples is -ENOMSG
 * @mark: for each mark of a region and each name of one, which are recorded as samples of
 *	two tracepoints, kermon:region and kermon:region_name; whether or not they pass the
 *	filter. @sample does not get them
 *
 * Return: 0 to continue, anything else to stop: it is returned by kermon_profile_read().
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
	int (*mark)(void *context, const struct kermon_profile_sample *mark);
};

/*
 * @options may be NULL; they and @callbacks are copied. @context is passed to each
 * callback. Return: NULL, and errno: ENOMEM; EINVAL if a @size is not set; E2BIG if
 * members of a later version are used.
 */
struct kermon_profile *
kermon_profile_new(const struct kermon_report_options *options,
		   const struct kermon_profile_callbacks *callbacks,
		   void *context);
void kermon_profile_free(struct kermon_profile *profile);

/*
 * Call once for each profile; -EALREADY after that. Return: as kermon_report_read(), or
 * the result of a callback.
 */
int kermon_profile_read(struct kermon_profile *profile, const char *path);

/*
 * Statistics of the samples so far whose frames were requested: as
 * kermon_report_unwinding().
 */
const struct kermon_unwinding *
kermon_profile_unwinding(const struct kermon_profile *profile);

/* As kermon_report_statements(). */
const struct kermon_statements *
kermon_profile_statements(const struct kermon_profile *profile);

/* The events of the file, from @begin on. NULL: there are no more. */
const struct kermon_profile_event *
kermon_profile_event(const struct kermon_profile *profile, size_t index);

/* Architecture of the recording machine, as in uname -m; NULL: unknown. */
const char *kermon_profile_arch(const struct kermon_profile *profile);

/*
 * Set @wall to the wall-clock time at @time of a sample or record, in nanoseconds since
 * 1970, UTC. Return: NULL; or why it is unknown, in words about the file: "it has no
 * CLOCK_DATA...".
 */
const char *kermon_profile_wall(const struct kermon_profile *profile,
				uint64_t time, uint64_t *wall);

/*
 * Print a record like perf script, "PERF_RECORD_EXIT(1:1):(0:0)", and a newline.
 * Return: false if it is too short for its fields, or perf script does not print its
 * type.
 */
bool kermon_profile_record_text(const struct kermon_profile_record *record,
				FILE *out);

/**
 * kermon_profile_trace - format a tracepoint's data as the kernel would print it
 * @sample: the sample of the current callback
 * @text: set to the text; valid until the next call. Of a mark: "begin Fit in Track"
 *
 * Return: bytes of the text, 0 if it is not a tracepoint or the file has no description of
 * it, or -ENOMEM.
 */
ssize_t kermon_profile_trace(const struct kermon_profile_sample *sample,
			     const char **text);

/**
 * struct kermon_place - a place in code or data; valid as long as the profile
 * @dso: identifies the program, library, module or kernel
 * @symbol: identifies the function or variable; NULL: unknown
 * @name: of the DSO, for tables: "libc.so.6", "[kernel.kallsyms]"
 * @path: of the DSO, as recorded
 * @is_kernel: it is the kernel or a module
 * @offset: in its file; the address itself for the kernel, modules and anonymous memory
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
 * kermon_profile_place - look up an address of code
 * @sample: specifies thread and time
 * @mode: PERF_RECORD_MISC_USER or _KERNEL: mode of the address
 * @address: of code
 * @place: filled in
 *
 * Return: false if nothing is known to be mapped there; all of @place is 0 then.
 */
bool kermon_profile_place(const struct kermon_profile_sample *sample,
			  unsigned int mode, uint64_t address,
			  struct kermon_place *place);

/* The same for an end of a branch, which may be in the other mode: user space or kernel. */
bool kermon_profile_branch_end(const struct kermon_profile_sample *sample,
			       uint64_t address, struct kermon_place *place);

/*
 * The same for the data that the sample accessed, at its addr, in either mode. The
 * symbol is a variable or a function. In memory without code, it is only known if data
 * mappings were recorded (perf record -d) and @data of struct kermon_report_options was
 * set.
 */
bool kermon_profile_data(const struct kermon_profile_sample *sample,
			 struct kermon_place *place);

enum kermon_name {
	KERMON_NAME_FULL,	/* as in source code: "list::add(int)" */
	KERMON_NAME_SHORT,	/* without parameters: "list::add" */
	KERMON_NAME_LINKED,	/* as in the file: "_ZN4list3addEi" */
};

/**
 * kermon_profile_symbol - get the name of the function at a place
 * @profile: of the place
 * @place: from kermon_profile_place() or of a frame
 * @form: how to write it
 *
 * Return: the name, valid as long as @profile; NULL: unknown.
 */
const char *kermon_profile_symbol(struct kermon_profile *profile,
				  const struct kermon_place *place,
				  enum kermon_name form);

/* Bytes from the start of that function to the place; 0 if it is unknown. */
uint64_t kermon_place_offset(const struct kermon_place *place);

/**
 * struct kermon_source_line - a function at a place, and the line that is executed
 * @function: NULL: unknown
 * @file: absolute, as far as the compiler knew; NULL: unknown
 * @line: from 1 on; 0: unknown
 */
struct kermon_source_line {
	const char *function;
	const char *file;
	unsigned int line;
};

/**
 * kermon_profile_source - find the source of a place
 * @profile: of the place
 * @place: from kermon_profile_place() or of a frame
 * @is_return: the place is a return address; the line is that of the call
 * @form: how to write the names of functions
 * @lines: set to the lines, the innermost first: all but the last are of functions
 *	that were inlined into the next; valid until the next call
 *
 * Return: number of lines, 0 if unknown, -ECANCELED, or -ENOMEM.
 */
ssize_t kermon_profile_source(struct kermon_profile *profile,
			      const struct kermon_place *place, bool is_return,
			      enum kermon_name form,
			      const struct kermon_source_line **lines);

/**
 * struct kermon_frame - an active function
 * @address: as recorded
 * @mode: PERF_RECORD_MISC_KERNEL, _USER...
 * @is_return: @address is a return address
 * @has_inlines: kermon_profile_source() returns further functions of the chain, which
 *	were inlined there, subject to @inlines of struct kermon_report_options
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
 * kermon_profile_frames - get the call chain of a sample
 * @sample: the sample of the current callback
 * @frames: set to the frames, the innermost first; valid until the next call
 *
 * A sample without PERF_SAMPLE_CALLCHAIN has one frame, for its ip. Return: number of
 * frames, or -ENOMEM.
 */
ssize_t kermon_profile_frames(const struct kermon_profile_sample *sample,
			      const struct kermon_frame **frames);

KERMON_END_DECLS
#endif /* KERMON_PROFILE_H */
