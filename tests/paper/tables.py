# SPDX-License-Identifier: GPL-2.0
"""Tables of the experiments, in the form of the document, and their places in it."""

import csv
import io
import re

MARK = ".. tests/paper {}\n"
END = ".. end\n"
# Processes of each cell that the document promises, of libraries fewer.
PROMISED, PROMISED_OF_LIBRARIES, LIBRARIES = 1024, 256, {"papi", "likwid"}
MEDIANS = re.compile(r"medians of (\d+ processes(?:, \d+ of [a-z-]+(?: and [a-z-]+)*)*)")


def text_of(cell):
    if isinstance(cell, float):
        return f"{cell:,.0f}" if cell == int(cell) and abs(cell) < 1e15 else f"{cell:,.3f}"
    return f"{cell:,}" if isinstance(cell, int) else str(cell)


class Table:
    """Rows below a heading, and where and by what they were made."""

    def __init__(self, *heading):
        self.heading, self.rows, self.notes = heading, [], []

    def add(self, *cells):
        assert len(cells) == len(self.heading)
        self.rows.append([text_of(cell) for cell in cells])

    def note(self, text):
        """A line below the table, for example the machine."""
        self.notes.append(text)

    def __str__(self):
        """As reStructuredText."""
        out = io.StringIO()
        write = csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\n").writerow
        out.write(".. csv-table::\n   :header-rows: 1\n\n")
        for row in (self.heading, *self.rows):
            out.write("   ")
            write(row)
        return out.getvalue() + "".join(f"\n{note}\n" for note in self.notes)


def marked(document):
    """Names of the tables in a document."""
    return re.findall(r"^\.\. tests/paper (\S+)$", document, re.MULTILINE)


def replaced(document, name, table):
    """The document with this table; everything from its mark to ".. end" is replaced."""
    begin = document.index(MARK.format(name)) + len(MARK.format(name))
    end = document.index(END, begin)
    return f"{document[:begin]}\n{table}\n{document[end:]}"


def promised(methods):
    return PROMISED_OF_LIBRARIES if methods and methods <= LIBRARIES else PROMISED


def too_few(text):
    """What notes say of processes, if it is less than promised: "1024 processes, 4 of papi"."""
    return [said for said in MEDIANS.findall(text) if
            any(int(number) < promised(set(names.split(" and ")) - {""}) for number, names in
                re.findall(r"(\d+) (?:processes|of ([a-z -]+))", said))]


def pictures(document, name):
    """Paths of the pictures of this table: those above it, below the one before."""
    above = document[:document.index(MARK.format(name))].rsplit(END, 1)[-1]
    return re.findall(r"^\.\. image:: (\S+)$", above, re.MULTILINE)
