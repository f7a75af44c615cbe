// SPDX-License-Identifier: GPL-2.0
/* Files of ceilings: what is read of valid ones, and why invalid ones are rejected. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <kermon/ceilings.h>

#include "kselftest_harness.h"

#define HEAD								\
	"{ \"format\": \"kermon ceilings 1\", \"kind\": \"measured\",\n"	\
	"  \"machine\": { \"hostname\": \"node1\", \"cpuid\": \"GenuineIntel,6,58,9\",\n" \
	"    \"cpudesc\": \"Intel(R) Core(TM) i7-3770K CPU @ 3.50GHz\", \"cpus\": 4,\n" \
	"    \"kernel\": \"6.12.9\", \"virtual\": true, \"model\": false },\n" \
	"  \"when\": \"2026-11-27T01:00:00Z\", \"tool\": \"kermon 0.1\""

#define PEAK								\
	"{ \"operation\": \"add+mul\", \"isa\": \"avx\", \"precision\": \"double\",\n" \
	"  \"threads\": 4, \"placement\": \"cores\", \"cpus\": \"0-3\",\n" \
	"  \"value\": 112e9, \"low\": 111e9, \"high\": 112.5e9, \"windows\": 200,\n" \
	"  \"outliers\": 3, \"hertz\": 3.5e9 }"

#define BANDWIDTH							\
	"{ \"level\": \"DRAM\", \"pattern\": \"2:1\", \"isa\": \"sse\", \"pages\": \"2M\",\n" \
	"  \"threads\": 1, \"bytes_per_thread\": 134217728, \"value\": 2.99e10,\n" \
	"  \"hertz\": null, \"source\": \"two channels of DDR3\" }"

#define WHOLE	HEAD ", \"flops\": [" PEAK "], \"bandwidths\": [" BANDWIDTH "] }\n"

FIXTURE(file)
{
	char path[64];
	struct kermon_ceilings *ceilings;
	struct kermon_ceilings_error error;
};

FIXTURE_SETUP(file)
{
	int fd;

	memset(self, 0, sizeof(*self));
	strcpy(self->path, "/tmp/kermon-ceilings-XXXXXX");
	fd = mkstemp(self->path);
	ASSERT_LE(0, fd);
	close(fd);
}

FIXTURE_TEARDOWN(file)
{
	kermon_ceilings_free(self->ceilings);
	unlink(self->path);
}

static int read_bytes(FIXTURE_DATA(file) *self, const void *bytes, size_t size)
{
	FILE *file = fopen(self->path, "w");

	fwrite(bytes, 1, size, file);
	fclose(file);
	kermon_ceilings_free(self->ceilings);
	return kermon_ceilings_read(&self->ceilings, self->path, &self->error);
}

static int read_text(FIXTURE_DATA(file) *self, const char *text)
{
	return read_bytes(self, text, strlen(text));
}

TEST_F(file, peak)
{
	const struct kermon_ceiling *peak;

	ASSERT_EQ(0, read_text(self, WHOLE)) {
		TH_LOG("%s", self->error.text);
	}
	ASSERT_EQ(2, kermon_ceilings_nr(self->ceilings));
	peak = kermon_ceilings_get(self->ceilings, 0);
	EXPECT_EQ(KERMON_CEILING_FLOPS, peak->kind);
	EXPECT_STREQ("double ADD+MUL avx, 4 threads", peak->label);
	EXPECT_STREQ("add+mul", peak->operation);
	EXPECT_STREQ("double", peak->precision);
	EXPECT_STREQ("cores", peak->placement);
	EXPECT_STREQ("0-3", peak->cpus);
	EXPECT_STREQ("", peak->level);
	EXPECT_STREQ("", peak->source);
	EXPECT_EQ(112e9, peak->value);
	EXPECT_EQ(111e9, peak->low);
	EXPECT_EQ(112.5e9, peak->high);
	EXPECT_EQ(3.5e9, peak->hertz);
	EXPECT_EQ(200, peak->windows);
	EXPECT_EQ(3, peak->outliers);
}

TEST_F(file, bandwidth)
{
	const struct kermon_ceiling *dram;

	ASSERT_EQ(0, read_text(self, WHOLE));
	dram = kermon_ceilings_get(self->ceilings, 1);
	EXPECT_EQ(KERMON_CEILING_BANDWIDTH, dram->kind);
	EXPECT_STREQ("DRAM 2:1 sse, 1 thread, 2M pages", dram->label);
	EXPECT_STREQ("2M", dram->pages);
	EXPECT_STREQ("", dram->operation);
	EXPECT_STREQ("", dram->cpus);
	EXPECT_EQ(2.99e10, dram->value);
	EXPECT_EQ(2.99e10, dram->low);
	EXPECT_EQ(2.99e10, dram->high);
	EXPECT_EQ(0, dram->hertz);
	EXPECT_EQ(134217728, dram->bytes_per_thread);
	EXPECT_EQ(NULL, kermon_ceilings_get(self->ceilings, 2));
	EXPECT_EQ(NULL, kermon_ceilings_get(self->ceilings, SIZE_MAX));
}

TEST_F(file, about)
{
	const struct kermon_ceilings_about *about;

	ASSERT_EQ(0, read_text(self, WHOLE));
	about = kermon_ceilings_about(self->ceilings);
	EXPECT_EQ(sizeof(*about), about->size);
	EXPECT_FALSE(about->theoretical);
	EXPECT_FALSE(about->incomplete);
	EXPECT_TRUE(about->is_virtual);
	EXPECT_FALSE(about->is_model);
	EXPECT_STREQ("node1", about->hostname);
	EXPECT_EQ(4, about->cpus);
	EXPECT_STREQ("2026-11-27T01:00:00Z", about->when);
	ASSERT_EQ(0, read_text(self, HEAD ", \"complete\": false, \"later\": [{}] }"));
	EXPECT_TRUE(kermon_ceilings_about(self->ceilings)->incomplete);
	EXPECT_EQ(0, kermon_ceilings_nr(self->ceilings));
}

TEST_F(file, quick)
{
	ASSERT_EQ(0, read_text(self, WHOLE));
	EXPECT_FALSE(kermon_ceilings_is_quick(self->ceilings));
	ASSERT_EQ(0, read_text(self, HEAD ", \"conditions\": { \"quick\": true } }"));
	EXPECT_TRUE(kermon_ceilings_is_quick(self->ceilings));
	ASSERT_EQ(0, read_text(self, HEAD ", \"conditions\": { \"quick\": false } }"));
	EXPECT_FALSE(kermon_ceilings_is_quick(self->ceilings));
	ASSERT_EQ(0, read_text(self, HEAD ", \"conditions\": [ \"quick\" ] }"));
	EXPECT_FALSE(kermon_ceilings_is_quick(self->ceilings));
}

TEST_F(file, match)
{
	static const char id[] = "GenuineIntel,6,58,9";
	static const char desc[] = "Intel(R) Core(TM) i7-3770K CPU @ 3.50GHz";

	ASSERT_EQ(0, read_text(self, WHOLE));
	EXPECT_EQ(KERMON_CEILINGS_SAME, kermon_ceilings_match(self->ceilings, id, desc, 4));
	EXPECT_EQ(KERMON_CEILINGS_SAME, kermon_ceilings_match(self->ceilings, id, NULL, 0));
	EXPECT_EQ(KERMON_CEILINGS_SAME, kermon_ceilings_match(self->ceilings, "", desc, 0));
	EXPECT_EQ(KERMON_CEILINGS_UNKNOWN,
		  kermon_ceilings_match(self->ceilings, NULL, "", 4));
	EXPECT_EQ(KERMON_CEILINGS_OTHER, kermon_ceilings_match(self->ceilings, id, desc, 8));
	EXPECT_EQ(KERMON_CEILINGS_OTHER,
		  kermon_ceilings_match(self->ceilings, "AuthenticAMD,25,17,1", NULL, 4));
	EXPECT_EQ(KERMON_CEILINGS_OTHER,
		  kermon_ceilings_match(self->ceilings, id, "another", 4));
}

/* Each prefix of a valid file, as a crash or a full disk leaves it. */
TEST_F(file, truncated)
{
	/* the file ends with a newline */
	for (size_t size = 0; size < strlen(WHOLE) - 1; size++) {
		EXPECT_EQ(-EINVAL, read_bytes(self, WHOLE, size)) {
			TH_LOG("%zu bytes", size);
		}
		EXPECT_NE('\0', self->error.text[0]);
		EXPECT_EQ(NULL, self->ceilings);
	}
	read_bytes(self, WHOLE, strlen(HEAD) + 40);
	EXPECT_STREQ("the file is truncated, in line 5", self->error.text);
}

