// SPDX-License-Identifier: GPL-2.0
/*
 * A SIGBUS handler that replaces missing pages of mapped files by zeros.
 *
 * The handler may run in any thread at any time. It walks a list that only grows and
 * reads each element atomically.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <kermon/sigbus.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "guard.h"
#include "handler.h"

/**
 * struct guard - one guarded mapping; reused for other mappings and never freed
 * @begin: address of the mapping
 * @size: bytes; 0: not in use
 * @missing: lowest offset of a missing page, or GUARD_ALL_THERE
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
static bool is_installed;	/* our handler; protected by @lock */
static bool is_left;		/* to the program; protected by @lock */

/*
 * Calls of guard_enter() that are open in this thread, and the pages missed in them.
 * The TLS model allocates nothing, because the signal handler accesses them.
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

/* Map zeros over the page. Writable, because libelf writes to its mappings. */
static bool put_zeros(uintptr_t page)
{
	return mmap((void *)page, page_size, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) !=
	       MAP_FAILED;
}

static bool fill(struct guard *guard, uintptr_t address)
{
	uintptr_t page = address / page_size * page_size;
	uint64_t offset = page - atomic_load(&guard->begin);

	if (!put_zeros(page))
		return false;
	if (offset < atomic_load(&guard->missing))
		atomic_store(&guard->missing, offset);
	return true;
}

/* Fill a page of a mapping that another library made. */
static bool fill_entered(uintptr_t address)
{
	if (!entered || !put_zeros(address / page_size * page_size))
		return false;
	missed++;
	return true;
}

/* Only missing pages: SIGBUS is also raised for a misaligned access, for example. */
bool kermon_sigbus_handle(int code, void *address)
{
	struct guard *guard;
	int saved = errno;
	bool filled;

	if (code != BUS_ADRERR)
		return false;
	guard = guard_of((uintptr_t)address);
	filled = guard ? fill(guard, (uintptr_t)address) :
			 fill_entered((uintptr_t)address);
	errno = saved;
	return filled;
}

static void on_bus_error(int number, siginfo_t *info, void *context)
{
	int saved = errno;

	if (!kermon_sigbus_handle(info->si_code, info->si_addr))
		handler_pass_on(&before, number, info, context);
	errno = saved;
}

static void take_lock(void)
{
	pthread_mutex_lock(&lock);
}

static void release_lock(void)
{
	pthread_mutex_unlock(&lock);
}

/* A child must not inherit the lock while another thread holds it. */
static void prepare(void)
{
	page_size = sysconf(_SC_PAGESIZE);
	pthread_atfork(take_lock, release_lock, release_lock);
	take_lock();
	is_installed = !is_left && handler_install(SIGBUS, on_bus_error, &before);
	release_lock();
}

int kermon_sigbus_leave(void)
{
	int err;

	take_lock();
	err = is_installed ? -EBUSY : 0;
	is_left = !is_installed;
	release_lock();
	return err;
}

/* Find or allocate a guard that is not in use. Called with the lock held. */
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

	pthread_once(&once, prepare);
	take_lock();
	guard = unused();
	if (guard) {
		atomic_store(&guard->missing, GUARD_ALL_THERE);
		atomic_store(&guard->begin, (uintptr_t)bytes);
		atomic_store(&guard->size, size);
	}
	release_lock();
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
	pthread_once(&once, prepare);
	entered++;
	return missed;
}

bool guard_leave(unsigned int before)
{
	entered--;
	return missed != before;
}
