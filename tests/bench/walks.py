# SPDX-License-Identifier: GPL-2.0
"""The cost of visiting each record of a file, measured by walk.c."""

import subprocess


def walk(program, path):
    """{way: seconds}; all ways must find the same number of records."""
    lines = subprocess.run([program, path], check=True, capture_output=True,
                           text=True).stdout.split("\n")[:-1]
    ways = {name: (float(seconds), int(records))
            for name, seconds, records in map(str.split, lines)}
    if len({records for _, records in ways.values()}) != 1:
        raise SystemExit(f"bench: {path}: the ways found different numbers of records: {ways}")
    return {name: seconds for name, (seconds, _) in ways.items()}