/* Bytes of other values at each position: no crash, and a reason whenever it is rejected. */
TEST_F(file, damaged)
{
	static const char bytes[] = "\0\n\"0-9e]}\\\xff";
	char text[] = WHOLE, former;

	for (size_t at = 0; at < strlen(WHOLE); at += 3)
		for (size_t i = 0; i < sizeof(bytes) - 1; i++) {
			former = text[at];
			text[at] = bytes[i];
			if (read_bytes(self, text, strlen(WHOLE)))
				EXPECT_NE('\0', self->error.text[0]);
			text[at] = former;
		}
}

#define PEAK_WITH(members)						\
	"{ \"operation\": \"add\", \"isa\": \"avx\", \"precision\": \"double\", " members " }"
#define PEAKS(members)	HEAD ", \"flops\": [" PEAK "," PEAK_WITH(members) "] }"

static const struct {
	const char *text;
	const char *reason;
} rejected[] = {
	{ "", "the file is empty" },
	{ " ", "the file is truncated, in line 1" },
	{ "[]", "not an object with ceilings" },
	{ "null", "not an object with ceilings" },
	{ "{}", "format: missing" },
	{ "{\"format\": 1}", "format: not a text" },
	{ "{\"format\": \"kermon ceilings 2\"}",
	  "format: unknown value 'kermon ceilings 2'; valid: kermon ceilings 1" },
	{ "{\"format\": \"kermon ceilings 1\"}", "kind: missing" },
	{ "{\"format\": \"kermon ceilings 1\", \"kind\": \"guess\"}",
	  "kind: unknown value 'guess'; valid: measured, theoretical" },
	{ "{\"format\": \"kermon ceilings 1\", \"kind\": \"measured\"}", "machine: missing" },
	{ HEAD ", \"machine\": [] }", "machine: not an object" },
	{ HEAD ", \"machine\": { \"cpuid\": 5 } }", "machine.cpuid: not a text" },
	{ HEAD ", \"machine\": { \"cpus\": -1 } }",
	  "machine.cpus: not an integer from 0 to 65536" },
	{ HEAD ", \"machine\": { \"virtual\": 1 } }", "machine.virtual: neither true nor false" },
	{ HEAD ", \"complete\": \"no\" }", "complete: neither true nor false" },
	{ HEAD ", \"flops\": {} }", "flops: not an array" },
	{ HEAD ", \"bandwidths\": 7 }", "bandwidths: not an array" },
	{ HEAD ", \"flops\": [ 1 ] }", "flops[0]: not an object" },
	{ HEAD ", \"flops\": [ null ] }", "flops[0]: not an object" },
	{ HEAD ", \"flops\": [ {} ] }", "flops[0].operation: missing" },
	{ HEAD ", \"bandwidths\": [ {\"level\": \"L9\"} ] }",
	  "bandwidths[0].level: unknown value 'L9'; valid: L1, L2, L3, DRAM" },
	{ PEAKS("\"threads\": 1"), "flops[1].value: missing" },
	{ PEAKS("\"value\": \"1e9\""), "flops[1].value: not a number" },
	{ PEAKS("\"value\": [1]"), "flops[1].value: not a number" },
	{ PEAKS("\"value\": 0"), "flops[1].value: not greater than 0 and at most 1e18" },
	{ PEAKS("\"value\": -1"), "flops[1].value: not greater than 0 and at most 1e18" },
	{ PEAKS("\"value\": NaN"), "flops[1].value: not greater than 0 and at most 1e18" },
	{ PEAKS("\"value\": Infinity"),
	  "flops[1].value: not greater than 0 and at most 1e18" },
	{ PEAKS("\"value\": 1e999"), "flops[1].value: not greater than 0 and at most 1e18" },
	{ PEAKS("\"value\": 99999999999999999999999"),
	  "flops[1].value: not greater than 0 and at most 1e18" },
	{ PEAKS("\"value\": 5, \"low\": 6"), "flops[1].low: greater than the value" },
	{ PEAKS("\"value\": 5, \"high\": 4"), "flops[1].high: less than the value" },
	{ PEAKS("\"value\": 5, \"hertz\": -1"),
	  "flops[1].hertz: not greater than 0 and at most 1e18" },
	{ PEAKS("\"value\": 5"), "flops[1].threads: missing or 0" },
	{ PEAKS("\"value\": 5, \"threads\": 1.5"),
	  "flops[1].threads: not an integer from 0 to 65536" },
	{ PEAKS("\"value\": 5, \"threads\": 99999999999999999999"),
	  "flops[1].threads: not an integer from 0 to 65536" },
	{ PEAKS("\"value\": 5, \"threads\": 1, \"windows\": -3"),
	  "flops[1].windows: not an integer from 0 to 9223372036854775807" },
};

