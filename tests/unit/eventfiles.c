// SPDX-License-Identifier: GPL-2.0
/* Event files: those of KerMon, those of users, and damaged ones. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <kermon/events.h>

#include "events/tables.h"
#include "machine/eventsets.h"

#include "kselftest_harness.h"

/* Parse a file of these lines, as lines 1 and up of "f". */
static struct event_table *parse(const char *text, char message[TABLES_MESSAGE])
{
	return event_table_parse("f", text, strlen(text), message);
}

TEST(contents)
{
	char message[TABLES_MESSAGE];
	struct event_table *table = parse("# comment\n"
		"\n"
		"cpu ivb\tivb_ep # comment\n"
		"cpuid new GenuineIntel 0x06 0xad,0xb0-0xb1\n"
		"event A:B flop=4 precision=single simd=128 executed heading=\"two words\"\n"
		"event LOADS access=load code=0xf0d1 extra=0x3f reference=\"SDM # 1\"\n"
		"  set mine \"a set\"\n"
		"use A:B LOADS\n"
		"use r01c0", message);
	const struct table_event *event;

	ASSERT_NE(NULL, table) TH_LOG("%s", message);
	EXPECT_EQ(3, table->nr_cpus);
	EXPECT_TRUE(event_table_is_of(table, "ivb_ep", false));
	EXPECT_FALSE(event_table_is_of(table, "snb", true));
	ASSERT_EQ(2, table->nr_events);
	event = &table->events[0];
	EXPECT_STREQ("A:B", event->name);
	EXPECT_STREQ("two words", event->metric.heading);
	EXPECT_EQ(KERMON_METRIC_FLOP, event->metric.kind);
	EXPECT_EQ(4, event->metric.lanes);
	EXPECT_EQ(4, event->operation.flop);
	EXPECT_EQ(KERMON_SIMD_128, event->operation.simd);
	EXPECT_TRUE(event->operation.executed);
	EXPECT_FALSE(event->has_code);
	event++;
	EXPECT_EQ(0xf0d1, event->code);
	EXPECT_EQ(0x3f, event->extra);
	EXPECT_STREQ("SDM # 1", event->reference);
	ASSERT_EQ(1, table->nr_sets);
	EXPECT_STREQ("a set", table->sets[0].title);
	ASSERT_EQ(3, table->sets[0].nr);
	EXPECT_STREQ("r01c0", table->sets[0].events[2]);
	EXPECT_EQ(NULL, table->sets[0].events[3]);
	event_table_free(table);
}

TEST(messages)
{
	static const struct {
		const char *text;
		const char *message;
	} cases[] = {
		{ "sett a \"b\"",
		  "f:1: unknown keyword 'sett'; valid: cpu, cpuid, event, set, use" },
		{ "\n\nevent A flops=4", "f:3: unknown property 'flops='" },
		{ "event A flop=0 precision=single",
		  "f:1: invalid flop '0'; valid: 1 to 255" },
		{ "event A flop=4x precision=single",
		  "f:1: invalid flop '4x'; valid: 1 to 255" },
		{ "event A precision=half",
		  "f:1: invalid precision 'half'; valid: single, double, mixed" },
		{ "event A simd=64", "f:1: invalid simd '64'; valid: scalar, 128, 256, 512" },
		{ "event A kind=", "f:1: missing value of 'kind'" },
		{ "event A flop=2", "f:1: 'flop=' and 'precision=' belong together" },
		{ "event A executed", "f:1: 'whole' and 'executed' require 'flop='" },
		{ "event A bytes=64", "f:1: 'bytes=' requires 'access=' or 'memory'" },
		{ "event A memory", "f:1: 'memory' requires 'bytes=', and no 'access='" },
		{ "event A extra=1", "f:1: 'extra=' requires 'code='" },
		{ "event A code=0x1c0",
		  "f:1: 'code=' requires 'reference=': where it is documented" },
		{ "event A code=0x5301c0 reference=x",
		  "f:1: invalid code '0x5301c0'; valid: unit mask and event, such as 0x81d0" },
		{ "event A heading=\"b", "f:1: missing closing quotation mark" },
		{ "event", "f:1: missing name of the event" },
		{ "event A\nevent B\nevent a", "f:3: 'a' was defined in line 1" },
		{ "event A\x1b[31m", "f:1: invalid byte 0x1b in column 8" },
		{ "use A", "f:1: 'use' before the first 'set'" },
		{ "cpu ivb\nset a \"t\"\nuse", "f:3: 'use' without an event" },
		{ "cpu ivb\nset a \"t\"\nuse a", "f:3: set 'a' uses itself" },
		{ "set a", "f:1: a set has a name and a title in quotation marks" },
		{ "set a,b \"t\"", "f:1: invalid name of a set: 'a,b'; valid: up to 15 letters, "
		  "digits, '-' and '_'" },
		{ "set a needs=sse \"t\"", "f:1: invalid feature 'sse'; valid: avx512f" },
		{ "set a \"t\"\nset A \"t\"", "f:2: set 'A' was defined in line 1" },
		{ "set a \"t\"\n", "f:1: sets without 'cpu': name the CPUs that have them" },
		{ "cpu", "f:1: missing name of the CPU" },
		{ "cpuid a b 6", "f:1: 'cpuid' requires name, vendor, family and models, such as "
		  "'gnr GenuineIntel 0x06 0xad,0xae'" },
	};
	char message[TABLES_MESSAGE];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		EXPECT_EQ(NULL, parse(cases[i].text, message)) TH_LOG("%s", cases[i].text);
		EXPECT_STREQ(cases[i].message, message);
	}
}

