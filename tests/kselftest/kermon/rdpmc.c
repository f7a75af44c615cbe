// SPDX-License-Identifier: GPL-2.0
/*
 * RDPMC in user mode while KerMon counts, under each of perf's policies
 * (/sys/bus/event_source/devices/cpu/rdpmc): which processes can read the
 * counters, and that perf's handling of those processes changes no count.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/perf_event.h>

#include "kselftest_harness.h"

#include "../pmu/msr.h"
#include "control.h"
#include "log.h"
#include "oracle.h"
#include "quantities.h"
#include "registers.h"
#include "tally.h"
#include "worker.h"

#define CPU		1
#define ROUNDS		20000
/* About 20 ms, to allow for changes meanwhile. */
#define LONG_ROUNDS	400000

/* Tolerance in instructions. */
#define OVERHEAD	1000

/*
 * Special values for rounds: try RDPMC once, until it is denied, or until it
 * works.
 */
#define TRY		0
#define UNTIL_DENIED	UINT64_MAX
#define UNTIL_ALLOWED	(UINT64_MAX - 1)

/**
 * struct process - a process on CPU that executes one request at a time
 * @pid: its pid
 * @ask: sends requests: rounds of code_arithmetic(), or one of the values above
 * @answer: receives a byte when done: whether RDPMC worked
 */
struct process {
	pid_t pid;
	int ask;
	int answer;
};

static int event_open(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_HW_INSTRUCTIONS,
		.exclude_kernel = 1,
	};

	return syscall(SYS_perf_event_open, &attr, 0, -1, -1,
		       PERF_FLAG_FD_CLOEXEC);
}

static bool do_one(uint64_t rounds)
{
	uint64_t value;

	switch (rounds) {
	case TRY:
		return rdpmc(0, &value);
	case UNTIL_DENIED:
		while (rdpmc(0, &value))
			;
		return true;
	case UNTIL_ALLOWED:
		while (!rdpmc(0, &value))
			;
		return true;
	default:
		code_arithmetic(rounds, NULL);
		return true;
	}
}

static void serve(int ask, int answer)
{
	uint64_t rounds;
	char done;

	while (read(ask, &rounds, sizeof(rounds)) == sizeof(rounds)) {
		done = do_one(rounds);
		if (write(answer, &done, 1) != 1)
			break;
	}
	_exit(0);
}

/* The child closes @fd, which only the caller needs. */
static int process_start(struct process *process, int fd)
{
	int ask[2], answer[2];

	if (pipe(ask) || pipe(answer))
		return -1;
	process->pid = fork();
	if (!process->pid) {
		close(fd);
		serve(ask[0], answer[1]);
	}
	close(ask[0]);
	close(answer[1]);
	process->ask = ask[1];
	process->answer = answer[0];
	return pin(process->pid, CPU);
}

static void process_ask(const struct process *process, uint64_t rounds)
{
	if (write(process->ask, &rounds, sizeof(rounds)) != sizeof(rounds))
		abort();
}

static bool process_answer(const struct process *process)
{
	char done = false;

	if (read(process->answer, &done, 1) != 1)
		abort();
	return done;
}

static bool has_answered(const struct process *process)
{
	struct pollfd answer = { .fd = process->answer, .events = POLLIN };

	return poll(&answer, 1, 0) > 0;
}

static bool can_read(const struct process *process)
{
	process_ask(process, TRY);
	return process_answer(process);
}

/* After closing the last descriptor; the PMU is released slightly later. */
static void wait_until_free(void)
{
	int fd;

	while ((fd = oracle_hold_pmu()) < 0 && errno == EBUSY)
		sleep_us(1000);
	if (fd < 0)
		abort();
	close(fd);
}

/*
 * The child of a process that had an event mapped when it forked, but has none
 * now.
 */
static int heir_start(struct process *process)
{
	size_t size = sysconf(_SC_PAGESIZE);
	int ret, fd = event_open();
	void *page = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);

	if (page == MAP_FAILED)
		return -1;
	ret = process_start(process, fd);
	munmap(page, size);
	close(fd);
	/* By the time it answers, it has closed its own descriptor. */
	can_read(process);
	return ret;
}

static void process_end(struct process *process)
{
	close(process->ask);
	close(process->answer);
	kill(process->pid, SIGKILL);
	waitpid(process->pid, NULL, 0);
}

static void work(void *data)
{
	(void)data;
	code_arithmetic(ROUNDS, NULL);
}

/* Whether a counter is far from 0. */
static bool is_soiled(void)
{
	uint64_t value;
	unsigned int i;

	for (i = 0; i < SET_SIZE; i++)
		if (!register_read(CPU, counter_register(i), &value) &&
		    value > 1ULL << 40)
			return true;
	return false;
}

