// SPDX-License-Identifier: GPL-2.0
/*
 * A command of the tool, on a file. KERMON_FUZZ is the command with its options,
 * separated by blanks; the name of the file comes behind. What it prints is thrown
 * away, what it says about the file is not: a file with which something is wrong gets
 * a status that is not 0, and a message.
 */
#include <fcntl.h>
#include <string.h>

#include "../input.h"

#define WORDS	16

int kermon_main(int argc, char **argv);
int LLVMFuzzerInitialize(int *argc, char ***argv);

static char *words[WORDS + 2];
static int nr_words;
/* Where libFuzzer and sanitizers report. */
static int console;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	char *rest = getenv("KERMON_FUZZ"), *word;

	(void)argc;
	(void)argv;
	words[nr_words++] = "kermon";
	while ((word = strsep(&rest, " ")) && nr_words < WORDS)
		words[nr_words++] = word;
	console = dup(STDERR_FILENO);
	return freopen("/dev/null", "w", stdout) ? 0 : -1;
}

/* The status; what was said is in the file @said. */
static int run(char *path, int said)
{
	int status;

	words[nr_words] = path;
	dup2(said, STDERR_FILENO);
	status = kermon_main(nr_words + 1, words);
	fflush(stderr);
	dup2(console, STDERR_FILENO);
	return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int said = memfd_create("said", MFD_CLOEXEC);
	char path[INPUT_PATH];
	int fd = input_file(data, size, path);
	int status = run(path, said);

	promise(status == 0 || status == 1);
	promise(!status == !lseek(said, 0, SEEK_END));
	close(said);
	close(fd);
	return 0;
}
