// SPDX-License-Identifier: GPL-2.0
/* Which file the symbols of a DSO are taken from. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lines/lines.h"
#include "self.h"
#include "shell.h"
#include "symbols/symbols.h"

#include "kselftest_harness.h"

#define GONE	"/no/such/file"
#define KERNEL_START	0xffffffff81000000

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
	ASSERT_TRUE(make_home(self->home));
}

FIXTURE_TEARDOWN(symbols)
{
	dsos_free(&self->dsos);
	EXPECT_TRUE(run_in(self->home, "rm -r $PWD"));
}

/* The symbol of our function; NULL if there is none. */
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
static void put_in_cache(FIXTURE_DATA(symbols) *self, const char *as,
			 const char *path)
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
	snprintf(link, sizeof(link), "%s/%s", folder, as);
	if (symlink(path, link))
		abort();
}

TEST_F(symbols, of_a_file_that_is_kept_by_build_id)
{
	enum symbols_state state;

	put_in_cache(self, "elf", self_file());
	EXPECT_STREQ("kermon_known_function",
		     name_in(self, GONE, &self->id, &state));
	EXPECT_EQ(SYMBOLS_FOUND, state);
	/* the file that replaced it does not matter */
	EXPECT_STREQ("kermon_known_function",
		     name_in(self, "/bin/sh", &self->id, &state));
}

TEST_F(symbols, below_another_root)
{
	enum symbols_state state;
	char link[64];

	snprintf(link, sizeof(link), "%s/program", self->home);
	ASSERT_EQ(0, symlink(self_file(), link));
	EXPECT_EQ(NULL, name_in(self, "/program", &self->id, &state));
	dsos_free(&self->dsos);
	self->dsos = (struct dsos){};
	self->sources.symfs = self->home;
	EXPECT_STREQ("kermon_known_function",
		     name_in(self, "/program", &self->id, &state));
}

static const char *name_at(FIXTURE_DATA(symbols) *self, struct dso *dso,
			   uint64_t place)
{
	const struct symbol *symbol = dso_symbol(dso, &self->sources, place);

	return symbol ? symbol_name(dso, symbol) : "";
}

/* Where this very program would begin if it were a kernel. */
__asm__(".pushsection .text\n"
	".globl _text\n"
	".type _text, @function\n"
	"_text: .skip 16, 0x90\n"
	".size _text, 16\n"
	".popsection\n");
void _text(void);

#define KERNEL_TEXT	0xffffffff81000000ULL

/* The kernel that was recorded; not the running one. */
static struct dso *recorded_kernel(FIXTURE_DATA(symbols) *self)
{
	if (dsos_know_build_id(&self->dsos, "[kernel.kallsyms]", &self->id))
		abort();
	self->dsos.kernel.text = KERNEL_TEXT;
	return dsos_get(&self->dsos, "[kernel.kallsyms]_text", NULL, true);
}

static void write_kallsyms(FIXTURE_DATA(symbols) *self, char path[64],
			   const char *text)
{
	FILE *file;

	snprintf(path, 64, "%s/kallsyms", self->home);
	file = fopen(path, "w");
	if (!file)
		abort();
	fputs(text, file);
	fclose(file);
}

TEST_F(symbols, of_a_kernel_that_perf_keeps)
{
	struct dso *kernel = recorded_kernel(self);
	char path[64];

	write_kallsyms(self, path,
		       "ffffffff90000000 T _text\nffffffff90000100 T work\n");
	put_in_cache(self, "kallsyms", path);
	EXPECT_STREQ("work", name_at(self, kernel, KERNEL_TEXT + 0x104));
	EXPECT_STREQ("_text", name_at(self, kernel, KERNEL_TEXT + 4));
}

/* The file that was named is at fault, not the kernel. */
TEST_F(symbols, of_a_kernel_that_is_not_listed)
{
	struct dso *kernel = recorded_kernel(self);
	char path[64];

	write_kallsyms(self, path, "int main(void) {}\n");
	self->sources.kallsyms = path;
	EXPECT_STREQ("", name_at(self, kernel, KERNEL_TEXT + 4));
	EXPECT_EQ(SYMBOLS_UNLISTED, kernel->symbols->state);
}

TEST_F(symbols, of_a_kernel_with_debugging_information)
{
	uint64_t place = KERNEL_TEXT + self_offset(kermon_known_function) -
			 self_offset(_text);
	struct dso *kernel = recorded_kernel(self);
	const struct source *source;

	put_in_cache(self, "elf", self_file());
	EXPECT_STREQ("kermon_known_function", name_at(self, kernel, place));
	source = dso_source(kernel, &self->sources, place);
	ASSERT_NE(NULL, source);
	EXPECT_STREQ("kermon_known_function", source->lines[0].function);
}

