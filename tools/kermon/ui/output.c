// SPDX-License-Identifier: GPL-2.0
/*
 * Opens output files under temporary names, and renames them when they are complete.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "drafts.h"
#include "message.h"
#include "output.h"

/* Links to follow at most, as in the kernel: MAXSYMLINKS of include/linux/namei.h */
#define LINKS_MAX	40

static bool is_below(const char *path, const char *folder)
{
	return !strncmp(path, folder, strlen(folder));
}

/* Whether @path names a device or an open file, which cannot be replaced by a rename. */
static bool is_fixed(const char *path)
{
	return is_below(path, "/proc/") ||
	       (is_below(path, "/dev/") && !is_below(path, "/dev/shm/"));
}

/* 1 if @path is a file that can be replaced, 0 if nothing is there, or -errno. */
static int look(const char *path, struct stat *status)
{
	if (stat(path, status))
		return errno == ENOENT ? 0 : -errno;
	return S_ISREG(status->st_mode) && !is_fixed(path) ? 1 : -EINVAL;
}

/* Whether @path is written directly, not replaced. */
static bool is_stream(const char *path)
{
	struct stat status;

	if (stat(path, &status))
		return false;
	return S_ISCHR(status.st_mode) || S_ISFIFO(status.st_mode) ||
	       (S_ISREG(status.st_mode) && is_fixed(path));
}

/* Directory of @path, to be freed; NULL if out of memory. */
static char *folder_of(const char *path)
{
	char *copy = strdup(path);
	char *folder = copy ? strdup(dirname(copy)) : NULL;

	free(copy);
	return folder;
}

/* Whether files can be created in the directory of @path. */
static int check_folder(const char *path)
{
	char *folder = folder_of(path);
	int err;

	if (!folder)
		return -ENOMEM;
	err = access(folder, W_OK | X_OK) ? -errno : 0;
	free(folder);
	return err;
}

/* Whether what is written to @path vanishes: there is nothing to create or to rename. */
static bool is_null(const char *path)
{
	struct stat status;

	return !stat(path, &status) && S_ISCHR(status.st_mode) &&
	       status.st_rdev == makedev(1, 3);
}

int output_check(const char *path)
{
	struct stat status;
	int result = look(path, &status);

	if (is_null(path))
		return 0;
	return result < 0 ? result : check_folder(path);
}

const char *output_name(const struct output *output)
{
	return output->stream ? "standard output" : output->path;
}

bool output_lasts(const struct output *output)
{
	struct stat status;

	return !output->stream && !fstat(output->fd, &status) &&
	       S_ISREG(status.st_mode);
}

const char *output_reason(int err)
{
	if (err == -ENOTTY)
		return "it is a terminal, and a recording is binary";
	return err == -EINVAL ? "not a regular file" : strerror(-err);
}

/* The path that link @path names, to be freed; NULL if it is not a link. */
static char *link_target(const char *path)
{
	char text[PATH_MAX], *folder, *target = NULL;
	ssize_t length = readlink(path, text, sizeof(text) - 1);

	if (length < 0)
		return NULL;
	text[length] = '\0';
	if (*text == '/')
		return strdup(text);
	folder = folder_of(path);
	if (folder && asprintf(&target, "%s/%s", folder, text) < 0)
		target = NULL;
	free(folder);
	return target;
}

/*
 * Follow links, also those to a file that does not exist yet, as a shell does for
 * redirections; NULL if out of memory.
 */
static char *resolved(const char *path)
{
	char *target = realpath(path, NULL), *next;

	if (target)
		return target;
	target = strdup(path);
	for (int i = 0; target && i < LINKS_MAX; i++) {
		next = link_target(target);
		if (!next)
			break;
		free(target);
		target = next;
	}
	return target;
}

/* Do not replace a file that is write-protected. */
static int check_protection(const char *path)
{
	return access(path, W_OK) && errno != ENOENT ? -errno : 0;
}

int output_check_export(const char *path)
{
	char *target;
	int err;

	if (is_stream(path))
		return access(path, W_OK) ? -errno : 0;
	target = resolved(path);
	err = target ? output_check(target) : -ENOMEM;
	if (!err)
		err = check_protection(target);
	free(target);
	return err;
}

