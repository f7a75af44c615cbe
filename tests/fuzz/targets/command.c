// SPDX-License-Identifier: GPL-2.0
/*
 * A command of the tool, on a file. KERMON_FUZZ is the command with its options,
 * separated by blanks; the name of the file is appended. Output is discarded, messages
 * are not: a damaged file must produce a status other than 0 and a message. Limits on the
 * meaning of counts, such as losses, are printed for any file.
 */
#include <string.h>

#include "../input.h"

#define WORDS	16

int kermon_main(int argc, char **argv);
int LLVMFuzzerInitialize(int *argc, char ***argv);

static char *words[WORDS + 2];
static int nr_words;
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	char *rest = getenv("KERMON_FUZZ"), *word;

	(void)argc;
	(void)argv;
	words[nr_words++] = "kermon";
	while ((word = strsep(&rest, " ")) && nr_words < WORDS)
		words[nr_words++] = word;
	return freopen("/dev/null", "w", stdout) ? 0 : -1;
}

/*
 * Returns the status, and in *@nr the number of bytes of messages; only the tool's
 * messages are counted, because sanitizers write to the descriptor.
 */
static int run(char *path, size_t *nr)
{
	FILE *console = stderr;
	char *said = NULL;
	int status;

	words[nr_words] = path;
	stderr = open_memstream(&said, nr);
	promise(stderr);
	status = kermon_main(nr_words + 1, words);
	fclose(stderr);
	stderr = console;
	free(said);
	return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char path[INPUT_PATH];
	int fd = input_file(data, size, path);
	size_t said = 0;
	int status = run(path, &said);

	promise(status == 0 || status == 1);
	promise(!status || said);
	close(fd);
	return 0;
}
