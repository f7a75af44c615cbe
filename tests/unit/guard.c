// SPDX-License-Identifier: GPL-2.0
/* Files that are truncated while they are read. */
#include <errno.h>
#include <kermon/sigbus.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "flow/jitcode.h"
#include "lines/lines.h"
#include "perfdata/read/read.h"
#include "symbols/symbols.h"
#include "util/guard.h"

#include "synthetic.h"

#include "kselftest_harness.h"

#define SAMPLES	10000		/* some hundred pages */
#define LEFT	100		/* of them, after the file was truncated */
#define SIZE	sizeof(struct perfdata_sample)

static const char *const events[] = { "cycles", NULL };

FIXTURE(guard)
{
	struct synthetic file;
	struct reader *reader;
	struct damages damages;
	uint64_t samples;
};

FIXTURE_SETUP(guard)
{
	self->damages = (struct damages){ .nr = 0 };
	self->samples = 0;
	synthetic_begin(&self->file, events);
	for (unsigned int i = 0; i < SAMPLES; i++)
		synthetic_sample(&self->file, &(struct synthetic_sample){
			.pid = 1, .tid = 1, .time = 10 + i, .period = 1,
		});
	synthetic_finish(&self->file);
}

FIXTURE_TEARDOWN(guard)
{
	synthetic_end(&self->file);
}

/* Bytes of the file after it was truncated. */
static uint64_t cut_size(FIXTURE_DATA(guard) *self)
{
	return synthetic_header(&self->file)->data.offset + LEFT * SIZE;
}

/* The first record truncates the rest of the file. */
static int cut_off(void *context, const struct record *record)
{
	FIXTURE_DATA(guard) *self = context;

	if (!self->samples++ &&
	    truncate(self->file.path, cut_size(self)))
		return -errno;
	reader_release(self->reader, record);
	return 0;
}

/* What remains is delivered, then it is reported where the file ends, and why. */
TEST_F(guard, file_is_cut_off)
{
	const struct kermon_damage *last;
	uint64_t size = cut_size(self);

	ASSERT_EQ(0, reader_open(self->file.path, &self->reader,
				 &self->damages));
	EXPECT_EQ(0, reader_walk(self->reader, cut_off, self));
	reader_close(self->reader);
	EXPECT_EQ(LEFT, self->samples);
	EXPECT_EQ(2, self->damages.nr);
	EXPECT_LE(size, self->damages.kept[0].offset);
	last = damage_at(&self->damages, self->damages.nr - 1);
	ASSERT_NE(NULL, last);
	EXPECT_NE(NULL, strstr(last->text, "was truncated here while it was read"));
	EXPECT_LE(size, last->offset);
	EXPECT_GT(size + 2 * sysconf(_SC_PAGESIZE), last->offset);
}

struct dump_load {
	uint32_t type, size;
	uint64_t time;
	uint32_t pid, tid;
	uint64_t vma, address, size_of_code, index;
	char name[8];
	char code[16];
};

static void write_jitdump(const char *path)
{
	const struct {
		uint32_t magic, version, size, machine, pad, pid;
		uint64_t time, flags;
	} header = { .magic = 0x4a695444, .version = 1, .size = sizeof(header) };
	struct dump_load load = {
		.size = sizeof(load), .size_of_code = sizeof(load.code),
		.name = "made",
	};
	FILE *file = fopen(path, "we");

	if (!file || fwrite(&header, sizeof(header), 1, file) != 1)
		abort();
	for (load.index = 0; load.index < SAMPLES; load.index++) {
		load.time = load.index + 1;
		load.address = 0x1000 + load.index * sizeof(load.code);
		if (fwrite(&load, sizeof(load), 1, file) != 1)
			abort();
	}
	if (fclose(file))
		abort();
}

/* A program that makes code rewrites its dump: what is known is kept. */
TEST_F(guard, jitdump_is_cut_off)
{
	static const struct symbol_sources sources;
	struct process process = { .pid = 1 };
	struct dsos dsos = { .by_path = {} };
	struct jitcode *dumps = NULL;
	uint64_t versions = 0, due;
	struct dso *dso;

	write_jitdump(self->file.path);
	dso = dsos_get_as(&dsos, self->file.path, DSO_JITDUMP);
	ASSERT_NE(NULL, dso);
	ASSERT_EQ(0, jitcode_follow(&dumps, &process, dso, &sources, true));
	ASSERT_EQ(0, jitcode_advance(dumps, LEFT, &versions, &due));
	EXPECT_LT(LEFT, due);
	EXPECT_EQ(LEFT, process.code.blocks[0]->nr);
	ASSERT_EQ(0, truncate(self->file.path, 0));
	EXPECT_EQ(0, jitcode_advance(dumps, UINT64_MAX, &versions, &due));
	EXPECT_EQ(UINT64_MAX, due);
	EXPECT_EQ(1, process.code.nr_blocks);
	EXPECT_LE(LEFT, process.code.blocks[0]->nr);
	mappings_free(&process.code);
	jitcode_free(dumps);
	dsos_free(&dsos);
}