bool output_is_at(const struct stat *file, const char *path)
{
	struct stat status;

	return !stat(path, &status) && status.st_dev == file->st_dev &&
	       status.st_ino == file->st_ino;
}

/* Whether @path is a file of the recording in directory @input. */
static bool is_inside(const struct stat *input, const char *path)
{
	char *folder = folder_of(path);
	const bool found = folder && output_is_at(input, folder);

	free(folder);
	return found;
}

/* Whether writing @path would replace @input or a file in it. */
static bool is_input(const char *path, const char *input)
{
	struct stat status;

	if (strcmp(input, "-") ? stat(input, &status) :
				 fstat(STDIN_FILENO, &status))
		return false;
	if (S_ISDIR(status.st_mode))
		return is_inside(&status, path);
	return S_ISREG(status.st_mode) && output_is_at(&status, path);
}

/* Whether the file at @path would be renamed to @input. */
static bool moves_over(const char *path, const char *input)
{
	struct stat previous;
	bool found;
	char *old;

	if (look(path, &previous) <= 0 || !previous.st_size ||
	    asprintf(&old, "%s.old", path) < 0)
		return false;
	found = is_input(old, input);
	free(old);
	return found;
}

bool output_spares(const char *command, const char *path, const char *input)
{
	if (!is_input(path, input))
		return true;
	message(command, "cannot write %s: it is also an input", path);
	message_hint("choose another output file or folder");
	return false;
}

bool output_spares_old(const char *command, const char *path, const char *input)
{
	if (!output_spares(command, path, input))
		return false;
	if (!moves_over(path, input))
		return true;
	message(command, "cannot write %s: the file there would replace %s.old, "
		"which is an input", path, path);
	message_hint("name another output with -o");
	return false;
}

/* Create an empty file in the same directory. Returns 0 or -errno. */
static int open_draft(struct output *output, mode_t mode)
{
	output->draft = draft_make_watched(output->target, mode, &output->fd);
	return output->draft ? 0 : -errno;
}

static int open_null(struct output *output)
{
	output->fd = open(output->path, O_RDWR | O_CLOEXEC);
	output->kept = true;
	return output->fd < 0 ? -errno : 0;
}

/* Standard output may be a file or a device, but not a screen. */
static int open_stream(struct output *output)
{
	const int flags = fcntl(STDOUT_FILENO, F_GETFL);

	if (isatty(STDOUT_FILENO))
		return -ENOTTY;
	/* It is closed, and main() has reserved its number. */
	if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY)
		return -EBADF;
	output->fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
	output->kept = true;
	output->stream = true;
	return output->fd < 0 ? -errno : 0;
}

int output_open(struct output *output, const char *path)
{
	struct stat status;
	int result = *path ? look(path, &status) : -ENOENT;

	*output = (struct output){ .path = path, .fd = -1 };
	if (!strcmp(path, "-"))
		return open_stream(output);
	if (is_null(path))
		return open_null(output);
	if (result < 0)
		return result;
	output->target = strdup(path);
	if (!output->target || asprintf(&output->old, "%s.old", path) < 0) {
		output->old = NULL;
		return -ENOMEM;
	}
	return open_draft(output, 0600);
}

int output_open_scratch(struct output *output)
{
	const char *folder = getenv("TMPDIR");
	char *path;
	int err = 0;

	*output = (struct output){ .fd = -1, .kept = true };
	if (!folder || !*folder)
		folder = "/tmp";
	if (asprintf(&path, "%s/kermon-XXXXXX", folder) < 0)
		return -ENOMEM;
	output->fd = mkostemp(path, O_CLOEXEC);
	if (output->fd < 0)
		err = -errno;
	else
		unlink(path);
	free(path);
	return err;
}

/* Like a shell, keep the mode of an existing file, or else apply the umask. */
static int open_export(struct output *output)
{
	struct stat status;
	int found = *output->path ? look(output->path, &status) : -ENOENT;
	int err;

	if (found < 0)
		return found;
	output->target = resolved(output->path);
	err = output->target ? check_protection(output->target) : -ENOMEM;
	if (!err)
		err = open_draft(output, 0666);
	if (!err && found)
		err = fchmod(output->fd, status.st_mode & 0777) ? -errno : 0;
	return err;
}

