/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * KerMon: performance counter and energy samples taken by the scheduler.
 *
 * This is the whole user ABI. The kernel, the module, the tools and the tests
 * all include this one file. In short:
 *
 *	sched_setscheduler(pid, SCHED_KERMON, &(struct sched_param){ 0 });
 *	fd = set_events(pid, &set, sizeof(set), 0);
 *	while ((n = read_event_log(fd, buf, sizeof(buf), 0)) > 0)
 *		walk the records in buf;
 *	close(fd);
 *
 * All fields are in the byte order of the machine. Structures only ever grow at
 * their end; the size that the caller knows is handed over with them and bits
 * that the kernel does not know are refused.
 */
#ifndef _UAPI_LINUX_KERMON_H
#define _UAPI_LINUX_KERMON_H

#include <linux/types.h>

/*
 * The scheduling policy, between the real-time policies and SCHED_NORMAL.
 * sched_priority must be 0; the nice value weighs a task against the others of
 * the policy. Entering it needs CAP_SYS_NICE.
 */
#define SCHED_KERMON		27

/* System call numbers, x86-64 only: the first ones that mainline keeps free. */
#define KERMON_NR_SET_EVENTS	900
#define KERMON_NR_READ_EVENT_LOG 901

/*
 * long set_events(pid_t pid, const struct kermon_event_set *set, size_t size,
 *		   unsigned int flags);
 *
 * Monitors the thread @pid (0: the caller) and every thread and process that it
 * creates from now on, together "the application", and returns a log
 * descriptor: close-on-exec, usable with poll(2). Monitoring ends when the last
 * copy of the descriptor is closed, when a task executes a set-user-ID,
 * set-group-ID or capability-raising program, or one that it may not read (for that
 * task), and task by task at exit. A task belongs to one application at most.
 *
 * With KERMON_SET_PROCESS, all threads of the process of @pid join at once and
 * none is missed, however fast it creates further ones; those that are ending
 * are left out. @pid may be any of them, also a main thread that has exited
 * while others go on. If any of them is monitored already, EALREADY, and if the
 * caller may not access all of them, EPERM: then none joins.
 *
 * With KERMON_SET_OPEN_LOG, @set must be NULL and @size 0: returns another
 * descriptor of the log that @pid writes to now. That log is about the whole
 * application, so it takes the user who made it, in the pid namespace where it
 * was made and with what its set needs, or CAP_PERFMON.
 *
 * With KERMON_SET_CHANGE, what is counted for the application of @pid is from now
 * on what @set says: when the call returns, every interval of the old set has been
 * closed for KERMON_REASON_SET. The set_id tells samples apart, if the new one is
 * another. The log stays what it is: log_bytes and watermark must be 0, and the
 * flags as they were. Returns another descriptor of it. It takes what
 * KERMON_SET_OPEN_LOG does, and what the new set needs. Whoever holds a descriptor
 * reads the counts of the new set too.
 *
 * Needs ptrace access to @pid (PTRACE_MODE_ATTACH_REALCREDS). Kernel-mode
 * counts need CAP_PERFMON unless kernel.perf_event_paranoid is below 2, any
 * monitoring does if that is above 2 (Debian's 3); KERMON_SET_ENERGY always
 * needs CAP_PERFMON.
 *
 * The log is memory that @log_bytes of each possible CPU pin for the real user of
 * the caller until its last descriptor is closed. As for the buffers of perf, with
 * which it is added up, kernel.perf_event_mlock_kb for each online CPU and
 * RLIMIT_MEMLOCK are the limit, unless the caller has CAP_IPC_LOCK or
 * kernel.perf_event_paranoid is -1. A ring takes KERMON_RECORD_MAX bytes more
 * than @log_bytes, in whole pages. The default is KERMON_LOG_DEFAULT_BYTES, which
 * fits the default of perf, or the next power of two that fits
 * kernel.perf_event_mlock_kb where that is lower or CPUs may be added.
 *
 * Errors: E2BIG (@size larger than known, with non-zero bytes), EINVAL (size,
 * unknown flag, bits of an event that may not be set, an event that this PMU
 * does not have, interval or turns out of range, log_bytes no power of two or out
 * of range, watermark out of range, two sets with one set_id), ENOSPC (more sets
 * than KERMON_MAX_SETS, or more events than counters: some events can be counted
 * by few of them, AMD's of floating-point operations take two each, and those that
 * share an offcore register have to want one value), ESRCH, EPERM (no ptrace
 * access, or more memory than the user may pin), EACCES (missing capability),
 * EALREADY (@pid is monitored), ENOENT (KERMON_SET_OPEN_LOG or KERMON_SET_CHANGE,
 * and @pid is not), EBUSY (the counters are held by another user such as perf or
 * the NMI watchdog), ENODEV (no module, or no usable PMU), EOPNOTSUPP (energy asked
 * for and there is none), ENOMEM, EFAULT, EMFILE.
 */
