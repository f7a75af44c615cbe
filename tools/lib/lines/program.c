// SPDX-License-Identifier: GPL-2.0
/* Execute line number programs of .debug_line. */
#include <dwarf.h>
#include <errno.h>

#include "cursor_leb.h"
#include "program.h"

#define LONG_FORMAT	0xffffffff

/* Large files have millions of opcodes: inline, to keep rows in registers. */
#define INLINE		inline __attribute__((always_inline))

/* The fields between the length of a program and its tables. */
static bool take_header(struct cursor *c, struct line_program *program)
{
	uint64_t tables;

	program->version = cursor_u16(c);
	if (program->version < 2 || program->version > 5)
		return false;
	if (program->version == 5)
		cursor_take(c, 2);	/* address size, segment selector size */
	tables = cursor_offset(c, program->offset_size);
	program->code = *c;
	if (!cursor_take(&program->code, tables))
		return false;
	program->step = cursor_u8(c);
	if (program->version >= 4 && cursor_u8(c) != 1)
		return false;		/* VLIW: several operations per instruction */
	cursor_u8(c);			/* default_is_stmt */
	program->line_base = cursor_u8(c);
	program->line_range = cursor_u8(c);
	program->opcode_base = cursor_u8(c);
	if (!program->opcode_base || !program->line_range)
		return false;
	program->reciprocal = ((1U << 16) - 1) / program->line_range + 1;
	program->lengths = cursor_take(c, program->opcode_base - 1);
	program->tables = *c;
	return program->lengths && program->tables.at <= program->code.at;
}

bool line_program_open(struct cursor *at, struct line_program *program)
{
	const unsigned char *body;
	struct cursor c;
	uint64_t size;

	*program = (struct line_program){ .offset_size = 4 };
	size = cursor_u32(at);
	if (size == LONG_FORMAT) {
		program->offset_size = 8;
		size = cursor_u64(at);
	}
	body = cursor_take(at, size);
	if (!body)
		return false;
	c = cursor_of(body, size);
	c.swapped = at->swapped;
	return take_header(&c, program);
}

static INLINE void take_extended(struct cursor *c, struct line_row *row)
{
	uint64_t size = cursor_uleb(c);
	const unsigned char *body = cursor_take(c, size);
	struct cursor inside;

	if (!body || !size)
		return;
	inside = cursor_of(body, size);
	inside.swapped = c->swapped;
	switch (cursor_u8(&inside)) {
	case DW_LNE_end_sequence:
		row->is_end = 1;
		break;
	case DW_LNE_set_address:
		row->address = cursor_offset(&inside, size - 1);
		break;
	}
}

static void skip_operands(const struct line_program *program, struct cursor *c,
			  uint8_t opcode)
{
	for (uint8_t nr = program->lengths[opcode - 1]; nr; nr--)
		cursor_uleb(c);
}

/* Execute a standard opcode. Return: whether it emits a row. */
static INLINE bool take_standard(const struct line_program *program, struct cursor *c,
			  uint8_t opcode, struct line_row *row)
{
	switch (opcode) {
	case DW_LNS_copy:
		return true;
	case DW_LNS_advance_pc:
		row->address += cursor_uleb(c) * program->step;
		return false;
	case DW_LNS_advance_line:
		row->line += cursor_sleb(c);
		return false;
	case DW_LNS_set_file:
		row->file = cursor_uleb(c);
		return false;
	case DW_LNS_set_column:
	case DW_LNS_set_isa:
		cursor_uleb(c);
		return false;
	case DW_LNS_negate_stmt:
	case DW_LNS_set_basic_block:
	case DW_LNS_set_prologue_end:
	case DW_LNS_set_epilogue_begin:
		return false;
	case DW_LNS_const_add_pc:
		row->address += (255 - program->opcode_base) /
				program->line_range * program->step;
		return false;
	case DW_LNS_fixed_advance_pc:
		row->address += cursor_u16(c);
		return false;
	default:
		skip_operands(program, c, opcode);
		return false;
	}
}

static INLINE void take_special(const struct line_program *program, uint8_t opcode,
			 struct line_row *row)
{
	uint8_t number = opcode - program->opcode_base;

	uint8_t steps = number * program->reciprocal >> 16;

	row->address += (uint64_t)steps * program->step;
	row->line += program->line_base + number - steps * program->line_range;
}

static const struct line_row first_row = { .file = 1, .line = 1 };

/* Continue to the next row. Return: false at the end. */
static INLINE bool step(const struct line_program *program, struct cursor *code,
			struct line_row *row)
{
	uint8_t opcode;

	while (!code->failed && code->at < code->end) {
		opcode = *code->at++;
		if (opcode >= program->opcode_base) {
			take_special(program, opcode, row);
			return true;
		}
		if (!opcode)
			take_extended(code, row);
		if (row->is_end ||
		    (opcode && take_standard(program, code, opcode, row)))
			return true;
	}
	return false;
}

bool line_program_start(const struct line_program *program, uint64_t *start)
{
	struct line_row row = first_row;
	struct cursor at = program->code;
	bool is_row = step(program, &at, &row);

	*start = row.address;
	return is_row;
}

bool line_program_skip(const struct line_program *program, struct cursor *code,
		       uint64_t *start, uint64_t *end)
{
	const struct line_program local = *program;
	struct line_row row = first_row;
	struct cursor at = *code;
	bool is_row = step(&local, &at, &row);

	*start = row.address;
	while (is_row && !row.is_end)
		is_row = step(&local, &at, &row);
	*end = row.address;
	*code = at;
	return is_row;
}

int line_program_run(const struct line_program *program, struct cursor code,
		     line_row_fn take, void *context)
{
	struct line_row row = first_row;
	int err = 0;

	while (!err && !row.is_end && step(program, &code, &row))
		err = take(context, &row);
	return err;
}