/*
 * Make perf leave dirty counters on CPU, far from 0, for KerMon to find. Not if
 * all processes have RDPMC, since then a switch to any zeroes them.
 */
static void soil_counters(struct __test_metadata *_metadata, bool public)
{
	const struct quantity_set *set = quantity_set(0);
	pid_t pid = worker_start(work, NULL);
	struct oracle oracle;

	ASSERT_EQ(pin(pid, CPU), 0);
	ASSERT_EQ(oracle_open(&oracle, pid, set->events, SET_SIZE), 0);
	worker_go(pid);
	ASSERT_EQ(worker_wait(pid), 0);
	ASSERT_EQ(oracle_close(&oracle), 0);
	EXPECT_EQ(is_soiled(), !public);
}

/* While KerMon counts: it denies RDPMC unless it shares the counters with perf. */
static bool heir_may_read(bool by_policy, bool public)
{
	return counters_are_shared() ? by_policy : public;
}

FIXTURE(rdpmc) {
	struct process heir;
	struct process stranger;
};

FIXTURE_VARIANT(rdpmc) {
	const char *policy;
	bool heir_reads;	/* while KerMon does not count */
	bool public;
};

FIXTURE_VARIANT_ADD(rdpmc, policy0) { .policy = "0" };
FIXTURE_VARIANT_ADD(rdpmc, policy1) { .policy = "1", .heir_reads = true };
FIXTURE_VARIANT_ADD(rdpmc, policy2) {
	.policy = "2", .heir_reads = true, .public = true
};

/* perf maps an event for RDPMC only if the policy allows that. */
FIXTURE_SETUP(rdpmc)
{
	ASSERT_TRUE(rdpmc_allow("1"));
	ASSERT_EQ(heir_start(&self->heir), 0);
	ASSERT_EQ(process_start(&self->stranger, -1), 0);
	wait_until_free();
	ASSERT_TRUE(rdpmc_allow(variant->policy));
}

FIXTURE_TEARDOWN(rdpmc)
{
	process_end(&self->heir);
	process_end(&self->stranger);
	wait_until_free();
	rdpmc_allow("1");
}

TEST_F(rdpmc, reads_what_others_do)
{
	const bool may = heir_may_read(variant->heir_reads, variant->public);
	pid_t pid = worker_start(work, NULL);
	int fd;

	ASSERT_EQ(pin(pid, CPU), 0);
	EXPECT_EQ(can_read(&self->heir), variant->heir_reads);
	EXPECT_EQ(can_read(&self->stranger), variant->public);
	fd = monitor(pid);
	ASSERT_GE(fd, 0);
	EXPECT_EQ(can_read(&self->heir), may);
	EXPECT_EQ(can_read(&self->stranger), variant->public);
	worker_go(pid);
	ASSERT_EQ(worker_wait(pid), 0);
	EXPECT_EQ(can_read(&self->heir), may);
	close(fd);
	wait_until_free();
	EXPECT_EQ(can_read(&self->heir), variant->heir_reads);
	EXPECT_EQ(can_read(&self->stranger), variant->public);
}

/* Being monitored gives no right to read the counters. */
TEST_F(rdpmc, reads_while_monitored)
{
	int fd = monitor(self->heir.pid);

	ASSERT_GE(fd, 0);
	EXPECT_EQ(can_read(&self->heir),
		  heir_may_read(variant->heir_reads, variant->public));
	close(fd);
}

TEST_F(rdpmc, policy_is_told)
{
	struct machine_info info;

	ASSERT_EQ(control_get_info(&info), 0);
	EXPECT_EQ(info.public, variant->public);
}

/* Root can change the policy while tasks are monitored. */
TEST_F(rdpmc, policy_changes)
{
	int fd = monitor(self->stranger.pid);

	ASSERT_GE(fd, 0);
	ASSERT_TRUE(rdpmc_allow("2"));
	EXPECT_TRUE(can_read(&self->heir));
	ASSERT_TRUE(rdpmc_allow("1"));
	EXPECT_EQ(can_read(&self->heir), heir_may_read(true, false));
	ASSERT_TRUE(rdpmc_allow("0"));
	EXPECT_FALSE(can_read(&self->heir));
	close(fd);
}

