// SPDX-License-Identifier: GPL-2.0
/*
 * Not a test: writes a recording of a made-up machine, see made_machine.h, whose clock is
 * not perf's default one, for tests/cli/features.sh.
 *
 * usage: made_recording FILE
 */
#include <stdio.h>
#include <stdlib.h>

#include "perfdata/write/writer_private.h"

#include "made_machine.h"
#include "written.h"

/* The version and "complete" as kermon run notes them. */
static int write_all(struct written *file)
{
	struct logged sample = logged_sample(0, 1ULL << 40, 2000000);
	struct kermon_writer *writer = file->writer;
	int err = kermon_writer_note(writer, "version", "%d", 1);

	sample.values[0] = 4711;
	if (!err)
		err = kermon_writer_start(writer, getpid());
	if (!err)
		err = kermon_writer_log(writer, &sample, sizeof(sample));
	if (!err)
		err = kermon_writer_round(writer);
	if (!err)
		err = kermon_writer_note(writer, "complete", "1");
	return err ? err : kermon_writer_finish(writer);
}

int main(int argc, char **argv)
{
	char root[] = "/tmp/kermon-machine-XXXXXX";
	struct written file = { .fd = -1 };
	int err = argc == 2 ? made_machine(root) : -1;

	if (!err)
		err = written_begin(&file, KERMON_CLOCK_PAIRS);
	if (!err) {
		file.writer->root = root;
		err = write_all(&file);
	}
	if (!err)
		err = rename(file.path, argv[1]);
	if (err)
		perror("made_recording");
	written_end(&file);
	made_machine_end(root);
	return err ? EXIT_FAILURE : EXIT_SUCCESS;
}
