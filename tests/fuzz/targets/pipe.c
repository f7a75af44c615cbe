// SPDX-License-Identifier: GPL-2.0
/*
 * A pipe whose data arrive in pieces: the first byte is their length. A socket of packets
 * stands for the pipe, because each read(2) returns one packet. A short read discards the
 * rest of a packet, so the header is a packet of its own.
 */
#include <sys/socket.h>

#include "perfdata/format/format.h"
#include "records.h"

/* The number of packets that a socket holds without a reader. */
#define PIECES	200

static size_t piece_size(const uint8_t *data, size_t size)
{
	size_t piece = 1 + data[0] * 16;

	return size / piece < PIECES ? piece : size / PIECES + 1;
}

static void send_all(int fd, const uint8_t *data, size_t size)
{
	size_t piece = PERFDATA_PIPE_HEADER_SIZE;

	for (size_t at = 1; at < size; at += piece) {
		if (at > 1)
			piece = piece_size(data, size);
		if (piece > size - at)
			piece = size - at;
		promise(send(fd, data + at, piece, 0) == (ssize_t)piece);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int ends[2];

	promise(!socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends));
	send_all(ends[1], data, size);
	close(ends[1]);
	dup2(ends[0], STDIN_FILENO);
	close(ends[0]);
	read_all("-");
	dup2(STDERR_FILENO, STDIN_FILENO);
	return 0;
}
