/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Messages between libkermon and kermon-msr-helper, over a socketpair of SOCK_SEQPACKET.
 * Each request is one packet, and so is its reply; the first request is a MSR_HELLO. The
 * helper ends at a packet that is not valid, and when the socket is closed.
 */
#ifndef KERMON_MSR_PROTOCOL_H
#define KERMON_MSR_PROTOCOL_H

#include <stdint.h>

#include <kermon/msr.h>

/* Changed with any message; helper and library are installed together. */
#define MSR_PROTOCOL	0x4b4d5301

/* The helper's end of the socketpair. */
#define MSR_SOCKET_FD	0

#define MSR_CPU_WORDS	(KERMON_MSR_MAX_CPUS / 64)

enum msr_type {
	MSR_HELLO,	/* request: struct msr_hello; reply: struct msr_welcome */
	MSR_BATCH,	/* both: @nr times struct kermon_msr_op */
	MSR_LIST,	/* request: @index; reply: @nr times struct kermon_msr_entry */
	MSR_RESTORE,	/* reply: @nr registers were restored */
};

/**
 * struct msr_header - begins each request and each reply
 * @type: enum msr_type, the same in the reply
 * @nr: number of elements that follow
 * @index: first entry of the list that is wanted; of KERMON_MSR_BUSY, the process that has
 *	the CPU
 * @error: of the reply: 0 or -errno
 * @reason: enum kermon_msr_reason
 * @cpu: the CPU of the error
 */
struct msr_header {
	uint32_t type;
	uint32_t nr;
	uint32_t index;
	int32_t error;
	uint32_t reason;
	uint32_t cpu;
};

/* @flags: enum kermon_msr_flags; @cpus: a bit for each CPU to open. */
struct msr_hello {
	uint32_t protocol;
	uint32_t flags;
	uint64_t cpus[MSR_CPU_WORDS];
};

#define MSR_PATH	256

/**
 * struct msr_welcome - the helper is ready, or why it is not
 * @protocol: of the helper
 * @nr_entries: length of the allow-list
 * @recovered: registers restored that a killed helper had left
 * @is_msr_safe: msr_safe is the driver
 * @line: line of @path that is not valid; 0: all of it
 * @path: the allow-list, or the file that the error is about
 */
struct msr_welcome {
	uint32_t protocol;
	uint32_t nr_entries;
	uint32_t recovered;
	uint32_t is_msr_safe;
	uint32_t line;
	char path[MSR_PATH];
};

/* Entries of the list in a reply. */
#define MSR_ENTRIES	32

/* The largest packet. */
struct msr_packet {
	struct msr_header header;
	union {
		struct msr_hello hello;
		struct msr_welcome welcome;
		struct kermon_msr_op ops[KERMON_MSR_BATCH];
		struct kermon_msr_entry entries[MSR_ENTRIES];
	};
};

#endif /* KERMON_MSR_PROTOCOL_H */