#define KERMON_SET_OPEN_LOG	(1U << 0)
#define KERMON_SET_PROCESS	(1U << 1)
#define KERMON_SET_CHANGE	(1U << 2)

/* The most programmed events that a set may name on any hardware. */
#define KERMON_MAX_EVENTS	16

/**
 * struct kermon_event - one programmed counter
 * @config: as in IA32_PERFEVTSELx (Intel SDM vol. 3B, 20.2.1.1) and PERF_CTL
 *	(AMD APM vol. 2, 13.2.1): event select bits 0-7, of AMD also 32-35, unit
 *	mask 8-15, USR 16, OS 17, edge 18, invert 23, counter mask 24-31. Every
 *	other bit must be 0: EN and INT are the kernel's, and so is AMD's merge
 *	event, 0xfff. At least one of USR and OS must be set.
 * @extra: value of the register that the event needs beside it (offcore
 *	response), 0 for the events that need none.
 */
struct kermon_event {
	__u64 config;
	__u64 extra;
};

/* Which modes the fixed counters count; at least one. */
#define KERMON_COUNT_USER	(1U << 0)
#define KERMON_COUNT_KERNEL	(1U << 1)

/* flags of struct kermon_event_set */
#define KERMON_SET_ENERGY	(1U << 0)	/* log energy deltas too */
#define KERMON_SET_OVERWRITE	(1U << 1)	/* the newest samples replace the oldest */
#define KERMON_SET_COALESCE	(1U << 2)	/* short intervals become one sample */

#define KERMON_INTERVAL_DEFAULT_NS	50000000ULL	/* 50 ms, the paper's */
#define KERMON_INTERVAL_MIN_NS		1000000ULL	/* bounded by the tick */
#define KERMON_INTERVAL_MAX_NS		10000000000ULL

/* Sets of one application that take turns. */
#define KERMON_MAX_SETS			8

#define KERMON_ROTATE_DEFAULT_NS	10000000ULL	/* 10 ms */
#define KERMON_ROTATE_MIN_NS		1000000ULL	/* bounded by the tick */
#define KERMON_ROTATE_MAX_NS		10000000000ULL

#define KERMON_LOG_DEFAULT_BYTES	(1U << 19)
#define KERMON_LOG_MIN_BYTES		(1U << 12)
#define KERMON_LOG_MAX_BYTES		(1U << 26)

/**
 * struct kermon_more_events - a further set, with the events of one
 * @set_id: any label of the caller, repeated in the samples of this set
 * @nr_events: programmed events, as in struct kermon_event_set
 * @events: user address of @nr_events struct kermon_event
 */
struct kermon_more_events {
	__u32 set_id;
	__u32 nr_events;
	__u64 events;
};

