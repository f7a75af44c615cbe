// SPDX-License-Identifier: GPL-2.0
/* A connection to a helper: opens it, exchanges messages, remembers the last failure. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "private.h"
#include "util/cpulist.h"
#include "util/sized.h"
#include "util/sysfile.h"

/* Restoring takes milliseconds. */
#define CLOSE_SECONDS	10

/**
 * struct kermon_msr - a client
 * @fd: the socket
 * @cause: of the last failure
 * @error: the same in words, filled in on demand
 * @welcome: what the helper said first
 * @cpus: the CPUs that are open, a bit for each
 * @entries: the allow-list; NULL: not fetched yet
 * @helper: path of the helper
 */
struct kermon_msr {
	int fd;
	struct msr_cause cause;
	struct kermon_msr_error error;
	struct msr_welcome welcome;
	uint64_t cpus[MSR_CPU_WORDS];
	struct kermon_msr_entry *entries;
	char helper[PATH_MAX];
};

static int fail(struct kermon_msr *msr, int error,
		enum kermon_msr_reason reason, uint32_t cpu)
{
	msr->cause = (struct msr_cause){
		.error = error,
		.reason = reason,
		.cpu = cpu,
	};
	return error;
}

/*
 * Send a request and wait for its reply, each of them a header and @data. Return: number of
 * bytes received in @data, or -errno.
 */
static ssize_t exchange(struct kermon_msr *msr, struct msr_header *header,
			void *data, size_t size, size_t room)
{
	struct iovec parts[] = {
		{ .iov_base = header, .iov_len = sizeof(*header) },
		{ .iov_base = data, .iov_len = size },
	};
	struct msghdr message = { .msg_iov = parts, .msg_iovlen = 2 };
	const uint32_t type = header->type;
	ssize_t bytes;

	do
		bytes = sendmsg(msr->fd, &message, MSG_NOSIGNAL);
	while (bytes < 0 && errno == EINTR);
	/* What a peer has sent that has ended since is received after that error. */
	parts[1].iov_len = room;
	do
		bytes = recvmsg(msr->fd, &message, 0);
	while (bytes < 0 && (errno == EINTR || errno == ECONNRESET));
	if (bytes < (ssize_t)sizeof(*header) || header->type != type ||
	    message.msg_flags & MSG_TRUNC)
		return fail(msr, -EPIPE, KERMON_MSR_HELPER_DIED, 0);
	return bytes - sizeof(*header);
}

static void add_cpu(struct kermon_msr *msr, unsigned int cpu)
{
	msr->cpus[cpu / 64] |= 1ULL << cpu % 64;
}

static int add_online(struct kermon_msr *msr)
{
	char line[SYSFILE_LINE];
	const char *at = line;
	unsigned int cpu, last;

	if (!sysfile_line(line, "/sys/devices/system/cpu/online"))
		return fail(msr, -ENOENT, KERMON_MSR_OTHER, 0);
	while (cpulist_next(&at, &cpu, &last))
		for (; cpu <= last && cpu < KERMON_MSR_MAX_CPUS; cpu++)
			add_cpu(msr, cpu);
	return 0;
}

static int add_cpus(struct kermon_msr *msr,
		    const struct kermon_msr_options *options)
{
	if (options->flags & KERMON_MSR_LIST_ONLY)
		return 0;
	if (!options->nr_cpus)
		return add_online(msr);
	for (uint32_t i = 0; i < options->nr_cpus; i++) {
		if (options->cpus[i] >= KERMON_MSR_MAX_CPUS)
			return fail(msr, -ENXIO, KERMON_MSR_NO_CPU,
				    options->cpus[i]);
		add_cpu(msr, options->cpus[i]);
	}
	return 0;
}

static int start(struct kermon_msr *msr)
{
	if (!msr_helper_find(msr->helper))
		return fail(msr, -ENOENT, KERMON_MSR_NO_HELPER, 0);
	msr->fd = msr_helper_start(msr->helper);
	return msr->fd < 0 ? fail(msr, msr->fd, KERMON_MSR_OTHER, 0) : 0;
}

