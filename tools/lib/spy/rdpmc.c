// SPDX-License-Identifier: GPL-2.0
/*
 * Permission to read counters in user mode. The kernel gives it to a process that has mapped
 * an event of perf_event which a counter could count. The event is one of a thread that has
 * exited: it never counts, belongs to no task that is switched, and cannot be enabled.
 *
 * Root can withdraw the permission of all processes at once, by a 0 in sysfs. RDPMC then raises
 * a general protection fault, which would kill the program with SIGSEGV.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "rdpmc.h"
#include "util/handler.h"
#include "util/perfevent.h"
#include "util/sysfile.h"

/* 0: nobody; 1: processes with such an event; 2: all */
#define PERMISSION	"/sys/bus/event_source/devices/cpu/rdpmc"
#define FOR_ALL		2

/* The TLS model allocates nothing, because the signal handler accesses them. */
#define IN_HANDLER	__attribute__((tls_model("initial-exec")))
static _Thread_local volatile bool is_reading IN_HANDLER;
static _Thread_local volatile bool is_refused IN_HANDLER;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct sigaction before;

/* Skip the instruction, as if it had read 0. */
static void skip(ucontext_t *context)
{
	greg_t *registers = context->uc_mcontext.gregs;

	registers[REG_RAX] = 0;
	registers[REG_RDX] = 0;
	registers[REG_RIP] += 2;
}

/* The kernel reports a general protection fault by SI_KERNEL. */
static void on_fault(int number, siginfo_t *info, void *data)
{
	const ucontext_t *context = data;
	const uint8_t *code = (const void *)context->uc_mcontext.gregs[REG_RIP];

	if (!is_reading || info->si_code != SI_KERNEL || code[0] != 0x0f || code[1] != 0x33) {
		handler_pass_on(&before, number, info, data);
		return;
	}
	is_refused = true;
	skip(data);
}

static void install(void)
{
	handler_install(SIGSEGV, on_fault, &before);
}

void rdpmc_begin(void)
{
	is_refused = false;
	is_reading = true;
}

bool rdpmc_end(void)
{
	is_reading = false;
	return !is_refused;
}

static bool is_given(const void *page)
{
	const struct perf_event_mmap_page *info = page;

	return info->cap_user_rdpmc;
}

/* In a thread of its own, which then exits. */
static void *open_event(void *data)
{
	struct rdpmc *rdpmc = data;
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_HARDWARE,
		.config = PERF_COUNT_HW_INSTRUCTIONS,
		.disabled = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};

	rdpmc->fd = perfevent_open(&attr, 0, -1, -1);
	if (rdpmc->fd >= 0)
		rdpmc->page = mmap(NULL, sysconf(_SC_PAGESIZE), PROT_READ, MAP_SHARED,
				   rdpmc->fd, 0);
	return NULL;
}

static bool is_for_all(void)
{
	uint64_t permission;

	return sysfile_number(&permission, 10, PERMISSION) && permission == FOR_ALL;
}

bool rdpmc_open(struct rdpmc *rdpmc)
{
	pthread_t thread;

	pthread_once(&once, install);
	*rdpmc = (struct rdpmc){ .fd = -1, .page = MAP_FAILED };
	if (!pthread_create(&thread, NULL, open_event, rdpmc))
		pthread_join(thread, NULL);
	if (rdpmc->page != MAP_FAILED && is_given(rdpmc->page))
		return true;
	rdpmc_close(rdpmc);
	return is_for_all();
}

void rdpmc_close(struct rdpmc *rdpmc)
{
	if (rdpmc->page != MAP_FAILED)
		munmap(rdpmc->page, sysconf(_SC_PAGESIZE));
	if (rdpmc->fd >= 0)
		close(rdpmc->fd);
	*rdpmc = (struct rdpmc){ .fd = -1, .page = MAP_FAILED };
}
