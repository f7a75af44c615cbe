/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What can stand next on a command line, for the shells. Each line that is printed is a
 * word, perhaps with a tab and what it means behind; or it begins with a colon:
 *
 *	:files		names of files
 *	:folders	names of folders
 *	:pids		numbers of processes
 *	:command N	what follows word N, the name of another command, as its own
 *	:nospace	what was completed is not the end of the word
 */
#ifndef KERMON_COMPLETION_H
#define KERMON_COMPLETION_H

struct unit;

/**
 * struct completion - a word that is being completed
 * @before: the part of it that is as it should be: "--sort=comm,"
 * @word: the rest, which candidates begin with
 * @path: the recording that the command line is about; NULL: none was named
 */
struct completion {
	char before[1024];
	const char *word;
	const char *path;
};

/* @words, @nr of them, stand behind "kermon"; the last one is to be completed. */
void completion_print(char **words, unsigned int nr);

/* For the kinds of values that have a function for it, see struct value_type. */
void completion_offer(const struct completion *completion, const char *word,
		      const char *help);
void completion_files(struct completion *completion);
void completion_folders(struct completion *completion);
void completion_pids(struct completion *completion);
void completion_units(struct completion *completion, const struct unit *units);

#endif /* KERMON_COMPLETION_H */
