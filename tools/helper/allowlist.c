// SPDX-License-Identifier: GPL-2.0
/* Parses allow-lists and their index; knows which one is that of this processor. */
#include <cpuid.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "allowlist.h"

#define LINE_MAX_LENGTH	256

/* A line that is being parsed: without its newline, and terminated. */
struct line {
	char text[LINE_MAX_LENGTH];
	char *at;
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static void skip_blanks(struct line *line)
{
	while (is_blank(*line->at))
		line->at++;
}

/*
 * Take the next line of @text, and advance. Lines with control characters or bytes beyond
 * ASCII are rejected, so that names can be printed. Return: whether the line is valid.
 */
static bool take_line(struct line *line, const char **text, const char *end)
{
	const char *newline = memchr(*text, '\n', end - *text);
	const size_t length = (newline ? newline : end) - *text;

	if (length >= sizeof(line->text))
		return false;
	memcpy(line->text, *text, length);
	line->text[length] = '\0';
	line->at = line->text;
	*text = newline ? newline + 1 : end;
	for (size_t i = 0; i < length; i++)
		if ((line->text[i] < ' ' || line->text[i] > '~') &&
		    line->text[i] != '\t')
			return false;
	skip_blanks(line);
	return true;
}

static int digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

/* Take a hexadecimal number, "0x...", of at most @bits bits. */
static bool take_hex(struct line *line, unsigned int bits, uint64_t *number)
{
	unsigned int digits = 0;

	if (line->at[0] != '0' || (line->at[1] | 0x20) != 'x')
		return false;
	line->at += 2;
	for (*number = 0; digit(*line->at) >= 0; line->at++) {
		if (++digits > bits / 4)
			return false;
		*number = *number << 4 | digit(*line->at);
	}
	return digits > 0;
}

/* Copy a word that ends with one of @ends; it is cut off if it does not fit. */
static void take_word(struct line *line, const char *ends, char *word,
		      size_t size)
{
	const size_t length = strcspn(line->at, ends);
	const size_t kept = length < size ? length : size - 1;

	memcpy(word, line->at, kept);
	word[kept] = '\0';
	line->at += length;
}

/* Take "zero=0x...", if it is there. */
static bool take_zero(struct line *line, struct kermon_msr_entry *entry)
{
	static const char word[] = "zero=";

	skip_blanks(line);
	if (strncmp(line->at, word, strlen(word)))
		return true;
	line->at += strlen(word);
	return take_hex(line, 64, &entry->zero) && !(entry->zero & entry->mask);
}

/* "# NAME zero=BITS: what for", with or without quotes around the name. */
static bool take_comment(struct line *line, struct kermon_msr_entry *entry)
{
	line->at += *line->at == '#';
	skip_blanks(line);
	line->at += *line->at == '"';
	take_word(line, "\": \t", entry->name, sizeof(entry->name));
	if (!take_zero(line, entry))
		return false;
	line->at += strspn(line->at, "\": \t");
	take_word(line, "", entry->about, sizeof(entry->about));
	return true;
}

/* Return: 1: an entry; 0: an empty line or a comment; -EINVAL. */
static int parse_entry(struct line *line, struct kermon_msr_entry *entry)
{
	uint64_t reg, mask;

	if (!*line->at || *line->at == '#')
		return 0;
	memset(entry, 0, sizeof(*entry));
	if (!take_hex(line, 32, &reg) || !is_blank(*line->at))
		return -EINVAL;
	skip_blanks(line);
	if (!take_hex(line, 64, &mask))
		return -EINVAL;
	skip_blanks(line);
	if (*line->at && *line->at != '#')
		return -EINVAL;
	entry->reg = reg;
	entry->mask = mask;
	return take_comment(line, entry) ? 1 : -EINVAL;
}

/* Index of the first entry that is not below @reg. */
static unsigned int place_of(const struct allowlist *list, uint32_t reg)
{
	unsigned int low = 0, high = list->nr, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (list->entries[middle].reg < reg)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static int insert(struct allowlist *list, const struct kermon_msr_entry *entry)
{
	const unsigned int at = place_of(list, entry->reg);
	struct kermon_msr_entry *place = &list->entries[at];

	if (at < list->nr && place->reg == entry->reg)
		return -EEXIST;
	if (list->nr == ALLOWLIST_MAX)
		return -E2BIG;
	memmove(place + 1, place, (list->nr++ - at) * sizeof(*place));
	*place = *entry;
	return 0;
}

int allowlist_parse(struct allowlist *list, const char *text, size_t size)
{
	const char *end = text + size;
	struct kermon_msr_entry entry;
	struct line line;
	int result = 0;

	list->nr = 0;
	list->line = 0;
	while (text < end && result >= 0) {
		list->line++;
		result = take_line(&line, &text, end) ?
			 parse_entry(&line, &entry) : -EINVAL;
		if (result > 0)
			result = insert(list, &entry);
	}
	if (result < 0)
		list->nr = 0;
	return result;
}

const struct kermon_msr_entry *allowlist_find(const struct allowlist *list,
					      uint32_t reg)
{
	const unsigned int at = place_of(list, reg);

	return at < list->nr && list->entries[at].reg == reg ?
	       &list->entries[at] : NULL;
}

void processor_read(struct processor *processor)
{
	unsigned int eax, ebx, ecx, edx;

	memset(processor, 0, sizeof(*processor));
	if (!__get_cpuid(0, &eax, &ebx, &ecx, &edx))
		return;
	memcpy(processor->vendor, &ebx, sizeof(ebx));
	memcpy(processor->vendor + 4, &edx, sizeof(edx));
	memcpy(processor->vendor + 8, &ecx, sizeof(ecx));
	__get_cpuid(1, &eax, &ebx, &ecx, &edx);
	processor->family = eax >> 8 & 0xf;
	processor->model = (eax >> 4 & 0xf) | (eax >> 12 & 0xf0);
	if (processor->family == 0xf)
		processor->family += eax >> 20 & 0xff;
}

/* Take "*", or a list of models and ranges of models. Sets @is_in if @model is in it. */
static bool take_models(struct line *line, unsigned int model, bool *is_in)
{
	uint64_t first, last;

	if (*line->at == '*') {
		*is_in = true;
		line->at++;
		return true;
	}
	for (*is_in = false;; line->at++) {
		if (!take_hex(line, 8, &first))
			return false;
		last = first;
		if (*line->at == '-') {
			line->at++;
			if (!take_hex(line, 8, &last) || last < first)
				return false;
		}
		*is_in |= model >= first && model <= last;
		if (*line->at != ',')
			return true;
	}
}

/* The list is in the folder of the index. */
static bool is_file_name(const char *name)
{
	return *name && *name != '.' &&
	       strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-_.") ==
	       strlen(name);
}

/* Return: 1: the line is that of the processor; 0: it is not; -EINVAL. */
static int parse_choice(struct line *line, const struct processor *processor,
			char file[ALLOWLIST_FILE])
{
	char vendor[LINE_MAX_LENGTH];
	uint64_t family;
	bool is_model;

	if (!*line->at || *line->at == '#')
		return 0;
	take_word(line, " \t", vendor, sizeof(vendor));
	skip_blanks(line);
	if (!take_hex(line, 16, &family) || !is_blank(*line->at))
		return -EINVAL;
	skip_blanks(line);
	if (!take_models(line, processor->model, &is_model) ||
	    !is_blank(*line->at))
		return -EINVAL;
	skip_blanks(line);
	take_word(line, " \t#", file, ALLOWLIST_FILE);
	skip_blanks(line);
	if (!is_file_name(file) || (*line->at && *line->at != '#'))
		return -EINVAL;
	return is_model && family == processor->family &&
	       !strcmp(vendor, processor->vendor);
}

int allowlist_choose(const char *text, size_t size,
		     const struct processor *processor,
		     char file[ALLOWLIST_FILE], unsigned int *line)
{
	const char *end = text + size;
	struct line each;
	int result;

	for (*line = 1; text < end; (*line)++) {
		result = take_line(&each, &text, end) ?
			 parse_choice(&each, processor, file) : -EINVAL;
		if (result)
			return result < 0 ? result : 0;
	}
	return -ENOENT;
}
