# SPDX-License-Identifier: GPL-2.0
"""A picture of box plots: panels with a logarithmic axis, in which several series have a box for
each name, or a line over numbers."""

import math
from dataclasses import dataclass, field
from xml.sax.saxutils import escape

from bars import text

# As bars.py, with more colours.
LIGHT = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8a6d00", "#56b4e9", "#666666", "#6a2fa0",
         "#a01818", "#7fa800")
DARK = ("#56b4e9", "#f0a030", "#40c8a0", "#e8a0c8", "#e0c850", "#a0d8ff", "#b0b0b0", "#b98cf0",
        "#ff7a70", "#b8e030")
LEFT, RIGHT, TOP, GAP = 70, 16, 46, 30
HEIGHT, LINE = 210, 16
SLOT_MIN, BOX_MAX = 26, 14


@dataclass
class Panel:
    """@series: {name: {place: box}}, a box being (low, median, high); @places: in order; @unit:
    of the values. @curve: draw a line from median to median."""
    title: str
    unit: str
    places: list
    series: dict = field(default_factory=dict)
    curve: bool = False

    def values(self):
        return [value for boxes in self.series.values() for box in boxes.values() for value in box]


def style():
    """Classes b0, b1, ... fill, and l0, l1, ... draw a line."""
    lines = ["text{font:12px sans-serif;fill:#222}", ".title{font-weight:bold;font-size:13px}",
             ".small{font-size:10px}", ".paper{fill:#fff}", ".axis{stroke:#222;fill:none}",
             ".grid{stroke:#ddd}", ".median{stroke:#fff;stroke-width:1.5}"]
    lines += [f".b{at}{{fill:{colour}}}.l{at}{{stroke:{colour};fill:none}}"
              for at, colour in enumerate(LIGHT)]
    lines += ["@media (prefers-color-scheme:dark){", "text{fill:#eee}", ".paper{fill:#1b1b1b}",
              ".axis{stroke:#eee}", ".grid{stroke:#444}", ".median{stroke:#1b1b1b}"]
    lines += [f".b{at}{{fill:{colour}}}.l{at}{{stroke:{colour}}}"
              for at, colour in enumerate(DARK)]
    return "\n".join([*lines, "}"])


class Axis:
    """From powers of ten to positions, upwards."""

    def __init__(self, values, top):
        self.low = math.floor(math.log10(max(1, min(values))))
        self.high = max(self.low + 1, math.ceil(math.log10(max(values))))
        self.top = top

    def at(self, value):
        part = (math.log10(max(value, 1)) - self.low) / (self.high - self.low)
        return self.top + HEIGHT * (1 - max(part, 0))

    def draw(self, left, right):
        for power in range(self.low, self.high + 1):
            y = self.at(10 ** power)
            yield f'<path class="grid" d="M{left} {y:.1f}H{right}" />'
            yield text(left - 6, y + 4, f"{10 ** power:,}", "small", "end")


def box_of(axis, x, width, which, box):
    """A bar from the first to the third quartile, with a line at the median."""
    low, median, high = (axis.at(value) for value in box)
    yield (f'<rect class="b{which}" x="{x - width / 2:.1f}" y="{high - 1.5:.1f}" '
           f'width="{width:.1f}" height="{low - high + 3:.1f}" />')
    if low - high > 4:
        yield f'<path class="median" d="M{x - width / 2:.1f} {median:.1f}h{width:.1f}" />'


def legend(panel, room):
    """(name, x, line) of each entry below the title."""
    x, line = 0, 0
    for name in panel.series:
        width = 24 + 6.2 * len(name)
        if x and x + width > room:
            x, line = 0, line + 1
        yield name, x, line
        x += width


def top_of(panel, width):
    """Height of the title and the legend."""
    return TOP + LINE * max(line for _, _, line in legend(panel, width - LEFT - RIGHT))


def draw_legend(panel, colours, left, top, room):
    for name, x, line in legend(panel, room):
        x, y = left + x, top + line * LINE
        yield f'<rect class="b{colours[name]}" x="{x:.1f}" y="{y - 9}" width="10" height="10" />'
        yield text(x + 14, y, name, "small")


def draw_panel(panel, colours, top, width, names_height):
    """Elements of a panel."""
    left, right = LEFT, width - RIGHT
    plot = top + top_of(panel, width)
    axis = Axis(panel.values() or [1], plot)
    slot = (right - left) / len(panel.places)
    box = min(BOX_MAX, slot * 0.8 / max(1, len(panel.series)))
    yield text(left, top + 14, f"{panel.title} [{panel.unit}]", "title")
    yield from draw_legend(panel, colours, left, top + 32, right - left)
    yield from axis.draw(left, right)
    yield f'<path class="axis" d="M{left} {plot}V{plot + HEIGHT}H{right}" />'
    for number, (name, boxes) in enumerate(panel.series.items()):
        shift = 0 if panel.curve else (number - (len(panel.series) - 1) / 2) * (box + 1)
        points = []
        for at, place in enumerate(panel.places):
            if place in boxes:
                x = left + slot * (at + 0.5) + shift
                points.append(f"{x:.1f} {axis.at(boxes[place][1]):.1f}")
                yield from box_of(axis, x, 5 if panel.curve else box, colours[name], boxes[place])
        if panel.curve and points:
            yield f'<path class="l{colours[name]}" d="M{"L".join(points)}" />'
    for at, place in enumerate(panel.places):
        x, y = left + slot * (at + 0.5), plot + HEIGHT + 14
        if names_height == LINE:
            yield text(x, y, str(place), "small", "middle")
        else:
            yield (f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="end" class="small" '
                   f'transform="rotate(-35 {x:.1f} {y:.1f})">{escape(str(place))}</text>')


def names_height_of(panel, slot):
    longest = max(len(str(place)) for place in panel.places)
    return LINE if longest * 6 < slot else 20 + 3.6 * longest


def colours_of(panels):
    """{name: colour}: a series has one colour in all panels, and no other series of a panel has
    the same. New ones come first."""
    colours = {}
    for name in dict.fromkeys(name for panel in panels for name in panel.series):
        beside = {colours.get(other) for panel in panels if name in panel.series
                  for other in panel.series}
        free = sorted(set(range(len(LIGHT))) - beside,
                      key=lambda at: (at in colours.values(), at))
        assert free, f"there are too few colours for a panel with {name}"
        colours[name] = free[0]
    return colours


def draw(path, title, panels):
    """Write an SVG, one panel below the other; a series has one colour in all of them."""
    colours = colours_of(panels)
    width = max(880, LEFT + RIGHT + SLOT_MIN * max(len(panel.places) for panel in panels))
    parts, top = [], 30
    for panel in panels:
        below = names_height_of(panel, (width - LEFT - RIGHT) / len(panel.places))
        parts += draw_panel(panel, colours, top, width, below)
        top += top_of(panel, width) + HEIGHT + below + GAP
    head = [f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{width}" '
            f'height="{top:.0f}" viewBox="0 0 {width} {top:.0f}">',
            f"<title>{escape(title)}</title>", f"<style>\n{style()}\n</style>",
            '<rect class="paper" width="100%" height="100%" />', text(LEFT, 20, title, "title")]
    path.write_text("\n".join([*head, *parts, "</svg>"]) + "\n", encoding="utf-8")
