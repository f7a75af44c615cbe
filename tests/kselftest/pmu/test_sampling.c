// SPDX-License-Identifier: GPL-2.0
/*
 * Sampling on overflow: the number of samples equals the count divided by the
 * period, each is from the loop, and none is lost.
 */
#include "kselftest_harness.h"

#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "counter.h"

#define PAGE		4096
#define DATA_PAGES	256
#define PERIOD		10007
#define ITERATIONS	500000

#define STRING(x)	STRING_OF(x)
#define STRING_OF(x)	#x

/* Per iteration: a load, a store, a scalar addition and a branch. */
__asm__(".text\n"
	"busy_loop:	mov	$" STRING(ITERATIONS) ", %ecx\n"
	"1:	mov	(%rdi), %eax\n"
	"	addsd	%xmm0, %xmm0\n"
	"	mov	%eax, 8(%rdi)\n"
	"	dec	%ecx\n"
	"	jnz	1b\n"
	"	ret\n"
	"busy_loop_end:\n");
void busy_loop(void *memory);
extern const char busy_loop_end[];

struct sample {
	struct perf_event_header header;
	uint64_t ip;
	uint64_t period;
};

struct tally {
	uint64_t samples;
	uint64_t inside;	/* of which from busy_loop() */
	uint64_t periods;	/* their sum */
	uint64_t others;	/* lost, throttled */
};

struct sampler {
	int fd;
	struct perf_event_mmap_page *ring;
};

static void write_sysctl(const char *path, const char *value)
{
	int fd = open(path, O_WRONLY);

	if (fd < 0 || write(fd, value, strlen(value)) < 0) {
		fprintf(stderr, "cannot write %s: %m\n", path);
		exit(1);
	}
	close(fd);
}

FIXTURE(sampling)
{
};

/*
 * Prevent throttling, since the machine is slow and samples are frequent. With
 * this setting, Linux does not lower the sample rate.
 */
FIXTURE_SETUP(sampling)
{
	(void)self;
	write_sysctl("/proc/sys/kernel/perf_cpu_time_max_percent", "25");
	write_sysctl("/proc/sys/kernel/perf_event_max_sample_rate", "10000000");
	write_sysctl("/proc/sys/kernel/perf_cpu_time_max_percent", "0");
}

FIXTURE_TEARDOWN(sampling)
{
	(void)self;
}

static void sampler_open(struct __test_metadata *_metadata,
			 struct sampler *sampler, struct perf_event_attr attr)
{
	attr.sample_period = PERIOD;
	attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_PERIOD;
	sampler->fd = event_open(&attr, -1);
	ASSERT_GE(sampler->fd, 0);
	sampler->ring = mmap(NULL, (1 + DATA_PAGES) * PAGE,
			     PROT_READ | PROT_WRITE, MAP_SHARED,
			     sampler->fd, 0);
	ASSERT_NE(sampler->ring, MAP_FAILED);
}

static void sampler_close(struct sampler *sampler)
{
	munmap(sampler->ring, (1 + DATA_PAGES) * PAGE);
	close(sampler->fd);
}

/*
 * All samples have the same size, which divides that of the ring, so none
 * wraps.
 */
static struct tally sampler_tally(const struct sampler *sampler)
{
	const char *data = (const char *)sampler->ring + PAGE;
	struct tally tally = { 0 };
	uint64_t at = 0;

	while (at < sampler->ring->data_head) {
		const struct sample *sample =
			(const void *)(data + at % (DATA_PAGES * PAGE));

		if (sample->header.type == PERF_RECORD_SAMPLE) {
			tally.samples++;
			tally.periods += sample->period;
			tally.inside += sample->ip >= (uintptr_t)busy_loop &&
					sample->ip < (uintptr_t)busy_loop_end;
		} else {
			tally.others++;
		}
		at += sample->header.size;
	}
	return tally;
}

static uint64_t sampler_count(const struct sampler *sampler)
{
	uint64_t count = 0;

	if (read(sampler->fd, &count, sizeof(count)) != sizeof(count))
		return 0;
	return count;
}

/*
 * Up to @late samples may be missing at the end: when counting in kernel mode,
 * an overflow can occur while handling another one, or while counting is being
 * stopped.
 */
static void check(struct __test_metadata *_metadata,
		  const struct sampler *sampler, unsigned int late)
{
	uint64_t count = sampler_count(sampler);
	struct tally tally = sampler_tally(sampler);

	EXPECT_GE(count, ITERATIONS);
	EXPECT_LE(tally.samples, count / PERIOD);
	EXPECT_GE(tally.samples + late, count / PERIOD);
	EXPECT_EQ(tally.periods, tally.samples * PERIOD);
	EXPECT_EQ(tally.others, 0);
}

static void sample_config(struct __test_metadata *_metadata, uint64_t config)
{
	static uint64_t memory[2];
	struct sampler sampler;

	sampler_open(_metadata, &sampler, event_attr(config));
	ioctl(sampler.fd, PERF_EVENT_IOC_ENABLE, 0);
	busy_loop(memory);
	ioctl(sampler.fd, PERF_EVENT_IOC_DISABLE, 0);
	check(_metadata, &sampler, 0);
	/* the last sample may be taken after the loop */
	EXPECT_GE(sampler_tally(&sampler).inside + 1,
		  sampler_tally(&sampler).samples);
	sampler_close(&sampler);
}

static void sample_event(struct __test_metadata *_metadata, enum event event)
{
	sample_config(_metadata, event_config(event));
}

TEST_F(sampling, instructions)
{
	sample_event(_metadata, INSTRUCTIONS);
}

TEST_F(sampling, cycles)
{
	sample_event(_metadata, CYCLES);
}

TEST_F(sampling, branches)
{
	sample_event(_metadata, BRANCHES);
}

TEST_F(sampling, loads)
{
	sample_event(_metadata, LOADS);
}

TEST_F(sampling, stores)
{
	sample_event(_metadata, STORES);
}

/* Uses a pair of counters on AMD. */
TEST_F(sampling, floating_point)
{
	static const enum event events[] = {
		SCALAR_DOUBLE, ARITH_SCALAR_DOUBLE, ADD_FLOPS,
	};
	unsigned int i = 0;

	while (!event_config(events[i]))
		i++;
	sample_event(_metadata, events[i]);
}

TEST_F(sampling, cycles_with_a_load)
{
	sample_config(_metadata, event_config(LOADS) | 1 << 24);
}

/* Two counters that overflow at the same instructions, and the kernel. */
TEST_F(sampling, two_events_and_the_kernel)
{
	struct perf_event_attr attr = event_attr(event_config(BRANCHES));
	struct sampler branches, loads;
	int i;

	attr.exclude_kernel = 0;
	sampler_open(_metadata, &branches, attr);
	attr.config = event_config(LOADS);
	sampler_open(_metadata, &loads, attr);
	ioctl(branches.fd, PERF_EVENT_IOC_ENABLE, 0);
	ioctl(loads.fd, PERF_EVENT_IOC_ENABLE, 0);
	for (i = 0; i < 20000; i++)
		syscall(SYS_getppid);
	ioctl(loads.fd, PERF_EVENT_IOC_DISABLE, 0);
	ioctl(branches.fd, PERF_EVENT_IOC_DISABLE, 0);
	check(_metadata, &branches, 2);
	check(_metadata, &loads, 2);
	sampler_close(&branches);
	sampler_close(&loads);
}

TEST_HARNESS_MAIN
