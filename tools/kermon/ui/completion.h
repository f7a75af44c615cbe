/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to completion.c: completions of a command line, for shells. Each printed line
 * is a word, optionally followed by a tab and its meaning, or one of:
 *
 *	:files		complete names of files
 *	:folders	complete names of folders
 *	:pids		complete pids
 *	:command N	complete word N and those after it as another command line
 *	:nospace	add no space after the completed word
 */
#ifndef KERMON_COMPLETION_H
#define KERMON_COMPLETION_H

struct unit;

/**
 * struct completion - a word to complete
 * @before: its first part, which remains as it is: "--sort=comm,"
 * @word: its last part, with which candidates must begin
 * @path: the recording of the command line; NULL if it has none
 */
struct completion {
	char before[1024];
	const char *word;
	const char *path;
};

/* Print the completions of the last of @nr words after "kermon". */
void completion_print(char **words, unsigned int nr);

/* For struct value_type: print a candidate, or those of a kind. @help may be NULL. */
void completion_offer(const struct completion *completion, const char *word,
		      const char *help);
void completion_files(struct completion *completion);
void completion_folders(struct completion *completion);
void completion_pids(struct completion *completion);
void completion_units(struct completion *completion, const struct unit *units);

#endif /* KERMON_COMPLETION_H */