TEST_F(file, rejected)
{
	for (size_t i = 0; i < sizeof(rejected) / sizeof(rejected[0]); i++) {
		EXPECT_EQ(-EINVAL, read_text(self, rejected[i].text));
		EXPECT_STREQ(rejected[i].reason, self->error.text);
	}
}

TEST_F(file, not_json)
{
	static const char *const texts[] = {
		"ceilings", "{,}", WHOLE "{}", "{\"format\": \"\xff\"}", "{format: 1}",
		HEAD ",\n\"flops\": [1,,2] }",
	};
	char nested[4096];

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		EXPECT_EQ(-EINVAL, read_text(self, texts[i]));
		EXPECT_NE(NULL, strstr(self->error.text, ": invalid JSON: ")) {
			TH_LOG("%s", self->error.text);
		}
	}
	EXPECT_EQ(0, strncmp(self->error.text, "line 6, column 1", 16));
	memset(nested, '[', sizeof(nested));
	EXPECT_EQ(-EINVAL, read_bytes(self, nested, sizeof(nested)));
	EXPECT_NE(NULL, strstr(self->error.text, "nesting"));
	EXPECT_EQ(-EINVAL, read_bytes(self, "{\0}", 3));
	EXPECT_STREQ("the file is not text", self->error.text);
}

