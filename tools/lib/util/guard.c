// SPDX-License-Identifier: GPL-2.0
/*
 * The handler of the signal may run in any thread at any time: it follows a list
 * that only grows, and looks at each element by atomic reads.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "guard.h"

/**
 * struct guard - of one mapping; used again for another one, and never freed
 * @begin: its address
 * @size: bytes; 0: there is none
 * @missing: lowest offset that was not there, or GUARD_ALL_THERE
 */
struct guard {
	struct guard *next;
	_Atomic uintptr_t begin;
	_Atomic size_t size;
	_Atomic uint64_t missing;
};

static _Atomic(struct guard *) guards;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct sigaction before;
static uintptr_t page_size;

/*
 * How often this thread has entered, and how many pages it has missed meanwhile. Of a
 * model that allocates nothing: the handler of a signal looks at them.
 */
#define IN_HANDLER	__attribute__((tls_model("initial-exec")))
static _Thread_local volatile unsigned int entered IN_HANDLER;
static _Thread_local volatile unsigned int missed IN_HANDLER;

static struct guard *guard_of(uintptr_t address)
{
	struct guard *guard = atomic_load(&guards);

	while (guard && address - atomic_load(&guard->begin) >=
			atomic_load(&guard->size))
		guard = guard->next;
	return guard;
}

/* Puts zeros in the place of the page; libelf writes to what it has mapped, too. */
static bool put_zeros(uintptr_t page)
{
	return mmap((void *)page, page_size, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) !=
	       MAP_FAILED;
}

/* Only what is not there: a misaligned address, for one, is no missing page. */
static bool fill(struct guard *guard, const siginfo_t *info, uintptr_t address)
{
	uintptr_t page = address / page_size * page_size;
	uint64_t offset = page - atomic_load(&guard->begin);

	if (info->si_code != BUS_ADRERR || !put_zeros(page))
		return false;
	if (offset < atomic_load(&guard->missing))
		atomic_store(&guard->missing, offset);
	return true;
}

/* In what a library has mapped. */
static bool fill_entered(const siginfo_t *info, uintptr_t address)
{
	if (!entered || info->si_code != BUS_ADRERR ||
	    !put_zeros(address / page_size * page_size))
		return false;
	missed++;
	return true;
}

/* Whether somebody has sent it, or the kernel did without need: it comes once. */
static bool is_sent(const siginfo_t *info)
{
	return info->si_code <= 0 || info->si_code == BUS_MCEERR_AO;
}

/* Without a handler, which ends all: what is not sent happens again. */
static void pass_on_to_nobody(int number, const siginfo_t *info)
{
	if (is_sent(info) && before.sa_handler == SIG_IGN)
		return;
	signal(number, SIG_DFL);
	if (is_sent(info))
		raise(number);
}

/* As if there was no guard. */
static void pass_on(int number, siginfo_t *info, void *context)
{
	if (before.sa_flags & SA_SIGINFO)
		before.sa_sigaction(number, info, context);
	else if (before.sa_handler == SIG_DFL || before.sa_handler == SIG_IGN)
		pass_on_to_nobody(number, info);
	else
		before.sa_handler(number);
}

static void on_bus_error(int number, siginfo_t *info, void *context)
{
	uintptr_t address = (uintptr_t)info->si_addr;
	struct guard *guard = guard_of(address);
	int saved = errno;

	if (guard ? !fill(guard, info, address) : !fill_entered(info, address))
		pass_on(number, info, context);
	errno = saved;
}

static void take_signal(void)
{
	struct sigaction action = {
		.sa_sigaction = on_bus_error,
		.sa_flags = SA_SIGINFO | SA_ONSTACK,
	};

	page_size = sysconf(_SC_PAGESIZE);
	sigaction(SIGBUS, &action, &before);
}

/* One that is not in use, perhaps a new one. The lock is held. */
static struct guard *unused(void)
{
	struct guard *guard = atomic_load(&guards);

	while (guard && atomic_load(&guard->size))
		guard = guard->next;
	if (guard)
		return guard;
	guard = calloc(1, sizeof(*guard));
	if (guard) {
		guard->next = atomic_load(&guards);
		atomic_store(&guards, guard);
	}
	return guard;
}

struct guard *guard_begin(const void *bytes, size_t size)
{
	struct guard *guard;

	pthread_once(&once, take_signal);
	pthread_mutex_lock(&lock);
	guard = unused();
	if (guard) {
		atomic_store(&guard->missing, GUARD_ALL_THERE);
		atomic_store(&guard->begin, (uintptr_t)bytes);
		atomic_store(&guard->size, size);
	}
	pthread_mutex_unlock(&lock);
	return guard;
}

void guard_end(struct guard *guard)
{
	if (guard)
		atomic_store(&guard->size, 0);
}

uint64_t guard_missing(struct guard *guard)
{
	return guard ? atomic_exchange(&guard->missing, GUARD_ALL_THERE) :
		       GUARD_ALL_THERE;
}

unsigned int guard_enter(void)
{
	pthread_once(&once, take_signal);
	entered++;
	return missed;
}

bool guard_leave(unsigned int before)
{
	entered--;
	return missed != before;
}
