// SPDX-License-Identifier: GPL-2.0
/* Requests to the kernel module over generic netlink. */
#include <errno.h>
#include <netlink/errno.h>
#include <netlink/genl/ctrl.h>
#include <netlink/genl/genl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <kermon/control.h>

#include "costs.h"

struct kermon_control {
	struct nl_sock *sock;
	int family;
};

/* What a callback needs: where to store results, and the error so far. */
struct reply {
	struct kermon_info *info;
	struct kermon_access_costs *costs;
	int (*fn)(const struct kermon_app_info *app, void *data);
	int (*holder)(const struct kermon_holder *holder, void *data);
	void *data;
	uint32_t notice;
	struct kermon_app_info app;
	bool seen;
	int result;
};

static const struct nla_policy policy[KERMON_A_MAX + 1] = {
	[KERMON_A_PMU_NAME] = { .type = NLA_STRING },
	[KERMON_A_COUNTERS] = { .type = NLA_U32 },
	[KERMON_A_COUNTER_WIDTH] = { .type = NLA_U32 },
	[KERMON_A_FIXED] = { .type = NLA_U32 },
	[KERMON_A_FIXED_WIDTH] = { .type = NLA_U32 },
	[KERMON_A_PMU_OWNER] = { .type = NLA_U32 },
	[KERMON_A_TSC_KHZ] = { .type = NLA_U32 },
	[KERMON_A_DOMAIN] = { .type = NLA_NESTED },
	[KERMON_A_APP] = { .type = NLA_NESTED },
	[KERMON_A_NOTICE] = { .type = NLA_U32 },
	[KERMON_A_CPU] = { .type = NLA_U32 },
	[KERMON_A_ACCESS] = { .type = NLA_NESTED },
	[KERMON_A_PMU_PUBLIC] = { .type = NLA_FLAG },
};

static const struct nla_policy domain_policy[KERMON_A_DOMAIN_MAX + 1] = {
	[KERMON_A_DOMAIN_ID] = { .type = NLA_U32 },
	[KERMON_A_DOMAIN_NAME] = { .type = NLA_STRING },
	[KERMON_A_DOMAIN_UNIT] = { .type = NLA_U32 },
};

static const struct nla_policy app_policy[KERMON_A_APP_MAX + 1] = {
	[KERMON_A_APP_ID] = { .type = NLA_U32 },
	[KERMON_A_APP_PID] = { .type = NLA_U32 },
	[KERMON_A_APP_TASKS] = { .type = NLA_U32 },
	[KERMON_A_APP_EMITTED] = { .type = NLA_U64 },
	[KERMON_A_APP_READ] = { .type = NLA_U64 },
	[KERMON_A_APP_LOST] = { .type = NLA_U64 },
	[KERMON_A_APP_COST] = { .type = NLA_U64 },
	[KERMON_A_APP_UID] = { .type = NLA_U32 },
	[KERMON_A_APP_OPENER] = { .type = NLA_U32 },
	[KERMON_A_APP_COMM] = { .type = NLA_STRING },
	[KERMON_A_APP_FDS] = { .type = NLA_U32 },
	[KERMON_A_APP_SETS] = { .type = NLA_U32 },
	[KERMON_A_APP_EVENTS] = { .type = NLA_U32 },
	[KERMON_A_APP_LOG_BYTES] = { .type = NLA_U64 },
	[KERMON_A_APP_COUNTS] = { .type = NLA_FLAG },
	[KERMON_A_APP_REVOKED] = { .type = NLA_FLAG },
};

static const struct nla_policy access_policy[KERMON_A_ACCESS_MAX + 1] = {
	[KERMON_A_ACCESS_KIND] = { .type = NLA_U32 },
	[KERMON_A_ACCESS_TIMES] = { .type = NLA_U32 },
	[KERMON_A_ACCESS_CYCLES] = { .type = NLA_UNSPEC },
};

