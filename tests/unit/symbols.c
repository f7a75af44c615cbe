// SPDX-License-Identifier: GPL-2.0
/* Which file the symbols of a DSO are taken from. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "self.h"
#include "symbols.h"

#include "kselftest_harness.h"

#define GONE	"/no/such/file"

void kermon_known_function(void);
__attribute__((noinline)) void kermon_known_function(void)
{
	__asm__ volatile("");
}

FIXTURE(symbols)
{
	struct dsos dsos;
	struct symbol_sources sources;
	struct build_id id;
	char home[32];
};

FIXTURE_SETUP(symbols)
{
	self->id = self_build_id();
	ASSERT_EQ(20, self->id.size);
	strcpy(self->home, "/tmp/kermon-unit-XXXXXX");
	ASSERT_NE(NULL, mkdtemp(self->home));
	setenv("HOME", self->home, 1);
}

FIXTURE_TEARDOWN(symbols)
{
	char command[64];

	dsos_free(&self->dsos);
	snprintf(command, sizeof(command), "rm -r %s", self->home);
	EXPECT_EQ(0, system(command));
}

/* Of our function; NULL if there is no name for it. */
static const char *name_in(FIXTURE_DATA(symbols) *self, const char *path,
			   const struct build_id *id, enum symbols_state *state)
{
	uint64_t offset = self_offset(kermon_known_function);
	struct dso *dso = dsos_get(&self->dsos, path, id, false);
	const struct symbol *symbol = dso_symbol(dso, &self->sources, offset);

	*state = dso->symbols->state;
	return symbol ? symbol_name(dso, symbol) : NULL;
}

TEST_F(symbols, of_the_file_that_ran)
{
	struct build_id other = self->id;
	enum symbols_state state;

	EXPECT_STREQ("kermon_known_function",
		     name_in(self, SELF_PATH, &self->id, &state));
	EXPECT_EQ(SYMBOLS_FOUND, state);
	other.bytes[19] ^= 1;
	EXPECT_EQ(NULL, name_in(self, SELF_PATH, &other, &state));
	EXPECT_EQ(SYMBOLS_OTHER_FILE, state);
	EXPECT_EQ(NULL, name_in(self, GONE, &self->id, &state));
	EXPECT_EQ(SYMBOLS_NO_FILE, state);
	EXPECT_EQ(NULL, name_in(self, "/etc/passwd", &self->id, &state));
	EXPECT_EQ(SYMBOLS_NONE, state);
}

/* perf's cache: .debug/.build-id/12/34.../elf below the home folder. */
static void put_in_cache(FIXTURE_DATA(symbols) *self, const char *path)
{
	char folder[128], link[160];
	size_t used;

	used = snprintf(folder, sizeof(folder), "%s/.debug", self->home);
	mkdir(folder, 0700);
	used += snprintf(folder + used, sizeof(folder) - used, "/.build-id");
	mkdir(folder, 0700);
	used += snprintf(folder + used, sizeof(folder) - used, "/%02x",
			 self->id.bytes[0]);
	mkdir(folder, 0700);
	folder[used++] = '/';
	for (int i = 1; i < self->id.size; i++)
		used += snprintf(folder + used, sizeof(folder) - used, "%02x",
				 self->id.bytes[i]);
	mkdir(folder, 0700);
	snprintf(link, sizeof(link), "%s/elf", folder);
	if (symlink(path, link))
		abort();
}

TEST_F(symbols, of_a_file_that_is_kept_by_build_id)
{
	enum symbols_state state;

	put_in_cache(self, SELF_PATH);
	EXPECT_STREQ("kermon_known_function",
		     name_in(self, GONE, &self->id, &state));
	EXPECT_EQ(SYMBOLS_FOUND, state);
	/* what has taken its place says nothing */
	EXPECT_STREQ("kermon_known_function",
		     name_in(self, "/bin/sh", &self->id, &state));
}

TEST_F(symbols, below_another_root)
{
	enum symbols_state state;
	char link[64];

	snprintf(link, sizeof(link), "%s/program", self->home);
	ASSERT_EQ(0, symlink(SELF_PATH, link));
	EXPECT_EQ(NULL, name_in(self, "/program", &self->id, &state));
	dsos_free(&self->dsos);
	self->dsos = (struct dsos){};
	self->sources.symfs = self->home;
	EXPECT_STREQ("kermon_known_function",
		     name_in(self, "/program", &self->id, &state));
}

TEST_HARNESS_MAIN
