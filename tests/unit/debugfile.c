// SPDX-License-Identifier: GPL-2.0
/* Where separate debug files are found, and what is loaded if there is none. */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lines/lines.h"
#include "shell.h"
#include "symbols/symbols.h"

#include "kselftest_harness.h"

#define DEBUGINFOD	"libdebuginfod.so.1"
#define BIN		"opt/app/bin"
#define GLOBAL		"usr/lib/debug"

/* Only the debug file has the name of the hidden function. */
static const char source[] =
	"__attribute__((noinline)) static int hidden(int x) { return x * 3; }\n"
	"int main(int argc, char **argv)\n"
	"{ (void)argv; return hidden(argc); }\n";

/* A program with a link to its debug file, and one without. */
static const char build[] =
	"mkdir -p " BIN " && gcc -O1 -g -Wl,--build-id -o whole program.c && "
	"objcopy --only-keep-debug whole kept.debug && "
	"strip -o " BIN "/plain whole && "
	"objcopy -S --add-gnu-debuglink=kept.debug whole " BIN "/linked";

FIXTURE(debugfile)
{
	char home[64];
	char id[64];
};

/* The build id of the program, "12/34...". */
static bool read_id(FIXTURE_DATA(debugfile) *self)
{
	char line[256];
	FILE *out;
	int found;

	snprintf(line, sizeof(line), "readelf -n %s/whole | "
		 "sed -n 's/.*Build ID: *\\(..\\)/\\1\\//p'", self->home);
	out = popen(line, "r");
	if (!out)
		return false;
	found = fscanf(out, "%60s", self->id);
	return !pclose(out) && found == 1;
}

FIXTURE_SETUP(debugfile)
{
	unsetenv("DEBUGINFOD_URLS");
	ASSERT_TRUE(make_home(self->home));
	ASSERT_TRUE(write_program(self->home, source));
	ASSERT_TRUE(run_in(self->home, build));
	ASSERT_TRUE(read_id(self));
}

FIXTURE_TEARDOWN(debugfile)
{
	EXPECT_TRUE(run_in(self->home, "rm -r $PWD"));
}

/* Whether a program below the folder of the test has its hidden function. */
static bool has_hidden(FIXTURE_DATA(debugfile) *self, const char *program)
{
	const struct symbol_sources sources = { .symfs = self->home };
	struct dsos dsos = {};
	struct dso *dso;
	bool found = false;
	char path[64];

	snprintf(path, sizeof(path), "/" BIN "/%s", program);
	dso = dsos_get(&dsos, path, NULL, false);
	dso_symbol(dso, &sources, 0);
	for (size_t i = 0; i < dso->symbols->nr && !found; i++)
		found = !strcmp(symbol_name(dso, &dso->symbols->all[i]),
				"hidden");
	dsos_free(&dsos);
	return found;
}

static bool is_loaded(const char *library)
{
	void *handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);

	if (handle)
		dlclose(handle);
	return handle;
}

/* Run in a child: here it must not be loaded. */
static bool is_installed(const char *library)
{
	pid_t child = fork();
	int status;

	if (!child)
		_exit(!dlopen(library, RTLD_LAZY));
	if (child < 0 || waitpid(child, &status, 0) != child)
		abort();
	return !status;
}

TEST_F(debugfile, nowhere)
{
	EXPECT_FALSE(has_hidden(self, "plain"));
	EXPECT_FALSE(has_hidden(self, "linked"));
	if (!is_installed(DEBUGINFOD))
		SKIP(return, DEBUGINFOD " is not installed");
	EXPECT_FALSE(is_loaded(DEBUGINFOD));
}

static const struct {
	const char *program;
	const char *folder;
	const char *file;
} places[] = {
	{ "linked", BIN, "kept.debug" },
	{ "linked", BIN "/.debug", "kept.debug" },
	{ "linked", GLOBAL "/" BIN, "kept.debug" },
	{ "linked", GLOBAL "/app/bin", "kept.debug" },
	{ "linked", GLOBAL, "kept.debug" },
	{ "plain", BIN, "plain.debug" },
	{ "plain", BIN "/.debug", "plain.debug" },
	{ "plain", BIN "/.debug", "plain" },
	{ "plain", GLOBAL "/" BIN, "plain.debug" },
	{ "plain", GLOBAL "/" BIN, "plain" },
};

TEST_F(debugfile, beside_and_below)
{
	char command[512];

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		TH_LOG("%s: %s/%s", places[i].program, places[i].folder,
		       places[i].file);
		snprintf(command, sizeof(command),
			 "mkdir -p %s && cp kept.debug %s/%s", places[i].folder,
			 places[i].folder, places[i].file);
		ASSERT_TRUE(run_in(self->home, command));
		EXPECT_TRUE(has_hidden(self, places[i].program));
		snprintf(command, sizeof(command), "rm %s/%s",
			 places[i].folder, places[i].file);
		ASSERT_TRUE(run_in(self->home, command));
		EXPECT_FALSE(has_hidden(self, places[i].program));
	}
}

