/* SPDX-License-Identifier: GPL-2.0 */
/* KerMon's generic netlink family, without any library. */
#ifndef KERMON_TEST_CONTROL_H
#define KERMON_TEST_CONTROL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/kermon.h>

/**
 * struct machine_info - the reply to KERMON_CMD_GET_INFO
 * @domains: one bit per enum kermon_domain
 * @units: per enum kermon_domain
 * @public: every process may execute RDPMC
 */
struct machine_info {
	uint32_t counters;
	uint32_t counter_width;
	uint32_t fixed;
	uint32_t fixed_width;
	uint32_t pmu_owner;
	uint32_t tsc_khz;
	uint32_t domains;
	uint32_t units[KERMON_DOMAIN_COUNT];
	bool public;
};

/**
 * struct app_info - an application in the reply to KERMON_CMD_GET_APPS
 */
struct app_info {
	uint32_t id;
	uint32_t pid;
	uint32_t tasks;
	uint64_t emitted;
	uint64_t read;
	uint64_t lost;
	uint64_t cost;
	uint32_t uid;
	uint32_t opener;
	char comm[16];
	uint32_t descriptors;
	uint32_t sets;
	uint32_t events;
	uint64_t log_bytes;
	bool counts;
	bool revoked;
};

/* 0, or -1 with errno. */
int control_get_info(struct machine_info *info);

/* The application that set_events(@pid) made; -1 with ENOENT if none. */
int control_get_app(uint32_t pid, struct app_info *app);

/* Revoke the application @id: 0, or -1 with errno. */
int control_revoke(uint32_t id);

/* Revoke any application that the caller sees, chosen by the number @n: the same. */
int control_revoke_any(unsigned int n);

/* The number of applications visible to the caller, or -1 with errno. */
int control_count_apps(void);

/*
 * Send any message to the family, with @len bytes of attributes, at most 1024,
 * and receive all replies; 0, or -1 with the errno of the reply.
 */
int control_send(uint8_t command, uint16_t flags, const void *attributes,
		 size_t len);

/* A socket that receives notices, or -1 with errno. */
int control_listen(void);

/*
 * The next notice on @fd about the application of @pid; -1 with errno, EAGAIN
 * if there is none within two seconds.
 */
int control_next_notice(int fd, uint32_t pid, struct app_info *app);

#endif /* KERMON_TEST_CONTROL_H */
