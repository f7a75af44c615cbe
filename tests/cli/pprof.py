# SPDX-License-Identifier: GPL-2.0
"""usage: pprof.py [--lines] PROFILE

Print the samples of a pprof profile, by the text of their stacks; with --lines, with source
lines as "function file.c:12".
"""

import gzip
import os
import sys
from collections import Counter


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7f) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at


def fields(data):
    """(field, value) of a message, in its order."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        elif key & 7 == 2:
            size, at = varint(data, at)
            value, at = data[at:at + size], at + size
            assert len(value) == size, "a field is cut off"
        else:
            raise ValueError(f"wire type {key & 7}")
        yield key >> 3, value


def message(data):
    """{field: [values]}"""
    found = {}
    for field, value in fields(data):
        found.setdefault(field, []).append(value)
    return found


def packed(data):
    at, values = 0, []
    while at < len(data):
        value, at = varint(data, at)
        values.append(value)
    return values


class Profile:
    def __init__(self, path, lines=False):
        self.lines = lines
        with gzip.open(path) as file:
            top = message(file.read())
        self.texts = [text.decode() for text in top[6]]
        assert not self.texts[0], "the first string is not empty"
        self.types = [self.text(message(each), 1) for each in top[1]]
        self.functions = {}
        for each in map(message, top.get(5, [])):
            assert each[1][0] not in self.functions, "a function twice"
            self.functions[each[1][0]] = self.text(each, 2), self.text(each, 4)
        self.mappings = {}
        for each in map(message, top.get(3, [])):
            self.mappings[each[1][0]] = self.text(each, 5)
        self.locations = {}
        for each in map(message, top.get(4, [])):
            self.locations[each[1][0]] = self.location(each)
        self.sums = [Counter() for _ in self.types]
        for each in map(message, top.get(2, [])):
            self.add(each)

    def text(self, values, field):
        return self.texts[values.get(field, [0])[0]]

    def location(self, values):
        if 4 in values:
            return ";".join(self.line(message(line)) for line in reversed(values[4]))
        mapping = values.get(2, [0])[0]
        return f"[{self.mappings[mapping].rsplit('/', 1)[-1]}]" if mapping else "[unknown]"

    def line(self, values):
        name, file = self.functions[values[1][0]]
        if not self.lines:
            return name
        return f"{name} {os.path.basename(file) or '??'}:{values.get(2, [0])[0]}"

    def add(self, values):
        label = message(values[3][0])
        assert self.text(label, 1) == "thread"
        names = [self.locations[each] for each in packed(values[1][0])]
        stack = ";".join([self.text(label, 2), *reversed(names)])
        numbers = packed(values[2][0])
        assert len(numbers) == len(self.types), "values do not match types"
        for sums, number in zip(self.sums, numbers):
            sums[stack] += number


def main():
    profile = Profile(sys.argv[-1], "--lines" in sys.argv)
    for name, sums in zip(profile.types, profile.sums):
        for stack, value in sums.items():
            if value:
                print(f"{name} {stack} {value}")


if __name__ == "__main__":
    main()
