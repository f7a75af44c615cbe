/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * KerMon: performance counter and energy samples taken by the scheduler.
 *
 * This file and kermon_self.h are the complete user ABI; the kernel, the module, the tools
 * and the tests all include them. In short:
 *
 *	sched_setscheduler(pid, SCHED_KERMON, &(struct sched_param){ 0 });
 *	fd = set_events(pid, &set, sizeof(set), 0);
 *	while ((n = read_event_log(fd, buf, sizeof(buf), 0)) > 0)
 *		walk the records in buf;
 *	close(fd);
 *
 * All fields are in native byte order. struct kermon_event_set and records may grow at
 * their end: the caller passes the size of the former that it knows, records say theirs,
 * and a sample where its values end. struct kermon_event and struct kermon_more_events, of
 * which there are arrays, do not grow. The kernel rejects unknown bits.
 */
#ifndef _UAPI_LINUX_KERMON_H
#define _UAPI_LINUX_KERMON_H

#include <linux/types.h>

/*
 * The scheduling policy, between the real-time policies and SCHED_NORMAL.
 * sched_priority must be 0; the nice value sets the weight of a task within the
 * policy. Entering the policy requires CAP_SYS_NICE. <linux/sched.h> defines it, too,
 * unless it is of a kernel without KerMon.
 */
#ifndef SCHED_KERMON
#define SCHED_KERMON		27
#endif

/* System call numbers, x86-64 only, well beyond those that mainline assigns. */
#define KERMON_NR_SET_EVENTS	900
#define KERMON_NR_READ_EVENT_LOG 901

