// SPDX-License-Identifier: GPL-2.0
/*
 * Select samples by times of day in the local time zone: "2026-11-25 10:29:33.5", or
 * without the date, which then is that of the recording.
 */
#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "filter.h"
#include "wall.h"

#define NSEC_DIGITS	9

/* A number of @least to @most digits, from 0 to @highest. Advances @text. */
static bool take_part(const char **text, int least, int most, int highest,
		      int *part)
{
	int digits = 0;

	*part = 0;
	while (digits < most && isdigit((unsigned char)**text)) {
		*part = *part * 10 + *(*text)++ - '0';
		digits++;
	}
	return digits >= least && *part <= highest;
}

static bool take_sign(const char **text, char sign)
{
	return **text == sign ? (*text)++, true : false;
}

/* "2026-11-25 " or "2026-11-25T"; leaves anything else to take_day_time(). */
static bool take_date(const char **text, struct filter_moment *moment)
{
	struct tm *tm = &moment->tm;

	if (strspn(*text, "0123456789") != 4)
		return true;
	moment->has_date = true;
	if (!take_part(text, 4, 4, 9999, &tm->tm_year) ||
	    !take_sign(text, '-') || !take_part(text, 2, 2, 12, &tm->tm_mon) ||
	    !take_sign(text, '-') || !take_part(text, 2, 2, 31, &tm->tm_mday))
		return false;
	tm->tm_year -= 1900;
	tm->tm_mon--;
	return take_sign(text, 'T') || take_sign(text, ' ');
}

/* "10:29", "10:29:33" or "10:29:33.123456789". */
static bool take_day_time(const char **text, struct filter_moment *moment)
{
	struct tm *tm = &moment->tm;
	uint32_t unit = WALL_SECOND;

	if (!take_part(text, 1, 2, 23, &tm->tm_hour) || !take_sign(text, ':') ||
	    !take_part(text, 2, 2, 59, &tm->tm_min))
		return false;
	if (!take_sign(text, ':'))
		return true;
	if (!take_part(text, 2, 2, 59, &tm->tm_sec))
		return false;
	if (!take_sign(text, '.'))
		return true;
	for (int i = 0; i < NSEC_DIGITS && isdigit((unsigned char)**text); i++)
		moment->ns += (unit /= 10) * (*(*text)++ - '0');
	while (isdigit((unsigned char)**text))	/* drop digits beyond nanoseconds */
		(*text)++;
	return true;
}

/* Return: false if there is no such time: on February 30, or when clocks are changed. */
static bool seconds_of(const struct tm *tm, int64_t *seconds)
{
	struct tm found = *tm;

	found.tm_isdst = -1;
	*seconds = mktime(&found);
	return found.tm_mon == tm->tm_mon && found.tm_mday == tm->tm_mday &&
	       found.tm_hour == tm->tm_hour && found.tm_min == tm->tm_min;
}

static bool take_moment(const char **text, struct filter_moment *moment)
{
	int64_t seconds;

	moment->is_given = true;
	return take_date(text, moment) && take_day_time(text, moment) &&
	       (!moment->has_date || seconds_of(&moment->tm, &seconds));
}

/* "FROM,TO", "FROM,", ",TO" or "FROM". */
int filter_wall_parse(struct filter_wall *wall, const char *text)
{
	int64_t from, to;

	*wall = (struct filter_wall){ 0 };
	if (*text != ',' && !take_moment(&text, &wall->from))
		return -EINVAL;
	if (*text == ',' && *++text && !take_moment(&text, &wall->to))
		return -EINVAL;
	if (*text)
		return -EINVAL;
	if (wall->from.has_date && wall->to.has_date &&
	    seconds_of(&wall->from.tm, &from) && seconds_of(&wall->to.tm, &to) &&
	    (to < from || (to == from && wall->to.ns < wall->from.ns)))
		return -EINVAL;
	return 0;
}

static void set_date(struct tm *tm, const struct tm *date)
{
	tm->tm_year = date->tm_year;
	tm->tm_mon = date->tm_mon;
	tm->tm_mday = date->tm_mday;
}

/* The time of day in @tm on the next day. */
static bool next_day(struct tm *tm, int64_t *seconds)
{
	struct tm noon = *tm;

	noon.tm_mday++;
	noon.tm_hour = 12;
	noon.tm_isdst = -1;
	mktime(&noon);
	set_date(tm, &noon);
	return seconds_of(tm, seconds);
}

/*
 * A time without a date is on the day on which the recording began, or, as the end of a
 * range, the first such time after its begin.
 */
int filter_wall_resolve(const struct filter_wall *wanted,
			const struct wall *clock, struct filter_range *range)
{
	struct tm from = wanted->from.tm, to = wanted->to.tm, day = { 0 };
	const time_t began = clock->wall / WALL_SECOND;
	int64_t first, last;

	localtime_r(&began, &day);
	if (!wanted->from.has_date)
		set_date(&from, &day);
	if (!wanted->to.has_date)
		set_date(&to, wanted->from.is_given ? &from : &day);
	if ((wanted->from.is_given && !seconds_of(&from, &first)) ||
	    (wanted->to.is_given && !seconds_of(&to, &last)))
		return -EINVAL;
	*range = (struct filter_range){ .last = UINT64_MAX };
	if (wanted->from.is_given)
		range->first = wall_time(clock, first, wanted->from.ns);
	if (!wanted->to.is_given)
		return 0;
	range->last = wall_time(clock, last, wanted->to.ns);
	if (range->last >= range->first || wanted->to.has_date)
		return 0;
	if (!next_day(&to, &last))
		return -EINVAL;
	range->last = wall_time(clock, last, wanted->to.ns);
	return 0;
}
