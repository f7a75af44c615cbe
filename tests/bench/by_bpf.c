// SPDX-License-Identifier: GPL-2.0
/*
 * A BPF program at sched_switch that does as much of what KerMon does as it must: read the
 * events of the CPU, and write a sample of the outgoing task. It is a lower bound: one CPU,
 * all switches read all events, whoever is monitored, and nothing tells who else moved
 * a counter.
 */
#include <errno.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "monitors.h"

#define NR_TASKS	2
#define RING_BYTES	(1 << 22)
#define PAGE		4096
#define MAX_CODE	128

/**
 * struct sample - what the program writes
 * @time: in ns
 * @tid: the task
 * @cpu: where it ran
 * @values: counts of the interval
 */
struct sample {
	unsigned long long time;
	unsigned int tid;
	unsigned int cpu;
	unsigned long long values[MONITOR_EVENTS];
};

/* Offsets from the frame pointer. */
#define AT_TID		(-8)
#define AT_KEY		(-16)
#define AT_VALUE	(AT_KEY - (int)sizeof(struct bpf_perf_event_value))
#define AT_SAMPLE	(AT_VALUE - (int)sizeof(struct sample))
#define AT(member)	(AT_SAMPLE + (int)offsetof(struct sample, member))

static struct bpf_insn code[MAX_CODE];
static int nr_code;
static int exits[MAX_CODE];		/* jumps to the end */
static int nr_exits;

static int tasks, events, last, ring, program, attached;
static int opened[MONITOR_EVENTS];
static int nr_tasks;

static int bpf(int command, union bpf_attr *attr)
{
	return syscall(SYS_bpf, command, attr, sizeof(*attr));
}

static int make_map(int type, int key_size, int value_size, int entries)
{
	union bpf_attr attr = {
		.map_type = type,
		.key_size = key_size,
		.value_size = value_size,
		.max_entries = entries,
	};
	int fd = bpf(BPF_MAP_CREATE, &attr);

	if (fd < 0)
		die("BPF_MAP_CREATE");
	return fd;
}

static void set_element(int map, unsigned int key, unsigned int value)
{
	union bpf_attr attr = {
		.map_fd = map,
		.key = (unsigned long)&key,
		.value = (unsigned long)&value,
	};

	if (bpf(BPF_MAP_UPDATE_ELEM, &attr))
		die("BPF_MAP_UPDATE_ELEM");
}

static void emit(int op, int dst, int src, int off, int imm)
{
	code[nr_code++] = (struct bpf_insn){
		.code = op, .dst_reg = dst, .src_reg = src, .off = off, .imm = imm,
	};
}

static void emit_call(int helper)
{
	emit(BPF_JMP | BPF_CALL, 0, 0, 0, helper);
}

static void emit_number(int dst, int imm)
{
	emit(BPF_ALU64 | BPF_MOV | BPF_K, dst, 0, 0, imm);
}

/* Let the register @dst point to the stack at @off. */
static void emit_pointer(int dst, int off)
{
	emit(BPF_ALU64 | BPF_MOV | BPF_X, dst, BPF_REG_10, 0, 0);
	emit(BPF_ALU64 | BPF_ADD | BPF_K, dst, 0, 0, off);
}

static void emit_map(int dst, int fd)
{
	emit(BPF_LD | BPF_DW | BPF_IMM, dst, BPF_PSEUDO_MAP_FD, 0, fd);
	emit(0, 0, 0, 0, 0);
}

static void emit_load(int dst, int base, int off)
{
	emit(BPF_LDX | BPF_MEM | BPF_DW, dst, base, off, 0);
}

static void emit_store(int size, int base, int off, int src)
{
	emit(BPF_STX | BPF_MEM | size, base, src, off, 0);
}

/* Leave the program if the register 0 is, or is not, 0. */
static void emit_leave_if(int condition)
{
	exits[nr_exits++] = nr_code;
	emit(BPF_JMP | condition | BPF_K, BPF_REG_0, 0, 0, 0);
}

static void emit_lookup(int map, int key)
{
	emit_map(BPF_REG_1, map);
	emit_pointer(BPF_REG_2, key);
	emit_call(BPF_FUNC_map_lookup_elem);
	emit_leave_if(BPF_JEQ);
}

/* The count of the event @i since the last switch, whose values register 6 points to. */
static void emit_event(int i)
{
	emit_map(BPF_REG_1, events);
	emit_number(BPF_REG_2, i);
	emit_pointer(BPF_REG_3, AT_VALUE);
	emit_number(BPF_REG_4, sizeof(struct bpf_perf_event_value));
	emit_call(BPF_FUNC_perf_event_read_value);
	emit_leave_if(BPF_JNE);
	emit_load(BPF_REG_1, BPF_REG_10, AT_VALUE);
	emit_load(BPF_REG_2, BPF_REG_6, 8 * i);
	emit_store(BPF_DW, BPF_REG_6, 8 * i, BPF_REG_1);
	emit(BPF_ALU64 | BPF_SUB | BPF_X, BPF_REG_1, BPF_REG_2, 0, 0);
	emit_store(BPF_DW, BPF_REG_10, AT(values) + 8 * i, BPF_REG_1);
}

