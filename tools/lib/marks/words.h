/* SPDX-License-Identifier: GPL-2.0 */
/* Kinds of marks and of names in words: those that tracepoints use. */
#ifndef KERMON_MARKS_WORDS_H
#define KERMON_MARKS_WORDS_H

#include "ring.h"

/* By enum mark; NULL: the kind is in no file. */
extern const char *const mark_words[MARK_MAX];

/* By enum mark_name. */
extern const char *const mark_name_words[MARK_NAME_MAX];

#endif /* KERMON_MARKS_WORDS_H */
