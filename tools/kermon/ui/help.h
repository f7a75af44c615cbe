/* SPDX-License-Identifier: GPL-2.0 */
/* What the tool tells about its commands and their options. */
#ifndef KERMON_HELP_H
#define KERMON_HELP_H

#include <stdio.h>

#include "command.h"

/* The commands, by what people do with them. */
void help_commands(FILE *out);

/* The whole help of a command, to standard output. */
void help_print(const struct command *command);

#endif /* KERMON_HELP_H */
