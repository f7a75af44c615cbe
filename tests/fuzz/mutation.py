# SPDX-License-Identifier: GPL-2.0
"""Damaged files, some at random, some in a way that must be detected."""

import struct

HEADER_SIZE = 104
PIPE_HEADER_SIZE = 16
SAMPLE = 9
# perf's own records
OWN_FIRST = 64
# PERFILE2 of a machine with the other byte order
OTHER_ORDER = b"2ELIFREP"

BYTES = [0, 1, 0x7f, 0x80, 0xff]
WORDS = [0, 1, 7, 8, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff, 1 << 40, (1 << 63) - 1,
         (1 << 64) - 8, (1 << 64) - 1]


class File:
    """A perf.data file and the offsets of its parts."""

    def __init__(self, data):
        self.data = data
        self.order = ">" if data.startswith(OTHER_ORDER) else "<"
        self.is_pipe = self.unpack("Q", 8)[0] == PIPE_HEADER_SIZE
        if self.is_pipe:
            self.begin, self.end = PIPE_HEADER_SIZE, len(data)
        else:
            self.begin, size = self.unpack("QQ", 40)
            self.end = self.begin + size
        self.records = list(self.find_records())

    def unpack(self, form, at):
        return struct.unpack_from(self.order + form, self.data, at)

    def find_records(self):
        """(offset, size, type) of each."""
        at = self.begin
        while at < self.end:
            kind, _, size = self.unpack("IHH", at)
            yield at, size, kind
            at += size

    def samples_before(self, end):
        """The maximum number of samples that end there."""
        return sum(kind == SAMPLE and at + size <= end for at, size, kind in self.records)

    def samples_without(self, lost):
        """The number of samples outside this range of offsets; None: unknown, because what
        describes the others may be in it."""
        kinds = [kind for at, _, kind in self.records if at in lost]
        if self.is_pipe and any(kind >= OWN_FIRST for kind in kinds):
            return None
        return self.samples_before(len(self.data)) - kinds.count(SAMPLE)


def put(data, at, piece):
    """Overwrite bytes; nothing becomes longer."""
    data[at:at + len(piece)] = piece[:len(data) - at]


def change_byte(file, data, rng):
    put(data, rng.randrange(len(data)), bytes([rng.choice([*BYTES, rng.randrange(256)])]))


def change_word(file, data, rng):
    size = rng.choice([2, 4, 8])
    word = rng.choice(WORDS) & ((1 << 8 * size) - 1)
    put(data, rng.randrange(len(data)) // size * size, word.to_bytes(size, "little"))


def change_header(file, data, rng):
    """A word of the header, or of the first attr."""
    at = rng.randrange(1, 30) * 8
    word = rng.choice([*WORDS, len(data), len(data) - 8, file.begin, file.end])
    put(data, at, word.to_bytes(8, "little"))


def record_of(file, data, rng):
    """Offset of a record that is still intact."""
    at, size, _ = rng.choice(file.records)
    return (at, size) if at + size <= len(data) else (file.begin, 8)


def change_type(file, data, rng):
    at, _ = record_of(file, data, rng)
    put(data, at, struct.pack("=I", rng.choice([rng.randrange(24), rng.randrange(64, 90), 1 << 31])))


def change_size(file, data, rng):
    at, size = record_of(file, data, rng)
    put(data, at + 6, struct.pack("=H", rng.choice([size - 8, size + 8, 8, 0, 4, 65528, 65535])))


def change_body(file, data, rng):
    """A word of a record."""
    at, size = record_of(file, data, rng)
    put(data, at + rng.randrange(8, size + 1, 4), rng.choice(WORDS).to_bytes(8, "little"))


def swap_records(file, data, rng):
    at, size = record_of(file, data, rng)
    other, other_size = record_of(file, data, rng)
    size = min(size, other_size)
    data[at:at + size], data[other:other + size] = data[other:other + size], data[at:at + size]


def cut_out(file, data, rng):
    at = rng.randrange(len(data))
    del data[at:at + rng.randint(1, 64)]


def put_in(file, data, rng):
    at = rng.randrange(len(data))
    data[at:at] = rng.randbytes(rng.randint(1, 64))


def copy_piece(file, data, rng):
    size = rng.randint(1, 256)
    at, to = rng.randrange(len(data)), rng.randrange(len(data))
    put(data, to, bytes(data[at:at + size]))


def cut_end(file, data, rng):
    del data[rng.randrange(1, len(data)):]


ANY = [change_byte, change_word, change_header, change_type, change_size, change_body,
       swap_records, cut_out, put_in, copy_piece, cut_end]


def mutate(file, rng):
    """Change it in one to eight ways: it may still be valid."""
    data = bytearray(file.data)
    for _ in range(rng.randint(1, 8)):
        if len(data) > HEADER_SIZE:
            rng.choice(ANY)(file, data, rng)
    return bytes(data)


def truncate(file, rng):
    """Truncate it anywhere: the file, and the number of samples that are still in it. A
    file ends with its features, a pipe may end after any record."""
    ends = {at + size for at, size, _ in file.records} if file.is_pipe else ()
    end = rng.randrange(file.begin + 1, len(file.data))
    while end in ends:
        end -= 1
    return file.data[:end], file.samples_before(end)


def break_record(file, rng):
    """A record with an impossible size: all others are intact."""
    at, _, _ = rng.choice(file.records)
    data = bytearray(file.data)
    put(data, at + 6, struct.pack(file.order + "H", rng.randrange(8)))
    return bytes(data), file.samples_without(range(at, at + 1))


def enlarge_record(file, rng):
    """A record whose size extends into the next one, where no record can begin: all are
    intact."""
    at, size, _ = rng.choice(file.records[:-1])
    sizes = [larger for larger in range(size + 1, size + 64)
             if at + larger + 8 <= file.end and file.unpack("H", at + larger + 6)[0] < 8]
    if not sizes:
        return break_record(file, rng)
    data = bytearray(file.data)
    put(data, at + 6, struct.pack(file.order + "H", rng.choice(sizes)))
    return bytes(data), file.samples_before(len(data))


def make_hole(file, rng):
    """Zeros in place of some records: what begins after them is intact."""
    at, _, _ = rng.choice(file.records)
    end = min(at + 8 * rng.randint(1, 128), file.end)
    data = bytearray(file.data)
    put(data, at, bytes(end - at))
    return bytes(data), file.samples_without(range(at, end))


def misplace_section(file, rng):
    """Sections of attrs or records beyond the end of the file."""
    data = bytearray(file.data)
    at = rng.choice([24, 40])
    put(data, at, struct.pack("=Q", len(data) + rng.randint(1, 1 << 40)))
    return bytes(data), None


def spoil_magic(file, rng):
    data = bytearray(file.data)
    data[rng.randrange(4)] ^= rng.randint(1, 255)
    return bytes(data), None


SURE = [truncate, break_record, enlarge_record, make_hole, misplace_section, spoil_magic]
SURE_OF_PIPES = [truncate, break_record, enlarge_record, make_hole, spoil_magic]


def damage(file, rng):
    """Damaged for certain: the file, and the number of intact samples; None: unknown."""
    return rng.choice(SURE_OF_PIPES if file.is_pipe else SURE)(file, rng)