/* Convert an error of libnl, which has its own codes, to -errno. */
static int from_nl(int error)
{
	switch (-error) {
	case NLE_SUCCESS:
		return 0;
	case NLE_OBJ_NOTFOUND:
		return -ENODEV;
	case NLE_NOMEM:
		return -ENOMEM;
	case NLE_PERM:
		return -EPERM;
	case NLE_NOACCESS:
		return -EACCES;
	case NLE_INTR:
		return -EINTR;
	case NLE_AGAIN:
		return -EAGAIN;
	case NLE_BUSY:
		return -EBUSY;
	case NLE_NODEV:
		return -ENODEV;
	case NLE_OPNOTSUPP:
		return -EOPNOTSUPP;
	default:
		return error < 0 ? -EBADMSG : 0;
	}
}

static uint32_t get_u32(struct nlattr *attr)
{
	return attr ? nla_get_u32(attr) : 0;
}

static uint64_t get_u64(struct nlattr *attr)
{
	return attr ? nla_get_u64(attr) : 0;
}

static void get_name(char *name, struct nlattr *attr)
{
	if (attr)
		nla_strlcpy(name, attr, KERMON_NAME_SIZE);
}

static int add_domain(struct kermon_info *info, struct nlattr *nest)
{
	struct nlattr *attrs[KERMON_A_DOMAIN_MAX + 1];
	struct kermon_domain_info *domain;
	uint32_t id;

	if (nla_parse_nested(attrs, KERMON_A_DOMAIN_MAX, nest, domain_policy) ||
	    !attrs[KERMON_A_DOMAIN_ID] || !attrs[KERMON_A_DOMAIN_NAME] ||
	    !attrs[KERMON_A_DOMAIN_UNIT])
		return -EBADMSG;
	_Static_assert(KERMON_DOMAIN_COUNT <= KERMON_MAX_DOMAINS, "room");
	id = nla_get_u32(attrs[KERMON_A_DOMAIN_ID]);
	if (id >= KERMON_DOMAIN_COUNT ||
	    info->nr_domains == KERMON_DOMAIN_COUNT ||
	    (info->nr_domains && info->domains[info->nr_domains - 1].id >= id))
		return -EBADMSG;
	domain = &info->domains[info->nr_domains++];
	domain->id = id;
	domain->unit = nla_get_u32(attrs[KERMON_A_DOMAIN_UNIT]);
	get_name(domain->name, attrs[KERMON_A_DOMAIN_NAME]);
	return 0;
}

static int add_domains(struct kermon_info *info, struct nlmsghdr *message)
{
	struct nlattr *attr;
	int left, result = 0;

	nlmsg_for_each_attr(attr, message, GENL_HDRLEN, left)
		if (nla_type(attr) == KERMON_A_DOMAIN && !result)
			result = add_domain(info, attr);
	return result;
}

static int on_info(struct nl_msg *msg, void *data)
{
	struct nlmsghdr *message = nlmsg_hdr(msg);
	struct nlattr *attrs[KERMON_A_MAX + 1];
	struct reply *reply = data;
	struct kermon_info *info = reply->info;

	if (genlmsg_parse(message, 0, attrs, KERMON_A_MAX, policy)) {
		reply->result = -EBADMSG;
		return NL_STOP;
	}
	get_name(info->pmu_name, attrs[KERMON_A_PMU_NAME]);
	info->counters = get_u32(attrs[KERMON_A_COUNTERS]);
	info->counter_width = get_u32(attrs[KERMON_A_COUNTER_WIDTH]);
	info->fixed = get_u32(attrs[KERMON_A_FIXED]);
	info->fixed_width = get_u32(attrs[KERMON_A_FIXED_WIDTH]);
	info->owner = get_u32(attrs[KERMON_A_PMU_OWNER]);
	info->tsc_khz = get_u32(attrs[KERMON_A_TSC_KHZ]);
	info->rdpmc_for_all = attrs[KERMON_A_PMU_PUBLIC];
	reply->result = add_domains(info, message);
	reply->seen = true;
	return NL_OK;
}