TEST_F(symbols, of_a_kernel_that_is_nowhere)
{
	struct dso *kernel = recorded_kernel(self);

	EXPECT_STREQ("", name_at(self, kernel, KERNEL_TEXT + 4));
	EXPECT_EQ(SYMBOLS_OTHER_KERNEL, kernel->symbols->state);
}

/* The file has neither its build id nor its release: it may be the running one. */
TEST_F(symbols, of_a_kernel_that_is_not_told)
{
	struct dso *kernel = dsos_get(&self->dsos, "[kernel.kallsyms]_text",
				      NULL, true);

	EXPECT_STREQ("", name_at(self, kernel, KERNEL_TEXT + 4));
	EXPECT_EQ(SYMBOLS_ANY_KERNEL, kernel->symbols->state);
}

/* A program with one function for every kind of name, and a label in one of them. */
static const char source[] =
	"#include <stdlib.h>\n"
	"__attribute__((noinline)) static int hidden(int x) { return x * 3; }\n"
	"__attribute__((noinline, noclone)) int shown(int x)\n"
	"{ __asm__ volatile(\"nop\\nlabel: nop\"); return hidden(x) + 1; }\n"
	"int main(int argc, char **argv)\n"
	"{ (void)argv; return shown(argc) + atoi(argv[0]); }\n";

/* Files made from it that have some of the names, each by one command. */
static const struct variant {
	const char *name;
	const char *command;
	bool has_hidden;
} variants[] = {
	{ "whole", "cp program whole", true },
	{ "dynamic", "strip -o dynamic program", false },
	{ "linked", "objcopy --only-keep-debug program kept.debug && "
	  "objcopy -S --add-gnu-debuglink=kept.debug program linked", true },
	{ "folder", "mkdir .debug && objcopy --only-keep-debug program "
	  ".debug/other.debug && objcopy -S --add-gnu-debuglink=.debug/other.debug "
	  "program folder", true },
	{ "mini", "objcopy -S program mini && objcopy -g program names && "
	  "xz names && objcopy --add-section .gnu_debugdata=names.xz mini",
	  true },
};

static struct dso *dso_in(FIXTURE_DATA(symbols) *self, const char *name)
{
	char path[96];

	snprintf(path, sizeof(path), "%s/%s", self->home, name);
	return dsos_get(&self->dsos, path, NULL, false);
}

/* The address of a function by its name in @dso. */
static uint64_t place_of(FIXTURE_DATA(symbols) *self, struct dso *dso,
			 const char *name)
{
	const struct symbol *symbol;

	dso_symbol(dso, &self->sources, 0);
	for (size_t i = 0; i < dso->symbols->nr; i++) {
		symbol = &dso->symbols->all[i];
		if (!strcmp(symbol_name(dso, symbol), name))
			return symbol->start;
	}
	return 0;
}

/* Symbols of any size at random distances, some in others, some far from all others. */
static struct symbols *random_symbols(size_t nr)
{
	struct symbols *symbols = calloc(1, sizeof(*symbols));
	uint64_t start = 0x1000, size;

	for (size_t i = 0; symbols && i < nr; i++) {
		start += 1ULL << rand() % (i % 50 ? 10 : 40);
		size = 1 + rand() % 200;
		if (symbols_add(symbols, start, start + size, "name",
				rand() % 4 ? SYMBOL_RANK_SIZED : 0))
			return NULL;
	}
	return symbols && !symbols_sort(symbols) ? symbols : NULL;
}

/* What a search from the last to the first symbol finds. */
static const struct symbol *found_slowly(const struct symbols *symbols,
					 uint64_t address)
{
	size_t nested = 0;

	for (size_t i = symbols->nr; i && nested < 8; i--) {
		if (symbols->all[i - 1].start > address)
			continue;
		if (address < symbols->all[i - 1].end)
			return &symbols->all[i - 1];
		nested++;
	}
	return NULL;
}