/* A mapped file of two pages, of which the second one was truncated. */
static unsigned char *half_a_file(void)
{
	size_t page = sysconf(_SC_PAGESIZE);
	int fd = memfd_create("guarded", MFD_CLOEXEC);
	unsigned char *map;

	if (fd < 0 || ftruncate(fd, 2 * page) || pwrite(fd, "x", 1, 0) != 1)
		abort();
	map = mmap(NULL, 2 * page, PROT_READ, MAP_PRIVATE, fd, 0);
	if (map == MAP_FAILED || ftruncate(fd, page))
		abort();
	close(fd);
	return map;
}

TEST(missing_bytes_are_zeros)
{
	size_t page = sysconf(_SC_PAGESIZE);
	unsigned char *map = half_a_file();
	struct guard *guard = guard_begin(map, 2 * page);

	ASSERT_NE(NULL, guard);
	EXPECT_EQ('x', map[0]);
	EXPECT_EQ(GUARD_ALL_THERE, guard_missing(guard));
	EXPECT_EQ(0, map[2 * page - 1]);
	EXPECT_EQ(page, guard_missing(guard));
	EXPECT_EQ(GUARD_ALL_THERE, guard_missing(guard));
	guard_end(guard);
	munmap(map, 2 * page);
}

TEST(missing_bytes_of_what_a_library_maps)
{
	size_t page = sysconf(_SC_PAGESIZE);
	unsigned char *map = half_a_file();
	unsigned int before = guard_enter(), inner = guard_enter();

	EXPECT_EQ('x', map[0]);
	EXPECT_FALSE(guard_leave(inner));
	inner = guard_enter();
	EXPECT_EQ(0, map[2 * page - 1]);
	EXPECT_TRUE(guard_leave(inner));
	EXPECT_TRUE(guard_leave(before));
	EXPECT_FALSE(guard_leave(guard_enter()));
	munmap(map, 2 * page);
}

/* Functions and lines in parts that are read one after the other. */
static const char build_program[] =
	"cd %s && "
	"echo 'int one(int x) { return x * 3; }' >one.c && "
	"echo 'int one(int x); int main(int c, char **v) "
	"{ (void)v; return one(c); }' >main.c && "
	"gcc -O1 -gdwarf-4 -o program one.c main.c";

static struct dso *make_program(struct dsos *dsos, char *folder, char *path)
{
	char command[512];

	if (!mkdtemp(folder))
		abort();
	snprintf(command, sizeof(command), build_program, folder);
	if (system(command))
		abort();
	sprintf(path, "%s/program", folder);
	return dsos_get(dsos, path, NULL, false);
}

static uint64_t place_of(struct dso *dso, const struct symbol_sources *sources,
			 const char *name)
{
	const struct symbol *symbol;

	for (uint64_t at = 0; at < 0x4000; at++) {
		symbol = dso_symbol(dso, sources, at);
		if (symbol && !strcmp(symbol_name(dso, symbol), name))
			return at;
	}
	return 0;
}

/* The program is linked again: what is known is kept, and nothing wrong is added. */
TEST(binary_is_cut_off)
{
	char folder[] = "/tmp/kermon-unit-XXXXXX", path[64], command[64];
	static const struct symbol_sources sources;
	struct dsos dsos = { .by_path = {} };
	struct dso *dso = make_program(&dsos, folder, path);
	uint64_t one, whole;

	ASSERT_NE(NULL, dso);
	one = place_of(dso, &sources, "one");
	whole = place_of(dso, &sources, "main");
	ASSERT_NE(0, one);
	ASSERT_NE(0, whole);
	ASSERT_NE(NULL, dso_source(dso, &sources, one));
	ASSERT_NE(NULL, dso_line(dso, &sources, one));
	ASSERT_EQ(0, truncate(path, 0));
	EXPECT_EQ(NULL, dso_source(dso, &sources, whole));
	EXPECT_EQ(NULL, dso_line(dso, &sources, whole));
	EXPECT_STREQ("one", symbol_name(dso, dso_symbol(dso, &sources, one)));
	dsos_free(&dsos);
	snprintf(command, sizeof(command), "rm -r %s", folder);
	EXPECT_EQ(0, system(command));
}

