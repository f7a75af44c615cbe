// SPDX-License-Identifier: GPL-2.0
/*
 * Convert records from the other byte order in place, according to the table of record
 * types.
 */
#include <stdbool.h>
#include <string.h>

#include "perfdata/format/format.h"
#include "swap.h"

/* The part of a record that has not been converted yet. */
struct rest {
	unsigned char *at;
	unsigned char *end;
};

/* The next @size bytes; NULL if there are fewer, and from then on. */
static unsigned char *take(struct rest *rest, uint64_t size)
{
	unsigned char *taken = rest->at;

	if (size > (uint64_t)(rest->end - rest->at)) {
		rest->at = rest->end;
		return NULL;
	}
	rest->at += size;
	return taken;
}

static uint16_t swap_u16(struct rest *rest)
{
	unsigned char *at = take(rest, sizeof(uint16_t));
	uint16_t value;

	if (!at)
		return 0;
	memcpy(&value, at, sizeof(value));
	value = __builtin_bswap16(value);
	memcpy(at, &value, sizeof(value));
	return value;
}

static uint32_t swap_u32(struct rest *rest)
{
	unsigned char *at = take(rest, sizeof(uint32_t));
	uint32_t value;

	if (!at)
		return 0;
	memcpy(&value, at, sizeof(value));
	value = __builtin_bswap32(value);
	memcpy(at, &value, sizeof(value));
	return value;
}

static uint64_t swap_u64(struct rest *rest)
{
	unsigned char *at = take(rest, sizeof(uint64_t));
	uint64_t value;

	if (!at)
		return 0;
	memcpy(&value, at, sizeof(value));
	value = __builtin_bswap64(value);
	memcpy(at, &value, sizeof(value));
	return value;
}

static void swap_u32s(struct rest *rest, unsigned int nr)
{
	while (nr--)
		swap_u32(rest);
}

static void swap_u64s(struct rest *rest, uint64_t nr)
{
	for (; nr && rest->at < rest->end; nr--)
		swap_u64(rest);
}

void swap_words(unsigned char *words, size_t nr)
{
	struct rest rest = { words, words + nr * sizeof(uint64_t) };

	swap_u64s(&rest, nr);
}

/* Bit fields are allocated from the other end of each byte: reverse the bits. */
static void mirror_bits(struct rest *rest)
{
	unsigned char *at = take(rest, sizeof(uint64_t));
	unsigned char mirrored;

	for (size_t i = 0; at && i < sizeof(uint64_t); i++) {
		mirrored = 0;
		for (unsigned int bit = 0; bit < 8; bit++)
			if (at[i] & 1 << bit)
				mirrored |= 0x80 >> bit;
		at[i] = mirrored;
	}
}

/* precise_ip has two bits, 15 and 16, whose order must be kept. */
static void mend_precise_ip(unsigned char *flags)
{
	unsigned int low = flags[1] >> 7, high = flags[2] & 1;

	flags[1] = (flags[1] & 0x7f) | high << 7;
	flags[2] = (flags[2] & 0xfe) | low;
}

void swap_attr(unsigned char *attr, size_t size)
{
	struct rest rest = { attr, attr + size };
	unsigned char *flags;

	swap_u32s(&rest, 2);		/* type, size */
	swap_u64s(&rest, 4);		/* config, period, types, formats */
	flags = rest.at;
	mirror_bits(&rest);
	if (rest.at == flags + sizeof(uint64_t))
		mend_precise_ip(flags);
	swap_u32s(&rest, 2);		/* wakeup, bp_type */
	swap_u64s(&rest, 4);		/* config1, 2, branches, user registers */
	swap_u32s(&rest, 2);		/* user stack, clockid */
	swap_u64(&rest);		/* registers */
	swap_u32(&rest);		/* aux_watermark */
	swap_u16(&rest);		/* sample_max_stack */
	swap_u16(&rest);
	swap_u32s(&rest, 2);		/* aux_sample_size */
	swap_u64s(&rest, UINT64_MAX);	/* sig_data, config3 and later ones */
}

/* The fields of enum perf_event_sample_format up to PERIOD. */
static void swap_identity(struct rest *rest, uint64_t type)
{
	swap_u64s(rest, !!(type & PERF_SAMPLE_IDENTIFIER));
	swap_u64s(rest, !!(type & PERF_SAMPLE_IP));
	swap_u32s(rest, type & PERF_SAMPLE_TID ? 2 : 0);
	swap_u64s(rest, !!(type & PERF_SAMPLE_TIME));
	swap_u64s(rest, !!(type & PERF_SAMPLE_ADDR));
	swap_u64s(rest, !!(type & PERF_SAMPLE_ID));
	swap_u64s(rest, !!(type & PERF_SAMPLE_STREAM_ID));
	swap_u32s(rest, type & PERF_SAMPLE_CPU ? 2 : 0);
	swap_u64s(rest, !!(type & PERF_SAMPLE_PERIOD));
}