TEST_F(debugfile, behind_a_symbolic_link)
{
	ASSERT_TRUE(run_in(self->home, "mkdir real && mv " BIN "/linked real && "
				 "ln -s ../../../real/linked " BIN "/linked && "
				 "mv kept.debug real"));
	EXPECT_TRUE(has_hidden(self, "linked"));
}

TEST_F(debugfile, by_build_id)
{
	char command[512];

	snprintf(command, sizeof(command), "mkdir -p " GLOBAL "/.build-id/%.2s "
		 "&& mv kept.debug " GLOBAL "/.build-id/%s.debug", self->id,
		 self->id);
	ASSERT_TRUE(run_in(self->home, command));
	EXPECT_TRUE(has_hidden(self, "plain"));
}

/* A file with the expected name, but of another program. */
TEST_F(debugfile, of_another_program)
{
	ASSERT_TRUE(run_in(self->home, "(cat program.c; echo 'int other;') >other.c && "
				 "gcc -O1 -g -Wl,--build-id -o other other.c && "
				 "objcopy --only-keep-debug other " BIN
				 "/kept.debug"));
	EXPECT_FALSE(has_hidden(self, "linked"));
}

/* A folder serves as a server: if it is set, it is used. */
TEST_F(debugfile, from_a_server)
{
	char command[512], urls[96];

	if (!dlopen(DEBUGINFOD, RTLD_LAZY))
		SKIP(return, DEBUGINFOD " is not installed");
	snprintf(command, sizeof(command),
		 "mkdir -p server/buildid/%.2s%s && "
		 "mv kept.debug server/buildid/%.2s%s/debuginfo", self->id,
		 self->id + 3, self->id, self->id + 3);
	ASSERT_TRUE(run_in(self->home, command));
	EXPECT_FALSE(has_hidden(self, "plain"));
	snprintf(urls, sizeof(urls), "file://%s/server", self->home);
	setenv("DEBUGINFOD_URLS", urls, 1);
	EXPECT_TRUE(has_hidden(self, "plain"));
}

/* Whether the line of main() is found; what that opens is closed again. */
static bool has_line(FIXTURE_DATA(debugfile) *self, const char *program)
{
	const struct symbol_sources sources = { .symfs = self->home };
	struct dsos dsos = {};
	const struct symbol *symbol;
	struct dso *dso;
	bool found = false;
	char path[64];

	snprintf(path, sizeof(path), "/" BIN "/%s", program);
	dso = dsos_get(&dsos, path, NULL, false);
	for (uint64_t at = 0x1000; at < 0x2000 && !found; at++) {
		symbol = dso_symbol(dso, &sources, at);
		found = symbol && !strcmp(symbol_name(dso, symbol), "main") &&
			dso_line(dso, &sources, at);
	}
	dsos_free(&dsos);
	return found;
}

/*
 * Descriptor 0 stays open, whoever uses it. libdwfl closes it if it is asked to find a
 * debug file without opening it.
 */
TEST_F(debugfile, lines)
{
	int in = open("/dev/null", O_RDONLY);
	char command[512];

	ASSERT_LE(0, dup2(in, 0));
	EXPECT_FALSE(has_line(self, "linked"));
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		TH_LOG("%s: %s/%s", places[i].program, places[i].folder,
		       places[i].file);
		snprintf(command, sizeof(command),
			 "mkdir -p %s && cp kept.debug %s/%s", places[i].folder,
			 places[i].folder, places[i].file);
		ASSERT_TRUE(run_in(self->home, command));
		EXPECT_TRUE(has_line(self, places[i].program));
		EXPECT_LE(0, fcntl(0, F_GETFD));
		snprintf(command, sizeof(command), "rm %s/%s",
			 places[i].folder, places[i].file);
		ASSERT_TRUE(run_in(self->home, command));
	}
	ASSERT_TRUE(run_in(self->home, "(cat program.c; echo 'int other;') >other.c && "
				 "gcc -O1 -g -Wl,--build-id -o other other.c && "
				 "objcopy --only-keep-debug other " BIN
				 "/kept.debug"));
	EXPECT_FALSE(has_line(self, "linked"));
	EXPECT_LE(0, fcntl(0, F_GETFD));
}

/* Without a build id, the sum of the file in the link decides. */
TEST_F(debugfile, lines_by_sum)
{
	ASSERT_TRUE(run_in(self->home,
			   "gcc -O1 -g -Wl,--build-id=none -o whole program.c && "
			   "objcopy --only-keep-debug whole " BIN "/kept.debug && "
			   "objcopy -S --add-gnu-debuglink=" BIN
			   "/kept.debug whole " BIN "/linked"));
	EXPECT_TRUE(has_line(self, "linked"));
	EXPECT_LE(0, fcntl(0, F_GETFD));
	ASSERT_TRUE(run_in(self->home, "printf x >>" BIN "/kept.debug"));
	EXPECT_FALSE(has_line(self, "linked"));
}

TEST_HARNESS_MAIN
