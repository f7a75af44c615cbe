/* SPDX-License-Identifier: GPL-2.0 */
/* Interface to help.c: usage of the tool and of its commands. */
#ifndef KERMON_HELP_H
#define KERMON_HELP_H

#include <stdio.h>

#include "command.h"

/* Print the commands by groups. */
void help_commands(FILE *out);

/* Print the help of a command to standard output. */
void help_print(const struct command *command);

#endif /* KERMON_HELP_H */
