// SPDX-License-Identifier: GPL-2.0
/* Return the features of a file as lines for the header of a report, see perfdata/text. */
#include "perfdata/format/format.h"
#include "perfdata/text/text.h"
#include "report_private.h"

void kermon_report_header(const struct kermon_report *report,
			  void (*line)(void *context, const char *name,
				       const char *value),
			  void *context)
{
	for (unsigned int bit = 0; bit < PERFDATA_FEATURES; bit++)
		feature_text(report->pipeline.reader, bit, line, context);
}

const char *kermon_report_note(const struct kermon_report *report,
			       const char *key)
{
	return reader_note(report->pipeline.reader, key);
}