/* Count @rounds of the heir, allowing other changes meanwhile. */
static void count(struct __test_metadata *_metadata,
		  const struct process *heir, uint64_t rounds,
		  const char *policy, struct tally *tally)
{
	struct kermon_event_set set = event_set_of(quantity_set(0));
	struct records records = {};
	struct machine_info info;
	int fd;

	ASSERT_EQ(control_get_info(&info), 0);
	soil_counters(_metadata, info.public);
	fd = set_events(heir->pid, &set, sizeof(set), 0);
	ASSERT_GE(fd, 0) TH_LOG("set_events: %s", strerror(errno));
	process_ask(heir, rounds);
	if (policy) {
		sleep_us(1000);
		ASSERT_TRUE(rdpmc_allow(policy));
		EXPECT_FALSE(has_answered(heir));
	}
	ASSERT_TRUE(process_answer(heir));
	wait_until_state(heir->pid, 'S');
	wait_until_off_cpu(heir->pid);
	ASSERT_GT(records_read(&records, fd, 1 << 16, KERMON_READ_NONBLOCK), 0);
	close(fd);
	wait_until_free();
	records_tally(&records, 0, tally);
	free(records.data);
	EXPECT_EQ(tally->broken, 0);
	EXPECT_EQ(tally->invalid, 0);
}

/*
 * Instructions from the first fixed counter, or from an event if there is none.
 */
static uint64_t instructions(const struct tally *tally)
{
	const struct quantity_set *set = quantity_set(0);
	unsigned int i;

	for (i = 0; i < SET_SIZE; i++)
		if (set->quantities[i] == INSTRUCTIONS)
			return tally->events[i];
	return tally->fixed[0];
}

/*
 * Apart from the rounds, the heir executes only a system call before and after.
 */
static void expect_rounds(struct __test_metadata *_metadata,
			  const struct tally *tally, uint64_t rounds)
{
	uint64_t expected = rounds * arithmetic_round[INSTRUCTIONS];

	EXPECT_GE(instructions(tally), expected);
	EXPECT_LT(instructions(tally), expected + OVERHEAD);
}

/* Exact: the difference between two runs equals that in rounds. */
static void expect_exact(struct __test_metadata *_metadata,
			 const struct process *heir, const char *policy,
			 const char *during)
{
	const struct quantity_set *set = quantity_set(0);
	struct tally some, more;
	unsigned int i;

	count(_metadata, heir, LONG_ROUNDS, during, &some);
	ASSERT_TRUE(rdpmc_allow(policy));
	count(_metadata, heir, LONG_ROUNDS + ROUNDS, during, &more);
	expect_rounds(_metadata, &some, LONG_ROUNDS);
	expect_rounds(_metadata, &more, LONG_ROUNDS + ROUNDS);
	EXPECT_EQ(instructions(&more) - instructions(&some),
		  ROUNDS * arithmetic_round[INSTRUCTIONS]);
	for (i = 0; i < SET_SIZE; i++)
		EXPECT_EQ(more.events[i] - some.events[i],
			  ROUNDS * arithmetic_round[set->quantities[i]]);
}

/*
 * switch_mm() to a process with RDPMC zeroes what perf has left, unless done
 * before: KerMon zeroes it, or denies RDPMC; either suffices here.
 */
TEST_F(rdpmc, counts_behind_perf)
{
	expect_exact(_metadata, &self->heir, variant->policy, NULL);
}

/*
 * A change of the policy also zeroes dirty counters on all CPUs: KerMon must
 * have done so before.
 */
TEST_F(rdpmc, counts_while_the_policy_changes)
{
	expect_exact(_metadata, &self->heir, variant->policy,
		     variant->public ? "1" : "2");
}

/*
 * No other task runs on its CPU, so its permission is not updated by a switch. It
 * ends when KerMon takes over that CPU, and not as long as it only counts elsewhere.
 */
TEST_F(rdpmc, is_denied_while_it_runs)
{
	const bool changes = variant->heir_reads &&
			     !heir_may_read(variant->heir_reads, variant->public);
	int fd;

	process_ask(&self->heir, variant->heir_reads ? UNTIL_DENIED : UNTIL_ALLOWED);
	sleep_us(1000);
	EXPECT_FALSE(has_answered(&self->heir));
	fd = monitor(self->stranger.pid);
	ASSERT_GE(fd, 0);
	sleep_us(1000);
	EXPECT_FALSE(has_answered(&self->heir));
	close(fd);
	fd = monitor(self->heir.pid);
	ASSERT_GE(fd, 0);
	sleep_us(1000);
	EXPECT_EQ(has_answered(&self->heir), changes);
	if (changes) {
		process_answer(&self->heir);
		process_ask(&self->heir, UNTIL_ALLOWED);
		sleep_us(1000);
		EXPECT_FALSE(has_answered(&self->heir));
	}
	close(fd);
	wait_until_free();
	sleep_us(1000);
	EXPECT_EQ(has_answered(&self->heir), changes);
}

TEST_HARNESS_MAIN