TEST_F(file, too_large)
{
	FILE *file = fopen(self->path, "w");

	fputs(HEAD ", \"flops\": [", file);
	for (unsigned int i = 0; i <= KERMON_CEILINGS_MOST; i++)
		fputs(i ? ",0" : "0", file);
	fputs("] }", file);
	fclose(file);
	EXPECT_EQ(-EINVAL, kermon_ceilings_read(&self->ceilings, self->path, &self->error));
	EXPECT_STREQ("flops: too many ceilings", self->error.text);
	EXPECT_EQ(0, truncate(self->path, KERMON_CEILINGS_BYTES + 1LL));
	EXPECT_EQ(-EINVAL, kermon_ceilings_read(&self->ceilings, self->path, &self->error));
	EXPECT_STREQ("the file has more than 4194304 bytes", self->error.text);
}

TEST_F(file, no_file)
{
	EXPECT_EQ(-ENOENT, kermon_ceilings_read(&self->ceilings, "/nowhere", &self->error));
	EXPECT_STREQ("No such file or directory", self->error.text);
	EXPECT_EQ(-EINVAL, kermon_ceilings_read(&self->ceilings, "/", &self->error));
	EXPECT_STREQ("not a regular file", self->error.text);
	unlink(self->path);
	ASSERT_EQ(0, mkfifo(self->path, 0600));
	EXPECT_EQ(-EINVAL, kermon_ceilings_read(&self->ceilings, self->path, &self->error));
	EXPECT_EQ(NULL, self->ceilings);
}

TEST(default_path)
{
	struct kermon_machine machine = {
		.hostname = "node1/..", .cpuid = "GenuineIntel,6,58,9",
		.cpudesc = "Intel(R) Core(TM) i7", .cpus = 8,
	};
	char path[KERMON_CEILINGS_PATH];

	setenv("XDG_DATA_HOME", "/data", 1);
	EXPECT_EQ(0, kermon_ceilings_default_path(&machine, false, path));
	EXPECT_STREQ("/data/kermon/ceilings/"
		     "GenuineIntel,6,58,9-Intel_R_Core_TM_i7-8-node1_...json", path);
	setenv("XDG_DATA_HOME", "relative", 1);
	setenv("HOME", "/home/me", 1);
	EXPECT_EQ(0, kermon_ceilings_default_path(&machine, true, path));
	EXPECT_STREQ("/home/me/.local/share/kermon/ceilings/"
		     "GenuineIntel,6,58,9-Intel_R_Core_TM_i7-8-node1_..-theoretical.json", path);
	unsetenv("XDG_DATA_HOME");
	unsetenv("HOME");
	EXPECT_EQ(-ENOENT, kermon_ceilings_default_path(&machine, false, path));
}

TEST(this_machine)
{
	struct kermon_machine machine;

	kermon_machine_here(&machine);
	EXPECT_NE('\0', machine.cpuid[0]);
	EXPECT_NE(NULL, strchr(machine.cpuid, ','));
	EXPECT_LE(1, machine.cpus);
}

TEST_HARNESS_MAIN
