// SPDX-License-Identifier: GPL-2.0
/*
 * The tool, for tests of the collector: runs a command, and prints the marks of its threads.
 *
 * usage: recorder [OPTION]... COMMAND [ARGUMENT]...
 *	-b BYTES	of a ring
 *	-c		with counts
 *	-f N, -l N	first and last iteration
 *	-i, -x, -I PATTERNS	included, excluded, iterations
 *	-n		do not read before the command ends
 *	-p		paused
 *	-q MS		quit after this time, before the command ends
 *	-s		print sums alone
 *	-w		threads wait
 *
 * Threads are T1, T2, ... in the order in which they came, processes P1, P2, ...; what cannot
 * be right is an error, and the exit status is 1. That of a command that fails is 2.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "marks/ring.h"

#define RINGS		1024
#define NAMES		(1 << 16)

struct process {
	int pid;
	char *names[NAMES];
};

struct ring {
	struct process *process;
	int kind;
	int tid;
	int thread;		/* as it is printed */
	const char *records;
	struct ring_head *head;
	uint64_t bytes;
	uint64_t read;
	uint64_t told;		/* losses that MARK_LOST has told */
	uint64_t tsc;
	uint64_t counts;	/* words of counts, by MARK_COUNTED */
	bool is_closed;
	bool has_ended;
};

static struct ring rings[RINGS];
static int nr_rings, nr_threads, nr_processes;
static struct process processes[RINGS];

static char answer[RING_CONFIG_MAX];
static struct ring_config *const config = (struct ring_config *)answer;
static size_t answer_size;

static bool sums_only, read_late;
static int quit_after = -1;
static uint64_t sums[MARK_MAX];
static int errors;

static const char *const kinds[MARK_MAX] = {
	"none", "begin", "end", "event", "value", "value", "open", "close", "frame", "counter",
	"pause", "resume", "skip", "counted", "lost", "closed",
};

static const char *const kinds_of_names[] = {
	"region", "task", "event", "frame", "counter", "value", "domain", "thread",
};

__attribute__((format(printf, 1, 2))) static void wrong(const char *format, ...)
{
	va_list list;

	va_start(list, format);
	printf("error: ");
	vprintf(format, list);
	printf("\n");
	va_end(list);
	errors++;
}

__attribute__((noreturn)) static void die(const char *what)
{
	perror(what);
	exit(2);
}

/* After exec, a process has the same number, and names anew. */
static struct process *process_of(int pid, int kind)
{
	for (int i = nr_processes; i-- && kind == RING_MARKS;) {
		if (processes[i].pid == pid)
			return &processes[i];
	}
	if (kind == RING_MARKS)
		wrong("a thread is before its process");
	processes[nr_processes].pid = pid;
	return &processes[nr_processes++];
}

/* Records may continue at the begin of the ring. */
static void copy(const struct ring *ring, uint64_t at, void *to, size_t size)
{
	const uint64_t from = at & (ring->bytes - 1);
	const size_t first = from + size > ring->bytes ? ring->bytes - from : size;

	memcpy(to, ring->records + from, first);
	memcpy((char *)to + first, ring->records, size - first);
}

static void take_name(struct ring *ring, const struct name_record *name)
{
	struct process *process = ring->process;

	if (!name->id || name->id >= NAMES || process->names[name->id])
		wrong("name %u is not new", name->id);
	else
		process->names[name->id] = strdup(name->name);
	if (sums_only || !getenv("RECORDER_NAMES"))
		return;
	printf("P%d %s %s", (int)(process - processes) + 1, kinds_of_names[name->kind],
	       name->name);
	if (name->domain)
		printf(" of %s", process->names[name->domain]);
	if (name->thread)
		printf(" is %s", name->thread == ring->tid ? "first" : "other");
	printf("\n");
}

static void read_names(struct ring *ring)
{
	const uint64_t head = __atomic_load_n(&ring->head->head, __ATOMIC_ACQUIRE);
	_Alignas(8) char bytes[2048];
	struct name_record *name = (struct name_record *)bytes;

	while (ring->read < head) {
		copy(ring, ring->read, name, sizeof(*name));
		if (name->size % 8 || name->size > sizeof(bytes) ||
		    name->size > head - ring->read || name->size <= sizeof(*name)) {
			wrong("name of %u bytes", name->size);
			break;
		}
		copy(ring, ring->read, name, name->size);
		take_name(ring, name);
		ring->read += name->size;
		__atomic_store_n(&ring->head->tail, ring->read, __ATOMIC_RELEASE);
	}
}

static const char *name_of(const struct ring *ring, uint32_t id)
{
	const char *name = id && id < NAMES ? ring->process->names[id] : NULL;

	if (id && !name)
		wrong("name %u is not known", id);
	return name ? name : "-";
}