/*
 * long set_events(pid_t pid, const struct kermon_event_set *set, size_t size,
 *		   unsigned int flags);
 *
 * Monitors the thread @pid (0: the caller) and every thread and process that it
 * creates from now on, together "the application", and returns a log descriptor:
 * close-on-exec, usable with poll(2). Monitoring ends when the last copy of the
 * descriptor is closed. For a single task it ends at exit, and when the task executes
 * a set-user-ID or set-group-ID program or one with file capabilities; or, unless
 * fs.suid_dumpable is 1, one that it may not read or by which root regains
 * capabilities. A task belongs to at most one application.
 *
 * With KERMON_FLAG_PROCESS, all threads of the process of @pid join atomically; none is
 * missed, however fast it creates further ones. Exiting threads are skipped. @pid may
 * be any thread of the process, even a main thread that has exited while others still
 * run. If any of them is already monitored, the call fails with EALREADY; if the
 * caller may not access all of them, with EPERM. In both cases no thread joins.
 *
 * With KERMON_FLAG_OPEN_LOG, @set must be NULL and @size 0: returns another descriptor
 * of the log that @pid currently writes to. Because that log covers the whole
 * application, the caller must be the user who created it, in the pid namespace where
 * it was created and with the privileges that its set requires, or have CAP_PERFMON.
 *
 * With KERMON_FLAG_CHANGE, @set replaces what is counted for the application of @pid,
 * and another descriptor of its log is returned. When the call returns, every interval
 * of the old set has been closed with KERMON_REASON_SET. Use a different set_id to
 * tell the samples of the two sets apart. The log itself cannot be changed: log_bytes
 * and watermark must be 0, and the flags the same as before. The caller needs the
 * privileges for KERMON_FLAG_OPEN_LOG and those that the new set requires. Every holder
 * of a descriptor also reads the counts of the new set.
 *
 * With KERMON_FLAG_LEND_CLASS, the tasks that join are moved into SCHED_KERMON, which
 * requires CAP_SYS_NICE, and tasks that they create inherit that as usual. A task that is
 * in the class already stays there and is not affected. A lent task returns to its former
 * policy and priority, with the nice value that it has then, when its monitoring ends:
 * when the last copy of the descriptor is closed, even if its holder was killed, when
 * root revokes the monitoring, or when the task executes a program as above. Once the
 * policy of a task has been set by sched_setscheduler() or sched_setattr(), it is not lent
 * any more; to set it to SCHED_KERMON, which it is already, has this effect if the caller
 * has CAP_SYS_NICE.
 *
 * Requires ptrace access to @pid (PTRACE_MODE_READ_REALCREDS, as perf). Kernel-mode counts
 * require CAP_PERFMON unless kernel.perf_event_paranoid is below 2; if it is above 2
 * (Debian's 3), any monitoring does. KERMON_SET_ENERGY always requires CAP_PERFMON.
 * To count at all requires CAP_PERFMON, kernel.perf_event_paranoid of at most 0, or a
 * group in the range of kernel.kermon_counters_group, because counters of every CPU are
 * occupied. A set with neither @count nor events samples time, and energy if requested.
 *
 * With KERMON_FLAG_SELF, @pid must be 0, @set NULL and @size 0: returns a descriptor by
 * which the calling thread, which must be monitored already, reads its own counts. See
 * <linux/kermon_self.h>.
 *
 * The log pins @log_bytes of memory per possible CPU, charged to the real user of the
 * caller until the last descriptor is closed. It shares perf's limits for pinned
 * memory, kernel.perf_event_mlock_kb per online CPU plus RLIMIT_MEMLOCK; they do not
 * apply if the caller has CAP_IPC_LOCK or kernel.perf_event_paranoid is -1. A ring
 * takes KERMON_RECORD_MAX bytes more than @log_bytes, rounded up to whole pages; with
 * KERMON_SET_COALESCE, 16 KiB are added. The default is KERMON_LOG_DEFAULT_BYTES; where the
 * limits are lower or CPUs may be hotplugged, it is the largest power of two that fits.
 *
 * Errors: E2BIG (@size larger than known, with non-zero bytes), EINVAL (size, unknown
 * flag, bits of an event that may not be set, an event that this PMU does not have,
 * interval or rotation time out of range, log_bytes not a power of two or out of range,
 * watermark out of range, two sets with the same set_id, events or further sets without
 * @count, KERMON_FLAG_LEND_CLASS for a SCHED_DEADLINE thread), ENOSPC (more sets than
 * KERMON_MAX_SETS, or more events than counters: some events can be counted by a few
 * counters only, AMD's floating-point events take two each, and events that share an
 * offcore register need the same value in it), ESRCH, EPERM (no ptrace access, a log of
 * another user or pid namespace, the log exceeds the limit for pinned memory, or
 * KERMON_FLAG_LEND_CLASS without CAP_SYS_NICE), EACCES (missing capability, or a
 * security module), EALREADY (@pid is already monitored), ENOENT (KERMON_FLAG_OPEN_LOG
 * or KERMON_FLAG_CHANGE, and @pid is not monitored, or KERMON_FLAG_SELF, and the caller
 * is not), EBUSY (perf, the NMI watchdog, other applications or other sets of the same
 * request leave too few counters), ENODEV (no module, or no usable PMU), EOPNOTSUPP
 * (energy requested but not available), EIO (KERMON_FLAG_SELF, and counts of the caller
 * have been lost since it opened its first descriptor), ENOMEM, EFAULT, EMFILE.
 */
#define KERMON_FLAG_OPEN_LOG	(1U << 0)
#define KERMON_FLAG_PROCESS	(1U << 1)
#define KERMON_FLAG_CHANGE	(1U << 2)
#define KERMON_FLAG_LEND_CLASS	(1U << 3)
#define KERMON_FLAG_SELF	(1U << 4)

/* Upper limit of programmed events in a set, on any hardware. */
#define KERMON_MAX_EVENTS	16

/**
 * struct kermon_event - one programmed counter
 * @config: as in IA32_PERFEVTSELx (Intel SDM vol. 3B, 20.2.1.1) and PERF_CTL
 *	(AMD APM vol. 2, 13.2.1): event select bits 0-7, of AMD also 32-35, unit
 *	mask 8-15, USR 16, OS 17, edge 18, invert 23, counter mask 24-31. Every
 *	other bit must be 0: EN, INT and AMD's merge event, 0xfff, are reserved
 *	for the kernel. At least one of USR and OS must be set.
 * @extra: value of the additional register that the event needs (offcore
 *	response); 0 for events that need none.
 */
struct kermon_event {
	__u64 config;
	__u64 extra;
};