TEST(index_of_symbols)
{
	static const size_t sizes[] = { 0, 1, 31, 32, 33, 1000 };
	struct symbols *symbols;
	uint64_t address;

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		symbols = random_symbols(sizes[i]);
		ASSERT_NE(NULL, symbols);
		EXPECT_EQ(symbols->nr >= 32, symbols->index != NULL);
		for (size_t j = 0; j < symbols->nr; j++)
			for (int near = -2; near < 250; near += 3) {
				address = symbols->all[j].start + near;
				EXPECT_EQ(found_slowly(symbols, address),
					  symbols_find(symbols, address));
			}
		EXPECT_EQ(NULL, symbols_find(symbols, 0));
		EXPECT_EQ(NULL, symbols_find(symbols, UINT64_MAX));
		symbols_free(symbols);
	}
}

TEST_F(symbols, of_files_that_were_stripped)
{
	uint64_t hidden, shown, plt;
	struct dso *dso;
	FILE *file;
	char path[64];

	snprintf(path, sizeof(path), "%s/program.c", self->home);
	file = fopen(path, "w");
	ASSERT_NE(NULL, file);
	fputs(source, file);
	fclose(file);
	ASSERT_TRUE(run_in(self->home,
			   "gcc -O1 -g -rdynamic -o program program.c"));
	dso = dso_in(self, "program");
	hidden = place_of(self, dso, "hidden");
	shown = place_of(self, dso, "shown");
	plt = place_of(self, dso, "strtol@plt");
	ASSERT_NE(0, hidden);
	ASSERT_NE(0, shown);
	ASSERT_NE(0, plt);
	EXPECT_STREQ("shown", name_at(self, dso, shown + 2));
	EXPECT_EQ(0, place_of(self, dso, "label"));
	for (size_t i = 0; i < sizeof(variants) / sizeof(variants[0]); i++) {
		TH_LOG("%s", variants[i].name);
		ASSERT_TRUE(run_in(self->home, variants[i].command));
		dso = dso_in(self, variants[i].name);
		EXPECT_STREQ("shown", name_at(self, dso, shown));
		EXPECT_STREQ(variants[i].has_hidden ? "hidden" : "",
			     name_at(self, dso, hidden));
		EXPECT_STREQ("strtol@plt", name_at(self, dso, plt));
	}
}

#define RELEASE		"6.1.0-test"
#define MODULE_START	0xffffffffc0100000ULL

/* Code of a module, with code in between that is freed after initialisation. */
static const char module[] =
	".macro function name, size\n"
	".globl \\name\n.type \\name, @function\n"
	"\\name: .loc 1 \\size\nnop\n.skip \\size - 1, 0x90\n.size \\name, \\size\n"
	".endm\n"
	".file 1 \"module.c\"\n"
	".text\n.balign 16\nfunction first, 0x20\nfunction second, 0x12\n"
	".section .init.text, \"ax\"\n.balign 16\nfunction begin, 0x40\n"
	".section .exit.text, \"ax\"\n.balign 16\nfunction leave, 0x10\n";

/* As installed: below the home folder, compressed by xz as in distributions. */
static const char install_module[] =
	"mkdir -p lib/modules/" RELEASE "/extra && "
	"echo extra/a-module.ko.xz: extra/b.ko > lib/modules/" RELEASE "/modules.dep && "
	"as --gdwarf-5 -o object.o module.s && ld -r --build-id=0x%s -o a.ko object.o && "
	"xz -c a.ko > lib/modules/" RELEASE "/extra/a-module.ko.xz";

static void make_module(FIXTURE_DATA(symbols) *self, const char *id)
{
	char path[64], command[512];
	FILE *file;

	snprintf(path, sizeof(path), "%s/module.s", self->home);
	file = fopen(path, "w");
	if (!file)
		abort();
	fputs(module, file);
	fclose(file);
	snprintf(command, sizeof(command), install_module, id);
	if (!run_in(self->home, command))
		abort();
	strcpy(self->dsos.kernel.release, RELEASE);
	self->sources.symfs = self->home;
}

static struct dso *recorded_module(FIXTURE_DATA(symbols) *self, const char *path,
				   uint8_t first)
{
	const struct build_id id = { 4, { first, 2, 3, 4 } };

	return dsos_get_kernel(&self->dsos, path, &id, MODULE_START);
}