TEST(nul_byte)
{
	char message[TABLES_MESSAGE];

	EXPECT_EQ(NULL, event_table_parse("f", "event A\0b", 9, message));
	EXPECT_STREQ("f:1: invalid byte 0x00 in column 8", message);
}

/* Files that are cut off or changed at any byte are parsed or rejected, no more. */
TEST(damage)
{
	const struct table_builtin *builtin;
	char message[TABLES_MESSAGE];
	struct event_table *table;

	srand(1);
	for (builtin = tables_builtin; builtin->name; builtin++) {
		const size_t size = strlen(builtin->text);
		char *text = malloc(size);

		ASSERT_NE(NULL, text);
		for (int round = 0; round < 200; round++) {
			const size_t length = round % 2 ? size : rand() % (size + 1);

			memcpy(text, builtin->text, size);
			for (int i = 0; i < round / 20 && length; i++)
				text[rand() % length] = rand();
			table = event_table_parse("f", text, length, message);
			EXPECT_TRUE(table || !strncmp(message, "f:", 2));
			event_table_free(table);
		}
		free(text);
	}
}

/* Too much of anything is rejected. */
TEST(limits)
{
	static const char *const lines[] = {
		"event E%d\n", "set s%d \"t\"\n", "cpu c%d\n", "use e%d\n",
	};
	char message[TABLES_MESSAGE], *text = malloc(1 << 16);

	ASSERT_NE(NULL, text);
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		int length = sprintf(text, i == 3 ? "cpu a\nset a \"t\"\n" : "");

		for (int line = 0; line < 600; line++)
			length += sprintf(text + length, lines[i], line);
		EXPECT_EQ(NULL, parse(text, message));
		EXPECT_NE(NULL, strstr(message, ": more than ")) TH_LOG("%s", message);
	}
	memset(text, 'a', 1 << 16);
	text[(1 << 16) - 1] = '\0';
	EXPECT_EQ(NULL, parse(text, message));
	free(text);
}

/* The files of this source, without the user's. */
static void use_shipped(void)
{
	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
}

TEST(shipped_files_are_valid)
{
	size_t nr = 0;

	use_shipped();
	ASSERT_NE(NULL, tables_all());
	EXPECT_EQ(NULL, tables_problem(0)) TH_LOG("%s", tables_problem(0));
	for (const struct event_table *table = tables_all(); table; table = table->next)
		nr++;
	EXPECT_LE(14, nr);
}