/* Modes counted by the fixed counters; at least one unless nothing is counted. */
#define KERMON_COUNT_USER	(1U << 0)
#define KERMON_COUNT_KERNEL	(1U << 1)

/* flags of struct kermon_event_set */
#define KERMON_SET_ENERGY	(1U << 0)	/* also log energy deltas */
#define KERMON_SET_OVERWRITE	(1U << 1)	/* new samples overwrite the oldest */
#define KERMON_SET_COALESCE	(1U << 2)	/* merge short intervals into one sample */

#define KERMON_INTERVAL_DEFAULT_NS	50000000ULL	/* 50 ms, as in the paper */
#define KERMON_INTERVAL_MIN_NS		1000000ULL	/* no finer than the tick */
#define KERMON_INTERVAL_MAX_NS		10000000000ULL

/* Sets of one application that are rotated. */
#define KERMON_MAX_SETS			8

#define KERMON_ROTATE_DEFAULT_NS	10000000ULL	/* 10 ms */
#define KERMON_ROTATE_MIN_NS		1000000ULL	/* no finer than the tick */
#define KERMON_ROTATE_MAX_NS		10000000000ULL

#define KERMON_LOG_DEFAULT_BYTES	(1U << 19)
#define KERMON_LOG_MIN_BYTES		(1U << 12)
#define KERMON_LOG_MAX_BYTES		(1U << 26)

/**
 * struct kermon_more_events - an additional set of events for rotation
 * @set_id: label chosen by the caller, repeated in the samples of this set
 * @nr_events: number of programmed events, as in struct kermon_event_set
 * @events: user address of @nr_events struct kermon_event
 */
struct kermon_more_events {
	__u32 set_id;
	__u32 nr_events;
	__u64 events;
};

/**
 * struct kermon_event_set - what to count for an application, and how
 * @set_id: label chosen by the caller, repeated in every sample
 * @flags: KERMON_SET_*
 * @count: KERMON_COUNT_*, modes counted by the fixed counters; 0 if no counter is read,
 *	without events and other sets
 * @nr_events: number of programmed events, up to KERMON_MAX_EVENTS and to the number
 *	of counters of the CPU
 * @events: user address of @nr_events struct kermon_event
 * @interval_ns: on-CPU time without a sample after which the next tick takes one; 0
 *	selects the default. Rounded up to ticks: with HZ=250 the default of 50 ms
 *	samples every 52 ms.
 *	With KERMON_SET_COALESCE also the time, from begin to end, over which
 *	successive intervals of a thread on a CPU are summed into one sample. That
 *	sample is written earlier if the thread exits or executes another program,
 *	or if more than 16 threads share the CPU (each thread counts once per set),
 *	and at the latest by the first read_event_log() that starts @interval_ns
 *	after the begin of the sample. The samples of a CPU are therefore not
 *	ordered by time.
 * @log_bytes: size of the ring of each CPU, a power of two; 0 selects the default
 * @watermark: fill level of a ring, in bytes, at which readers and pollers are woken
 *	immediately; below it they are woken every 100 ms. At most @log_bytes -
 *	KERMON_RECORD_MAX, so that they are woken before samples are lost; 0 selects
 *	half of @log_bytes.
 * @more: user address of @nr_more struct kermon_more_events, sets that are rotated
 *	with this one; all other fields here apply to all sets
 * @nr_more: up to KERMON_MAX_SETS - 1; 0: this set is counted all the time
 * @pad: must be 0
 * @rotate_ns: on-CPU time of a thread before the next set is counted; 0 selects the
 *	default, and is required if there is no other set. Each thread rotates on
 *	its own: at every multiple of @rotate_ns of its CPU time, taking effect at
 *	the next tick or switch, so a set is counted for at least one tick. The
 *	thread id determines which set a thread starts with.
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
 * Copies whole records, those of each CPU in the order in which they were written.
 * Sort by tsc_end to order records across CPUs and, with KERMON_SET_COALESCE, also
 * within a CPU. Each record is delivered to only one reader. Returns the number of
 * bytes copied, or 0 at the end of the log, when no monitored task remains and
 * everything has been read. Blocks interruptibly while the log is empty, unless
 * KERMON_READ_NONBLOCK or O_NONBLOCK is set.
 *
 * Root may end the monitoring of an application, see KERMON_CMD_REVOKE: its log then
 * ends with a KERMON_RECORD_REVOKED.
 *
 * Errors: EAGAIN (non-blocking, and the log is empty or another reader is copying from
 * it), EINTR, EINVAL (unknown flag, or @len below KERMON_RECORD_MAX), EBADF (not a log
 * descriptor), EFAULT (nothing is consumed).
 */