static void print_values(const struct mark_record *mark)
{
	double number;

	switch (mark->kind) {
	case MARK_VALUE:
	case MARK_LOST:
		printf(" %llu", (unsigned long long)mark->values[0]);
		break;
	case MARK_VALUE_DOUBLE:
	case MARK_COUNTER:
		memcpy(&number, mark->values, sizeof(number));
		printf(" %g", number);
		break;
	case MARK_OPEN:
		printf(" in %s", mark->values[1] ? "another" : "none");
		break;
	case MARK_FRAME:
		printf(" %s", mark->values[0] <= mark->tsc ? "forward" : "backward");
		break;
	}
}

static void check(struct ring *ring, const struct mark_record *mark)
{
	/* Words without values, with values, with counts. */
	const unsigned int words[MARK_MAX] = {
		[MARK_VALUE] = 3, [MARK_VALUE_DOUBLE] = 3, [MARK_OPEN] = 4, [MARK_CLOSE] = 3,
		[MARK_FRAME] = 3, [MARK_COUNTER] = 3, [MARK_PAUSE] = 2, [MARK_RESUME] = 2,
		[MARK_COUNTED] = 3, [MARK_LOST] = 3,
	};

	if (mark->kind == MARK_NONE || mark->kind >= MARK_MAX)
		wrong("kind %d", mark->kind);
	else if (words[mark->kind] ? mark->words != words[mark->kind] :
		 mark->words != 2 && mark->words != 2 + ring->counts)
		wrong("%s has %d words", kinds[mark->kind], mark->words);
	if (mark->kind == MARK_FRAME)
		return;
	if (mark->tsc < ring->tsc)
		wrong("%s goes back in time", kinds[mark->kind]);
	ring->tsc = mark->tsc;
	if (ring->has_ended)
		wrong("%s after the end", kinds[mark->kind]);
}

static void take_mark(struct ring *ring, const struct mark_record *mark)
{
	const struct mark_counted *counted = (const void *)mark->values;

	check(ring, mark);
	sums[mark->kind < MARK_MAX ? mark->kind : 0]++;
	if (mark->kind == MARK_LOST)
		ring->told += mark->values[0];
	if (mark->kind == MARK_COUNTED)
		ring->counts = 1 + counted->nr_values;
	ring->has_ended = mark->kind == MARK_CLOSED;
	if (sums_only) {
		name_of(ring, mark->id);
		return;
	}
	printf("T%d %s", ring->thread, kinds[mark->kind]);
	if (mark->id)
		printf(" %s", name_of(ring, mark->id));
	print_values(mark);
	printf("\n");
}

/* Names first: those of marks that are there now are there, too. */
static void read_marks(struct ring *ring)
{
	const uint64_t head = __atomic_load_n(&ring->head->head, __ATOMIC_ACQUIRE);
	union {
		struct mark_record mark;
		uint64_t words[256];
	} record;

	for (int i = 0; i < nr_rings; i++) {
		if (rings[i].kind == RING_NAMES)
			read_names(&rings[i]);
	}
	if (head - ring->read > ring->bytes)
		wrong("%llu bytes in a ring", (unsigned long long)(head - ring->read));
	while (ring->read < head) {
		copy(ring, ring->read, &record, 8);
		if (record.mark.words < 2 || record.mark.words * 8 > head - ring->read) {
			wrong("mark of %u words", record.mark.words);
			break;
		}
		copy(ring, ring->read, &record, record.mark.words * 8);
		take_mark(ring, &record.mark);
		ring->read += record.mark.words * 8;
		__atomic_store_n(&ring->head->tail, ring->read, __ATOMIC_RELEASE);
	}
}

static void read_all(void)
{
	for (int i = 0; i < nr_rings; i++) {
		if (rings[i].kind == RING_MARKS)
			read_marks(&rings[i]);
		else
			read_names(&rings[i]);
	}
}

static int receive(int connection, struct ring_hello *hello)
{
	_Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
	struct iovec bytes = { hello, sizeof(*hello) };
	struct msghdr message = {
		.msg_iov = &bytes, .msg_iovlen = 1,
		.msg_control = control, .msg_controllen = sizeof(control),
	};
	struct cmsghdr *rights;
	int fd = -1;

	if (recvmsg(connection, &message, MSG_CMSG_CLOEXEC) != sizeof(*hello))
		return -1;	/* it only asked whether somebody is there */
	rights = CMSG_FIRSTHDR(&message);
	if (rights && rights->cmsg_type == SCM_RIGHTS)
		memcpy(&fd, CMSG_DATA(rights), sizeof(fd));
	if (hello->magic != RING_MAGIC || hello->version != RING_VERSION || fd < 0)
		wrong("a hello that is none");
	return fd;
}

