// SPDX-License-Identifier: GPL-2.0
/*
 * The thread of a spy. It sleeps in a futex until the next deadline, so that a sample takes
 * one wake-up, and a command of the monitor ends the sleep.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#if defined(__x86_64__) || defined(__i386__)
#include <x86intrin.h>
#endif

#include "spies.h"
#include "util/monotonic.h"

#define NS_PER_S	1000000000ULL

/* Registers of energy are updated once per millisecond. */
#define ENERGY_NS	10000000ULL

/* Room in a channel that only the last sample of a set, and that of a spy, may use. */
#define SPARE		1

/* How long samples wait for the backend to verify them, and for which part of a channel. */
#define VERIFY_NS	1000000000ULL
#define VERIFY_PART	3

static uint64_t read_tsc(void)
{
#if defined(__x86_64__) || defined(__i386__)
	return __rdtsc();
#else
	return 0;
#endif
}

/* Sleep while @word is @value, until @until_ns at the latest; UINT64_MAX: forever. */
static void sleep_on(_Atomic uint32_t *word, uint32_t value, uint64_t until_ns)
{
	const struct timespec until = {
		.tv_sec = until_ns / NS_PER_S,
		.tv_nsec = until_ns % NS_PER_S,
	};

	syscall(SYS_futex, word, FUTEX_WAIT_BITSET_PRIVATE, value,
		until_ns == UINT64_MAX ? NULL : &until, NULL, FUTEX_BITSET_MATCH_ANY);
}