/**
 * struct kermon_event_set - what is counted for an application, and how
 * @set_id: any label of the caller, repeated in every sample
 * @flags: KERMON_SET_*
 * @count: KERMON_COUNT_*, the modes that the fixed counters count
 * @nr_events: programmed events, 0 to KERMON_MAX_EVENTS and to what the CPU has
 * @events: user address of @nr_events struct kermon_event
 * @interval_ns: on-CPU time after which a tick takes a sample if no switch has
 *	taken one; 0 for the default. Ticks make it coarser: with HZ=250 the
 *	default of 50 ms samples every 52 ms.
 *	With KERMON_SET_COALESCE also the time, from begin to end, for which the
 *	stretches of a thread on a CPU are added up to one sample. It is written
 *	earlier if the thread exits or executes another program, or if more than
 *	16 threads take turns on the CPU, each with each of its sets, and else at
 *	the latest by the first read_event_log() that begins @interval_ns after
 *	its begin. So the samples of a CPU are not in the order of their time then.
 * @log_bytes: size of each CPU's ring, a power of two; 0 for the default
 * @watermark: bytes in a ring from which on readers and pollers are woken at once,
 *	at most @log_bytes - KERMON_RECORD_MAX, so that they are before anything is
 *	lost; 0 for half of it. With less in it they are woken every 100 ms.
 * @more: user address of @nr_more struct kermon_more_events, sets that take turns
 *	with this one; all else here holds for all of them
 * @nr_more: up to KERMON_MAX_SETS - 1; 0: one set is counted all the time
 * @pad: must be 0
 * @rotate_ns: on-CPU time of a thread after which it is the next set's turn; 0
 *	for the default, and if there is no other set. Each thread has turns of its
 *	own: they begin at every multiple of @rotate_ns on the CPU since it was
 *	created, and take effect at the first tick or switch after that. So a turn
 *	is a tick at least, whatever is asked for. The thread's number says which
 *	set the first one is of.
 */
struct kermon_event_set {
	__u32 set_id;
	__u32 flags;
	__u32 count;
	__u32 nr_events;
	__u64 events;
	__u64 interval_ns;
	__u32 log_bytes;
	__u32 watermark;
	__u64 more;
	__u32 nr_more;
	__u32 pad;
	__u64 rotate_ns;
};

#define KERMON_EVENT_SET_SIZE_VER0	40	/* up to @watermark */
#define KERMON_EVENT_SET_SIZE_VER1	64

/*
 * ssize_t read_event_log(int fd, void *buf, size_t len, unsigned int flags);
 *
 * Copies whole records, each CPU's in the order they were written; sort by
 * tsc_end across CPUs, and with KERMON_SET_COALESCE within each. A record is
 * handed to one reader only. Returns the bytes copied; 0 at the end of the log,
 * when no monitored task is left and all is read. Blocks interruptibly while
 * there is nothing, unless KERMON_READ_NONBLOCK or O_NONBLOCK says otherwise.
 *
 * Errors: EAGAIN (nothing now, non-blocking), EINTR, EINVAL (unknown flag, or
 * @len below KERMON_RECORD_MAX), EBADF (not a log descriptor), EFAULT (nothing
 * is consumed then).
 */
#define KERMON_READ_NONBLOCK	(1U << 0)

/* No record is larger: the largest sample has 72 + 8 * (4 + 16 + 4) bytes. */
#define KERMON_RECORD_MAX	512

/*
 * KERMON_RECORD_INVALID takes the place of a sample one of whose counters moved
 * further than any CPU can count in that time: something wrote to it, or it lost its
 * value. Layout and numbering are those of a sample; it is always one interval, also
 * with KERMON_SET_COALESCE. Who, when and why are right; the deltas of the counters
 * are what was subtracted, and must not be added up. A write that moves a counter
 * less than that is not noticed. Where samples are counted, here and by netlink,
 * these are among them.
 */
enum kermon_record_type {
	KERMON_RECORD_SAMPLE = 1,	/* struct kermon_sample */
	KERMON_RECORD_LOST = 2,		/* struct kermon_lost */
	KERMON_RECORD_INVALID = 3,	/* struct kermon_sample */
};

