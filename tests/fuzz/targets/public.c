// SPDX-License-Identifier: GPL-2.0
/* Every public function that reads a file, whatever the result of reading. */
#include "../input.h"
#include "public_calls.h"

/* Names in the file are not looked up on this machine. */
static struct kermon_report_options options_of(struct kermon_damages *damages)
{
	return (struct kermon_report_options){
		.size = sizeof(struct kermon_report_options),
		.symfs = "/nonexistent",
		.kallsyms = "/dev/null",
		.damages = damages,
		.calls = true,
		.data = true,
	};
}

static void try_report(const char *path, struct kermon_damages *damages)
{
	struct kermon_report_options options = options_of(damages);
	struct kermon_report *report = kermon_report_new(&options);

	promise(report);
	kermon_report_read(report, path);
	public_report(report);
	kermon_report_free(report);
}

static void try_profile(const char *path, struct kermon_damages *damages)
{
	static const struct kermon_profile_callbacks callbacks = {
		.size = sizeof(callbacks),
		.sample = public_sample,
		.record = public_record,
		.count = public_count,
	};
	struct kermon_report_options options = options_of(damages);
	FILE *null = fopen("/dev/null", "we");
	struct kermon_profile *profile =
		kermon_profile_new(&options, &callbacks, null);

	promise(null && profile);
	kermon_profile_read(profile, path);
	public_profile(profile);
	kermon_profile_free(profile);
	fclose(null);
}

static void try_readperf(const char *path, struct kermon_damages *damages)
{
	struct kermon_report_options options = options_of(damages);
	struct kermon_readperf *readperf =
		kermon_readperf_new(&options, public_readperf_record, NULL);

	promise(readperf);
	kermon_readperf_read(readperf, path);
	public_readperf(readperf);
	kermon_readperf_free(readperf);
}

static void try_file(const char *path, struct kermon_damages *damages)
{
	const struct kermon_file_options options = {
		.size = sizeof(options), .damages = damages,
	};
	struct kermon_file *file = kermon_file_new(&options);

	promise(file);
	kermon_file_open(file, path);
	public_file(file);
	kermon_file_free(file);
}

static void try_merge(const char *path)
{
	struct kermon_merge *merge = kermon_merge_new(NULL);

	promise(merge);
	kermon_merge_add(merge, path);
	public_merge(merge, path);
	kermon_merge_free(merge);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct kermon_damages *damages = kermon_damages_new(NULL, NULL);
	char path[INPUT_PATH];
	int fd = input_file(data, size, path);

	promise(damages);
	try_report(path, damages);
	try_profile(path, damages);
	try_readperf(path, damages);
	try_file(path, damages);
	try_merge(path);
	public_damages(damages);
	kermon_damages_free(damages);
	close(fd);
	return 0;
}
