// SPDX-License-Identifier: GPL-2.0
/*
 * Print the data of tracepoints with libtraceevent.
 *
 * libtraceevent trusts descriptions and data: it recurses as deeply as they are nested,
 * divides by values in them, and reads where a description says that a field is.
 * Therefore descriptions are checked first and tried out in a child process, which may
 * crash; and data is copied to a buffer that covers everything a description may refer
 * to.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <traceevent/event-parse.h>
#include <traceevent/trace-seq.h>
#include <unistd.h>

#include "tracepoints.h"
#include "util/cursor.h"

/* Nested parentheses, and consecutive operators. */
#define MOST_NESTED	64
#define MOST_OPERATORS	64

/* The kernel's formats have up to about 20 KB. */
#define LONGEST_FORMAT	(256U << 10)

/* The descriptions of all of the kernel's tracepoints take about 50 ms. */
#define MOST_SECONDS	5

/* Maximum offset and maximum length of a field; also the maximum length of a record. */
#define LARGEST_OFFSET	(64 << 10)
#define ROOM		(5 * LARGEST_OFFSET)

/**
 * struct tracepoints - the tracepoints of a recording
 * @tep: libtraceevent's parsed descriptions
 * @text: of the sample that was printed last
 * @data: ROOM bytes: @used bytes of the sample, and zeros
 */
struct tracepoints {
	struct tep_handle *tep;
	struct trace_seq text;
	char *data;
	size_t used;
};

/* State of checking a description, up to the current character. */
struct scan {
	unsigned int nested;
	unsigned int operators;
	bool quoted;
	bool divides;
};

/* Whether libtraceevent can safely handle the description up to this character. */
static bool is_harmless(struct scan *scan, char c)
{
	if (scan->divides && !isspace((unsigned char)c)) {
		scan->divides = false;
		if (c < '1' || c > '9')
			return false;
	}
	if (strchr("([{", c))
		scan->nested++;
	else if (strchr(")]}", c) && scan->nested)
		scan->nested--;
	if (strchr(",;\n", c))
		scan->operators = 0;
	else if (strchr("?:+-*/%&|^<=>!~", c))
		scan->operators++;
	scan->divides = c == '/' || c == '%';
	return scan->nested <= MOST_NESTED && scan->operators <= MOST_OPERATORS;
}

/* Reject deep nesting, division by variables, and lengths taken from data. */
static bool is_sound(const char *format, size_t size)
{
	struct scan scan = { 0 };

	if (size > LONGEST_FORMAT || memchr(format, '\0', size) ||
	    memmem(format, size, "__print_hex", 11) ||
	    memmem(format, size, "__print_array", 13))
		return false;
	for (size_t i = 0; i < size; i++) {
		if (format[i] == '"' && i && format[i - 1] != '\\')
			scan.quoted = !scan.quoted;
		else if (!scan.quoted && !is_harmless(&scan, format[i]))
			return false;
	}
	return true;
}

static bool has_room(const struct tep_format_field *field)
{
	for (; field; field = field->next)
		if (field->offset < 0 || field->offset > LARGEST_OFFSET ||
		    field->size < 0 || field->size > LARGEST_OFFSET)
			return false;
	return true;
}

/* Whether all fields of all tracepoints fit in the buffer. */
static bool have_room(struct tep_handle *tep)
{
	struct tep_event *event;

	for (int i = 0; (event = tep_get_event(tep, i)); i++)
		if (!has_room(event->format.common_fields) ||
		    !has_room(event->format.fields))
			return false;
	return true;
}

/* A piece of data preceded by its size; NULL: none, or truncated. */
static const char *take_piece(struct cursor *c, size_t *size)
{
	*size = cursor_u64(c);
	return (const char *)cursor_take(c, *size);
}

static void take_event(struct tep_handle *tep, struct cursor *c,
		       const char *system)
{
	size_t size;
	const char *format = take_piece(c, &size);

	if (format && is_sound(format, size))
		tep_parse_event(tep, format, size, system);
}

static void take_systems(struct tep_handle *tep, struct cursor *c)
{
	uint32_t systems = cursor_u32(c);
	const char *system;
	uint32_t nr;

	for (; systems && !c->failed; systems--) {
		system = cursor_text(c);
		for (nr = cursor_u32(c); nr && !c->failed; nr--)
			take_event(tep, c, system);
	}
}

/* Skip the formats of ftrace's own events, which perf does not record. */
static void pass_ftrace(struct cursor *c)
{
	size_t size;
	uint32_t nr;

	for (nr = cursor_u32(c); nr && !c->failed; nr--)
		take_piece(c, &size);
}

/* Skip "header_page" and "header_event", which describe ftrace's buffers. */
static void pass_headers(struct cursor *c)
{
	size_t size;

	for (int i = 0; i < 2; i++) {
		cursor_text(c);
		take_piece(c, &size);
	}
}

/* { magic, version, byte order, size of a long, page size, pieces... } */
static void take_all(struct tep_handle *tep, struct cursor *c)
{
	static const char magic[] = "\x17\x08\x44tracing";
	const unsigned char *bytes = cursor_take(c, sizeof(magic) - 1);
	const unsigned char *sizes;

	if (!bytes || memcmp(bytes, magic, sizeof(magic) - 1))
		return;
	cursor_text(c);
	sizes = cursor_take(c, 2);
	if (!sizes || sizes[1] > sizeof(uint64_t))
		return;
	c->swapped = sizes[0] != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	tep_set_file_bigendian(tep, sizes[0] ? TEP_BIG_ENDIAN :
						TEP_LITTLE_ENDIAN);
	tep_set_long_size(tep, sizes[1]);
	tep_set_page_size(tep, cursor_u32(c));
	pass_headers(c);
	pass_ftrace(c);
	take_systems(tep, c);
}

