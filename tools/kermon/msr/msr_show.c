// SPDX-License-Identifier: GPL-2.0
/* Prints registers, as text and JSON. */
#define _GNU_SOURCE
#include <kermon/text.h>
#include <stdio.h>
#include <string.h>

#include "msr.h"
#include "ui/command.h"
#include "ui/json.h"
#include "ui/message.h"

#define HEX_SIZE	24

static const struct kermon_msr_entry *entry_of(const struct msr_request *request,
					       uint32_t reg)
{
	const struct kermon_msr_entry *entry;

	for (size_t i = 0; (entry = kermon_msr_entry(request->msr, i)); i++)
		if (entry->reg == reg)
			break;
	return entry;
}

static const char *name_of(const struct msr_request *request, uint32_t reg)
{
	const struct kermon_msr_entry *entry = entry_of(request, reg);

	return entry ? entry->name : "";
}

static const char *hex(uint64_t value, int digits, char text[HEX_SIZE])
{
	snprintf(text, HEX_SIZE, "0x%0*llx", digits, (unsigned long long)value);
	return text;
}

static void json_hex(struct json *json, const char *name, uint64_t value,
		     int digits)
{
	char text[HEX_SIZE];

	json_text(json, name, hex(value, digits, text));
}

static void json_register(struct json *json, const struct msr_request *request,
			  const struct kermon_msr_op *op)
{
	json_number(json, "cpu", op->cpu);
	json_text(json, "name", name_of(request, op->reg));
	json_hex(json, "register", op->reg, 1);
}

/* Width of the column of names. */
static int name_width(const struct msr_request *request,
		      const struct kermon_msr_op *ops, size_t nr)
{
	int width = strlen("name"), length;

	for (size_t i = 0; i < nr; i++) {
		length = strlen(name_of(request, ops[i].reg));
		if (length > width)
			width = length;
	}
	return width;
}

static bool any_succeeded(const struct kermon_msr_op *ops, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (!ops[i].error)
			return true;
	return false;
}

static void text_values(const struct msr_request *request,
			const struct kermon_msr_op *ops, size_t nr)
{
	const int width = name_width(request, ops, nr);
	const struct kermon_msr_op *op;

	if (!any_succeeded(ops, nr))
		return;
	printf("CPU  %-*s  %-10s  value\n", width, "name", "register");
	for (op = ops; op < ops + nr; op++)
		if (!op->error)
			printf("%3u  %-*s  %#-10x  0x%016llx\n", op->cpu, width,
			       name_of(request, op->reg), op->reg,
			       (unsigned long long)op->value);
}

void msr_show_values(const struct msr_request *request,
		     const struct kermon_msr_op *ops, size_t nr)
{
	struct json json = { .out = stdout };
	const struct kermon_msr_op *op;

	if (!request->json) {
		text_values(request, ops, nr);
		return;
	}
	json_begin_array(&json, NULL);
	for (op = ops; op < ops + nr; op++) {
		if (op->error)
			continue;
		json_begin_object(&json, NULL);
		json_register(&json, request, op);
		json_hex(&json, "value", op->value, 16);
		json_end_object(&json);
	}
	json_end_array(&json);
}

static void text_writes(const struct msr_request *request,
			const struct kermon_msr_op *ops,
			const struct kermon_msr_op *writes, size_t nr)
{
	char before[HEX_SIZE], after[HEX_SIZE];

	if (!any_succeeded(writes, nr))
		return;
	for (size_t i = 0; i < nr; i++)
		if (!writes[i].error)
			printf("CPU %u: %s (0x%x) was %s, is %s\n", ops[i].cpu,
			       name_of(request, ops[i].reg), ops[i].reg,
			       hex(ops[i].value, 16, before),
			       hex(writes[i].value, 16, after));
	printf("The value is kept until 'kermon msr restore'.\n");
}

void msr_show_writes(const struct msr_request *request,
		     const struct kermon_msr_op *ops,
		     const struct kermon_msr_op *writes, size_t nr)
{
	struct json json = { .out = stdout };

	if (!request->json) {
		text_writes(request, ops, writes, nr);
		return;
	}
	json_begin_array(&json, NULL);
	for (size_t i = 0; i < nr; i++) {
		if (writes[i].error)
			continue;
		json_begin_object(&json, NULL);
		json_register(&json, request, &writes[i]);
		json_hex(&json, "before", ops[i].value, 16);
		json_hex(&json, "value", writes[i].value, 16);
		json_end_object(&json);
	}
	json_end_array(&json);
}

void msr_show_restored(const struct msr_request *request, unsigned int nr)
{
	struct json json = { .out = stdout };

	if (!request->json) {
		if (nr)
			printf("Restored %u register%s.\n", nr,
			       kermon_plural(nr));
		else
			printf("No register was left to restore.\n");
		return;
	}
	json_begin_object(&json, NULL);
	json_number(&json, "restored", nr);
	json_end_object(&json);
}

static void json_entry(struct json *json, const struct kermon_msr_entry *entry)
{
	json_begin_object(json, NULL);
	json_text(json, "name", entry->name);
	json_hex(json, "register", entry->reg, 1);
	json_hex(json, "write_mask", entry->mask, 16);
	json_hex(json, "zero_mask", entry->zero, 16);
	json_text(json, "about", entry->about);
	json_end_object(json);
}

static void text_entry(const struct kermon_msr_entry *entry)
{
	char mask[HEX_SIZE];

	printf("%-28s  %#-10x  %-18s  %s\n", entry->name, entry->reg,
	       entry->mask ? hex(entry->mask, 16, mask) : "read only",
	       entry->about);
}

int msr_show_list(const struct msr_request *request, const char *pattern)
{
	struct json json = { .out = stdout };
	const struct kermon_msr_entry *entry;
	struct kermon_msr_info info;
	unsigned int shown = 0;

	kermon_msr_info(request->msr, &info);
	if (request->json)
		json_begin_array(&json, NULL);
	for (size_t i = 0; (entry = kermon_msr_entry(request->msr, i)); i++) {
		if (pattern && !strcasestr(entry->name, pattern))
			continue;
		if (request->json)
			json_entry(&json, entry);
		else if (!shown)
			printf("Registers of %s:\n%-28s  %-10s  %-18s  %s\n",
			       info.list, "name", "register", "bits to write",
			       "what for");
		if (!request->json)
			text_entry(entry);
		shown++;
	}
	if (request->json)
		json_end_array(&json);
	if (shown || !pattern)
		return STATUS_OK;
	message(request->command->name, "no register has '%s' in its name",
		pattern);
	return STATUS_FAILED;
}