static void wake(_Atomic uint32_t *word)
{
	syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

static uint64_t time_of(clockid_t clock)
{
	struct timespec time = { 0 };

	clock_gettime(clock, &time);
	return time.tv_sec * NS_PER_S + time.tv_nsec;
}

/* The monitor sees everything that was written before. */
static void answer(struct spy *spy, int result)
{
	spy->answer = result;
	atomic_fetch_add_explicit(&spy->answered, 1, memory_order_release);
	wake(&spy->answered);
}

static void add(_Atomic uint64_t *total, uint64_t number)
{
	if (number)
		atomic_fetch_add_explicit(total, number, memory_order_relaxed);
}

static void read_energy(struct spy *spy, uint64_t now, bool last)
{
	if (!spy->energy || (!last && now - spy->energy_ns < ENERGY_NS))
		return;
	energy_read_package(spy->energy, spy->package, spy->joules);
	spy->energy_ns = monotonic_ns();
	spy->flags |= KERMON_SPY_ENERGY;
}

static void fill(const struct spy *spy, struct slot *slot, const struct spy_reading *reading,
		 uint64_t now, uint64_t tsc)
{
	slot->set = spy->number;
	slot->flags = spy->flags;
	slot->missed = spy->missed;
	slot->merged = spy->merging;
	slot->begin_ns = spy->begin_ns;
	slot->end_ns = now;
	slot->begin_tsc = spy->begin_tsc;
	slot->end_tsc = tsc;
	slot->enabled_ns = reading->enabled - spy->base.enabled;
	slot->running_ns = reading->running - spy->base.running;
	for (unsigned int i = 0; i < spy->set->public.nr; i++)
		slot->counts[i] = reading->values[i] - spy->base.values[i];
	memcpy(slot->joules, spy->joules, sizeof(slot->joules));
	slot->energy_ns = spy->energy_ns;
}

static void begin(struct spy *spy, const struct spy_reading *reading, uint64_t now,
		  uint64_t tsc)
{
	spy->begin_ns = now;
	spy->begin_tsc = tsc;
	spy->base = *reading;
	if (spy->flags & KERMON_SPY_ENERGY)
		memset(spy->joules, 0, sizeof(spy->joules));
	spy->flags = 0;
	spy->missed = 0;
	spy->merging = 0;
}

/* Without room in the channel, the interval goes on: no count is lost. */
static bool pass_on(struct spy *spy, const struct spy_reading *reading, uint64_t now,
		    uint64_t tsc, bool cut)
{
	struct slot *slot = channel_free_slot(&spy->channel, cut ? 0 : SPARE);

	if (!slot) {
		spy->merging++;
		add(&spy->merged, 1);
		return false;
	}
	fill(spy, slot, reading, now, tsc);
	channel_hold(&spy->channel);
	add(&spy->samples, 1);
	add(&spy->uncounted, !!(spy->flags & KERMON_SPY_UNCOUNTED));
	return true;
}

static void flag_held(struct spy *spy)
{
	add(&spy->uncounted, channel_flag_held(&spy->channel, KERMON_SPY_UNCOUNTED));
}

/* Pass on what has been verified. Where that is expensive, it is done from time to time. */
static int put_verified(struct spy *spy, uint64_t now, bool cut)
{
	struct channel *channel = &spy->channel;
	int err;

	if (spy->backend->verify) {
		if (!cut && now - spy->verified_ns < VERIFY_NS &&
		    channel->held * VERIFY_PART < channel->nr)
			return 0;
		err = spy->backend->verify(spy->source);
		if (err)
			flag_held(spy);
		if (err && err != -EAGAIN)
			return err;
		spy->verified_ns = now;
	}
	channel_put(channel);
	return 0;
}

/*
 * Affinity is broken when the CPU goes offline: it is for good, even if the CPU comes back, and
 * what is read from now on may be of another one.
 */
static int check_cpu(const struct spy *spy)
{
	return sched_getcpu() == (int)spy->cpu ? 0 : -ENODEV;
}

/* The last interval of a CPU that is offline, if its counts are known. */
static int end_offline(struct spy *spy, const struct spy_reading *reading, uint64_t now,
		       uint64_t tsc)
{
	spy->flags |= KERMON_SPY_CUT | KERMON_SPY_OFFLINE;
	if (spy->backend->outlives_cpu)
		pass_on(spy, reading, now, tsc, true);
	return -ENODEV;
}

/*
 * End the interval @now, and begin the next one with the same reading. @cut: for a command.
 * Returns 0; -ENOBUFS: there was no room for it; or -errno if the spy has to end.
 */
static int take_sample(struct spy *spy, uint64_t now, bool cut)
{
	struct spy_reading reading = spy->base;
	const uint64_t tsc = read_tsc();
	int err = spy->backend->read(spy->source, &reading, cut);

	if (err == -EAGAIN) {
		spy->flags |= KERMON_SPY_UNCOUNTED;
		err = 0;
	}
	if (check_cpu(spy))
		return end_offline(spy, &reading, now, tsc);
	if (err)
		return err;
	if (cut)
		spy->flags |= KERMON_SPY_CUT;
	read_energy(spy, now, cut);
	if (!pass_on(spy, &reading, now, tsc, cut))
		return -ENOBUFS;
	begin(spy, &reading, now, tsc);
	return put_verified(spy, now, cut);
}

/* Deadlines that have passed are skipped, and counted. */
static void set_next_deadline(struct spy *spy, uint64_t now)
{
	uint64_t late = (now - spy->due_ns) / spy->interval_ns;

	spy->due_ns += (late + 1) * spy->interval_ns;
	spy->missed += late;
	add(&spy->all_missed, late);
}

static int take_due_sample(struct spy *spy, uint64_t now)
{
	int err;

	set_next_deadline(spy, now);
	err = take_sample(spy, now, false);
	return err == -ENOBUFS ? 0 : err;
}

static int start(struct spy *spy)
{
	struct spy_reading reading = { 0 };
	double joules[KERMON_SPY_DOMAINS] = { 0 };
	int err = spy->backend->read(spy->source, &reading, true);

	if (err)
		return err == -EAGAIN ?
		       spy_fail(&spy->trouble, KERMON_SPY_HELD, -EBUSY, spy->cpu, NULL) :
		       spy_fail(&spy->trouble, KERMON_SPY_SYSTEM, err, spy->cpu, NULL);
	if (spy->energy)
		energy_read_package(spy->energy, spy->package, joules);
	spy->energy_ns = monotonic_ns();
	spy->flags = 0;
	begin(spy, &reading, monotonic_ns(), read_tsc());
	spy->verified_ns = spy->begin_ns;
	spy->due_ns = spy->start_ns + spy->interval_ns;
	return 0;
}

/* A spy that cannot read its counters any more waits for its end. */
static void fail(struct spy *spy, int err)
{
	if (spy->backend->verify)
		flag_held(spy);
	channel_put(&spy->channel);
	atomic_store_explicit(&spy->error, err, memory_order_relaxed);
	spy->due_ns = UINT64_MAX;
}

static int change(struct spy *spy)
{
	int err;

	if (!channel_free_slot(&spy->channel, SPARE))
		return spy_fail(&spy->trouble, KERMON_SPY_SYSTEM, -EAGAIN, spy->cpu, NULL);
	err = take_sample(spy, monotonic_ns(), true);
	if (err) {
		fail(spy, err);
		return spy_fail(&spy->trouble, KERMON_SPY_SYSTEM, err, spy->cpu, NULL);
	}
	err = spy->backend->change(spy->source, spy->wanted, &spy->base, &spy->trouble);
	spy->flags |= KERMON_SPY_FIRST;
	if (!err) {
		spy->set = spy->wanted;
		spy->number = spy->wanted_number;
	}
	return err;
}

/* End the interval, whatever follows. */
static void end_last(struct spy *spy)
{
	int err;

	if (spy->due_ns == UINT64_MAX)
		return;
	err = take_sample(spy, monotonic_ns(), true);
	if (err && err != -ENOBUFS)
		fail(spy, err);
}

/* A command other than to stop. */
static int execute(struct spy *spy, enum spy_command command)
{
	int err = atomic_load_explicit(&spy->error, memory_order_relaxed);

	if (err)
		return spy_fail(&spy->trouble, KERMON_SPY_SYSTEM, err, spy->cpu, NULL);
	switch (command) {
	case SPY_START:
		return start(spy);
	case SPY_CHANGE:
		return change(spy);
	default:
		if (check_cpu(spy))
			end_last(spy);
		return 0;
	}
}

/* Returns whether the spy goes on. */
static bool obey(struct spy *spy)
{
	const enum spy_command command = spy->command;

	if (command != SPY_STOP) {
		answer(spy, execute(spy, command));
		return true;
	}
	end_last(spy);
	spy->cpu_ns = time_of(CLOCK_THREAD_CPUTIME_ID);
	answer(spy, 0);
	return false;
}

/* Take a sample if one is due, with one reading of the clock. */
static void look_at_clock(struct spy *spy)
{
	const uint64_t now = monotonic_ns();
	int err = 0;

	if (now >= spy->due_ns)
		err = take_due_sample(spy, now);
	if (err)
		fail(spy, err);
}

static void watch(struct spy *spy)
{
	uint32_t obeyed = 0, asked;
	bool goes_on = true;

	spy->due_ns = UINT64_MAX;
	while (goes_on) {
		sleep_on(&spy->asked, obeyed, spy->due_ns);
		asked = atomic_load_explicit(&spy->asked, memory_order_acquire);
		if (asked == obeyed) {
			look_at_clock(spy);
			continue;
		}
		obeyed = asked;
		goes_on = obey(spy);
	}
}

/*
 * A sample takes microseconds, but an interval is exact only if the spy runs in time. Without
 * permission, it competes with the tasks of its CPU.
 */
static void raise_priority(void)
{
	const struct sched_param param = { .sched_priority = 1 };

	pthread_setschedparam(pthread_self(), SCHED_FIFO, &param);
}

static void *run(void *data)
{
	struct spy *spy = data;
	int err;

	prctl(PR_SET_NAME, "kermon-spy");
	raise_priority();
	err = spy->backend->open(&spy->source, spy->cpu, spy->set, &spy->trouble);

	answer(spy, err);
	if (err)
		return NULL;
	watch(spy);
	spy->backend->close(spy->source);
	return NULL;
}

/* Signals are for the threads of the caller, but for those of faults, which would kill. */
static int create(struct spy *spy, const pthread_attr_t *attr)
{
	sigset_t all, before;
	int err;

	sigfillset(&all);
	sigdelset(&all, SIGSEGV);
	sigdelset(&all, SIGBUS);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	err = pthread_create(&spy->thread, attr, run, spy);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return err;
}

int spy_create(struct spy *spy, struct kermon_spy_trouble *trouble)
{
	const size_t size = CPU_ALLOC_SIZE(spy->cpu + 1);
	cpu_set_t *set = CPU_ALLOC(spy->cpu + 1);
	pthread_attr_t attr;
	int err;

	if (!set)
		return spy_fail(trouble, KERMON_SPY_SYSTEM, -ENOMEM, spy->cpu, NULL);
	CPU_ZERO_S(size, set);
	CPU_SET_S(spy->cpu, size, set);
	pthread_attr_init(&attr);
	err = pthread_attr_setaffinity_np(&attr, size, set);
	if (!err)
		err = create(spy, &attr);
	pthread_attr_destroy(&attr);
	CPU_FREE(set);
	if (err)
		return spy_fail(trouble, err == EINVAL ? KERMON_SPY_CPU :
				KERMON_SPY_SYSTEM, -err, spy->cpu, NULL);
	spy->started = true;
	pthread_getcpuclockid(spy->thread, &spy->clock);
	return 0;
}

void spy_ask(struct spy *spy, enum spy_command command)
{
	spy->command = command;
	atomic_fetch_add_explicit(&spy->asked, 1, memory_order_release);
	wake(&spy->asked);
}

/* The opening is answered, too, so that one more is answered than was asked. */
int spy_answer(struct spy *spy, struct kermon_spy_trouble *trouble)
{
	const uint32_t asked = atomic_load_explicit(&spy->asked, memory_order_relaxed);
	uint32_t answered;

	for (;;) {
		answered = atomic_load_explicit(&spy->answered, memory_order_acquire);
		if (answered == asked + 1)
			break;
		sleep_on(&spy->answered, answered, UINT64_MAX);
	}
	if (spy->answer && trouble)
		*trouble = spy->trouble;
	return spy->answer;
}

uint64_t spy_cpu_time(const struct spy *spy)
{
	return spy->started ? time_of(spy->clock) : spy->cpu_ns;
}

void spy_join(struct spy *spy)
{
	if (spy->started)
		pthread_join(spy->thread, NULL);
	spy->started = false;
}