static int greet(struct kermon_msr *msr, uint32_t flags)
{
	struct msr_header header = { .type = MSR_HELLO };
	union {
		struct msr_hello hello;
		struct msr_welcome welcome;
	} data = { .hello = { .protocol = MSR_PROTOCOL, .flags = flags } };
	ssize_t bytes;

	memcpy(data.hello.cpus, msr->cpus, sizeof(msr->cpus));
	bytes = exchange(msr, &header, &data, sizeof(data.hello), sizeof(data));
	if (bytes < 0)
		return bytes;
	if (bytes == sizeof(data.welcome))
		msr->welcome = data.welcome;
	if (header.error)
		return fail(msr, header.error, header.reason, header.cpu);
	if (bytes != sizeof(data.welcome) ||
	    data.welcome.protocol != MSR_PROTOCOL)
		return fail(msr, -EPROTO, KERMON_MSR_OTHER, 0);
	return 0;
}

static int open_client(struct kermon_msr *msr,
		       const struct kermon_msr_options *given)
{
	const uint32_t known = KERMON_MSR_WRITE | KERMON_MSR_KEEP |
			       KERMON_MSR_LIST_ONLY;
	struct kermon_msr_options options;
	int err;

	err = sized_take(&options, sizeof(options), given);
	if (!err && options.flags & ~known)
		err = -EINVAL;
	if (err)
		return fail(msr, err, KERMON_MSR_OTHER, 0);
	err = add_cpus(msr, &options);
	if (!err)
		err = start(msr);
	return err ? err : greet(msr, options.flags);
}

int kermon_msr_open(struct kermon_msr **msr,
		    const struct kermon_msr_options *options,
		    struct kermon_msr_error *error)
{
	struct kermon_msr failed = { .fd = -1 }, *opened;
	int err;

	*msr = NULL;
	opened = calloc(1, sizeof(*opened));
	if (!opened) {
		err = fail(&failed, -ENOMEM, KERMON_MSR_OTHER, 0);
		opened = &failed;
	} else {
		opened->fd = -1;
		err = open_client(opened, options);
	}
	if (!err) {
		*msr = opened;
		return 0;
	}
	if (error)
		*error = *kermon_msr_error(opened);
	if (opened != &failed)
		kermon_msr_close(opened);
	return err;
}

void kermon_msr_close(struct kermon_msr *msr)
{
	/* A helper that was stopped does not stop its client. */
	const struct timeval limit = { .tv_sec = CLOSE_SECONDS };
	char byte;

	if (!msr)
		return;
	if (msr->fd >= 0) {
		/* The helper closes its end when everything is restored. */
		shutdown(msr->fd, SHUT_WR);
		setsockopt(msr->fd, SOL_SOCKET, SO_RCVTIMEO, &limit,
			   sizeof(limit));
		while (recv(msr->fd, &byte, sizeof(byte), 0) > 0 ||
		       errno == EINTR)
			errno = 0;
		close(msr->fd);
	}
	free(msr->entries);
	free(msr);
}

/* Note the first operation that failed for a reason of its own. */
static int first_failure(struct kermon_msr *msr,
			 const struct kermon_msr_op *ops, size_t nr)
{
	const struct kermon_msr_op *op, *found = NULL;

	for (op = ops; op < ops + nr; op++)
		if (op->error && (!found ||
				  found->reason == KERMON_MSR_CANCELLED))
			found = op;
	if (!found)
		return 0;
	fail(msr, found->error, found->reason, found->cpu);
	msr->cause.reg = found->reg;
	msr->cause.value = found->value;
	return found->error;
}

static int run_batch(struct kermon_msr *msr, struct kermon_msr_op *ops,
		     size_t nr)
{
	struct msr_header header = { .type = MSR_BATCH, .nr = nr };
	const size_t size = nr * sizeof(*ops);
	ssize_t bytes = exchange(msr, &header, ops, size, size);

	if (bytes < 0)
		return bytes;
	if ((size_t)bytes != size)
		return fail(msr, -EPROTO, KERMON_MSR_OTHER, 0);
	return first_failure(msr, ops, nr);
}

