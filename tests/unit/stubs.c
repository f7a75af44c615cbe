// SPDX-License-Identifier: GPL-2.0
/* Names of PLT stubs, compared with those of objdump. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shell.h"
#include "symbols/symbols.h"

#include "kselftest_harness.h"

#define ABSOLUTE	"*ABS*+0x"
#define STUB		"@plt"

/* Calls of functions of a library, and of some that are selected at program start. */
static const char source[] =
	"#include <stdio.h>\n"
	"#include <string.h>\n"
	"typedef int function(int);\n"
	"static int twice(int x) { return 2 * x; }\n"
	"static function *choose_shown(void) { return twice; }\n"
	"static function *choose_hidden(void) { return twice; }\n"
	"int shown(int) __attribute__((ifunc(\"choose_shown\")));\n"
	"static int hidden(int) __attribute__((ifunc(\"choose_hidden\")));\n"
	"int main(int argc, char **argv)\n"
	"{ return printf(\"%zu\", strlen(argv[0])) + shown(argc) + hidden(argc); }\n";

/* @is_named: functions that are selected have symbols. */
static const struct {
	const char *command;
	bool is_named;
} programs[] = {
	{ "gcc -O1 -o program program.c", true },
	{ "gcc -O1 -no-pie -o program program.c", true },
	{ "gcc -O1 -Wl,-z,now -o program program.c", true },
	{ "gcc -O1 -fcf-protection -Wl,-z,ibtplt -o program program.c", true },
	{ "gcc -O1 -fcf-protection -Wl,-z,ibtplt -static -o program program.c", true },
	{ "gcc -O1 -static -o program program.c", true },
	{ "gcc -O1 -static-pie -o program program.c", true },
	{ "gcc -O1 -s -o program program.c", false },
	{ "gcc -O1 -s -static -o program program.c", false },
};

FIXTURE(stubs)
{
	char home[32];
	struct dsos dsos;
	struct dso *dso;
};

FIXTURE_SETUP(stubs)
{
	ASSERT_TRUE(make_home(self->home));
	ASSERT_TRUE(write_program(self->home, source));
}

FIXTURE_TEARDOWN(stubs)
{
	dsos_free(&self->dsos);
	ASSERT_TRUE(run_in(self->home, "rm -r $PWD"));
}

static void load(FIXTURE_DATA(stubs) *self, const char *path)
{
	const struct symbol_sources sources = {};

	dsos_free(&self->dsos);
	self->dsos = (struct dsos){};
	self->dso = dsos_get(&self->dsos, path, NULL, false);
	dso_symbol(self->dso, &sources, 0);
}

/* The symbol that starts at an address of the file; "": none. */
static const char *name_at(const struct dso *dso, uint64_t address)
{
	for (size_t i = 0; i < dso->symbols->nr; i++)
		if (dso->symbols->all[i].start == address)
			return symbol_name(dso, &dso->symbols->all[i]);
	return "";
}

static size_t count(const struct dso *dso, const char *name)
{
	size_t nr = 0;

	for (size_t i = 0; i < dso->symbols->nr; i++)
		nr += !strcmp(symbol_name(dso, &dso->symbols->all[i]), name);
	return nr;
}

static bool is_stub(const char *name)
{
	size_t size = strlen(name);

	return size > strlen(STUB) && !strcmp(name + size - strlen(STUB), STUB);
}

/* Whether a file has a function of this name whose resolver is at @address. */
static bool is_chosen(const char *path, uint64_t address, const char *stub)
{
	char line[512];

	snprintf(line, sizeof(line), "nm %s | grep -q '^0*%" PRIx64 " i %.*s$'",
		 path, address, (int)(strlen(stub) - strlen(STUB)), stub);
	return !system(line);
}

/*
 * Whether @ours is objdump's name of the stub. For functions that are selected, it has no
 * name, but the address of the resolver; nm in turn has none of the library.
 */