static void map(struct ring *ring, int fd)
{
	const int seals = fcntl(fd, F_GET_SEALS);
	struct stat stat;

	if (fstat(fd, &stat))
		die("fstat");
	if (!(seals & F_SEAL_SHRINK) || !(seals & F_SEAL_GROW))
		wrong("the ring is not sealed");
	ring->bytes = stat.st_size - RING_HEAD_SIZE;
	if (ring->bytes != (ring->kind == RING_NAMES ? RING_NAMES_BYTES : config->ring_bytes))
		wrong("a ring of %llu bytes", (unsigned long long)ring->bytes);
	ring->head = mmap(NULL, stat.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (ring->head == MAP_FAILED)
		die("mmap");
	ring->records = (const char *)ring->head + RING_HEAD_SIZE;
}

static void take_ring(int listener)
{
	const int connection = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
	struct ring *ring = &rings[nr_rings];
	struct ring_hello hello;
	int fd;

	if (connection < 0)
		die("accept");
	fd = receive(connection, &hello);
	if (fd >= 0 && nr_rings < RINGS) {
		*ring = (struct ring){
			.process = process_of(hello.pid, hello.kind),
			.kind = hello.kind, .tid = hello.tid,
		};
		map(ring, fd);
		if (ring->kind == RING_MARKS)
			ring->thread = ++nr_threads;
		nr_rings++;
		close(fd);
		send(connection, answer, answer_size, MSG_NOSIGNAL);
	}
	close(connection);
}

static int listen_at(const char *name)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	const int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	strcpy(address.sun_path + 1, name);
	if (fd < 0 || bind(fd, (void *)&address, offsetof(struct sockaddr_un, sun_path) + 1 +
			   strlen(name)) || listen(fd, 64))
		die("listen");
	return fd;
}

static pid_t start(char **command)
{
	const pid_t pid = fork();

	if (pid)
		return pid;
	execvp(*command, command);
	perror(*command);
	_exit(127);
}

static uint64_t milliseconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Its status, or -1 if the tool quits before. */
static int serve(int listener, pid_t pid)
{
	const uint64_t begin = milliseconds();
	struct pollfd input = { listener, POLLIN, 0 };
	int status;

	for (;;) {
		if (poll(&input, 1, 1) == 1) {
			take_ring(listener);
			continue;
		}
		if (!read_late)
			read_all();
		if (waitpid(pid, &status, WNOHANG) == pid)
			break;
		if (quit_after >= 0 && milliseconds() - begin >= (uint64_t)quit_after)
			return -1;
	}
	/* Children may still be there. */
	while (poll(&input, 1, 100) == 1)
		take_ring(listener);
	read_all();
	return status;
}

static void print_sums(int status)
{
	uint64_t lost = 0, told = 0, without = 0;
	int closed = 0;

	for (int i = 0; i < nr_rings; i++) {
		if (rings[i].kind == RING_NAMES) {
			without += rings[i].head->lost;
			continue;
		}
		lost += rings[i].head->lost;
		told += rings[i].told;
		closed += rings[i].head->closed;
		if (rings[i].told > rings[i].head->lost)
			wrong("more losses are told than there were");
		if (rings[i].head->closed && !rings[i].has_ended)
			wrong("a ring is closed, and has no end");
	}
	printf("sums: %d processes, %d threads, %d closed, %llu lost, %llu told\n",
	       nr_processes, nr_threads, closed, (unsigned long long)lost,
	       (unsigned long long)told);
	if (without)
		printf("without a ring: %llu\n", (unsigned long long)without);
	printf("marks:");
	for (int i = 1; i < MARK_MAX; i++) {
		if (sums[i])
			printf(" %s %llu", kinds[i], (unsigned long long)sums[i]);
	}
	printf("\n");
	if (WIFSIGNALED(status))
		printf("signal %d\n", WTERMSIG(status));
	else if (WIFEXITED(status) && WEXITSTATUS(status))
		printf("status %d\n", WEXITSTATUS(status));
}

static void parse(int argc, char **argv)
{
	const char *patterns[3] = { "", "", "" };
	char *to = config->strings;
	int option;

	*config = (struct ring_config){
		.magic = RING_MAGIC, .version = RING_VERSION, .ring_bytes = 1 << 20,
	};
	while ((option = getopt(argc, argv, "+b:cf:l:i:x:I:npq:sw")) != -1) {
		switch (option) {
		case 'b': config->ring_bytes = strtoull(optarg, NULL, 0); break;
		case 'c': config->flags |= RING_COUNTS; break;
		case 'f': config->first = strtoull(optarg, NULL, 0); break;
		case 'l': config->last = strtoull(optarg, NULL, 0); break;
		case 'I': patterns[0] = optarg; break;
		case 'i': patterns[1] = optarg; break;
		case 'x': patterns[2] = optarg; break;
		case 'n': read_late = true; break;
		case 'p': config->flags |= RING_PAUSED; break;
		case 'q': quit_after = atoi(optarg); break;
		case 's': sums_only = true; break;
		case 'w': config->flags |= RING_WAIT; break;
		default: exit(2);
		}
	}
	for (int i = 0; i < 3; i++)
		to = stpcpy(to, patterns[i]) + 1;
	answer_size = to - answer;
}

int main(int argc, char **argv)
{
	char name[64];
	int listener, status;

	parse(argc, argv);
	if (!argv[optind])
		die("no command");
	snprintf(name, sizeof(name), "kermon-test-%d", getpid());
	setenv(RING_ENVIRONMENT, name, 1);
	listener = listen_at(name);
	status = serve(listener, start(argv + optind));
	if (status == -1) {
		printf("quit\n");
		return 0;
	}
	print_sums(status);
	return errors ? 1 : 0;
}