static bool is_same(const struct table_event *a, const struct table_event *b)
{
	return a->metric.kind == b->metric.kind && a->metric.lanes == b->metric.lanes &&
	       a->metric.precision == b->metric.precision &&
	       !memcmp(&a->operation, &b->operation, sizeof(a->operation));
}

/* A name means the same on all CPUs: recordings only have the name. */
TEST(names_have_one_meaning)
{
	use_shipped();
	for (const struct event_table *table = tables_all(); table; table = table->next) {
		for (size_t i = 0; i < table->nr_events; i++) {
			const struct table_event *event = &table->events[i];
			const struct table_event *known = tables_meaning_of(event->name);

			if (!event->has_meaning)
				continue;
			ASSERT_NE(NULL, known);
			EXPECT_EQ(0, strcasecmp(event->name, known->name));
			EXPECT_TRUE(is_same(event, known)) TH_LOG("%s", event->name);
		}
	}
}

static bool has_cpu(const struct event_table *table, bool (*fn)(const struct table_cpu *cpu))
{
	for (size_t i = 0; i < table->nr_cpus; i++)
		if (fn(&table->cpus[i]))
			return true;
	return false;
}

static bool is_named(const struct table_cpu *cpu)
{
	return !cpu->vendor;
}

/*
 * Print, for each CPU and each event of its sets, what test_each_event checks: that libpfm4
 * knows it, or that its code has a reference. One process for each CPU, because libpfm4
 * finds the CPU once.
 */
static int check_cpu(const char *cpu)
{
	const struct kermon_event_list *set;
	struct kermon_selection selection;
	struct kermon_event_error error;
	int failures = 0;

	setenv("LIBPFM_FORCE_PMU", cpu, 1);
	for (unsigned int i = 0; (set = kermon_events_list(i)); i++) {
		if (!kermon_events_select(set->name, KERMON_COUNT_USER, &selection, &error))
			continue;
		printf("# %s: %s: %s\n", cpu, set->name, error.word);
		failures++;
	}
	if (!eventsets_find(cpu, "fixed") || (strcmp(cpu, "amd64") &&
	    !eventsets_find(cpu, "roofline"))) {
		printf("# %s lacks a set\n", cpu);
		failures++;
	}
	return failures;
}

TEST(each_event_resolves)
{
	unsigned int nr = 0;

	use_shipped();
	for (const struct event_table *table = tables_all(); table; table = table->next) {
		for (size_t i = 0; i < table->nr_cpus; i++) {
			const char *cpu = table->cpus[i].name;
			int status;
			pid_t pid;

			if (!strcmp(cpu, TABLES_ANY_CPU))
				continue;
			fflush(NULL);
			pid = fork();
			if (!pid) {
				status = check_cpu(cpu);
				fflush(NULL);
				_exit(status > 0);
			}
			ASSERT_EQ(pid, waitpid(pid, &status, 0));
			EXPECT_EQ(0, status) TH_LOG("%s", cpu);
			nr++;
		}
	}
	EXPECT_LE(23, nr);
}

/* A code of an event that libpfm4 knows on that CPU is libpfm4's. */
static int check_codes(const struct event_table *table, const char *cpu)
{
	struct kermon_selection own, theirs;
	struct kermon_event_error error;
	char name[KERMON_EVENT_NAME];
	int failures = 0;

	setenv("LIBPFM_FORCE_PMU", cpu, 1);
	for (size_t i = 0; i < table->nr_events; i++) {
		if (!table->events[i].has_code)
			continue;
		/* A modifier has libpfm4 resolve the name. */
		snprintf(name, sizeof(name), "%s:c=0", table->events[i].name);
		if (kermon_events_select(table->events[i].name, KERMON_COUNT_USER, &own,
					 &error)) {
			printf("# %s: %s\n", cpu, error.word);
			failures++;
		} else if (!kermon_events_select(name, KERMON_COUNT_USER, &theirs, &error) &&
			   (own.events[0].event.config != theirs.events[0].event.config ||
			    own.events[0].event.extra != theirs.events[0].event.extra)) {
			printf("# %s: %s is %llx by libpfm4\n", cpu, table->events[i].name,
			       (unsigned long long)theirs.events[0].event.config);
			failures += strncmp(cpu, "snb", 3) != 0;
		}
	}
	return failures;
}