#define KERMON_READ_NONBLOCK	(1U << 0)

/*
 * Upper limit of the record size: the largest sample has 72 + 8 * (4 + 16 + 4)
 * bytes.
 */
#define KERMON_RECORD_MAX	512

/*
 * KERMON_RECORD_INVALID replaces a sample whose counts are not known: beside perf, not
 * all of its events counted all the time, because others had the counters, or the task
 * had come to a CPU where they did not exist yet; or one of its counters advanced by more
 * than any CPU can count in that time, because it was written to, or lost its value. It
 * has the layout and sequence numbering of a sample, but always covers a single interval,
 * even with KERMON_SET_COALESCE. All fields are valid except the counter deltas, which
 * must not be used. A write that moves a counter by less is not detected. Sample counts,
 * here and in netlink, include these records.
 */
enum kermon_record_type {
	KERMON_RECORD_SAMPLE = 1,	/* struct kermon_sample */
	KERMON_RECORD_LOST = 2,		/* struct kermon_lost */
	KERMON_RECORD_INVALID = 3,	/* struct kermon_sample */
	KERMON_RECORD_REVOKED = 4,	/* struct kermon_revoked */
};

/**
 * struct kermon_record - header of every record
 * @type: enum kermon_record_type; use @size to skip unknown types
 * @size: size of the whole record in bytes, a multiple of 8
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
	KERMON_REASON_EXIT = 3,		/* the last sample of the task */
	KERMON_REASON_TICK = 4,		/* interval_ns without a sample */
	KERMON_REASON_EXEC = 5,		/* last sample of the old program */
	KERMON_REASON_ROTATE = 6,	/* at a tick: rotation to the next set */
	KERMON_REASON_SET = 7,		/* KERMON_FLAG_CHANGE */
};

/*
 * flags of struct kermon_sample. ALONE: the task had the package to itself. During the
 * whole interval all other CPUs that share its energy counters were idle except for
 * interrupts: no other task ran there, not even one of the same application or a
 * kernel thread. So no energy is attributed to two samples with this flag, but because
 * the counters are read only once per millisecond, a sample may include up to a
 * millisecond of energy from before its begin. A coalesced sample has the flag only if
 * all its intervals do. Never set without KERMON_SET_ENERGY.
 */
#define KERMON_SAMPLE_ALONE	(1U << 0)

/* Index of the fixed counters in a sample: SDM vol. 3B, 20.2.2. AMD has none. */
#define KERMON_FIXED_INSTRUCTIONS	0
#define KERMON_FIXED_CORE_CYCLES	1
#define KERMON_FIXED_REF_CYCLES		2

/* Energy domains: bit numbers in @domains, and the order of their values. */
enum kermon_domain {
	KERMON_DOMAIN_PACKAGE = 0,
	KERMON_DOMAIN_CORES = 1,	/* PP0; not on AMD, whose counters are per core */
	KERMON_DOMAIN_GPU = 2,		/* PP1 */
	KERMON_DOMAIN_DRAM = 3,
	KERMON_DOMAIN_COUNT = 4,
};