TEST(is_used_again)
{
	unsigned char byte;
	struct guard *first = guard_begin(&byte, 1), *second;

	guard_end(first);
	second = guard_begin(&byte, 1);
	EXPECT_EQ(first, second);
	guard_end(second);
	guard_end(NULL);
	EXPECT_EQ(GUARD_ALL_THERE, guard_missing(NULL));
}

static void exit_42(int number)
{
	(void)number;
	_exit(42);
}

/* The exit status of a child that has the handler, a guard of one page, and does that. */
static int status_of(void (*handler)(int), void (*act)(unsigned char *map))
{
	int status;
	pid_t child = fork();

	if (!child) {
		unsigned char *map = half_a_file();

		signal(SIGBUS, handler);
		if (!guard_begin(map, sysconf(_SC_PAGESIZE)))
			abort();
		act(map);
		_exit(map[0]);
	}
	if (child < 0 || waitpid(child, &status, 0) != child)
		abort();
	return status;
}

/* At a missing page, without a guard. */
static void look(unsigned char *map)
{
	_exit(*(volatile unsigned char *)(map + sysconf(_SC_PAGESIZE)));
}

/* As sent by kill(1): it is delivered once. */
static void send(unsigned char *map)
{
	(void)map;
	kill(getpid(), SIGBUS);
}

/* With another signal's data in place of the guarded address. */
static void send_address(unsigned char *map)
{
	siginfo_t info = { .si_signo = SIGBUS, .si_code = SI_QUEUE };

	info.si_addr = map;
	if (syscall(SYS_rt_sigqueueinfo, getpid(), SIGBUS, &info))
		abort();
}

/* Only our own signals are handled. */
TEST(others_get_their_signal)
{
	void (*const acts[])(unsigned char *map) = { look, send, send_address };
	int status;

	for (size_t i = 0; i < sizeof(acts) / sizeof(acts[0]); i++) {
		TH_LOG("way %zu", i);
		status = status_of(SIG_DFL, acts[i]);
		EXPECT_TRUE(WIFSIGNALED(status));
		EXPECT_EQ(SIGBUS, WTERMSIG(status));
		status = status_of(exit_42, acts[i]);
		EXPECT_TRUE(WIFEXITED(status));
		EXPECT_EQ(42, WEXITSTATUS(status));
	}
}

/* A signal that is sent can be ignored, a fault cannot. */
TEST(ignored_signals)
{
	int status = status_of(SIG_IGN, look);

	EXPECT_TRUE(WIFSIGNALED(status));
	EXPECT_EQ(SIGBUS, WTERMSIG(status));
	status = status_of(SIG_IGN, send);
	EXPECT_TRUE(WIFEXITED(status));
	EXPECT_EQ('x', WEXITSTATUS(status));
	status = status_of(SIG_IGN, send_address);
	EXPECT_TRUE(WIFEXITED(status));
	EXPECT_EQ('x', WEXITSTATUS(status));
}

static volatile sig_atomic_t counted;

/* Ends the process; the status says whether SIGUSR1 is blocked. */
static void exit_with_mask(int number)
{
	sigset_t mask;

	(void)number;
	sigprocmask(SIG_BLOCK, NULL, &mask);
	_exit(sigismember(&mask, SIGUSR1) ? 42 : 1);
}

static void count_signal(int number)
{
	(void)number;
	counted++;
}

/* The exit status of a child that runs @child. */
static int status_of_child(int (*child)(void))
{
	pid_t pid = fork();
	int status;

	if (!pid)
		_exit(child());
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		abort();
	return status;
}

static int sent_with_mask(void)
{
	struct sigaction action = { .sa_handler = exit_with_mask };
	unsigned char *map = half_a_file();

	sigaddset(&action.sa_mask, SIGUSR1);
	sigaction(SIGBUS, &action, NULL);
	guard_begin(map, sysconf(_SC_PAGESIZE));
	raise(SIGBUS);
	return 1;
}

