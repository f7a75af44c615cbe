// SPDX-License-Identifier: GPL-2.0
/*
 * State of the kernel after the command has exited. This only reports it, as
 * name=value words, with "none" for features that this kernel does not have and
 * "failed" for a scan that did not work; the host judges.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "vm.h"

#define KMEMLEAK "/sys/kernel/debug/kmemleak"

/* Find the line that starts with @key in a file; copy its last word. */
static int last_word(const char *path, const char *key, char *word, size_t size)
{
	FILE *file = fopen(path, "re");
	char line[256], *text;
	int found = 0;

	while (file && !found && fgets(line, sizeof(line), file)) {
		text = line + strspn(line, " ");
		if (strncmp(text, key, strlen(key)))
			continue;
		text[strcspn(text, "\n")] = '\0';
		snprintf(word, size, "%s", strrchr(text, ' ') ? strrchr(text, ' ') + 1 : text);
		found = 1;
	}
	if (file)
		fclose(file);
	return found;
}

/* Count the reports of kmemleak and copy them to the console; -1 on failure. */
static int read_leaks(void)
{
	FILE *file = fopen(KMEMLEAK, "re");
	char line[256];
	int nr = 0;

	if (!file)
		return -1;
	while (fgets(line, sizeof(line), file)) {
		nr += !strncmp(line, "unreferenced object", 19);
		fputs(line, stdout);
	}
	fclose(file);
	return nr;
}

/*
 * An object is reported if it was unreferenced in two scans and is at least 5 s
 * old (MIN_AGE in mm/kmemleak.c). The word is "failed" if the scans, or reading
 * their results, did not work.
 */
static void find_leaks(char *word, size_t size)
{
	int fd = open(KMEMLEAK, O_WRONLY | O_CLOEXEC);
	int scanned, nr;

	if (fd < 0) {
		snprintf(word, size, errno == ENOENT ? "none" : "failed");
		return;
	}
	sleep(6);
	scanned = write(fd, "scan", 4) == 4 && write(fd, "scan", 4) == 4;
	close(fd);
	nr = scanned ? read_leaks() : -1;
	if (nr < 0)
		snprintf(word, size, "failed");
	else
		snprintf(word, size, "%d", nr);
}

void health_line(char *line, size_t size, const struct outcome *outcome)
{
	char tainted[32] = "none", locks[32] = "none", leaked[32];

	find_leaks(leaked, sizeof(leaked));
	last_word("/proc/sys/kernel/tainted", "", tainted, sizeof(tainted));
	last_word("/proc/lockdep_stats", "debug_locks:", locks, sizeof(locks));
	snprintf(line, size,
		 "result status=%d stdout=%llu stderr=%llu tainted=%s debug_locks=%s leaks=%s\n",
		 outcome->status, outcome->out, outcome->err, tainted, locks, leaked);
}