/* Return: NULL if out of memory, or a field does not fit in the buffer. */
static struct tep_handle *describe(const unsigned char *bytes, size_t size)
{
	struct tep_handle *tep = tep_alloc();
	struct cursor c = cursor_of(bytes, size);

	if (!tep)
		return NULL;
	tep_set_loglevel(TEP_LOG_NONE);
	tep_set_local_bigendian(tep, __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ?
					     TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	take_all(tep, &c);
	if (have_room(tep))
		return tep;
	tep_free(tep);
	return NULL;
}

/* Bytes of the fields that are always present. */
static size_t size_of(const struct tep_event *event)
{
	const struct tep_format_field *field;
	size_t size = 0;

	for (field = event->format.fields; field; field = field->next)
		if ((size_t)field->offset + field->size > size)
			size = field->offset + field->size;
	return size;
}

static void print(struct tep_handle *tep, struct trace_seq *seq, char *data,
		  size_t size, uint32_t cpu)
{
	struct tep_record record = { .cpu = cpu, .size = size, .data = data };

	trace_seq_reset(seq);
	tep_print_event(tep, seq, &record, "%s", TEP_PRINT_INFO);
	trace_seq_terminate(seq);
}

/*
 * Do everything that is ever done with descriptions, with data of all zeros and all
 * ones.
 */
static void try_all(const unsigned char *bytes, size_t size)
{
	struct tep_handle *tep = describe(bytes, size);
	struct tep_event *event;
	struct trace_seq seq;
	char *data = malloc(ROOM);

	if (!tep || !data)
		return;
	trace_seq_init(&seq);
	for (int bits = 0; bits <= 0xff; bits += 0xff) {
		memset(data, 0, ROOM);
		for (int i = 0; (event = tep_get_event(tep, i)); i++) {
			memset(data, bits, size_of(event));
			memcpy(data, &event->id, sizeof(uint16_t));
			print(tep, &seq, data, size_of(event), 0);
		}
	}
}

/* Runs in a child process, which may crash or reach its time limit. */
static _Noreturn void try_and_end(const unsigned char *bytes, size_t size)
{
	static const int fatal[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
	const struct rlimit no_core = { 0 };
	const struct rlimit time = { MOST_SECONDS, MOST_SECONDS };

	setrlimit(RLIMIT_CORE, &no_core);
	setrlimit(RLIMIT_CPU, &time);
	for (size_t i = 0; i < sizeof(fatal) / sizeof(fatal[0]); i++)
		signal(fatal[i], SIG_DFL);
	close(STDOUT_FILENO);
	close(STDERR_FILENO);
	try_all(bytes, size);
	_exit(0);
}

/* Whether libtraceevent can handle untrusted descriptions. */
static bool are_survived(const unsigned char *bytes, size_t size)
{
	pid_t child = fork();
	int status;

	if (!child)
		try_and_end(bytes, size);
	while (child > 0 && waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return false;
	return child > 0 && WIFEXITED(status) && !WEXITSTATUS(status);
}

struct tracepoints *tracepoints_new(const unsigned char *bytes, size_t size)
{
	struct tracepoints *tracepoints = calloc(1, sizeof(*tracepoints));

	if (!tracepoints)
		return NULL;
	trace_seq_init(&tracepoints->text);
	tracepoints->data = calloc(1, ROOM);
	if (!tracepoints->data) {
		tracepoints_free(tracepoints);
		return NULL;
	}
	if (size && are_survived(bytes, size))
		tracepoints->tep = describe(bytes, size);
	return tracepoints;
}

bool tracepoints_are_known(const struct tracepoints *tracepoints)
{
	return tracepoints->tep;
}

void tracepoints_free(struct tracepoints *tracepoints)
{
	if (!tracepoints)
		return;
	if (tracepoints->tep)
		tep_free(tracepoints->tep);
	trace_seq_destroy(&tracepoints->text);
	free(tracepoints->data);
	free(tracepoints);
}

static void copy_data(struct tracepoints *tracepoints,
		      const struct sample *sample)
{
	if (tracepoints->used > sample->raw_size)
		memset(tracepoints->data + sample->raw_size, 0,
		       tracepoints->used - sample->raw_size);
	memcpy(tracepoints->data, sample->raw, sample->raw_size);
	tracepoints->used = sample->raw_size;
}

ssize_t tracepoints_text(struct tracepoints *tracepoints, uint64_t id,
			 const struct sample *sample, const char **text)
{
	struct trace_seq *seq = &tracepoints->text;
	struct tep_event *event;

	if (!tracepoints->tep || !sample->raw ||
	    sample->raw_size > LARGEST_OFFSET)
		return 0;
	event = tep_find_event(tracepoints->tep, id);
	if (!event || size_of(event) > sample->raw_size)
		return 0;
	copy_data(tracepoints, sample);
	print(tracepoints->tep, seq, tracepoints->data, sample->raw_size,
	      sample->cpu);
	*text = seq->buffer;
	return seq->state == TRACE_SEQ__GOOD ? (ssize_t)seq->len : -ENOMEM;
}