TEST(codes_are_those_of_libpfm)
{
	unsigned int nr = 0;

	use_shipped();
	for (const struct event_table *table = tables_all(); table; table = table->next) {
		if (!has_cpu(table, is_named))
			continue;
		for (size_t i = 0; i < table->nr_cpus; i++) {
			int status;
			pid_t pid;

			if (table->cpus[i].vendor || !strcmp(table->cpus[i].name, "*"))
				continue;
			fflush(NULL);
			pid = fork();
			if (!pid) {
				status = check_codes(table, table->cpus[i].name);
				fflush(NULL);
				_exit(status > 0);
			}
			ASSERT_EQ(pid, waitpid(pid, &status, 0));
			EXPECT_EQ(0, status);
			nr++;
		}
	}
	EXPECT_LE(20, nr);
}

TEST(cpus_by_cpuid)
{
	use_shipped();
	EXPECT_STREQ("gnr", tables_cpu_find("GenuineIntel", 6, 0xae));
	EXPECT_STREQ("emr", tables_cpu_find("GenuineIntel", 6, 0xcf));
	EXPECT_STREQ("amd64_fam1ah_zen5", tables_cpu_find("AuthenticAMD", 0x1a, 0x24));
	EXPECT_EQ(NULL, tables_cpu_find("GenuineIntel", 6, 0xaf));
	EXPECT_EQ(NULL, tables_cpu_find("AuthenticAMD", 6, 0xad));
	/* Zen 6 */
	EXPECT_EQ(NULL, tables_cpu_find("AuthenticAMD", 0x1a, 0x50));
}

/* A folder for files of the user. */
FIXTURE(users)
{
	char home[64];
};

FIXTURE_SETUP(users)
{
	char folder[128];

	strcpy(self->home, "/tmp/kermon-events-XXXXXX");
	ASSERT_NE(NULL, mkdtemp(self->home));
	setenv("XDG_CONFIG_HOME", self->home, 1);
	setenv("LIBPFM_FORCE_PMU", "ivb", 1);
	snprintf(folder, sizeof(folder), "%s/kermon", self->home);
	ASSERT_EQ(0, mkdir(folder, 0700));
	strcat(folder, "/events");
	ASSERT_EQ(0, mkdir(folder, 0700));
}

FIXTURE_TEARDOWN(users)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf %s", self->home);
	EXPECT_EQ(0, system(command));
}

static int write_file(const FIXTURE_DATA(users) *self, const char *name, const char *text)
{
	char path[256];
	FILE *file;

	snprintf(path, sizeof(path), "%s/kermon/events/%s", self->home, name);
	file = fopen(path, "w");
	if (!file)
		return -errno;
	fputs(text, file);
	return fclose(file);
}

TEST_F(users, files)
{
	struct kermon_selection selection;
	struct kermon_event_error error;
	struct kermon_operation operation;

	ASSERT_EQ(0, write_file(self, "a.events", "cpu ivb\n"
				"event MINE code=0x01d1 reference=me access=load bytes=16\n"
				"set set0 \"other\"\nuse MINE\n"
				"set more \"more\"\nuse set1 set2\n"));
	ASSERT_EQ(0, write_file(self, "b.events", "cpu ivb\nset broken\n"));
	ASSERT_EQ(0, write_file(self, "c.events", "cpu snb\nset not-here \"t\"\nuse r01c0\n"));
	ASSERT_EQ(0, write_file(self, "d.txt", "no event file"));
	EXPECT_EQ(NULL, kermon_events_problem(0));
	ASSERT_NE(NULL, kermon_events_list(0));
	ASSERT_NE(NULL, kermon_events_problem(0));
	EXPECT_NE(NULL, strstr(kermon_events_problem(0), "/kermon/events/b.events:2: "));
	EXPECT_EQ(NULL, kermon_events_problem(1));
	ASSERT_EQ(0, kermon_events_select("set0", KERMON_COUNT_USER, &selection, &error));
	ASSERT_EQ(1, selection.nr);
	EXPECT_EQ(0x101d1, selection.events[0].event.config);
	EXPECT_STREQ("MINE:u", selection.events[0].name);
	ASSERT_TRUE(kermon_operation_of("MINE:u", &operation));
	EXPECT_EQ(16, operation.bytes);
	EXPECT_EQ(-ENOENT, kermon_events_select("not-here", KERMON_COUNT_USER, &selection,
						&error));
	ASSERT_EQ(0, kermon_events_select("more", KERMON_COUNT_USER, &selection, &error));
	EXPECT_EQ(8, selection.nr);
	EXPECT_STREQ("fixed", kermon_events_list(0)->name);
}

