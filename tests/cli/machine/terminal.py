# SPDX-License-Identifier: GPL-2.0
"""Run an interactive shell on a terminal, for tests that type what a user would.

usage: terminal.py <SCRIPT

Each line of the script is one of
  type TEXT       the text, with the escapes of Python
  expect REGEX    wait until the shell or a program prints it, after previous matches
  wait FILE       wait until the file exists
  sleep SECONDS
All output is written to standard output at the end. Exit status 1: a wait timed out.
"""

import os
import pty
import re
import select
import signal
import sys
import time

LIMIT = float(os.environ.get("TERMINAL_LIMIT", 120))


class Terminal:
    def __init__(self):
        self.seen, self.rest = "", ""
        self.pid, self.fd = pty.fork()
        if not self.pid:
            os.environ.update(PS1="ready> ", TERM="dumb")
            for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGTSTP):
                signal.signal(number, signal.SIG_DFL)
            os.execvp("bash", ["bash", "--norc", "--noprofile", "-i"])
        self.expect("ready> ")

    def read(self, seconds):
        if not select.select([self.fd], [], [], seconds)[0]:
            return
        try:
            text = os.read(self.fd, 65536).decode(errors="replace")
        except OSError:
            return
        self.seen += text
        self.rest += text

    def expect(self, pattern):
        end = time.monotonic() + LIMIT
        while not (found := re.search(pattern, self.rest)):
            assert time.monotonic() < end, f"not printed: {pattern}"
            self.read(0.2)
        self.rest = self.rest[found.end():]

    def type(self, text):
        os.write(self.fd, text.encode().decode("unicode_escape").encode())

    def wait(self, name):
        end = time.monotonic() + LIMIT
        while not os.path.exists(name):
            assert time.monotonic() < end, f"no file {name}"
            self.read(0.05)

    def sleep(self, seconds):
        end = time.monotonic() + float(seconds)
        while time.monotonic() < end:
            self.read(0.05)

    def obey(self, line):
        word, _, rest = line.rstrip("\n").partition(" ")
        assert word in ("type", "expect", "wait", "sleep"), line
        getattr(self, word)(rest)

    def close(self):
        os.close(self.fd)
        os.waitpid(self.pid, 0)


def main():
    terminal = Terminal()
    try:
        for line in sys.stdin:
            if line.strip():
                terminal.obey(line)
    except AssertionError as error:
        print(f"{terminal.seen}\n# {error}")
        return 1
    finally:
        os.kill(terminal.pid, signal.SIGHUP)
        terminal.close()
    print(terminal.seen)
    return 0


if __name__ == "__main__":
    sys.exit(main())
