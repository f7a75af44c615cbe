# SPDX-License-Identifier: GPL-2.0
"""The host's end of the virtual machine's ports: standard streams and signals of a
command, and the guest's result. The other end is relay.c."""

import os
import selectors
import signal
import socket
import time
from dataclasses import dataclass

CHUNK = 1 << 16

# A second SIGINT or SIGTERM within this many seconds kills the machine.
IMPATIENCE = 2

# Look at a guest that is silent after this many seconds.
CHECK = 5


class Lost(Exception):
    """The machine exited without a result; its console may still exist."""

    def __init__(self, text, console=os.devnull):
        super().__init__(text)
        self.console = console


class TimedOut(Lost):
    """The machine was killed because it reached the time limit."""


@dataclass
class Result:
    """The final report of the guest."""
    status: int
    tainted: int
    debug_locks: str
    leaks: str
    written: dict
    console: str = ""
    config: str = ""    # of the kernel that ran


class Relay:
    """Copies between this process's descriptors and the ports of the guest, and
    forwards signals that this process receives while the guest runs."""

    SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT,
               signal.SIGUSR1, signal.SIGUSR2)

    def __init__(self, stdin, stdout, stderr, files=None):
        self.outputs = {"stdout": stdout, "stderr": stderr}
        self.stdin = stdin
        self.files = files
        self.ours, self.guests, self.chardevs = {}, {}, {}
        names = ["control"] + ([] if files else list(self.outputs))
        for name in names + ([] if stdin is None else ["stdin"]):
            self.ours[name], self.guests[name] = socket.socketpair()
            self.chardevs[name] = f"socket,fd={self.guests[name].fileno()}"
        if files:
            self.chardevs.update((name, f"file,path={files}/{name}") for name in self.outputs)
        self.handlers = {}
        self.asked_to_end = -IMPATIENCE
        self.selector = selectors.DefaultSelector()
        self.result = b""
        self.pending = b""
        self.fed = False    # whether any input was read
        self.copied = dict.fromkeys(self.outputs, 0)

    def guest_fds(self):
        return [end.fileno() for end in self.guests.values()]

    def started(self, forward):
        """QEMU has its ends now: close ours, so that its exit shows as end of file."""
        for end in self.guests.values():
            end.close()
        for number in self.SIGNALS if forward else ():
            self.handlers[number] = signal.signal(number, self.forward)
        for name in self.ours.keys() - {"stdin"}:
            self.selector.register(self.ours[name], selectors.EVENT_READ, name)
        if self.stdin is not None:
            self.watch_stdin()

    def ended(self):
        """QEMU has exited: pass on its output files and release everything."""
        self.copy_files()
        for number, handler in self.handlers.items():
            signal.signal(number, handler)
        self.selector.close()
        for end in self.ours.values():
            end.close()

    def forward(self, number, _frame):
        """Forward a signal; a second one in quick succession kills a guest that hangs or
        ignores the first."""
        if number in (signal.SIGINT, signal.SIGTERM):
            before, self.asked_to_end = self.asked_to_end, time.monotonic()
            if self.asked_to_end - before < IMPATIENCE:
                raise Lost("interrupted")
        self.ours["control"].send(bytes([number]))

    def until_result(self, start, limit, check):
        """Copy until the guest has reported or exited; return its report. The limit also
        applies to a guest that never stops writing. Call check() every few seconds."""
        while not self.result.endswith(b"\n"):
            left = start + limit - time.monotonic()
            if left <= 0:
                raise TimedOut(f"the time limit of {limit:g} s was reached")
            events = self.selector.select(min(left, CHECK))
            check()
            for key, _ in events:
                if getattr(self, "on_" + key.data)(key) is False:
                    return None
        result = parse_result(self.result.decode())
        for name, expected in result.written.items():
            while name in self.ours and self.copied[name] < expected:
                self.copy(name)
        return result

    def copy_files(self):
        """Pass on the output of a self-contained run, complete or not."""
        for name, fd in self.outputs.items():
            if self.files and (self.files / name).exists():
                write_all(fd, (self.files / name).read_bytes())

    def on_control(self, key):
        data = key.fileobj.recv(CHUNK)
        self.result += data
        return bool(data)

    def on_stdout(self, key):
        self.copy(key.data)

    on_stderr = on_stdout

    def copy(self, name):
        data = self.ours[name].recv(CHUNK)
        self.copied[name] += len(data)
        try:
            write_all(self.outputs[name], data)
        except BrokenPipeError:
            data = b""
        if not data:
            self.selector.unregister(self.ours[name])
            self.ours.pop(name).close()
        return bool(data)

    def watch_stdin(self):
        try:
            self.selector.register(self.stdin, selectors.EVENT_READ, "stdin")
        except PermissionError:
            # epoll refuses regular files: they are always ready.
            self.feed_stdin()

    def feed_stdin(self):
        self.pending = os.read(self.stdin, CHUNK)
        if self.pending:
            self.fed = True
            self.selector.register(self.ours["stdin"], selectors.EVENT_WRITE, "feed")
        else:
            self.ours["stdin"].shutdown(socket.SHUT_WR)

    def on_stdin(self, _key):
        self.selector.unregister(self.stdin)
        self.feed_stdin()

    def on_feed(self, key):
        try:
            sent = key.fileobj.send(self.pending, socket.MSG_DONTWAIT)
        except BrokenPipeError:
            self.selector.unregister(key.fileobj)
            return
        self.pending = self.pending[sent:]
        if not self.pending:
            self.selector.unregister(key.fileobj)
            self.watch_stdin()


def write_all(fd, data):
    while data:
        data = data[os.write(fd, data):]


def parse_result(line):
    words = dict(word.split("=") for word in line.split()[1:])
    return Result(int(words["status"]), int(words["tainted"]), words["debug_locks"],
                  words["leaks"], {name: int(words[name]) for name in ("stdout", "stderr")})