/* Attributes and these numbers are both aligned to 4 bytes. */
static int add_access(struct kermon_access_costs *costs, struct nlattr *nest)
{
	struct nlattr *attrs[KERMON_A_ACCESS_MAX + 1];
	struct nlattr *cycles;

	if (nla_parse_nested(attrs, KERMON_A_ACCESS_MAX, nest, access_policy) ||
	    !attrs[KERMON_A_ACCESS_KIND] || !attrs[KERMON_A_ACCESS_TIMES] ||
	    !attrs[KERMON_A_ACCESS_CYCLES])
		return -EBADMSG;
	cycles = attrs[KERMON_A_ACCESS_CYCLES];
	return costs_add(costs, nla_get_u32(attrs[KERMON_A_ACCESS_KIND]),
			 nla_get_u32(attrs[KERMON_A_ACCESS_TIMES]),
			 nla_data(cycles), nla_len(cycles) / sizeof(uint32_t));
}

static int on_costs(struct nl_msg *msg, void *data)
{
	struct nlmsghdr *message = nlmsg_hdr(msg);
	struct reply *reply = data;
	struct nlattr *attr;
	int left;

	nlmsg_for_each_attr(attr, message, GENL_HDRLEN, left) {
		if (nla_type(attr) == KERMON_A_CPU && nla_len(attr) == 4)
			reply->costs->cpu = nla_get_u32(attr);
		if (nla_type(attr) == KERMON_A_ACCESS && !reply->result)
			reply->result = add_access(reply->costs, attr);
	}
	reply->seen = true;
	return NL_OK;
}

static int parse_app(struct kermon_app_info *app, struct nlattr *nest)
{
	struct nlattr *attrs[KERMON_A_APP_MAX + 1];

	if (!nest || nla_parse_nested(attrs, KERMON_A_APP_MAX, nest,
				      app_policy))
		return -EBADMSG;
	*app = (struct kermon_app_info){
		.id = get_u32(attrs[KERMON_A_APP_ID]),
		.pid = get_u32(attrs[KERMON_A_APP_PID]),
		.tasks = get_u32(attrs[KERMON_A_APP_TASKS]),
		.emitted = get_u64(attrs[KERMON_A_APP_EMITTED]),
		.read = get_u64(attrs[KERMON_A_APP_READ]),
		.lost = get_u64(attrs[KERMON_A_APP_LOST]),
		.cost = get_u64(attrs[KERMON_A_APP_COST]),
	};
	return 0;
}

static int on_app(struct nl_msg *msg, void *data)
{
	struct nlattr *attrs[KERMON_A_MAX + 1];
	struct reply *reply = data;
	struct kermon_app_info app;

	if (reply->result)
		return NL_SKIP;
	if (genlmsg_parse(nlmsg_hdr(msg), 0, attrs, KERMON_A_MAX, policy) ||
	    parse_app(&app, attrs[KERMON_A_APP]))
		reply->result = -EBADMSG;
	else
		reply->result = reply->fn(&app, reply->data);
	return NL_OK;
}

