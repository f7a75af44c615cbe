// SPDX-License-Identifier: GPL-2.0
/* Converts the picture to PNG, by rsvg-convert of librsvg. */
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "png.h"
#include "ui/message.h"
#include "ui/output.h"
#include "ui/program.h"

#define PROGRAM		"rsvg-convert"

extern char **environ;

bool png_is_possible(void)
{
	char path[4096];

	if (program_find(PROGRAM, strlen(PROGRAM), path, sizeof(path)))
		return true;
	message("roofline", "--png requires %s, which is not installed", PROGRAM);
	message_hint("install it: apt install librsvg2-bin; or use --svg");
	return false;
}

/* Run it from one file to another. Returns 0 or -errno; -EIO if it fails, after its message. */
static int convert(int from, int to)
{
	/* Elements with all dots are longer than what it accepts by default. */
	char *const argv[] = { PROGRAM, "--unlimited", "--format=png", NULL };
	posix_spawn_file_actions_t actions;
	pid_t pid;
	int err, status;

	err = -posix_spawn_file_actions_init(&actions);
	if (err)
		return err;
	err = -posix_spawn_file_actions_adddup2(&actions, from, STDIN_FILENO);
	if (!err)
		err = -posix_spawn_file_actions_adddup2(&actions, to, STDOUT_FILENO);
	if (!err)
		err = -posix_spawnp(&pid, PROGRAM, &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	while (!err && waitpid(pid, &status, 0) < 0)
		err = errno == EINTR ? 0 : -errno;
	if (!err && (!WIFEXITED(status) || WEXITSTATUS(status)))
		err = -EIO;
	return err;
}

static int convert_picture(FILE *svg, const struct roofline_view *view, int to)
{
	int err = roofline_picture(view, svg);

	if (!err && (fflush(svg) || fseek(svg, 0, SEEK_SET)))
		err = -errno;
	if (!err && lseek(fileno(svg), 0, SEEK_SET) < 0)
		err = -errno;
	return err ? err : convert(fileno(svg), to);
}

int png_write(const struct roofline_view *view, const char *path)
{
	FILE *svg = tmpfile();
	struct output output;
	int err;

	if (!svg)
		return -errno;
	if (!strcmp(path, "-")) {
		fflush(stdout);
		err = convert_picture(svg, view, STDOUT_FILENO);
		fclose(svg);
		return err;
	}
	err = output_open_export(&output, path);
	if (!err)
		err = convert_picture(svg, view, output.fd);
	if (!err)
		err = output_keep(&output);
	output_close(&output);
	fclose(svg);
	return err;
}
