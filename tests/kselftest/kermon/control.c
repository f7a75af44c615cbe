// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <linux/genetlink.h>
#include <linux/netlink.h>

#include "control.h"

#define TIMEOUT_S	2

struct message {
	struct nlmsghdr head;
	struct genlmsghdr genl;
	char attributes[16384];
};

/* Called for each message. */
typedef void (*take_t)(const struct message *message, void *data);

typedef void (*attr_t)(unsigned int type, const void *value, void *data);

static void for_each_attr(const void *attrs, int len, attr_t fn, void *data)
{
	const struct nlattr *attr = attrs;

	while (len >= NLA_HDRLEN && attr->nla_len >= NLA_HDRLEN &&
	       attr->nla_len <= len) {
		fn(attr->nla_type & NLA_TYPE_MASK,
		   (const char *)attr + NLA_HDRLEN, data);
		len -= NLA_ALIGN(attr->nla_len);
		attr = (const void *)((const char *)attr +
				      NLA_ALIGN(attr->nla_len));
	}
}

static void for_each_nested(const void *value, attr_t fn, void *data)
{
	const struct nlattr *nest = (const void *)((const char *)value -
						   NLA_HDRLEN);

	for_each_attr(value, nest->nla_len - NLA_HDRLEN, fn, data);
}

static void message_attrs(const struct message *message, attr_t fn, void *data)
{
	for_each_attr(message->attributes,
		      message->head.nlmsg_len - NLMSG_LENGTH(GENL_HDRLEN), fn,
		      data);
}

static uint32_t u32_of(const void *value)
{
	uint32_t n;

	memcpy(&n, value, sizeof(n));
	return n;
}

static uint64_t u64_of(const void *value)
{
	uint64_t n;

	memcpy(&n, value, sizeof(n));
	return n;
}

static int open_netlink(void)
{
	struct sockaddr_nl address = { .nl_family = AF_NETLINK };
	struct timeval timeout = { .tv_sec = TIMEOUT_S };
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC);

	if (fd < 0)
		return -1;
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof(timeout));
	if (bind(fd, (struct sockaddr *)&address, sizeof(address))) {
		close(fd);
		return -1;
	}
	return fd;
}

/* Returns whether more may follow, or -1. */
static int take_datagram(int fd, take_t take, void *data)
{
	char buffer[32768] __attribute__((aligned(8)));
	ssize_t len = recv(fd, buffer, sizeof(buffer), 0);
	struct nlmsghdr *head = (void *)buffer;
	bool more = false;

	if (len < 0)
		return -1;
	for (; NLMSG_OK(head, len); head = NLMSG_NEXT(head, len)) {
		if (head->nlmsg_type == NLMSG_ERROR) {
			errno = -((struct nlmsgerr *)NLMSG_DATA(head))->error;
			return errno ? -1 : 0;
		}
		if (head->nlmsg_type == NLMSG_DONE)
			return 0;
		take((void *)head, data);
		more = head->nlmsg_flags & NLM_F_MULTI;
	}
	return more;
}

struct question {
	uint16_t family;
	uint8_t command;
	uint16_t flags;
	const void *attributes;
	size_t len;
};

static int ask(const struct question *question, take_t take, void *data)
{
	struct message message = {
		.head.nlmsg_type = question->family,
		.head.nlmsg_flags = NLM_F_REQUEST | question->flags,
		.head.nlmsg_len = NLMSG_LENGTH(GENL_HDRLEN) +
				  NLA_ALIGN(question->len),
		.genl.cmd = question->command,
		.genl.version = 1,
	};
	int fd = open_netlink();
	int ret;

	if (fd < 0)
		return -1;
	if (question->len)
		memcpy(message.attributes, question->attributes, question->len);
	ret = send(fd, &message, message.head.nlmsg_len, 0) < 0 ? -1 : 1;
	while (ret > 0)
		ret = take_datagram(fd, take, data);
	close(fd);
	return ret;
}

struct family {
	uint16_t id;
	uint32_t notices;
};

static void take_group(unsigned int type, const void *value, void *data)
{
	struct family *family = data;

	/* The family has a single group. */
	if (type == CTRL_ATTR_MCAST_GRP_ID)
		family->notices = u32_of(value);
}