static int parse_holder(struct kermon_holder *holder, struct nlattr *nest)
{
	struct nlattr *attrs[KERMON_A_APP_MAX + 1];

	if (!nest || nla_parse_nested(attrs, KERMON_A_APP_MAX, nest,
				      app_policy))
		return -EBADMSG;
	/* An older module does not say who holds it. */
	if (!attrs[KERMON_A_APP_FDS])
		return -EOPNOTSUPP;
	*holder = (struct kermon_holder){
		.id = get_u32(attrs[KERMON_A_APP_ID]),
		.pid = get_u32(attrs[KERMON_A_APP_PID]),
		.tasks = get_u32(attrs[KERMON_A_APP_TASKS]),
		.uid = get_u32(attrs[KERMON_A_APP_UID]),
		.opener = get_u32(attrs[KERMON_A_APP_OPENER]),
		.descriptors = get_u32(attrs[KERMON_A_APP_FDS]),
		.sets = get_u32(attrs[KERMON_A_APP_SETS]),
		.events = get_u32(attrs[KERMON_A_APP_EVENTS]),
		.counts = attrs[KERMON_A_APP_COUNTS],
		.revoked = attrs[KERMON_A_APP_REVOKED],
		.log_bytes = get_u64(attrs[KERMON_A_APP_LOG_BYTES]),
	};
	get_name(holder->comm, attrs[KERMON_A_APP_COMM]);
	return 0;
}

static int on_holder(struct nl_msg *msg, void *data)
{
	struct nlattr *attrs[KERMON_A_MAX + 1];
	struct kermon_holder holder;
	struct reply *reply = data;

	if (reply->result)
		return NL_SKIP;
	reply->result = -EBADMSG;
	if (!genlmsg_parse(nlmsg_hdr(msg), 0, attrs, KERMON_A_MAX, policy))
		reply->result = parse_holder(&holder, attrs[KERMON_A_APP]);
	if (!reply->result)
		reply->result = reply->holder(&holder, reply->data);
	return NL_OK;
}

static int on_notice(struct nl_msg *msg, void *data)
{
	struct nlattr *attrs[KERMON_A_MAX + 1];
	struct reply *reply = data;

	if (genlmsg_parse(nlmsg_hdr(msg), 0, attrs, KERMON_A_MAX, policy) ||
	    !attrs[KERMON_A_NOTICE] ||
	    parse_app(&reply->app, attrs[KERMON_A_APP]))
		reply->result = -EBADMSG;
	else
		reply->notice = nla_get_u32(attrs[KERMON_A_NOTICE]);
	reply->seen = true;
	return NL_STOP;
}

/*
 * libnl has no code for some errors of socket(2), such as too many open files: use
 * errno.
 */
static int connect_sock(struct nl_sock *sock)
{
	int result;

	errno = 0;
	result = genl_connect(sock);
	return result == -NLE_FAILURE && errno ? -errno : from_nl(result);
}

int kermon_control_open(struct kermon_control **control)
{
	struct kermon_control *new = calloc(1, sizeof(*new));
	int result;

	*control = NULL;
	if (!new)
		return -ENOMEM;
	new->sock = nl_socket_alloc();
	result = new->sock ? connect_sock(new->sock) : -ENOMEM;
	if (!result) {
		new->family = genl_ctrl_resolve(new->sock, KERMON_GENL_NAME);
		if (new->family < 0)
			result = from_nl(new->family);
	}
	if (result) {
		kermon_control_close(new);
		return result;
	}
	*control = new;
	return 0;
}

void kermon_control_close(struct kermon_control *control)
{
	if (!control)
		return;
	nl_socket_free(control->sock);
	free(control);
}

/* Send a command without arguments and pass each reply to @callback. */
static int ask(struct kermon_control *control, int command, int flags,
	       nl_recvmsg_msg_cb_t callback, struct reply *reply)
{
	int result;

	nl_socket_modify_cb(control->sock, NL_CB_VALID, NL_CB_CUSTOM, callback,
			    reply);
	result = genl_send_simple(control->sock, control->family, command,
				  KERMON_GENL_VERSION, flags);
	if (result >= 0)
		result = nl_recvmsgs_default(control->sock);
	/* A reply to anything but a dump is followed by an ACK. */
	if (result >= 0 && !(flags & NLM_F_DUMP))
		result = nl_wait_for_ack(control->sock);
	return result < 0 ? from_nl(result) : reply->result;
}

int kermon_control_info(struct kermon_control *control,
			struct kermon_info *info)
{
	struct reply reply = { .info = info };
	int result;

