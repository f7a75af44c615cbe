# SPDX-License-Identifier: GPL-2.0
"""usage: live.py MEGABYTES STALL COMMAND...

Write a recording of MEGABYTES to the command through a pipe, as perf record -o - does, with a
pause of STALL seconds in the middle. Print to standard error the number of samples, the
maximum memory of the command in KiB, and the CPU time in seconds that it took during the
pause. Exit with the status of the command.
"""

import fcntl
import os
import struct
import subprocess
import sys
import termios
import time

HEADER_ATTR, SAMPLE, FINISHED_ROUND = 64, 9, 68
MAGIC, HEADER_SIZE, ATTR_SIZE, ID = 0x32454c4946524550, 16, 128, 1
# IDENTIFIER | IP | TID | TIME | CPU | PERIOD, and software's first event
SAMPLE_TYPE = 1 << 16 | 1 << 0 | 1 << 1 | 1 << 2 | 1 << 7 | 1 << 8
SOFTWARE = 1
SAMPLE_FORM = struct.Struct("<IHHQQIIQIIQ")
ROUND_SAMPLES = 2000


def head():
    attr = struct.pack("<IIQQQ", SOFTWARE, ATTR_SIZE, 0, 1, SAMPLE_TYPE).ljust(ATTR_SIZE, b"\0")
    return struct.pack("<QQIHH", MAGIC, HEADER_SIZE, HEADER_ATTR, 0, 8 + ATTR_SIZE + 8) + \
        attr + struct.pack("<Q", ID)


def one_round(number):
    """Samples of seven threads, and the end of the round."""
    first = 1000000000 + number * ROUND_SAMPLES * 1000
    samples = (SAMPLE_FORM.pack(SAMPLE, 2, SAMPLE_FORM.size, ID, 0x400000 + i % 100 * 16,
                                1 + i % 7, 1 + i % 7, first + i * 1000, i % 4, 0, 100)
               for i in range(ROUND_SAMPLES))
    return b"".join(samples) + struct.pack("<IHH", FINISHED_ROUND, 0, 8)


def cpu_seconds(pid):
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def unread(pipe):
    """Number of bytes that are unread."""
    return struct.unpack("i", fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)))[0]


def stall(child, seconds):
    """CPU time that the command takes once it has read everything available."""
    while seconds and unread(child.stdin) and child.poll() is None:
        time.sleep(0.05)
    time.sleep(seconds / 2)
    before = cpu_seconds(child.pid)
    time.sleep(seconds / 2)
    return cpu_seconds(child.pid) - before


def main():
    rounds = int(sys.argv[1]) * 1000000 // (ROUND_SAMPLES * SAMPLE_FORM.size)
    with subprocess.Popen(sys.argv[3:], stdin=subprocess.PIPE) as child:
        child.stdin.write(head())
        for number in range(rounds):
            child.stdin.write(one_round(number))
            if number == rounds // 2:
                child.stdin.flush()
                idle = stall(child, float(sys.argv[2]))
        child.stdin.close()
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    print(rounds * ROUND_SAMPLES, used.ru_maxrss, idle, file=sys.stderr)
    return child.returncode


if __name__ == "__main__":
    sys.exit(main())
