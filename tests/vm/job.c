// SPDX-License-Identifier: GPL-2.0
/*
 * The job file: strings that end in a NUL byte, each "key=value":
 *
 *   share=TAG:ro:PATH or share=TAG:rw:PATH, cwd=PATH, env=NAME=VALUE, arg=TEXT
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vm.h"

static const char *value_of(const char *item, const char *key)
{
	size_t len = strlen(key);

	return strncmp(item, key, len) ? NULL : item + len;
}

static void add_string(char **list, size_t *nr, const char *text)
{
	if (*nr == JOB_MAX_ITEMS)
		die("job: too many items at", text);
	list[(*nr)++] = (char *)text;
	list[*nr] = NULL;
}

static void add_share(struct job *job, char *text)
{
	struct share *share = &job->shares[job->nr_shares++];
	char *mode = strchr(text, ':');
	char *path = mode ? strchr(mode + 1, ':') : NULL;

	if (!path || job->nr_shares > sizeof(job->shares) / sizeof(*share))
		die("job: bad share", text);
	*mode++ = '\0';
	*path++ = '\0';
	share->tag = text;
	share->path = path;
	share->writable = !strcmp(mode, "rw");
}

static void add_item(struct job *job, char *item)
{
	const char *value;

	if ((value = value_of(item, "arg=")))
		add_string(job->argv, &job->argc, value);
	else if ((value = value_of(item, "env=")))
		add_string(job->envp, &job->envc, value);
	else if ((value = value_of(item, "cwd=")))
		job->cwd = value;
	else if ((value = value_of(item, "share=")))
		add_share(job, (char *)value);
	else
		die("job: unknown item", item);
}

void job_read(struct job *job, const char *path)
{
	FILE *file = fopen(path, "re");
	char *item = NULL;
	size_t size = 0;

	if (!file)
		die("cannot open", path);
	while (getdelim(&item, &size, '\0', file) > 0) {
		add_item(job, item);
		item = NULL;	/* now owned by the job */
	}
	fclose(file);
	if (!job->argc || !job->cwd)
		die("job: no command or no folder in", path);
}