static void take_group_entry(unsigned int type, const void *value, void *data)
{
	(void)type;
	for_each_nested(value, take_group, data);
}

static void take_family_attr(unsigned int type, const void *value, void *data)
{
	struct family *family = data;

	if (type == CTRL_ATTR_FAMILY_ID)
		memcpy(&family->id, value, sizeof(family->id));
	if (type == CTRL_ATTR_MCAST_GROUPS)
		for_each_nested(value, take_group_entry, data);
}

static void take_family(const struct message *message, void *data)
{
	message_attrs(message, take_family_attr, data);
}

static int find_family(struct family *family)
{
	const struct {
		struct nlattr attr;
		char name[sizeof(KERMON_GENL_NAME)];
	} name = {
		{ sizeof(name), CTRL_ATTR_FAMILY_NAME }, KERMON_GENL_NAME
	};
	const struct question question = {
		GENL_ID_CTRL, CTRL_CMD_GETFAMILY, 0, &name, sizeof(name)
	};

	memset(family, 0, sizeof(*family));
	return ask(&question, take_family, family);
}

static int ask_family(uint8_t command, uint16_t flags, take_t take, void *data)
{
	struct question question = { .command = command, .flags = flags };
	struct family family;

	if (find_family(&family))
		return -1;
	question.family = family.id;
	return ask(&question, take, data);
}

struct domain {
	uint32_t id;
	uint32_t unit;
};

static void take_domain_attr(unsigned int type, const void *value, void *data)
{
	struct domain *domain = data;

	if (type == KERMON_A_DOMAIN_ID)
		domain->id = u32_of(value);
	if (type == KERMON_A_DOMAIN_UNIT)
		domain->unit = u32_of(value);
}

static void take_domain(struct machine_info *info, const void *value)
{
	struct domain domain = { .id = KERMON_DOMAIN_COUNT };

	for_each_nested(value, take_domain_attr, &domain);
	if (domain.id < KERMON_DOMAIN_COUNT) {
		info->domains |= 1U << domain.id;
		info->units[domain.id] = domain.unit;
	}
}

static void take_info_attr(unsigned int type, const void *value, void *data)
{
	struct machine_info *info = data;

	switch (type) {
	case KERMON_A_COUNTERS:
		info->counters = u32_of(value);
		break;
	case KERMON_A_COUNTER_WIDTH:
		info->counter_width = u32_of(value);
		break;
	case KERMON_A_FIXED:
		info->fixed = u32_of(value);
		break;
	case KERMON_A_FIXED_WIDTH:
		info->fixed_width = u32_of(value);
		break;
	case KERMON_A_PMU_OWNER:
		info->pmu_owner = u32_of(value);
		break;
	case KERMON_A_TSC_KHZ:
		info->tsc_khz = u32_of(value);
		break;
	case KERMON_A_DOMAIN:
		take_domain(info, value);
		break;
	case KERMON_A_PMU_PUBLIC:
		info->public = true;
		break;
	}
}

static void take_info(const struct message *message, void *data)
{
	message_attrs(message, take_info_attr, data);
}

int control_get_info(struct machine_info *info)
{
	memset(info, 0, sizeof(*info));
	return ask_family(KERMON_CMD_GET_INFO, 0, take_info, info);
}

/**
 * struct search - search for an application, by one of two numbers
 * @pid: the pid to look for
 * @nth: which one to look for, from 1 on
 * @found: the last match, if @found.id is not 0
 * @notice: the type of its notice, 0 in a dump
 * @seen: number of applications of any pid
 */
struct search {
	uint32_t pid;
	int nth;
	struct app_info found;
	uint32_t notice;
	int seen;
};

static void take_holder_value(unsigned int type, const void *value,
			      struct app_info *app)
{
	switch (type) {
	case KERMON_A_APP_UID:
		app->uid = u32_of(value);
		break;
	case KERMON_A_APP_OPENER:
		app->opener = u32_of(value);
		break;
	case KERMON_A_APP_COMM:
		strncpy(app->comm, value, sizeof(app->comm) - 1);
		break;
	case KERMON_A_APP_FDS:
		app->descriptors = u32_of(value);
		break;
	case KERMON_A_APP_SETS:
		app->sets = u32_of(value);
		break;
	case KERMON_A_APP_EVENTS:
		app->events = u32_of(value);
		break;
	case KERMON_A_APP_LOG_BYTES:
		app->log_bytes = u64_of(value);
		break;
	case KERMON_A_APP_COUNTS:
		app->counts = true;
		break;
	case KERMON_A_APP_REVOKED:
		app->revoked = true;
		break;
	}
}

