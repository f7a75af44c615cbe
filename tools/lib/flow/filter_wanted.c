// SPDX-License-Identifier: GPL-2.0
/* Parse the conditions of a filter from comma-separated lists. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "filter.h"

#define NSEC_DIGITS	9

struct kermon_filter *kermon_filter_new(void)
{
	return calloc(1, sizeof(struct kermon_filter));
}

static bool is_of_names(enum kermon_filter_by by)
{
	return by == KERMON_FILTER_COMM || by == KERMON_FILTER_DSO ||
	       by == KERMON_FILTER_SYMBOL;
}

static void free_names(struct filter_list *list)
{
	char **names = list->items;

	for (size_t i = 0; i < list->nr; i++)
		free(names[i]);
}

void kermon_filter_free(struct kermon_filter *filter)
{
	if (!filter)
		return;
	for (int by = 0; by < KERMON_FILTER_COUNT; by++) {
		if (is_of_names(by))
			free_names(&filter->by[by]);
		free(filter->by[by].items);
	}
	free(filter->parts.items);
	free(filter->walls.items);
	free(filter);
}

static int add_item(struct filter_list *list, const void *item, size_t size)
{
	char *items = realloc(list->items, (list->nr + 1) * size);

	if (!items)
		return -ENOMEM;
	memcpy(items + list->nr * size, item, size);
	list->items = items;
	list->nr++;
	return 0;
}

static int add_name(struct filter_list *list, const char *text)
{
	char *name;
	int err;

	if (!*text)
		return -EINVAL;
	name = strdup(text);
	if (!name)
		return -ENOMEM;
	err = add_item(list, &name, sizeof(name));
	if (err)
		free(name);
	return err;
}

/* Parse a number without sign or leading space; advances @text. */
static bool take_number(const char **text, uint64_t *number)
{
	char *end;

	if (!isdigit((unsigned char)**text))
		return false;
	errno = 0;
	*number = strtoull(*text, &end, 10);
	*text = end;
	return !errno;
}

/* "8" or "0-3". */
static int add_numbers(struct filter_list *list, const char *text)
{
	struct filter_range range;

	if (!take_number(&text, &range.first))
		return -EINVAL;
	range.last = range.first;
	if (*text == '-') {
		text++;
		if (!take_number(&text, &range.last))
			return -EINVAL;
	}
	if (*text || range.last < range.first)
		return -EINVAL;
	return add_item(list, &range, sizeof(range));
}

/* "12.034" seconds, with up to nanosecond resolution. */
static bool take_seconds(const char **text, uint64_t *ns)
{
	uint64_t seconds;

	if (!take_number(text, &seconds) ||
	    __builtin_mul_overflow(seconds, 1000000000ULL, ns))
		return false;
	if (**text != '.')
		return true;
	(*text)++;
	for (uint64_t unit = 100000000, i = 0; i < NSEC_DIGITS; i++, unit /= 10) {
		if (!isdigit((unsigned char)**text))
			break;
		if (__builtin_add_overflow(*ns, unit * (*(*text)++ - '0'), ns))
			return false;
	}
	while (isdigit((unsigned char)**text))	/* drop digits beyond nanoseconds */
		(*text)++;
	return true;
}

/* "FROM,TO", "FROM,", ",TO" or "FROM". */
static int add_times(struct filter_list *list, const char *text)
{
	struct filter_range range = { .last = UINT64_MAX };

	if (!*text || !strcmp(text, ","))
		return -EINVAL;
	if (*text != ',' && !take_seconds(&text, &range.first))
		return -EINVAL;
	if (*text == ',' && *++text && !take_seconds(&text, &range.last))
		return -EINVAL;
	if (*text || range.last < range.first)
		return -EINVAL;
	return add_item(list, &range, sizeof(range));
}

/* Times of day. */
static int add_wall(struct filter_list *list, const char *text)
{
	struct filter_wall wall;
	int err = filter_wall_parse(&wall, text);

	return err ? err : add_item(list, &wall, sizeof(wall));
}

/* "10%": a tenth. */
static bool take_percent(const char **text, double *part)
{
	char *end;

	if (!isdigit((unsigned char)**text))
		return false;
	*part = strtod(*text, &end) / 100;
	if (*end != '%')
		return false;
	*text = end + 1;
	return *part <= 1;
}

/* "20%-30%", or "10%/3" for the third tenth. */
static int add_part(struct filter_list *list, const char *text)
{
	struct filter_part part;
	uint64_t number;

	if (!take_percent(&text, &part.from))
		return -EINVAL;
	if (*text == '/') {
		text++;
		if (!take_number(&text, &number) || !number)
			return -EINVAL;
		part.to = part.from * (double)number;
		part.from = part.from * (double)(number - 1);
	} else if (*text++ != '-' || !take_percent(&text, &part.to)) {
		return -EINVAL;
	}
	if (*text || part.from >= part.to || part.from >= 1)
		return -EINVAL;
	if (part.to > 1)
		part.to = 1;
	return add_item(list, &part, sizeof(part));
}

/* The comma after the first item; NULL if it is the last one. */
static char *comma_behind(char *text)
{
	char *comma = strchr(text, ',');

	while (comma && comma[1] == ' ')
		comma = strchr(comma + 1, ',');
	return comma;
}

/* Call @add for each item. */
static int add_each(struct filter_list *list, const char *text,
		    int (*add)(struct filter_list *list, const char *text))
{
	char *copy = strdup(text), *item = copy, *comma;
	int err;

	if (!copy)
		return -ENOMEM;
	do {
		comma = comma_behind(item);
		if (comma)
			*comma = '\0';
		err = add(list, item);
		item = comma + 1;
	} while (!err && comma);
	free(copy);
	return err;
}

int kermon_filter_add(struct kermon_filter *filter, enum kermon_filter_by by,
		      const char *list)
{
	if (by >= KERMON_FILTER_COUNT)
		return -EINVAL;
	if (is_of_names(by))
		return add_each(&filter->by[by], list, add_name);
	if (by != KERMON_FILTER_TIME)
		return add_each(&filter->by[by], list, add_numbers);
	if (strchr(list, '%'))
		return add_each(&filter->parts, list, add_part);
	if (strchr(list, ':'))
		return add_wall(&filter->walls, list);
	return add_times(&filter->by[by], list);
}