/* The fields appended by sample_id_all: the same in another order. */
static void swap_trailer(struct rest *rest, uint64_t type)
{
	swap_u32s(rest, type & PERF_SAMPLE_TID ? 2 : 0);
	swap_u64s(rest, !!(type & PERF_SAMPLE_TIME));
	swap_u64s(rest, !!(type & PERF_SAMPLE_ID));
	swap_u64s(rest, !!(type & PERF_SAMPLE_STREAM_ID));
	swap_u32s(rest, type & PERF_SAMPLE_CPU ? 2 : 0);
	swap_u64s(rest, !!(type & PERF_SAMPLE_IDENTIFIER));
}

static void swap_read(struct rest *rest, uint64_t format)
{
	uint64_t first = swap_u64(rest);
	unsigned int each = !!(format & PERF_FORMAT_ID) +
			    !!(format & PERF_FORMAT_LOST);

	swap_u64s(rest, !!(format & PERF_FORMAT_TOTAL_TIME_ENABLED));
	swap_u64s(rest, !!(format & PERF_FORMAT_TOTAL_TIME_RUNNING));
	if (!(format & PERF_FORMAT_GROUP)) {
		swap_u64s(rest, each);
		return;
	}
	for (; first && rest->at < rest->end; first--)
		swap_u64s(rest, 1 + each);
}

/* Reverse the fields of struct perf_branch_entry's flags. */
static void swap_branch_flags(struct rest *rest)
{
	static const unsigned char widths[] = { 1, 1, 1, 1, 16, 4, 2, 4, 3, 31 };
	unsigned char *at = rest->at;
	uint64_t from = swap_u64(rest), to = 0;
	unsigned int bit = 0;

	if (rest->at != at + sizeof(from))
		return;
	for (size_t i = 0; i < sizeof(widths); i++) {
		to |= (from >> (64 - bit - widths[i]) &
		       ((1ULL << widths[i]) - 1)) << bit;
		bit += widths[i];
	}
	memcpy(at, &to, sizeof(to));
}

static void swap_branches(struct rest *rest, uint64_t type)
{
	uint64_t nr = swap_u64(rest);

	swap_u64s(rest, !!(type & PERF_SAMPLE_BRANCH_HW_INDEX));
	for (uint64_t i = 0; i < nr && rest->at < rest->end; i++) {
		swap_u64s(rest, 2);
		swap_branch_flags(rest);
	}
	if (type & SAMPLE_BRANCH_COUNTERS)
		swap_u64s(rest, nr);
}

static void swap_regs(struct rest *rest, uint64_t mask)
{
	if (swap_u64(rest))
		swap_u64s(rest, __builtin_popcountll(mask));
}

static void swap_stack(struct rest *rest)
{
	uint64_t size = swap_u64(rest);

	if (!size)
		return;
	take(rest, size);
	swap_u64(rest);
}

static void swap_sample(struct rest *rest, const struct perf_event_attr *attr)
{
	uint64_t type = attr->sample_type;

	swap_identity(rest, type);
	if (type & PERF_SAMPLE_READ)
		swap_read(rest, attr->read_format);
	if (type & PERF_SAMPLE_CALLCHAIN)
		swap_u64s(rest, swap_u64(rest));
	if (type & PERF_SAMPLE_RAW)
		take(rest, swap_u32(rest));
	if (type & PERF_SAMPLE_BRANCH_STACK)
		swap_branches(rest, attr->branch_sample_type);
	if (type & PERF_SAMPLE_REGS_USER)
		swap_regs(rest, attr->sample_regs_user);
	if (type & PERF_SAMPLE_STACK_USER)
		swap_stack(rest);
	swap_u64s(rest, !!(type & PERF_SAMPLE_WEIGHT_TYPE));
	swap_u64s(rest, !!(type & PERF_SAMPLE_DATA_SRC));
	swap_u64s(rest, !!(type & PERF_SAMPLE_TRANSACTION));
	if (type & PERF_SAMPLE_REGS_INTR)
		swap_regs(rest, attr->sample_regs_intr);
	swap_u64s(rest, !!(type & PERF_SAMPLE_PHYS_ADDR));
	swap_u64s(rest, !!(type & PERF_SAMPLE_CGROUP));
	swap_u64s(rest, !!(type & PERF_SAMPLE_DATA_PAGE_SIZE));
	swap_u64s(rest, !!(type & PERF_SAMPLE_CODE_PAGE_SIZE));
	if (type & PERF_SAMPLE_AUX)
		take(rest, swap_u64(rest));
}