/**
 * struct kermon_sample - what a task did on a CPU in one or more intervals
 * @record: type KERMON_RECORD_SAMPLE or KERMON_RECORD_INVALID
 * @pid: process (thread group) in the pid namespace of set_events' caller; 0 if not
 *	visible there
 * @tid: thread, likewise
 * @set_id: the set that was counted
 * @reason: enum kermon_reason, why the interval ended
 * @flags: KERMON_SAMPLE_*
 * @nr_fixed: number of fixed counters in @values
 * @nr_events: number of programmed events in @values
 * @domains: one bit per enum kermon_domain whose delta is in @values
 * @pad: 0
 * @intervals: number of intervals summed in this sample; 1 without
 *	KERMON_SET_COALESCE
 * @sequence: number of this sample among those of the CPU in this log, starting at 0
 *	and including lost samples
 * @tsc_begin: TSC at the begin of the interval
 * @tsc_end: TSC at its end
 * @oncpu: TSC cycles on the CPU; @tsc_end - @tsc_begin if @intervals is 1
 * @ip: user-mode instruction pointer at the end; 0 if the task never had one
 * @values: @nr_fixed deltas, then @nr_events in the order of the set, then one per bit
 *	of @domains, lowest bit first, in units of the domain (see
 *	KERMON_A_DOMAIN_UNIT). Energy is that of the whole domain, which all CPUs
 *	of the package share; see KERMON_SAMPLE_ALONE.
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
 * struct kermon_lost - lost samples: the ring of a CPU was full, or they were
 *	overwritten (KERMON_SET_OVERWRITE)
 * @record: type KERMON_RECORD_LOST
 * @sequence: of the first missing sample
 * @lost: number of missing samples
 */
struct kermon_lost {
	struct kermon_record record;
	__u64 sequence;
	__u64 lost;
};

/**
 * struct kermon_revoked - the last record of a log: root has ended the monitoring
 * @record: type KERMON_RECORD_REVOKED
 * @tsc: TSC when the log ended; each task has run on unmonitored since its last sample
 *
 * The tasks that were running have had their intervals closed with KERMON_REASON_EXIT. What
 * one executed that was just being switched in may be missing.
 */
struct kermon_revoked {
	struct kermon_record record;
	__u64 tsc;
};