	memset(info, 0, sizeof(*info));
	result = ask(control, KERMON_CMD_GET_INFO, 0, on_info, &reply);
	return !result && !reply.seen ? -EBADMSG : result;
}

int kermon_control_apps(struct kermon_control *control,
			int (*fn)(const struct kermon_app_info *app,
				  void *data), void *data)
{
	struct reply reply = { .fn = fn, .data = data };

	return ask(control, KERMON_CMD_GET_APPS, NLM_F_DUMP, on_app, &reply);
}

int kermon_control_holders(struct kermon_control *control,
			   int (*fn)(const struct kermon_holder *holder,
				     void *data), void *data)
{
	struct reply reply = { .holder = fn, .data = data };

	return ask(control, KERMON_CMD_GET_APPS, NLM_F_DUMP, on_holder, &reply);
}

/* libnl has no code for EALREADY, and gives several errors the same: use the message's. */
static int on_error(struct sockaddr_nl *from, struct nlmsgerr *error, void *data)
{
	struct reply *reply = data;

	(void)from;
	reply->result = error->error;
	return NL_STOP;
}

static int on_ack(struct nl_msg *msg, void *data)
{
	(void)msg;
	(void)data;
	return NL_STOP;
}

/* Send @msg and wait for its acknowledgement. */
static int order(struct kermon_control *control, struct nl_msg *msg)
{
	struct reply reply = { 0 };
	struct nl_cb *callbacks = nl_cb_alloc(NL_CB_DEFAULT);
	int result;

	if (!callbacks)
		return -ENOMEM;
	nl_cb_err(callbacks, NL_CB_CUSTOM, on_error, &reply);
	nl_cb_set(callbacks, NL_CB_ACK, NL_CB_CUSTOM, on_ack, NULL);
	result = nl_send_auto(control->sock, msg);
	if (result >= 0)
		result = nl_recvmsgs(control->sock, callbacks);
	nl_cb_put(callbacks);
	return reply.result ? reply.result : result < 0 ? from_nl(result) : 0;
}

int kermon_control_revoke(struct kermon_control *control, uint32_t id)
{
	struct nl_msg *msg = nlmsg_alloc();
	int result = -ENOMEM;

	if (msg && genlmsg_put(msg, NL_AUTO_PORT, NL_AUTO_SEQ, control->family, 0,
			       NLM_F_ACK, KERMON_CMD_REVOKE, KERMON_GENL_VERSION) &&
	    !nla_put_u32(msg, KERMON_A_ID, id))
		result = order(control, msg);
	nlmsg_free(msg);
	return result;
}

int kermon_control_measure(struct kermon_control *control,
			   struct kermon_access_costs *costs)
{
	struct reply reply = { .costs = costs };
	int result;

	memset(costs, 0, sizeof(*costs));
	result = ask(control, KERMON_CMD_MEASURE, 0, on_costs, &reply);
	return !result && !reply.seen ? -EBADMSG : result;
}

int kermon_control_subscribe(struct kermon_control *control)
{
	int group = genl_ctrl_resolve_grp(control->sock, KERMON_GENL_NAME,
					  KERMON_GENL_NOTICES);

	if (group < 0)
		return from_nl(group);
	nl_socket_disable_seq_check(control->sock);
	return from_nl(nl_socket_add_membership(control->sock, group));
}

int kermon_control_notice(struct kermon_control *control, uint32_t *notice,
			  struct kermon_app_info *app)
{
	struct reply reply = { 0 };
	int result;

	nl_socket_modify_cb(control->sock, NL_CB_VALID, NL_CB_CUSTOM, on_notice,
			    &reply);
	while (!reply.seen) {
		result = nl_recvmsgs_default(control->sock);
		if (result < 0)
			return from_nl(result);
	}
	*notice = reply.notice;
	*app = reply.app;
	return reply.result;
}