int kermon_msr_batch(struct kermon_msr *msr, struct kermon_msr_op *ops,
		     size_t nr)
{
	int first = 0, err;
	size_t part;

	for (; nr; ops += part, nr -= part) {
		part = nr < KERMON_MSR_BATCH ? nr : KERMON_MSR_BATCH;
		err = run_batch(msr, ops, part);
		if (err && !first)
			first = err;
		if (err == -EPIPE || err == -EPROTO)
			break;
	}
	return first;
}

int kermon_msr_read(struct kermon_msr *msr, uint32_t cpu, uint32_t reg,
		    uint64_t *value)
{
	struct kermon_msr_op op = {
		.cpu = cpu,
		.reg = reg,
		.kind = KERMON_MSR_OP_READ,
	};
	const int err = kermon_msr_batch(msr, &op, 1);

	*value = err ? 0 : op.value;
	return err;
}

int kermon_msr_write(struct kermon_msr *msr, uint32_t cpu, uint32_t reg,
		     uint64_t value)
{
	struct kermon_msr_op op = {
		.cpu = cpu,
		.reg = reg,
		.value = value,
		.kind = KERMON_MSR_OP_WRITE,
	};

	return kermon_msr_batch(msr, &op, 1);
}

static int fail_at(struct kermon_msr *msr, const struct msr_header *header)
{
	fail(msr, header->error, header->reason, header->cpu);
	msr->cause.value = header->index;
	return header->error;
}

int kermon_msr_restore(struct kermon_msr *msr)
{
	struct msr_header header = { .type = MSR_RESTORE };
	const ssize_t bytes = exchange(msr, &header, NULL, 0, 0);

	if (bytes < 0)
		return bytes;
	if (header.error)
		return fail_at(msr, &header);
	return header.nr;
}

/* Fetch the allow-list, a part at a time. */
static int fetch(struct kermon_msr *msr)
{
	struct msr_header header = { .type = MSR_LIST };
	const uint32_t nr = msr->welcome.nr_entries;
	struct kermon_msr_entry *entries;
	uint32_t known = 0;
	ssize_t bytes;

	entries = calloc(nr + 1, sizeof(*entries));
	if (!entries)
		return fail(msr, -ENOMEM, KERMON_MSR_OTHER, 0);
	while (known < nr) {
		header = (struct msr_header){ .type = MSR_LIST, .index = known };
		bytes = exchange(msr, &header, entries + known, 0,
				 (nr - known) * sizeof(*entries));
		if (bytes <= 0 || bytes % sizeof(*entries)) {
			free(entries);
			return fail(msr, -EPROTO, KERMON_MSR_OTHER, 0);
		}
		known += bytes / sizeof(*entries);
	}
	msr->entries = entries;
	return 0;
}

const struct kermon_msr_entry *kermon_msr_entry(struct kermon_msr *msr,
						size_t index)
{
	if (index >= msr->welcome.nr_entries || (!msr->entries && fetch(msr)))
		return NULL;
	return &msr->entries[index];
}

const struct kermon_msr_entry *kermon_msr_find(struct kermon_msr *msr,
					       const char *name)
{
	const struct kermon_msr_entry *entry;

	for (size_t i = 0; (entry = kermon_msr_entry(msr, i)); i++)
		if (!strcasecmp(entry->name, name))
			break;
	return entry;
}

void kermon_msr_info(const struct kermon_msr *msr, struct kermon_msr_info *info)
{
	*info = (struct kermon_msr_info){
		.list = msr->welcome.path,
		.is_msr_safe = msr->welcome.is_msr_safe,
		.recovered = msr->welcome.recovered,
	};
	for (size_t i = 0; i < MSR_CPU_WORDS; i++)
		info->nr_cpus += __builtin_popcountll(msr->cpus[i]);
}

int kermon_msr_cpu(const struct kermon_msr *msr, uint32_t index)
{
	for (int cpu = 0; cpu < KERMON_MSR_MAX_CPUS; cpu++)
		if (msr->cpus[cpu / 64] >> cpu % 64 & 1 && !index--)
			return cpu;
	return -ENOENT;
}

const struct kermon_msr_error *kermon_msr_error(struct kermon_msr *msr)
{
	msr->cause.path = msr->welcome.path;
	msr->cause.line = msr->welcome.line;
	msr->cause.helper = msr->helper;
	msr_explain(&msr->error, &msr->cause);
	return &msr->error;
}
