// SPDX-License-Identifier: GPL-2.0
/*
 * Receives what the kernel counted for threads that have exited, by taskstats: exact, also of
 * those that existed for a moment only. Requires CAP_NET_ADMIN.
 */
#include <errno.h>
#include <linux/taskstats.h>
#include <netlink/errno.h>
#include <netlink/genl/ctrl.h>
#include <netlink/genl/genl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "threads_private.h"
#include "util/array.h"

/* Of a kernel that is compiling, 4000 processes per second exit; each takes 1 KB. */
#define BUFFER		(8 << 20)

/* The first version that says of which process a thread was. */
#define WITH_PROCESS	12

/* Ask for, or end, messages about threads that exit on any CPU. */
static int request(struct exits *exits, int attribute)
{
	struct nl_msg *msg = nlmsg_alloc();
	char cpus[32];
	int err = -ENOMEM;

	snprintf(cpus, sizeof(cpus), "0-%ld", sysconf(_SC_NPROCESSORS_CONF) - 1);
	if (msg && genlmsg_put(msg, NL_AUTO_PORT, NL_AUTO_SEQ, exits->family, 0, 0,
			       TASKSTATS_CMD_GET, TASKSTATS_GENL_VERSION) &&
	    !nla_put_string(msg, attribute, cpus))
		err = nl_send_sync(exits->sock, msg);
	else
		nlmsg_free(msg);
	if (!err)
		return 0;
	/* In a namespace of users or pids, it is invalid for anybody. */
	return err == -NLE_PERM ? -EPERM : -ENOENT;
}

/* Statistics of an older kernel are shorter, those of a newer one longer. */
static int keep(struct exits *exits, struct nlattr *attr)
{
	struct taskstats stats = { 0 };
	const size_t size = nla_len(attr);
	struct ended_thread *ended;

	memcpy(&stats, nla_data(attr), size < sizeof(stats) ? size : sizeof(stats));
	if (stats.version < WITH_PROCESS ||
	    array_room(exits->ended, exits->room, exits->nr + 1))
		return stats.version < WITH_PROCESS ? 0 : -ENOMEM;
	ended = &exits->ended[exits->nr++];
	*ended = (struct ended_thread){
		.pid = stats.ac_tgid,
		.tid = stats.ac_pid,
		.uid = stats.ac_uid,
		.run_ns = stats.cpu_run_virtual_total,
		.faults = stats.ac_minflt + stats.ac_majflt,
		.switches = stats.nvcsw + stats.nivcsw,
	};
	snprintf(ended->comm, sizeof(ended->comm), "%.*s", (int)sizeof(stats.ac_comm),
		 stats.ac_comm);
	return 0;
}

/* One message has those of a thread, and of its process if it was the last one. */
static int on_message(struct nl_msg *msg, void *data)
{
	struct nlattr *thread, *stats;
	struct exits *exits = data;

	thread = nlmsg_find_attr(nlmsg_hdr(msg), GENL_HDRLEN, TASKSTATS_TYPE_AGGR_PID);
	stats = thread ? nla_find(nla_data(thread), nla_len(thread), TASKSTATS_TYPE_STATS) : NULL;
	if (stats && keep(exits, stats))
		exits->lost = true;
	return NL_OK;
}

static int connect_to(struct exits *exits)
{
	int size = BUFFER;

	exits->sock = nl_socket_alloc();
	if (!exits->sock || genl_connect(exits->sock))
		return -ENOMEM;
	exits->family = genl_ctrl_resolve(exits->sock, TASKSTATS_GENL_NAME);
	if (exits->family < 0)
		return -ENOENT;
	setsockopt(nl_socket_get_fd(exits->sock), SOL_SOCKET, SO_RCVBUFFORCE, &size,
		   sizeof(size));
	nl_socket_disable_seq_check(exits->sock);
	nl_socket_modify_cb(exits->sock, NL_CB_VALID, NL_CB_CUSTOM, on_message, exits);
	return request(exits, TASKSTATS_CMD_ATTR_REGISTER_CPUMASK);
}

int exits_open(struct exits *exits)
{
	const int err = connect_to(exits);

	if (!err)
		return nl_socket_set_nonblocking(exits->sock) ? -EIO : 0;
	exits_close(exits);
	return err;
}

void exits_take(struct exits *exits)
{
	int err;

	exits->nr = 0;
	exits->lost = false;
	if (!exits->sock)
		return;
	do
		err = nl_recvmsgs_default(exits->sock);
	while (!err);
	/* The buffer was full. */
	exits->lost |= err == -NLE_NOMEM;
}

void exits_close(struct exits *exits)
{
	if (exits->sock)
		nl_socket_free(exits->sock);
	free(exits->ended);
	*exits = (struct exits){ 0 };
}
