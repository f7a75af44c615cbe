// SPDX-License-Identifier: GPL-2.0
/* What limits the numbers of a report on regions, in sentences. */
#include <inttypes.h>
#include <stdio.h>

#include "regions.h"

/* A sentence about a number of things, if there is any. */
struct counted {
	uint64_t nr;
	const char *one;
	const char *many;	/* with the number */
};

static bool tell_counted(const struct counted *all, size_t nr, size_t *index,
			 char text[REGIONS_LIMIT])
{
	for (size_t i = 0; i < nr; i++) {
		if (!all[i].nr || (*index)--)
			continue;
		if (all[i].nr == 1)
			snprintf(text, REGIONS_LIMIT, "%s", all[i].one);
		else
			snprintf(text, REGIONS_LIMIT, all[i].many, all[i].nr);
		return true;
	}
	return false;
}

/* Why there are no counts. */
static const char *uncounted(const struct regions_view *view)
{
	const struct regions_trouble *trouble = regions_trouble(view->file.regions);

	if (!trouble->threads || trouble->uncounted < trouble->threads)
		return NULL;
	if (!view->file.pipeline.of_intervals)
		return "No counts: KerMon did not count in this recording; times are exact.";
	return "No counts: marks have none, because the threads could not read their counters; "
	       "times are exact.";
}

static bool tell_other(const struct regions_view *view, size_t index, char text[REGIONS_LIMIT])
{
	const struct regions_trouble *trouble = regions_trouble(view->file.regions);
	const char *why = uncounted(view);

	if (why && !index--) {
		snprintf(text, REGIONS_LIMIT, "%s", why);
		return true;
	}
	if (!why && trouble->uncounted && !index--) {
		snprintf(text, REGIONS_LIMIT, "Counts are of %" PRIu64 " of %" PRIu64 " threads: the "
			 "others could not read their counters.",
			 trouble->threads - trouble->uncounted, trouble->threads);
		return true;
	}
	if (regions_rotated(view->file.regions) && regions_counted(view->file.regions) &&
	    !index--) {
		snprintf(text, REGIONS_LIMIT, "Sets were rotated: counts of their events are "
			 "estimates (~), as each was counted part of the time.");
		return true;
	}
	if (!trouble->paused || index)
		return false;
	snprintf(text, REGIONS_LIMIT, "Paused: %.6f s of all threads are in no region.",
		 (double)trouble->paused / 1e9);
	return true;
}

bool regions_limit(const struct regions_view *view, size_t index, char text[REGIONS_LIMIT])
{
	const struct regions_trouble *trouble = regions_trouble(view->file.regions);
	const struct counted all[] = {
		{ trouble->lost, "1 mark was lost: regions around it are incomplete.",
		  "%" PRIu64 " marks were lost: regions around them are incomplete." },
		{ trouble->missing, "1 region has no end: it ended with the one around it.",
		  "%" PRIu64 " regions have no end: they ended with the ones around them." },
		{ trouble->unended, "1 region was open when its thread ended, and ended there.",
		  "%" PRIu64 " regions were open when their threads ended, and ended there." },
		{ trouble->stray, "1 end of a region without a begin was ignored.",
		  "%" PRIu64 " ends of regions without a begin were ignored." },
		{ trouble->too_deep, "1 region was nested too deeply, and is part of the one around it.",
		  "%" PRIu64 " regions were nested too deeply, and are part of those around them." },
		{ trouble->mixed, "Once, counts of several regions are those of one: marks in "
		  "between had none.",
		  "%" PRIu64 " times, counts of several regions are those of one: marks in "
		  "between had none." },
		{ trouble->reset, "1 count was smaller than before, and was ignored.",
		  "%" PRIu64 " counts were smaller than before, and were ignored." },
		{ trouble->late, "1 mark was older than one before it: its time is that of the other.",
		  "%" PRIu64 " marks were older than ones before them: their time is that of the "
		  "others." },
		{ trouble->unnamed, "1 name of a region is not in the file.",
		  "%" PRIu64 " names of regions are not in the file." },
		{ trouble->damaged, "1 mark is damaged, and was ignored.",
		  "%" PRIu64 " marks are damaged, and were ignored." },
	};

	return tell_counted(all, sizeof(all) / sizeof(all[0]), &index, text) ||
	       tell_other(view, index, text);
}