/* What is no readable file is named, and does not block. */
TEST_F(users, other_files)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/kermon/events/fifo.events", self->home);
	ASSERT_EQ(0, mkfifo(path, 0600));
	snprintf(path, sizeof(path), "%s/kermon/events/gone.events", self->home);
	ASSERT_EQ(0, symlink("nowhere", path));
	snprintf(path, sizeof(path), "%s/kermon/events/dir.events", self->home);
	ASSERT_EQ(0, mkdir(path, 0700));
	ASSERT_NE(NULL, kermon_events_list(0));
	ASSERT_NE(NULL, kermon_events_problem(2));
	EXPECT_NE(NULL, strstr(kermon_events_problem(0), "dir.events: not a regular file"));
	EXPECT_NE(NULL, strstr(kermon_events_problem(1), "fifo.events: not a regular file"));
	EXPECT_NE(NULL, strstr(kermon_events_problem(2), "gone.events: No such file"));
	EXPECT_EQ(NULL, kermon_events_problem(3));
	EXPECT_NE(NULL, eventsets_find("ivb", "roofline"));
}

/* A set "fixed" may be shorter than the list of fixed counters. */
TEST_F(users, short_fixed)
{
	struct kermon_selection selection;
	struct kermon_event_error error;

	setenv("LIBPFM_FORCE_PMU", "amd64_fam17h_zen1", 1);
	ASSERT_EQ(0, write_file(self, "a.events", "cpu amd64_fam17h_zen1\n"
				"set fixed \"one\"\nuse RETIRED_INSTRUCTIONS\n"));
	ASSERT_EQ(0, kermon_events_select("instructions", KERMON_COUNT_USER, &selection,
					  &error));
	EXPECT_STREQ("RETIRED_INSTRUCTIONS:u", selection.events[0].name);
	EXPECT_EQ(-ENXIO, kermon_events_select("ref-cycles", KERMON_COUNT_USER, &selection,
					       &error));
}

/* Sets that are missing on this CPU are left out of those that stand for several. */
TEST_F(users, roofline)
{
	struct kermon_selection selection, sets[KERMON_MAX_SETS];
	struct kermon_event_error error;

	ASSERT_EQ(0, kermon_events_select("roofline", KERMON_COUNT_USER, &selection, &error));
	EXPECT_EQ(8, selection.nr);
	EXPECT_EQ(1, kermon_events_split(&selection, 8, sets));
	ASSERT_EQ(2, kermon_events_split(&selection, 4, sets));
	EXPECT_EQ(4, sets[0].nr);
	EXPECT_EQ(-ENOSPC, kermon_events_split(&selection, 3, sets));
	EXPECT_EQ(-EEXIST, kermon_events_select("roofline,set1", KERMON_COUNT_USER,
						&selection, &error));
	EXPECT_STREQ("set1", error.word);
	EXPECT_EQ(-EEXIST, kermon_events_select("set1,roofline", KERMON_COUNT_USER,
						&selection, &error));
	ASSERT_EQ(0, kermon_events_select("roofline,set2", KERMON_COUNT_USER, &selection,
					  &error));
	/* Together where they fit; a set that was named by itself is never joined. */
	ASSERT_EQ(2, kermon_events_split(&selection, 8, sets));
	EXPECT_EQ(8, sets[0].nr);
	EXPECT_EQ(3, kermon_events_split(&selection, 6, sets));
}

TEST_HARNESS_MAIN