/**
 * struct kermon_record - head of every record
 * @type: enum kermon_record_type; skip what you do not know by @size
 * @size: bytes of the whole record, a multiple of 8
 * @cpu: the CPU that wrote it
 */
struct kermon_record {
	__u16 type;
	__u16 size;
	__u32 cpu;
};

/* Why a sample was taken. */
enum kermon_reason {
	KERMON_REASON_PREEMPT = 1,	/* switched out, still runnable */
	KERMON_REASON_SLEEP = 2,	/* switched out, waiting */
	KERMON_REASON_EXIT = 3,		/* the last one of the task */
	KERMON_REASON_TICK = 4,		/* interval_ns without a sample */
	KERMON_REASON_EXEC = 5,		/* last one of the program that was */
	KERMON_REASON_ROTATE = 6,	/* at a tick: the next set's turn */
	KERMON_REASON_SET = 7,		/* KERMON_SET_CHANGE */
};

/*
 * flags of struct kermon_sample. ALONE: the task had the package to itself. From
 * begin to end all other CPUs that share its energy counters were idle, but for
 * interrupts: no task ran there, not even another one of the application or a
 * thread of the kernel. So no joule is in two samples with this flag; but as the
 * counters are read once a millisecond, some may be of the millisecond before. If
 * several intervals are added up, it was so in all of them. Never set without
 * KERMON_SET_ENERGY.
 */
#define KERMON_SAMPLE_ALONE	(1U << 0)

/*
 * Index of the fixed counters in a sample: SDM vol. 3B, 20.2.2. AMD has none.
 */
#define KERMON_FIXED_INSTRUCTIONS	0
#define KERMON_FIXED_CORE_CYCLES	1
#define KERMON_FIXED_REF_CYCLES		2

/* Energy domains, as bits of @domains and in this order in the values. */
enum kermon_domain {
	KERMON_DOMAIN_PACKAGE = 0,
	KERMON_DOMAIN_CORES = 1,	/* PP0; none of AMD's: each is of a core */
	KERMON_DOMAIN_GPU = 2,		/* PP1 */
	KERMON_DOMAIN_DRAM = 3,
	KERMON_DOMAIN_COUNT = 4,
};

/**
 * struct kermon_sample - what one task did on one CPU in one interval, or in some
 * @record: type KERMON_RECORD_SAMPLE, or KERMON_RECORD_INVALID
 * @pid: process (thread group) in the pid namespace of set_events' caller, 0 if
 *	not visible there
 * @tid: thread, likewise
 * @set_id: of the set that was counted, and that @nr_events is of
 * @reason: enum kermon_reason, of the end
 * @flags: KERMON_SAMPLE_*
 * @nr_fixed: fixed counters in @values
 * @nr_events: programmed events in @values
 * @domains: bit per enum kermon_domain whose delta is in @values
 * @pad: 0
 * @intervals: how many are added up in this sample: 1 without KERMON_SET_COALESCE
 * @sequence: number of this sample among those of the CPU in this log, counting
 *	from 0 and including the lost ones
 * @tsc_begin: TSC at the start of the interval
 * @tsc_end: TSC at its end
 * @oncpu: TSC cycles on the CPU in between: all of them if @intervals is 1
 * @ip: user-mode instruction pointer at the end; 0 if the task never had one
 * @values: @nr_fixed deltas, then @nr_events in the order of the set, then one
 *	per bit of @domains, lowest first, in units of the domain (see
 *	KERMON_A_DOMAIN_UNIT). Energy is that of the whole domain in the
 *	interval: it is shared by every CPU of the package, see
 *	KERMON_SAMPLE_ALONE.
 */