static void emit_sample(void)
{
	emit_call(BPF_FUNC_ktime_get_ns);
	emit_store(BPF_DW, BPF_REG_10, AT(time), BPF_REG_0);
	emit_load(BPF_REG_1, BPF_REG_10, AT_TID);
	emit_store(BPF_W, BPF_REG_10, AT(tid), BPF_REG_1);
	emit_call(BPF_FUNC_get_smp_processor_id);
	emit_store(BPF_W, BPF_REG_10, AT(cpu), BPF_REG_0);
	emit_map(BPF_REG_1, ring);
	emit_pointer(BPF_REG_2, AT_SAMPLE);
	emit_number(BPF_REG_3, sizeof(struct sample));
	emit_number(BPF_REG_4, BPF_RB_NO_WAKEUP);
	emit_call(BPF_FUNC_ringbuf_output);
}

/* At the tracepoint, the current task is still the outgoing one. */
static void write_program(void)
{
	int i;

	nr_code = 0;
	nr_exits = 0;
	emit_call(BPF_FUNC_get_current_pid_tgid);
	emit_store(BPF_DW, BPF_REG_10, AT_TID, BPF_REG_0);
	emit(BPF_ST | BPF_MEM | BPF_W, BPF_REG_10, 0, AT_KEY, 0);
	emit_lookup(last, AT_KEY);
	emit(BPF_ALU64 | BPF_MOV | BPF_X, BPF_REG_6, BPF_REG_0, 0, 0);
	for (i = 0; i < MONITOR_EVENTS; i++)
		emit_event(i);
	emit_lookup(tasks, AT_TID);
	emit_sample();
	while (nr_exits--)
		code[exits[nr_exits]].off = nr_code - exits[nr_exits] - 1;
	emit_number(BPF_REG_0, 0);
	emit(BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
}

static void attach_program(void)
{
	union bpf_attr load = {
		.prog_type = BPF_PROG_TYPE_RAW_TRACEPOINT,
		.insns = (unsigned long)code,
		.insn_cnt = nr_code,
		.license = (unsigned long)"GPL",
	};
	union bpf_attr open = {
		.raw_tracepoint.name = (unsigned long)"sched_switch",
	};

	program = bpf(BPF_PROG_LOAD, &load);
	if (program < 0)
		die("BPF_PROG_LOAD");
	open.raw_tracepoint.prog_fd = program;
	attached = bpf(BPF_RAW_TRACEPOINT_OPEN, &open);
	if (attached < 0)
		die("BPF_RAW_TRACEPOINT_OPEN");
}

/* Pinned events of the CPU, which BPF can read only by way of perf. */
static void open_events(int set)
{
	struct perf_event_attr attr;
	int i;

	for (i = 0; i < MONITOR_EVENTS; i++) {
		attr = perf_attr_of(set, i);
		attr.pinned = 1;
		opened[i] = syscall(SYS_perf_event_open, &attr, -1, 0, -1,
				    PERF_FLAG_FD_CLOEXEC);
		if (opened[i] < 0)
			die("perf_event_open");
		set_element(events, i, opened[i]);
	}
}

static void begin(pid_t pid, int set)
{
	if (!nr_tasks++) {
		tasks = make_map(BPF_MAP_TYPE_HASH, 4, 4, NR_TASKS);
		events = make_map(BPF_MAP_TYPE_PERF_EVENT_ARRAY, 4, 4, MONITOR_EVENTS);
		last = make_map(BPF_MAP_TYPE_PERCPU_ARRAY, 4, 8 * MONITOR_EVENTS, 1);
		ring = make_map(BPF_MAP_TYPE_RINGBUF, 0, 0, RING_BYTES);
		open_events(set);
		write_program();
		attach_program();
	}
	set_element(tasks, pid, 0);
}

/* All samples are of one size, and none has been read. */
static unsigned long long count_samples(void)
{
	const int header = BPF_RINGBUF_HDR_SZ;
	const char *pages = mmap(NULL, 2 * PAGE, PROT_READ, MAP_SHARED, ring, PAGE);
	unsigned long long bytes;
	struct sample first;

	if (pages == MAP_FAILED)
		die("mmap of the ring");
	memcpy(&bytes, pages, sizeof(bytes));
	memcpy(&first, pages + PAGE + header, sizeof(first));
	munmap((void *)pages, 2 * PAGE);
	errno = ENODATA;
	if (!first.values[0])
		die("a sample without instructions");
	return bytes / (header + sizeof(struct sample));
}

static unsigned long long end(unsigned long long pairs)
{
	unsigned long long samples = count_samples();
	int i;

	close(attached);
	close(program);
	for (i = 0; i < MONITOR_EVENTS; i++)
		close(opened[i]);
	close(ring);
	close(last);
	close(events);
	close(tasks);
	nr_tasks = 0;
	errno = ENODATA;
	if (samples < pairs)
		die("samples are missing");
	return 0;
}

bool has_bpf(void)
{
	union bpf_attr attr = { .attach_type = 0 };

	return bpf(BPF_PROG_LOAD, &attr) == 0 || errno != ENOSYS;
}

const struct monitor bpf_samples = { begin, end };
