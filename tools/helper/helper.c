// SPDX-License-Identifier: GPL-2.0
/*
 * kermon-msr-helper: reads and writes registers for libkermon, as an allow-list permits.
 *
 * It is installed with CAP_SYS_RAWIO, which the driver msr demands, and CAP_DAC_OVERRIDE,
 * for the mode of its files, and may be executed by the group kermon. The file descriptor 0
 * is a socket. It says which CPUs to open; thereafter the helper has no privilege but the
 * open devices. When the client has closed the socket, in whatever way, registers are
 * restored, and the helper ends.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "keeper.h"
#include "trust.h"

#define SHARE		"/../../share/kermon/msr/"
#define STATE_FOLDER	"/run/kermon"
#define STATE_FILE	STATE_FOLDER "/msr"
#define TEXT_SIZE	65536
#define KNOWN_FLAGS	(KERMON_MSR_WRITE | KERMON_MSR_KEEP | KERMON_MSR_LIST_ONLY)

static struct keeper keeper;
static struct msr_packet packet;

/*
 * A folder that stands for "/" and has lists of its own, for tests. It is ignored if
 * executing the helper gave privilege to the caller.
 */
static const char *root_folder(void)
{
	const char *root = secure_getenv("KERMON_MSR_ROOT");

	return root ? root : "";
}

static ssize_t receive(void)
{
	ssize_t size;

	do
		size = recv(MSR_SOCKET_FD, &packet, sizeof(packet), MSG_TRUNC);
	while (size < 0 && errno == EINTR);
	return size > (ssize_t)sizeof(packet) ? 0 : size;
}

static bool reply(size_t size)
{
	ssize_t sent;

	do
		sent = send(MSR_SOCKET_FD, &packet, size, MSG_NOSIGNAL);
	while (sent < 0 && errno == EINTR);
	return sent == (ssize_t)size;
}

static int fail(int error, enum kermon_msr_reason reason, uint32_t cpu)
{
	packet.header.error = error;
	packet.header.reason = reason;
	packet.header.cpu = cpu;
	return error;
}

/* The folder of the lists: that of this program's installation. */
static bool find_lists(char folder[PATH_MAX])
{
	char program[PATH_MAX], path[PATH_MAX + sizeof(SHARE)];
	ssize_t length;

	if (*root_folder()) {
		snprintf(folder, PATH_MAX, "%s/share/", root_folder());
		return true;
	}
	length = readlink("/proc/self/exe", program, sizeof(program) - 1);
	if (length < 0)
		return false;
	program[length] = '\0';
	*strrchr(program, '/') = '\0';
	snprintf(path, sizeof(path), "%s" SHARE, program);
	if (!realpath(path, folder) || strlen(folder) + 2 > PATH_MAX)
		return false;
	strcat(folder, "/");
	return true;
}

/* Read the file @name of @folder; its path goes to the reply. Return: length or -errno. */
static long read_list(const char *folder, const char *name, char *text)
{
	struct msr_welcome *welcome = &packet.welcome;
	char path[PATH_MAX];

	if (snprintf(path, sizeof(path), "%s%s", folder, name) >=
	    (int)sizeof(path))
		return -ENAMETOOLONG;
	snprintf(welcome->path, sizeof(welcome->path), "%.*s",
		 (int)sizeof(welcome->path) - 1, path);
	return trust_read(path, text, TEXT_SIZE);
}

static int load_list(void)
{
	static char text[TEXT_SIZE];
	struct msr_welcome *welcome = &packet.welcome;
	char folder[PATH_MAX], file[ALLOWLIST_FILE];
	struct processor processor;
	long length;
	int err;

	if (!find_lists(folder))
		return fail(-ENOENT, KERMON_MSR_NO_LIST, 0);
	processor_read(&processor);
	length = read_list(folder, "index", text);
	if (length < 0)
		return fail(length, KERMON_MSR_BAD_LIST, 0);
	err = allowlist_choose(text, length, &processor, file, &welcome->line);
	if (err)
		return fail(err, err == -ENOENT ? KERMON_MSR_NO_LIST :
						  KERMON_MSR_BAD_LIST, 0);
	length = read_list(folder, file, text);
	welcome->line = 0;
	if (length < 0)
		return fail(length, KERMON_MSR_BAD_LIST, 0);
	err = allowlist_parse(&keeper.list, text, length);
	welcome->line = keeper.list.line;
	if (err)
		return fail(err, KERMON_MSR_BAD_LIST, 0);
	welcome->nr_entries = keeper.list.nr;
	welcome->line = 0;
	return 0;
}

