// SPDX-License-Identifier: GPL-2.0
/* The words of the tables in words.h. */
#include "words.h"

const char *const mark_words[MARK_MAX] = {
	[MARK_BEGIN] = "begin",
	[MARK_END] = "end",
	[MARK_EVENT] = "event",
	[MARK_VALUE] = "value",
	[MARK_VALUE_DOUBLE] = "value_double",
	[MARK_OPEN] = "open",
	[MARK_CLOSE] = "close",
	[MARK_FRAME] = "frame",
	[MARK_COUNTER] = "counter",
	[MARK_PAUSE] = "pause",
	[MARK_RESUME] = "resume",
	[MARK_SKIP] = "skip",
	[MARK_LOST] = "lost",
	[MARK_CLOSED] = "closed",
};

const char *const mark_name_words[MARK_NAME_MAX] = {
	[MARK_NAME_REGION] = "region",
	[MARK_NAME_TASK] = "task",
	[MARK_NAME_EVENT] = "event",
	[MARK_NAME_FRAME] = "frame",
	[MARK_NAME_COUNTER] = "counter",
	[MARK_NAME_VALUE] = "value",
	[MARK_NAME_DOMAIN] = "domain",
	[MARK_NAME_THREAD] = "thread",
};