/* Append: /dev/stdout may be a file to which others have already written. */
int output_open_export(struct output *output, const char *path)
{
	*output = (struct output){ .path = path, .fd = -1 };
	if (!is_stream(path))
		return open_export(output);
	output->fd = open(path, O_WRONLY | O_APPEND | O_NOCTTY | O_CLOEXEC);
	return output->fd < 0 ? -errno : 0;
}

/* Rename an older recording, which is removed if the new one is kept. */
static int save_old(struct output *output)
{
	struct stat status;
	int fd, result;

	if (lstat(output->old, &status))
		return errno == ENOENT ? 0 : -errno;
	if (S_ISDIR(status.st_mode))
		return -EISDIR;
	output->saved = draft_make(output->path, 0600, &fd);
	if (!output->saved)
		return -errno;
	output->removed = -1;
	close(fd);
	/* To replace a file would have ext4 write what the other one has in memory first. */
	unlink(output->saved);
	if (!rename(output->old, output->saved))
		return 0;
	result = -errno;
	unlink(output->saved);
	free(output->saved);
	output->saved = NULL;
	return result;
}

/* Rename the previous file, unless it is empty, as perf record does. */
static int move_previous(struct output *output)
{
	struct stat status;
	int result = look(output->target, &status);

	if (result <= 0 || !status.st_size || !output->old)
		return result;
	output->obstacle = output->old;
	result = save_old(output);
	if (result)
		return result;
	output->obstacle = output->path;
	if (rename(output->path, output->old))
		return -errno;
	output->moved = true;
	return 0;
}

int output_place(struct output *output)
{
	int result;

	if (!output->draft)
		return 0;
	output->obstacle = output->path;
	result = move_previous(output);
	if (result < 0)
		return result;
	if (rename(output->draft, output->target))
		return -errno;
	draft_forget(output->draft);
	output->placed = true;
	return 0;
}

/*
 * Remove the former PATH.old. To free the blocks of a large file takes longer than rings have
 * room for, so the kernel does that when it is closed, after the recording.
 */
static void remove_saved(struct output *output)
{
	if (!output->saved)
		return;
	output->removed = open(output->saved, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	unlink(output->saved);
}

/* Block signals, so that none kills the tool between two steps. */
static int place_for_good(struct output *output)
{
	sigset_t all, before;
	int result;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	result = output_place(output);
	if (!result)
		remove_saved(output);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return result;
}

int output_keep(struct output *output)
{
	const bool is_done = output->placed || !output->draft;
	int result = 0;

	if (!is_done)
		result = place_for_good(output);
	else
		remove_saved(output);
	output->kept = !result;
	return result;
}

/* Whether the file at the target is still this one. */
static bool is_in_place(const struct output *output)
{
	struct stat status;

	return !fstat(output->fd, &status) &&
	       output_is_at(&status, output->target);
}

static void undo(const struct output *output)
{
	if (output->draft && !output->placed)
		unlink(output->draft);
	if (output->placed && !is_in_place(output))
		return;
	if (output->placed)
		unlink(output->target);
	if (output->moved)
		rename(output->old, output->path);
	if (output->saved)
		rename(output->saved, output->old);
}

void output_close(struct output *output)
{
	if (!output->kept)
		undo(output);
	if (output->fd >= 0)
		close(output->fd);
	if (output->saved && output->removed >= 0)
		close(output->removed);
	draft_forget(output->draft);
	free(output->draft);
	free(output->target);
	free(output->old);
	free(output->saved);
	*output = (struct output){ .fd = -1 };
}

int output_print(struct output *output,
		 int (*write)(const void *context, FILE *out), const void *context)
{
	FILE *out = fdopen(dup(output->fd), "w");
	int err = out ? write(context, out) : -errno;

	if (out && (fflush(out) || ferror(out)) && !err)
		err = errno ? -errno : -EIO;
	if (out && fclose(out) && !err)
		err = -errno;
	return err ? err : output_keep(output);
}

int output_write(const char *path, int (*write)(const void *context, FILE *out),
		 const void *context)
{
	struct output output;
	int err = output_open_export(&output, path);

	if (err)
		return err;
	err = output_print(&output, write, context);
	output_close(&output);
	return err;
}