static bool is_same(const char *path, bool has_symbols, const char *theirs,
		    const char *ours)
{
	if (!strcmp(theirs, ours))
		return true;
	if (strncmp(theirs, ABSOLUTE, strlen(ABSOLUTE)) || !is_stub(ours))
		return false;
	return !has_symbols ||
	       is_chosen(path, strtoull(theirs + strlen(ABSOLUTE), NULL, 16),
			 ours);
}

/* The number of stubs that objdump names; -1: one has another name. */
static int compare(FIXTURE_DATA(stubs) *self,
		   struct __test_metadata *_metadata, const char *path,
		   bool has_symbols)
{
	char line[512], theirs[256];
	uint64_t address;
	const char *ours;
	int nr = 0;
	FILE *out;

	snprintf(line, sizeof(line), "objdump -d %s | grep '" STUB ">:$'", path);
	out = popen(line, "r");
	while (out && nr >= 0 && fgets(line, sizeof(line), out)) {
		if (sscanf(line, "%" SCNx64 " <%255[^>]>:", &address,
			   theirs) != 2)
			continue;
		ours = name_at(self->dso, address);
		nr++;
		if (is_same(path, has_symbols, theirs, ours))
			continue;
		TH_LOG("%s: %" PRIx64 ": '%s', not '%s'", path, address, ours,
		       theirs);
		nr = -1;
	}
	if (out)
		pclose(out);
	return nr;
}

TEST_F(stubs, of_programs)
{
	char path[64];

	snprintf(path, sizeof(path), "%s/program", self->home);
	for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++) {
		TH_LOG("%s", programs[i].command);
		ASSERT_TRUE(run_in(self->home, programs[i].command));
		load(self, path);
		EXPECT_EQ(programs[i].is_named, count(self->dso, "shown@plt"));
		EXPECT_EQ(programs[i].is_named, count(self->dso, "hidden@plt"));
		if (strstr(programs[i].command, "-static"))
			continue;	/* objdump names none */
		EXPECT_LE(4, compare(self, _metadata, path, programs[i].is_named));
		EXPECT_EQ(1, count(self->dso, "printf@plt"));
	}
}

/* Its stubs are in another order than their relocations. */
TEST_F(stubs, of_the_c_library)
{
	char path[256];
	FILE *out = popen("gcc -print-file-name=libc.so.6", "r");

	ASSERT_NE(NULL, out);
	ASSERT_EQ(1, fscanf(out, "%255s", path));
	ASSERT_EQ(0, pclose(out));
	load(self, path);
	EXPECT_LE(10, compare(self, _metadata, path, false));
}

#define LONG_NAME	600

/* Like those of templates. */
TEST_F(stubs, of_a_function_with_a_long_name)
{
	char stub[LONG_NAME + sizeof(STUB)], path[64];

	snprintf(path, sizeof(path), "%s/program", self->home);
	memset(stub, 'f', LONG_NAME);
	strcpy(stub + LONG_NAME, STUB);
	ASSERT_TRUE(run_in(self->home,
			   "name=$(printf 'f%.0s' $(seq 600)) && "
			   "echo \"int $name(void) { return 1; }\" >library.c && "
			   "echo \"int $name(void); int main(void) { return $name(); }\" >program.c && "
			   "gcc -shared -fPIC -o library.so library.c && "
			   "gcc -o program program.c ./library.so"));
	load(self, path);
	EXPECT_EQ(1, count(self->dso, stub));
}

/* Stripped, and without a name in objdump: the resolver names the stub. */
TEST_F(stubs, of_a_static_program_that_was_stripped)
{
	char path[64];
	size_t nr = 0;

	snprintf(path, sizeof(path), "%s/program", self->home);
	ASSERT_TRUE(run_in(self->home, "gcc -O1 -s -static -o program program.c"));
	load(self, path);
	for (size_t i = 0; i < self->dso->symbols->nr; i++)
		nr += !strncmp(symbol_name(self->dso,
					   &self->dso->symbols->all[i]),
			       ABSOLUTE, strlen(ABSOLUTE));
	EXPECT_LE(2, nr);
}

TEST_HARNESS_MAIN