static void expect_module(struct __test_metadata *_metadata,
			  FIXTURE_DATA(symbols) *self, struct dso *dso)
{
	const struct source_line *line;
	const struct source *source;

	EXPECT_STREQ("first", name_at(self, dso, MODULE_START));
	EXPECT_EQ(SYMBOLS_FOUND, dso->symbols->state);
	EXPECT_STREQ("second", name_at(self, dso, MODULE_START + 0x31));
	EXPECT_STREQ("leave", name_at(self, dso, MODULE_START + 0x40));
	EXPECT_STREQ("leave", name_at(self, dso, MODULE_START + 0x4f));
	EXPECT_STREQ("", name_at(self, dso, MODULE_START + 0x50));
	EXPECT_STREQ("", name_at(self, dso, MODULE_START - 1));
	line = dso_line(dso, &self->sources, MODULE_START + 0x22);
	ASSERT_NE(NULL, line);
	EXPECT_EQ(0x12, line->line);
	line = dso_line(dso, &self->sources, MODULE_START + 0x42);
	ASSERT_NE(NULL, line);
	EXPECT_EQ(0x10, line->line);
	source = dso_source(dso, &self->sources, MODULE_START + 0x22);
	ASSERT_NE(NULL, source);
	EXPECT_EQ(0x12, source->lines[0].line);
}

TEST_F(symbols, of_a_module)
{
	struct dso *dso;

	make_module(self, "01020304");
	expect_module(_metadata, self, recorded_module(self, "[a_module]", 1));
	expect_module(_metadata, self,
		      recorded_module(self, "/lib/modules/" RELEASE
					    "/extra/a-module.ko.xz", 1));
	dso = recorded_module(self, "[a_module]", 2);
	EXPECT_STREQ("", name_at(self, dso, MODULE_START));
	EXPECT_EQ(SYMBOLS_OTHER_FILE, dso->symbols->state);
	EXPECT_EQ(NULL, dso_line(dso, &self->sources, MODULE_START));
	dso = recorded_module(self, "[module]", 1);
	EXPECT_STREQ("", name_at(self, dso, MODULE_START));
}

/* It has the current address of the module. */
TEST_F(symbols, of_a_module_in_kallsyms)
{
	struct dso *here, *elsewhere;
	char path[64];

	write_kallsyms(self, path,
		       "ffffffff81000000 T _text\n"
		       "ffffffffc0100010 t first\t[a_module]\n"
		       "ffffffffc0200000 t other\t[b]\n");
	self->sources.kallsyms = path;
	here = dsos_get_kernel(&self->dsos, "[a_module]", NULL, MODULE_START);
	elsewhere = dsos_get_kernel(&self->dsos, "[a_module]", NULL,
				    MODULE_START - 0x10000);
	ASSERT_NE(here, elsewhere);
	EXPECT_STREQ("first", name_at(self, here, MODULE_START + 0x12));
	EXPECT_STREQ("", name_at(self, elsewhere, MODULE_START + 0x12));
	EXPECT_STREQ(here->name, elsewhere->name);
}

/* Names of its variables are larger than of functions; a module has none. */
TEST_F(symbols, of_variables_of_the_kernel)
{
	struct dso *kernel, *module;
	char path[64];

	write_kallsyms(self, path,
		       "ffffffff81000000 T _text\n"
		       "ffffffff81000100 T function\n"
		       "ffffffff82000000 D variable\n"
		       "ffffffff82100000 B zeroes\n"
		       "ffffffff82300000 R _end\n"
		       "ffffffffc0000000 d data\t[a_module]\n"
		       "ffffffffc0100010 t first\t[a_module]\n");
	self->sources.kallsyms = path;
	kernel = dsos_get_kernel(&self->dsos, "[kernel.kallsyms]_text", NULL,
				 KERNEL_START);
	module = dsos_get_kernel(&self->dsos, "[a_module]", NULL, MODULE_START);
	EXPECT_STREQ("function", name_at(self, kernel, KERNEL_START + 0x100));
	EXPECT_STREQ("", name_at(self, kernel, KERNEL_START + 0x10100));
	EXPECT_STREQ("variable", name_at(self, kernel, 0xffffffff820fffff));
	EXPECT_STREQ("zeroes", name_at(self, kernel, 0xffffffff82100000));
	EXPECT_TRUE(dso_is_image(kernel, &self->sources, KERNEL_START,
				  0xffffffff822fffff));
	EXPECT_FALSE(dso_is_image(kernel, &self->sources, KERNEL_START,
				  0xffffffff82300000));
	EXPECT_STREQ("first", name_at(self, module, MODULE_START + 0x12));
}