struct kermon_sample {
	struct kermon_record record;
	__u32 pid;
	__u32 tid;
	__u32 set_id;
	__u8 reason;
	__u8 flags;
	__u8 nr_fixed;
	__u8 nr_events;
	__u8 domains;
	__u8 pad[3];
	__u32 intervals;
	__u64 sequence;
	__u64 tsc_begin;
	__u64 tsc_end;
	__u64 oncpu;
	__u64 ip;
	__u64 values[];
};

/**
 * struct kermon_lost - samples for which the ring of a CPU had no room, or which it
 * gave up for newer ones (KERMON_SET_OVERWRITE)
 * @record: type KERMON_RECORD_LOST
 * @sequence: of the first one that is missing
 * @lost: how many
 */
struct kermon_lost {
	struct kermon_record record;
	__u64 sequence;
	__u64 lost;
};

/*
 * Generic netlink, the control plane.
 *
 * KERMON_CMD_GET_INFO (do, anybody) -> one message:
 *	KERMON_A_PMU_NAME	string	backend, e.g. "intel-arch-v2"
 *	KERMON_A_COUNTERS	u32	programmable counters of a CPU
 *	KERMON_A_COUNTER_WIDTH	u32	their bits
 *	KERMON_A_FIXED		u32	fixed counters
 *	KERMON_A_FIXED_WIDTH	u32	their bits
 *	KERMON_A_PMU_OWNER	u32	enum kermon_pmu_owner; up to a second
 *					old without CAP_PERFMON
 *	KERMON_A_TSC_KHZ	u32	TSC cycles in a millisecond
 *	KERMON_A_PMU_PUBLIC	flag	every process may execute RDPMC, and so read
 *					what others did: root has set perf's
 *					policy to 2 in
 *					/sys/bus/event_source/devices/cpu/rdpmc,
 *					and may change it at any time. Otherwise
 *					nobody may while KerMon counts
 *	KERMON_A_DOMAIN		nest, one for each energy domain:
 *		KERMON_A_DOMAIN_ID	u32	enum kermon_domain
 *		KERMON_A_DOMAIN_NAME	string	perf's name: "energy-pkg", ...
 *		KERMON_A_DOMAIN_UNIT	u32	a unit is 2^-n joule
 *
 * KERMON_CMD_GET_APPS (dump; CAP_PERFMON for those that other users monitor) ->
 * each:
 *	KERMON_A_APP		nest:
 *		KERMON_A_APP_ID		u32	number of the application
 *		KERMON_A_APP_PID	u32	pid that set_events named, in the
 *						pid namespace of the asker; in
 *						notices in the initial one
 *		KERMON_A_APP_TASKS	u32	tasks alive
 *		KERMON_A_APP_EMITTED	u64	samples taken, lost ones included
 *		KERMON_A_APP_READ	u64	samples handed out
 *		KERMON_A_APP_LOST	u64	samples lost, reported or not yet
 *		KERMON_A_APP_COST	u64	TSC cycles that its samples took
 *						so far: from the reading of the
 *						TSC, which precedes all other
 *						accesses, to the end of the hook
 *
 * KERMON_CMD_MEASURE (do, CAP_PERFMON) -> what accesses to registers take on the
 * CPU that the asker runs on, measured now; it changes no register and takes less
 * than a millisecond of a CPU of silicon. Errors: EPERM, ENODEV (no usable PMU),
 * EBUSY (another user such as perf has the counters):
 *	KERMON_A_CPU		u32	number of the CPU
 *	KERMON_A_ACCESS		nest, one for each kind that this machine has:
 *		KERMON_A_ACCESS_KIND	u32	enum kermon_access
 *		KERMON_A_ACCESS_TIMES	u32	accesses in a run, in a loop
 *		KERMON_A_ACCESS_CYCLES	binary, an u32 for each run: TSC cycles
 *						with those of the loop
 *
 * Multicast group "notices", about the applications of all users: joining needs
 * CAP_SYS_ADMIN (EPERM). They are sent in the initial network namespace: who joins
 * in another one hears nothing. One KERMON_CMD_NOTICE each, with
 *	KERMON_A_NOTICE		u32	enum kermon_notice
 *	KERMON_A_APP		nest	as above
 */