static void take_app_value(unsigned int type, const void *value, void *data)
{
	struct app_info *app = data;

	switch (type) {
	case KERMON_A_APP_ID:
		app->id = u32_of(value);
		break;
	case KERMON_A_APP_PID:
		app->pid = u32_of(value);
		break;
	case KERMON_A_APP_TASKS:
		app->tasks = u32_of(value);
		break;
	case KERMON_A_APP_EMITTED:
		app->emitted = u64_of(value);
		break;
	case KERMON_A_APP_READ:
		app->read = u64_of(value);
		break;
	case KERMON_A_APP_LOST:
		app->lost = u64_of(value);
		break;
	case KERMON_A_APP_COST:
		app->cost = u64_of(value);
		break;
	default:
		take_holder_value(type, value, app);
	}
}

static void take_app_attr(unsigned int type, const void *value, void *data)
{
	struct search *search = data;
	struct app_info app = {};

	if (type == KERMON_A_NOTICE)
		search->notice = u32_of(value);
	if (type != KERMON_A_APP)
		return;
	for_each_nested(value, take_app_value, &app);
	search->seen++;
	if (search->nth ? search->seen == search->nth : app.pid == search->pid)
		search->found = app;
}

static void take_app(const struct message *message, void *data)
{
	message_attrs(message, take_app_attr, data);
}

static int found(const struct search *search, struct app_info *app)
{
	*app = search->found;
	if (app->id)
		return 0;
	errno = ENOENT;
	return -1;
}

static int dump_apps(struct search *search)
{
	return ask_family(KERMON_CMD_GET_APPS, NLM_F_DUMP, take_app, search);
}

int control_get_app(uint32_t pid, struct app_info *app)
{
	struct search search = { .pid = pid };

	return dump_apps(&search) ? -1 : found(&search, app);
}

int control_count_apps(void)
{
	struct search search = {};

	return dump_apps(&search) ? -1 : search.seen;
}

static void take_nothing(const struct message *message, void *data)
{
	(void)message;
	(void)data;
}

/* Requests an acknowledgement, so that there is always a reply to wait for. */
int control_send(uint8_t command, uint16_t flags, const void *attributes,
		 size_t len)
{
	static struct family family;
	struct question question = {
		.command = command,
		.flags = flags | NLM_F_ACK,
		.attributes = attributes,
		.len = len,
	};

	if (!family.id && find_family(&family))
		return -1;
	question.family = family.id;
	return ask(&question, take_nothing, NULL);
}

int control_revoke(uint32_t id)
{
	const struct {
		struct nlattr attr;
		uint32_t id;
	} attribute = { { sizeof(attribute), KERMON_A_ID }, id };

	return control_send(KERMON_CMD_REVOKE, 0, &attribute, sizeof(attribute));
}

int control_revoke_any(unsigned int n)
{
	int nr = control_count_apps();
	struct search search = { .nth = nr > 0 ? 1 + n % nr : 1 };
	struct app_info app;

	if (nr < 0 || dump_apps(&search) || found(&search, &app))
		return -1;
	return control_revoke(app.id);
}

int control_listen(void)
{
	struct family family;
	int fd;

	if (find_family(&family))
		return -1;
	fd = open_netlink();
	if (fd < 0)
		return -1;
	if (setsockopt(fd, SOL_NETLINK, NETLINK_ADD_MEMBERSHIP,
		       &family.notices, sizeof(family.notices))) {
		close(fd);
		return -1;
	}
	return fd;
}

int control_next_notice(int fd, uint32_t pid, struct app_info *app)
{
	struct search search = { .pid = pid };

	do {
		if (take_datagram(fd, take_app, &search) < 0)
			return -1;
	} while (found(&search, app));
	return search.notice;
}