/* Two segments in one page of the file: .bss of the first is not where the second is. */
TEST(segments_of_one_page)
{
	struct segment all[] = {
		{ .offset = 0x1930, .size = 0x1d0, .bss_size = 0x500, .address = 0x3930 },
		{ .offset = 0x1b00, .size = 0x100, .address = 0x4b00 },
	};
	struct segments segments = { all, 2 };
	uint64_t address = 0;

	EXPECT_TRUE(segments_find(&segments, 0x1aff, &address));
	EXPECT_EQ(0x3aff, address);
	EXPECT_TRUE(segments_find(&segments, 0x1b40, &address));
	EXPECT_EQ(0x4b40, address);
	EXPECT_TRUE(segments_find(&segments, 0x1c00, &address));
	EXPECT_EQ(0x3c00, address);
	EXPECT_FALSE(segments_find(&segments, 0x2000, &address));
	EXPECT_FALSE(segments_find(&segments, 0x192f, &address));
}

TEST(names_for_people)
{
	static const char *const names[][2] = {
		{ "_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE",
		  "core::fmt::Write::write_fmt" },
		{ "_RNvNtCs1234_7mycrate3foo3bar", "mycrate::foo::bar" },
		{ "_ZNSt6vectorIiSaIiEE9push_backEOi",
		  "std::vector<int, std::allocator<int> >::push_back(int&&)" },
		/* of node: its parameters are too much for libiberty */
		{ "_ZN2v88internal11StringShape33DispatchToSpecificTypeWithoutC"
		  "astIZNS1_22DispatchToSpecificTypeIZNKS0_6String7GetImplEiNS0"
		  "_16PtrComprCageBaseERKNS0_31SharedStringAccessGuardIfNeededE"
		  "E19StringGetDispatchertJRiRS5_S8_EEET0_S4_DpOT1_E17CastingDi"
		  "spatchertJRS4_SA_SB_S8_EEESC_SF_",
		  "v8::internal::StringShape::DispatchToSpecificTypeWithoutCast"
		  "<v8::internal::StringShape::DispatchToSpecificType<v8::inter"
		  "nal::String::GetImpl(int, v8::internal::PtrComprCageBase, v8"
		  "::internal::SharedStringAccessGuardIfNeeded const&) const::S"
		  "tringGetDispatcher, unsigned short, int&, v8::internal::PtrC"
		  "omprCageBase&, v8::internal::SharedStringAccessGuardIfNeeded"
		  " const&>(v8::internal::String, int&, v8::internal::PtrComprC"
		  "ageBase&, v8::internal::SharedStringAccessGuardIfNeeded cons"
		  "t&)::CastingDispatcher, unsigned short, v8::internal::String"
		  "&, int&, v8::internal::PtrComprCageBase&, v8::internal::Shar"
		  "edStringAccessGuardIfNeeded const&>" },
		{ "_ZNSt6vectorIiSaIiEE9push_backEOi@plt",
		  "std::vector<int, std::allocator<int> >::push_back@plt" },
		{ "main@plt", NULL },
		{ "main", NULL },
	};
	char *name;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		name = symbol_demangle(names[i][0]);
		if (names[i][1]) {
			EXPECT_STREQ(names[i][1], name);
		} else {
			EXPECT_EQ(NULL, name);
		}
		free(name);
	}
}

static bool is_any(const struct dso *dso)
{
	return dso;
}

static bool is_module(const struct dso *dso)
{
	return dso->start;
}

TEST_F(symbols, in_the_order_of_paths)
{
	const struct build_id id = { 1, { 7 } };
	const struct dso **all;
	char path[32];
	size_t nr;

	for (int i = 0; i < 100; i++) {
		snprintf(path, sizeof(path), "/lib/%d", i * 37 % 100 + 100);
		ASSERT_NE(NULL, dsos_get(&self->dsos, path, NULL, false));
	}
	ASSERT_NE(NULL, dsos_get(&self->dsos, "/lib/150", &id, false));
	ASSERT_NE(NULL, dsos_get_kernel(&self->dsos, "[b]", NULL, 8));
	ASSERT_NE(NULL, dsos_get_kernel(&self->dsos, "[b]", NULL, 4));
	all = dsos_sorted(&self->dsos, is_any, &nr);
	ASSERT_NE(NULL, all);
	ASSERT_EQ(103, nr);
	for (size_t i = 0; i < 101; i++) {
		snprintf(path, sizeof(path), "/lib/%zu", 100 + i - (i > 50));
		EXPECT_STREQ(path, all[i]->path);
	}
	EXPECT_EQ(4, all[101]->start);
	EXPECT_EQ(8, all[102]->start);
	EXPECT_EQ(all[0], dsos_first(&self->dsos, is_any, &nr));
	EXPECT_EQ(103, nr);
	EXPECT_EQ(all[101], dsos_first(&self->dsos, is_module, &nr));
	EXPECT_EQ(2, nr);
	free(all);
}

TEST_HARNESS_MAIN