#define KERMON_GENL_NAME	"kermon"
#define KERMON_GENL_VERSION	1
#define KERMON_GENL_NOTICES	"notices"

enum kermon_cmd {
	KERMON_CMD_UNSPEC,
	KERMON_CMD_GET_INFO,
	KERMON_CMD_GET_APPS,
	KERMON_CMD_NOTICE,
	KERMON_CMD_MEASURE,
	__KERMON_CMD_MAX,
};

#define KERMON_CMD_MAX (__KERMON_CMD_MAX - 1)

enum kermon_attr {
	KERMON_A_UNSPEC,
	KERMON_A_PAD,
	KERMON_A_PMU_NAME,
	KERMON_A_COUNTERS,
	KERMON_A_COUNTER_WIDTH,
	KERMON_A_FIXED,
	KERMON_A_FIXED_WIDTH,
	KERMON_A_PMU_OWNER,
	KERMON_A_TSC_KHZ,
	KERMON_A_DOMAIN,
	KERMON_A_APP,
	KERMON_A_NOTICE,
	KERMON_A_CPU,
	KERMON_A_ACCESS,
	KERMON_A_PMU_PUBLIC,
	__KERMON_A_MAX,
};

#define KERMON_A_MAX (__KERMON_A_MAX - 1)

enum kermon_domain_attr {
	KERMON_A_DOMAIN_UNSPEC,
	KERMON_A_DOMAIN_ID,
	KERMON_A_DOMAIN_NAME,
	KERMON_A_DOMAIN_UNIT,
	__KERMON_A_DOMAIN_MAX,
};

#define KERMON_A_DOMAIN_MAX (__KERMON_A_DOMAIN_MAX - 1)

enum kermon_app_attr {
	KERMON_A_APP_UNSPEC,
	KERMON_A_APP_PAD,
	KERMON_A_APP_ID,
	KERMON_A_APP_PID,
	KERMON_A_APP_TASKS,
	KERMON_A_APP_EMITTED,
	KERMON_A_APP_READ,
	KERMON_A_APP_LOST,
	KERMON_A_APP_COST,
	__KERMON_A_APP_MAX,
};

#define KERMON_A_APP_MAX (__KERMON_A_APP_MAX - 1)

enum kermon_access_attr {
	KERMON_A_ACCESS_UNSPEC,
	KERMON_A_ACCESS_KIND,
	KERMON_A_ACCESS_TIMES,
	KERMON_A_ACCESS_CYCLES,
	__KERMON_A_ACCESS_MAX,
};

#define KERMON_A_ACCESS_MAX (__KERMON_A_ACCESS_MAX - 1)

enum kermon_access {
	KERMON_ACCESS_NONE = 0,		/* the loop alone */
	KERMON_ACCESS_RDTSC = 1,
	KERMON_ACCESS_RDPMC = 2,	/* a programmable counter */
	KERMON_ACCESS_RDMSR = 3,	/* an event selector */
	KERMON_ACCESS_WRMSR = 4,	/* the same, with the value that it has */
	KERMON_ACCESS_ENERGY = 5,	/* RDMSR of an energy counter */
	KERMON_ACCESS_COUNT = 6,
};

enum kermon_pmu_owner {
	KERMON_PMU_FREE = 0,
	KERMON_PMU_KERMON = 1,
	KERMON_PMU_OTHER = 2,	/* perf, the NMI watchdog, another module */
	KERMON_PMU_NONE = 3,	/* this CPU has no usable PMU */
};

enum kermon_notice {
	KERMON_NOTICE_STARTED = 1,
	KERMON_NOTICE_EXITED = 2,	/* no task left */
	KERMON_NOTICE_LOST = 3,		/* the first loss of an application; being
					 * overwritten is none
					 */
};

#endif /* _UAPI_LINUX_KERMON_H */