/* The file of saved values. Its folder is root's alone. */
static int open_state(void)
{
	char path[PATH_MAX];
	struct stat stat;
	int fd, err;

	snprintf(path, sizeof(path), "%s" STATE_FOLDER, root_folder());
	if (!getuid())
		mkdir(path, S_IRWXU);
	if (lstat(path, &stat))
		return -errno;
	if (!trust_path(path) || stat.st_mode & (S_IRWXG | S_IRWXO))
		return -EPERM;
	snprintf(path, sizeof(path), "%s" STATE_FILE, root_folder());
	fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC,
		  S_IRUSR | S_IWUSR);
	if (fd < 0)
		return -errno;
	err = state_open(&keeper.state, fd);
	if (err)
		close(fd);
	return err;
}

/* Restore what helpers have left that were killed, on all CPUs, offline ones among them. */
static void recover(void)
{
	const long nr = sysconf(_SC_NPROCESSORS_CONF);

	for (uint32_t cpu = 0; cpu < nr && cpu < KERMON_MSR_MAX_CPUS; cpu++) {
		if (!state_nr(&keeper.state, cpu) ||
		    registers_open(&keeper.registers, cpu, true))
			continue;
		packet.welcome.recovered += keeper_recover(&keeper, cpu);
		registers_close(&keeper.registers, cpu);
	}
	registers_close_batch(&keeper.registers);
}

static int open_registers(const uint64_t cpus[MSR_CPU_WORDS])
{
	const bool may_write = keeper.flags & KERMON_MSR_WRITE;
	int err;

	for (uint32_t cpu = 0; cpu < KERMON_MSR_MAX_CPUS; cpu++) {
		if (!(cpus[cpu / 64] >> cpu % 64 & 1))
			continue;
		err = registers_open(&keeper.registers, cpu, may_write);
		if (err)
			return fail(err, KERMON_MSR_NO_DEVICE, cpu);
	}
	packet.welcome.is_msr_safe = keeper.registers.is_safe;
	return 0;
}

/* The process that has made the socket. */
static uint32_t client(void)
{
	struct ucred peer = { .pid = 0 };
	socklen_t size = sizeof(peer);

	getsockopt(MSR_SOCKET_FD, SOL_SOCKET, SO_PEERCRED, &peer, &size);
	return peer.pid;
}

/* Do all that takes privilege. Return: whether the client is served. */
static int prepare(const struct msr_hello *hello)
{
	int err;

	keeper.flags = hello->flags;
	keeper.state.fd = -1;
	registers_init(&keeper.registers, root_folder());
	err = load_list();
	if (err || keeper.flags & KERMON_MSR_LIST_ONLY)
		return err;
	err = open_state();
	if (err && keeper.flags & KERMON_MSR_WRITE)
		return fail(err, KERMON_MSR_NO_STATE, 0);
	recover();
	keeper.state.client = client();
	return open_registers(hello->cpus);
}

static bool is_hello(ssize_t size)
{
	return size == sizeof(packet.header) + sizeof(packet.hello) &&
	       packet.header.type == MSR_HELLO &&
	       packet.hello.protocol == MSR_PROTOCOL &&
	       !(packet.hello.flags & ~KNOWN_FLAGS);
}

/* Return: exit status. */
static int serve(void)
{
	struct msr_hello hello;
	ssize_t size;
	int err;

	if (!is_hello(receive()))
		return EXIT_FAILURE;
	hello = packet.hello;
	memset(&packet, 0, sizeof(packet));
	packet.header.type = MSR_HELLO;
	packet.welcome.protocol = MSR_PROTOCOL;
	err = prepare(&hello);
	if (!trust_drop())
		return EXIT_FAILURE;
	if (!reply(sizeof(packet.header) + sizeof(packet.welcome)) || err)
		return EXIT_FAILURE;
	while ((size = receive()) > 0) {
		size = keeper_answer(&keeper, &packet, size);
		if (!size || !reply(size))
			break;
	}
	keeper_end(&keeper);
	return EXIT_SUCCESS;
}

int main(void)
{
	trust_nobody();
	/* Without handlers of the C library, which have nothing to do. */
	_exit(serve());
}
