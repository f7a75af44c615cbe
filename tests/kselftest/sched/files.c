// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files.h"

bool write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	ssize_t written;
	int error;

	if (fd < 0)
		return false;
	written = write(fd, text, strlen(text));
	error = errno;
	close(fd);
	errno = error;
	return written == (ssize_t)strlen(text);
}

/* The name is in parentheses, and may itself contain some. */
long long stat_field(pid_t pid, int field)
{
	char path[64], line[1024], *at;
	FILE *file;
	int i;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	file = fopen(path, "re");
	if (!file || !fgets(line, sizeof(line), file))
		abort();
	fclose(file);
	at = strrchr(line, ')');
	for (i = 2; at && i < field; i++)
		at = strchr(at + 1, ' ');
	if (!at)
		abort();
	return atoll(at);
}

double value_in(const char *path, const char *section, const char *name)
{
	char line[256];
	double value = -1;
	bool in = !section;
	FILE *file = fopen(path, "r");

	while (file && value < 0 && fgets(line, sizeof(line), file)) {
		char *word = line + strspn(line, " .");

		if (!in)
			in = !strncmp(word, section, strlen(section));
		else if (!strncmp(word, name, strlen(name)) &&
			 strchr(" :", word[strlen(name)]))
			value = atof(strrchr(line, ':') + 1);
	}
	if (file)
		fclose(file);
	return value;
}

double value_of_task(pid_t pid, const char *name)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/sched", pid);
	return value_in(path, NULL, name);
}