/* The second signal kills. */
static int sent_twice(void)
{
	struct sigaction action = {
		.sa_handler = count_signal, .sa_flags = (int)SA_RESETHAND,
	};
	unsigned char *map = half_a_file();

	sigaction(SIGBUS, &action, NULL);
	guard_begin(map, sysconf(_SC_PAGESIZE));
	raise(SIGBUS);
	if (counted == 1)
		raise(SIGBUS);
	return 1;
}

/* The handler before ours is called with its mask, and once if it wanted that. */
TEST(handler_before)
{
	int status = status_of_child(sent_with_mask);

	EXPECT_TRUE(WIFEXITED(status));
	EXPECT_EQ(42, WEXITSTATUS(status));
	status = status_of_child(sent_twice);
	EXPECT_TRUE(WIFSIGNALED(status));
	EXPECT_EQ(SIGBUS, WTERMSIG(status));
}

static volatile sig_atomic_t handled;

/* That of a program, which knows of libkermon. */
static void on_bus_error(int number, siginfo_t *info, void *context)
{
	(void)number;
	(void)context;
	if (!kermon_sigbus_handle(info->si_code, info->si_addr))
		_exit(43);
	handled++;
}

static void install(void)
{
	const struct sigaction action = {
		.sa_sigaction = on_bus_error, .sa_flags = SA_SIGINFO,
	};

	if (sigaction(SIGBUS, &action, NULL))
		abort();
}

static bool is_ours(void)
{
	struct sigaction action;

	return !sigaction(SIGBUS, NULL, &action) &&
	       action.sa_sigaction == on_bus_error;
}

/* Looks at both pages of a file, the second of which is missing. */
static bool reads_zeros(void)
{
	size_t page = sysconf(_SC_PAGESIZE);
	unsigned char *map = half_a_file();
	struct guard *guard = guard_begin(map, 2 * page);
	bool is_zero = map[0] == 'x' && !map[page] &&
		       guard_missing(guard) == page;

	guard_end(guard);
	munmap(map, 2 * page);
	return is_zero;
}

static int leave_to_the_program(void)
{
	unsigned char *map;

	install();
	if (kermon_sigbus_leave() || kermon_sigbus_leave() || !reads_zeros() ||
	    handled != 1 || !is_ours())
		return 1;
	map = half_a_file();
	guard_enter();
	if (map[sysconf(_SC_PAGESIZE)] || handled != 2 || !is_ours())
		return 2;
	guard_leave(0);
	look(half_a_file());	/* not one that is read */
	return 3;
}

static int leave_to_nobody(void)
{
	signal(SIGBUS, SIG_DFL);	/* not the sanitizer's */
	kermon_sigbus_leave();
	reads_zeros();
	return 1;
}

static int install_later(void)
{
	if (!reads_zeros() || handled)
		return 1;
	install();
	if (!reads_zeros() || handled != 1)
		return 2;
	return kermon_sigbus_leave() == -EBUSY ? 0 : 3;
}

TEST(left_to_the_program)
{
	int status = status_of_child(leave_to_the_program);

	EXPECT_TRUE(WIFEXITED(status));
	EXPECT_EQ(43, WEXITSTATUS(status));
	status = status_of_child(install_later);
	EXPECT_TRUE(WIFEXITED(status));
	EXPECT_EQ(0, WEXITSTATUS(status));
	status = status_of_child(leave_to_nobody);
	EXPECT_TRUE(WIFSIGNALED(status));
	EXPECT_EQ(SIGBUS, WTERMSIG(status));
	EXPECT_FALSE(kermon_sigbus_handle(BUS_ADRERR, NULL));
}

static void *guard_and_guard(void *context)
{
	static unsigned char byte;
	atomic_bool *stop = context;

	while (!atomic_load(stop))
		guard_end(guard_begin(&byte, 1));
	return NULL;
}

static int reads_in_child(void)
{
	alarm(30);
	return reads_zeros() ? 0 : 1;
}

/* Whatever other threads do meanwhile, children can read files. */
TEST(fork_in_a_program_with_threads)
{
	atomic_bool stop = false;
	pthread_t threads[2];

	for (int i = 0; i < 2; i++)
		ASSERT_EQ(0, pthread_create(&threads[i], NULL, guard_and_guard,
					    &stop));
	for (int i = 0; i < 100; i++)
		EXPECT_EQ(0, status_of_child(reads_in_child));
	atomic_store(&stop, true);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
}

TEST_HARNESS_MAIN
