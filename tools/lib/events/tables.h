/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The event files: what events mean, their encodings, and predefined sets for each
 * microarchitecture. kermon-events(5) describes their format.
 */
#ifndef KERMON_TABLES_H
#define KERMON_TABLES_H

#include <kermon/operations.h>

/* Longest name of an event, as in <kermon/events.h> without modes, and of a set. */
#define TABLES_EVENT_NAME	93
#define TABLES_SET_NAME		15

/* A CPU that no file names. */
#define TABLES_ANY_CPU	"*"

/**
 * struct table_event - an event of a file
 * @name: libpfm4's, or another one with a code
 * @about: description; NULL: none
 * @reference: where its code is documented; NULL: libpfm4 has it
 * @has_meaning: more than a code is given: otherwise, another file has the meaning
 * @has_code: @code, event select and unit mask, and @extra, the value of its offcore
 *	register, are given: libpfm4 is not asked
 * @line: of the file
 */
struct table_event {
	const char *name;
	const char *about;
	const char *reference;
	struct kermon_metric metric;
	struct kermon_operation operation;
	bool has_meaning;
	bool has_code;
	uint64_t code;
	uint64_t extra;
	unsigned int line;
};

/**
 * struct table_set - a set of a file
 * @needs: feature of the CPU without which it is of no use; NULL: none
 * @events: names of events, or of sets to rotate, NULL at the end
 */
struct table_set {
	const char *name;
	const char *title;
	const char *needs;
	const char **events;
	size_t nr;
	size_t room;
	unsigned int line;
};

/**
 * struct table_cpu - a CPU that a file applies to
 * @name: libpfm4's name of its PMU, or TABLES_ANY_CPU
 * @vendor: for CPUs that libpfm4 may not know: as CPUID has it, with @family and
 *	@models, such as "0xad,0xae"; NULL: not given
 */
struct table_cpu {
	const char *name;
	const char *vendor;
	unsigned int family;
	const char *models;
};

/**
 * struct event_table - a file
 * @path: where it is
 * @text: what all strings are part of
 * @next: the next one: those of the user precede those of KerMon
 */
struct event_table {
	char *path;
	char *text;
	bool is_users;
	struct table_cpu *cpus;
	size_t nr_cpus, room_cpus;
	struct table_event *events;
	size_t nr_events, room_events;
	struct table_set *sets;
	size_t nr_sets, room_sets;
	struct event_table *next;
};

/* Longest message about a file, with its path. */
#define TABLES_MESSAGE	512

/*
 * Parse @size bytes of a file. Return: the table, or NULL with @message, which begins with
 * path and line; if that is empty, out of memory.
 */
struct event_table *event_table_parse(const char *path, const char *text, size_t size,
			  char message[TABLES_MESSAGE]);
void event_table_free(struct event_table *table);

/* All tables; read when first needed. */
const struct event_table *tables_all(void);

/* What is wrong with file number @index of those read that are not used, NULL after the last. */
const char *tables_problem(size_t index);

/* Whether a table applies to a CPU; @any: also if it applies to all. */
bool event_table_is_of(const struct event_table *table, const char *cpu, bool any);

/* The CPU with these values of CPUID; NULL: in no file. */
const char *tables_cpu_find(const char *vendor, unsigned int family, unsigned int model);

/* Whether a file names this CPU. */
bool tables_cpu_known(const char *cpu);

/* The event of a CPU whose code is given by this name, ignoring case; NULL: none. */
const struct table_event *tables_code_of(const char *cpu, const char *name);

/* meanings.c: take those of all tables; that of a name, see tables_meaning_of(). */
void meanings_collect(const struct event_table *first);
const struct table_event *meanings_find(const char *name);

/* The meaning of a name, with or without PMU and modes; NULL: not known. */
const struct table_event *tables_meaning_of(const char *name);

/* The folder of KerMon's files: 0, or -ENOENT if there is none. */
int tables_shipped_folder(char *path, size_t size);

/**
 * struct table_builtin - a file as it was when KerMon was built
 * @name: without folder
 */
struct table_builtin {
	const char *name;
	const char *text;
};

/* A NULL name is at the end. */
extern const struct table_builtin tables_builtin[];

/* operations.c: enum kermon_simd with most operations; KERMON_SIMD_UNKNOWN: none, or not known. */
uint8_t operations_simd(const double flop[KERMON_PRECISIONS][KERMON_SIMDS]);

#endif /* KERMON_TABLES_H */