/*
 * Generic netlink, the control plane.
 *
 * KERMON_CMD_GET_INFO (do, unprivileged) -> one message:
 *	KERMON_A_PMU_NAME	string	backend, e.g. "intel-arch-v2"
 *	KERMON_A_COUNTERS	u32	programmable counters per CPU
 *	KERMON_A_COUNTER_WIDTH	u32	their width in bits
 *	KERMON_A_FIXED		u32	fixed counters per CPU
 *	KERMON_A_FIXED_WIDTH	u32	their width in bits
 *	KERMON_A_PMU_OWNER	u32	enum kermon_pmu_owner; up to a second
 *					old without CAP_PERFMON
 *	KERMON_A_TSC_KHZ	u32	TSC frequency in kHz
 *	KERMON_A_PMU_PUBLIC	flag	every process may execute RDPMC and so see
 *					the activity of others: root has set
 *					perf's policy to 2 in
 *					/sys/bus/event_source/devices/cpu/rdpmc
 *					and may change it at any time. Otherwise
 *					no process may while KerMon counts
 *					unless it shares the counters with perf,
 *					which then permits it as always
 *	KERMON_A_DOMAIN		nest, one per energy domain:
 *		KERMON_A_DOMAIN_ID	u32	enum kermon_domain
 *		KERMON_A_DOMAIN_NAME	string	perf's name: "energy-pkg", ...
 *		KERMON_A_DOMAIN_UNIT	u32	n: the unit is 2^-n joules
 *
 * KERMON_CMD_GET_APPS (dump; CAP_PERFMON to see those of other users) -> one
 * message per application, until its last log descriptor is closed:
 *	KERMON_A_APP		nest:
 *		KERMON_A_APP_ID		u32	id of the application
 *		KERMON_A_APP_PID	u32	pid passed to set_events, in the
 *						pid namespace of the requester;
 *						in notices in the initial one
 *		KERMON_A_APP_TASKS	u32	live tasks
 *		KERMON_A_APP_EMITTED	u64	samples taken, including lost ones
 *		KERMON_A_APP_READ	u64	samples delivered to readers
 *		KERMON_A_APP_LOST	u64	samples lost, reported or not yet
 *		KERMON_A_APP_COST	u64	TSC cycles spent on sampling so
 *						far: from reading the TSC, which
 *						precedes all other accesses, to
 *						the end of the hook
 *		KERMON_A_APP_UID	u32	effective user of who called
 *						set_events, in the user namespace
 *						of the requester
 *		KERMON_A_APP_OPENER	u32	process that called set_events, in
 *						the pid namespace of the requester,
 *						0 if not visible there. It may have
 *						passed the descriptor on, and have
 *						exited
 *		KERMON_A_APP_COMM	string	its name at that time
 *		KERMON_A_APP_FDS	u32	log descriptors, without copies by
 *						dup(2), fork(2) and SCM_RIGHTS
 *		KERMON_A_APP_SETS	u32	sets that are rotated, 1 if none is
 *		KERMON_A_APP_EVENTS	u32	programmed events of its largest set
 *		KERMON_A_APP_LOG_BYTES	u64	memory pinned for its log
 *		KERMON_A_APP_COUNTS	flag	it occupies counters, rather than
 *						sampling time or energy alone
 *		KERMON_A_APP_REVOKED	flag	revoked, and its descriptors still
 *						open
 *		In notices, pids and user are those of the initial namespaces.
 *
 * KERMON_CMD_REVOKE (do, CAP_SYS_ADMIN in the initial user namespace) ends the
 * monitoring of an application, as the release of its last log descriptor would: its
 * tasks run on unmonitored, and counters that no other one needs are released.
 * Descriptors of its log remain valid to read what is in it; the memory of the log is
 * released with the last. The log ends with a KERMON_RECORD_REVOKED, unless it has ended
 * before. Errors: EPERM, EINVAL (no id), ENOENT (no such application), EALREADY (revoked
 * before), EAGAIN (it is just being created):
 *	KERMON_A_ID		u32	KERMON_A_APP_ID of the application
 *
 * KERMON_CMD_MEASURE (do, CAP_PERFMON) -> the cost of register accesses on the CPU
 * that the requester runs on, measured now; changes no register and takes less than
 * a millisecond on real hardware. Errors: EPERM, ENODEV (no usable PMU), EBUSY (KerMon does
 * not count, and the counters are held by another user such as perf):
 *	KERMON_A_CPU		u32	number of the CPU
 *	KERMON_A_ACCESS		nest, one per kind that this machine supports:
 *		KERMON_A_ACCESS_KIND	u32	enum kermon_access
 *		KERMON_A_ACCESS_TIMES	u32	accesses per run, in a loop
 *		KERMON_A_ACCESS_CYCLES	binary, one u32 per run: TSC cycles
 *						including the loop
 *
 * Multicast group "notices", about the applications of all users: joining requires
 * CAP_SYS_ADMIN (EPERM). Notices are sent in the initial network namespace only. Each
 * is a KERMON_CMD_NOTICE with
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
	KERMON_CMD_REVOKE,
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
	KERMON_A_ID,
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
	KERMON_A_APP_UID,
	KERMON_A_APP_OPENER,
	KERMON_A_APP_COMM,
	KERMON_A_APP_FDS,
	KERMON_A_APP_SETS,
	KERMON_A_APP_EVENTS,
	KERMON_A_APP_LOG_BYTES,
	KERMON_A_APP_COUNTS,
	KERMON_A_APP_REVOKED,
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
	KERMON_ACCESS_NONE = 0,		/* the empty loop */
	KERMON_ACCESS_RDTSC = 1,
	KERMON_ACCESS_RDPMC = 2,	/* a programmable counter */
	KERMON_ACCESS_RDMSR = 3,	/* an event selector */
	KERMON_ACCESS_WRMSR = 4,	/* the same, with its current value */
	KERMON_ACCESS_ENERGY = 5,	/* RDMSR of an energy counter */
	KERMON_ACCESS_COUNT = 6,
};

enum kermon_pmu_owner {
	KERMON_PMU_FREE = 0,
	KERMON_PMU_KERMON = 1,
	KERMON_PMU_OTHER = 2,	/* perf, the NMI watchdog, another module */
	KERMON_PMU_NONE = 3,	/* this CPU has no usable PMU */
	KERMON_PMU_SHARED = 4,	/* KerMon counts, and perf beside it */
};

enum kermon_notice {
	KERMON_NOTICE_STARTED = 1,
	KERMON_NOTICE_EXITED = 2,	/* no task remains, or revoked */
	KERMON_NOTICE_LOST = 3,		/* first loss, not by overwriting */
};

#endif /* _UAPI_LINUX_KERMON_H */
