// SPDX-License-Identifier: GPL-2.0
/* Measures how far the records of a file are out of order, and prints it as text. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "order.h"
#include "ui/number.h"
#include "ui/shown.h"
#include "util/array.h"

/* Above what any machine has: numbers beyond are damage, and not CPUs. */
#define CPUS_MAX	65536

/* Features that are told with a picture, each on its line, by their titles. */
static const struct {
	const char *name;
	unsigned int line;
} facts[] = {
	{ "command line", 0 },
	{ "recorded by version", 1 },
	{ "OS release", 1 },
	{ "architecture", 1 },
	{ "CPU", 2 },
	{ "CPUs", 2 },
};

/* A line that is too long ends in "..". */
static void append(char line[ORDER_FACT], const char *name, const char *value)
{
	const size_t used = strlen(line), room = ORDER_FACT - used;
	const int length = snprintf(line + used, room, "%s%s: %s",
				    used ? "; " : "", name, value);

	if (length >= 0 && (size_t)length >= room)
		memcpy(line + ORDER_FACT - 3, "..", 3);
}

static void take_fact(void *context, const char *name, const char *value)
{
	struct order_view *view = context;

	for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++)
		if (!strcmp(name, facts[i].name))
			append(view->facts[facts[i].line], name, value);
}

static int take_cpu(struct order_view *view,
		    const struct kermon_file_moment *moment)
{
	const size_t nr = view->nr_cpus, number = moment->cpu;
	struct order_cpu *cpu;

	if (moment->cpu < 0 || moment->cpu >= CPUS_MAX)
		return 0;
	if (number >= nr) {
		if (array_room(view->cpus, view->room_cpus, number + 1))
			return -ENOMEM;
		view->nr_cpus = number + 1;
		memset(view->cpus + nr, 0,
		       (view->nr_cpus - nr) * sizeof(*view->cpus));
	}
	cpu = &view->cpus[number];
	cpu->records++;
	if (moment->time >= cpu->newest) {
		cpu->newest = moment->time;
		return 0;
	}
	cpu->unordered++;
	if (cpu->newest - moment->time > cpu->step)
		cpu->step = cpu->newest - moment->time;
	return 0;
}

/* Signed: records may be older than the first one. */
static double since(const struct order_view *view, uint64_t time)
{
	return (double)(int64_t)(time - view->first);
}

static int take_moment(void *context, const struct kermon_file_moment *moment)
{
	struct order_view *view = context;

	if (!view->times.nr)
		view->first = moment->time;
	columns_add(&view->times, moment->number, since(view, moment->time));
	columns_add(&view->behind, moment->number,
		    (double)(moment->upper - moment->time));
	if (moment->lower) {
		columns_add(&view->lower, moment->number,
			    since(view, moment->lower));
		columns_add(&view->allowed, moment->number,
			    (double)(moment->upper - moment->lower));
	}
	return take_cpu(view, moment);
}

int order_read(struct order_view *view, struct kermon_file *file)
{
	kermon_file_header(file, take_fact, view);
	return kermon_file_order(file, take_moment, view, &view->sum);
}

static void print_number(const char *name, uint64_t number, const char *unit)
{
	char text[NUMBER_SIZE];

	number_exact(number, text);
	printf("%-28s %15s %s\n", name, text, unit);
}

static void print_ms(const char *name, uint64_t ns)
{
	printf("%-28s %15.6f ms", name, (double)ns / 1e6);
}

static void print_step(const struct kermon_file_order *sum)
{
	print_ms("largest step back", sum->step);
	if (sum->unordered)
		printf(" at record %" PRIu64 ", offset %" PRIu64,
		       sum->step_number, sum->step_offset);
	putchar('\n');
}

static void print_rounds(const struct kermon_file_order *sum)
{
	print_number("rounds", sum->rounds, "(FINISHED_ROUND)");
	print_number("largest round", sum->round, "records");
	print_number("held back by rounds at most", sum->held_by_rounds,
		     "records");
	print_number("step back over a round", sum->crossing,
		     "are older than a record before the last FINISHED_ROUND");
	print_number("later than rounds allow", sum->late, "records");
}

static void print_cpus(const struct order_view *view)
{
	char records[NUMBER_SIZE], unordered[NUMBER_SIZE];

	printf("\n%5s %15s %15s %22s\n", "CPU", "records", "out of order",
	       "largest step back [ms]");
	for (size_t i = 0; i < view->nr_cpus; i++) {
		if (!view->cpus[i].records)
			continue;
		number_exact(view->cpus[i].records, records);
		number_exact(view->cpus[i].unordered, unordered);
		printf("%5zu %15s %15s %22.6f\n", i, records, unordered,
		       (double)view->cpus[i].step / 1e6);
	}
}

void order_print(const struct order_view *view)
{
	const struct kermon_file_order *sum = view->sum;

	print_number("records", sum->records, "");
	print_number("with a time", sum->timed, "");
	print_number("out of order", sum->unordered,
		     "are older than a record before them");
	print_step(sum);
	print_number("held back at least", sum->held, sum->late ?
		     "records, by the order in which rounds deliver" :
		     "records, if all times were known");
	print_rounds(sum);
	if (view->nr_cpus)
		print_cpus(view);
}

void order_view_free(struct order_view *view)
{
	free(view->cpus);
	free(view);
}