/* The attr contains its own length. */
static void swap_attr_field(struct rest *rest)
{
	struct rest peek = { rest->at, rest->end };
	unsigned char *size_at, *attr;
	uint32_t size;

	take(&peek, sizeof(uint32_t));
	size_at = take(&peek, sizeof(size));
	if (!size_at)
		return;
	memcpy(&size, size_at, sizeof(size));
	size = __builtin_bswap32(size);
	attr = take(rest, size ? size : PERF_ATTR_SIZE_VER0);
	if (attr)
		swap_attr(attr, size ? size : PERF_ATTR_SIZE_VER0);
}

/* u16 nr, u16 bytes per word and, if that is 8, padding; then words. */
static void swap_mask(struct rest *rest)
{
	bool wide;

	swap_u16(rest);
	wide = swap_u16(rest) == sizeof(uint64_t);
	if (wide)
		take(rest, 4);
	while (rest->at < rest->end)
		wide ? (void)swap_u64(rest) : (void)swap_u32(rest);
}

/* u16 type; a range begins with two single bytes, a list consists of u16 only. */
static void swap_cpus(struct rest *rest)
{
	switch (swap_u16(rest)) {
	case PERFDATA_CPUS_MASK:
		swap_mask(rest);
		break;
	case PERFDATA_CPUS_RANGE:
		take(rest, 2);
		swap_u16(rest);
		swap_u16(rest);
		break;
	case PERFDATA_CPUS_LIST:
		while (rest->at < rest->end)
			swap_u16(rest);
		break;
	}
}

/* Names and units are text, scales are words. */
static void swap_update(struct rest *rest, uint64_t what)
{
	if (what == PERFDATA_UPDATE_SCALE)
		swap_u64(rest);
	else if (what == PERFDATA_UPDATE_CPUS)
		swap_cpus(rest);
}

static void swap_field(struct rest *rest, const struct data_field *field,
		       uint64_t first)
{
	switch (field->kind) {
	case DATA_U16:
		swap_u16(rest);
		break;
	case DATA_U32:
	case DATA_S32:
		swap_u32(rest);
		break;
	case DATA_U64:
	case DATA_S64:
	case DATA_HEX:
	case DATA_TIME:
		swap_u64(rest);
		break;
	case DATA_WORDS:
		swap_u64s(rest, UINT64_MAX);
		break;
	case DATA_ATTR:
		swap_attr_field(rest);
		break;
	case DATA_CPUS:
		swap_cpus(rest);
		break;
	case DATA_UPDATE:
		swap_update(rest, first);
		break;
	case DATA_U8:
		take(rest, 1);
		break;
	default:
		take(rest, field->size ? field->size :
					 rest->end - rest->at);
	}
}

static void swap_counted(struct rest *rest, const struct data_field *counted,
			 uint64_t nr)
{
	for (; nr && rest->at < rest->end; nr--)
		for (unsigned int i = 1; i <= counted->size; i++)
			swap_field(rest, &counted[i], 0);
}

static void swap_fields(struct rest *rest, const struct data_field *fields)
{
	const struct data_field *field = fields, *again = NULL;
	unsigned char *begin = rest->at;
	uint64_t first = 0;

	while (rest->at < rest->end) {
		if (field->kind == DATA_COUNTED) {
			swap_counted(rest, field, first);
			field += 1 + field->size;
		}
		if (field->kind == DATA_NEWER)
			field++;
		if (field->kind == DATA_REPEAT)
			again = ++field;
		if (field->kind == DATA_END && again)
			field = again;
		if (field->kind == DATA_END)
			return;
		swap_field(rest, field++, first);
		if (rest->at == begin + sizeof(first))
			memcpy(&first, begin, sizeof(first));
	}
}

static void swap_header(unsigned char *record)
{
	struct perf_event_header header = record_header(record, true);

	memcpy(record, &header, sizeof(header));
}

void swap_record(unsigned char *record, size_t size,
		 const struct perf_event_attr *attr)
{
	struct rest rest = { record + sizeof(struct perf_event_header),
			     record + size };
	const struct record_type *type;
	struct perf_event_header header;
	size_t trailer = 0;

	swap_header(record);
	memcpy(&header, record, sizeof(header));
	if (header.type == PERF_RECORD_SAMPLE) {
		swap_sample(&rest, attr);
		return;
	}
	type = record_type(header.type, header.misc, record, size);
	if (attr)
		trailer = sample_trailer_size(attr);
	if (trailer > (size_t)(rest.end - rest.at))
		trailer = 0;
	rest.end -= trailer;
	if (type)
		swap_fields(&rest, type->fields);
	rest = (struct rest){ record + size - trailer, record + size };
	if (trailer)
		swap_trailer(&rest, attr->sample_type);
}
