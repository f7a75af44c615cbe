# SPDX-License-Identifier: GPL-2.0
"""A picture of bars: several quantities of several things, each by several observers."""

from xml.sax.saxutils import escape

STYLE = """text{font:12px sans-serif;fill:#222}
.title{font-weight:bold;font-size:13px}
.value{font-size:10px}
.paper{fill:#fff}
.axis{stroke:#222}
.b0{fill:#0072b2}.b1{fill:#d55e00}
@media (prefers-color-scheme:dark){
text{fill:#eee}
.paper{fill:#1b1b1b}
.axis{stroke:#eee}
.b0{fill:#56b4e9}.b1{fill:#f0a030}
}"""
LEFT, TOP, PANEL, GAP, VALUE = 96, 62, 150, 20, 44
BAR, ROW = 11, 30


def text(x, y, words, kind="", anchor="start"):
    mark = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{mark}>{escape(words)}</text>'


def panel(left, heading, values):
    """The bars of one quantity; values has a number, or None if there is none, of each observer
    for each row."""
    most = max((value for row in values for value in row if value is not None), default=0) or 1
    parts = [text(left, TOP - 10, heading)]
    for at, row in enumerate(values):
        for which, value in enumerate(row):
            y = TOP + at * ROW + which * BAR
            width = (value or 0) / most * (PANEL - VALUE)
            parts.append(f'<rect class="b{which}" x="{left}" y="{y}" width="{width:.1f}" '
                         f'height="{BAR - 1}" />')
            said = "none" if value is None else f"{value:,.0f}" if value >= 100 else f"{value:.1f}"
            parts.append(text(left + width + 3, y + BAR - 2, said, "value"))
    bottom = TOP + len(values) * ROW - ROW + 2 * BAR + 3
    parts.append(f'<path class="axis" d="M{left}.5 {TOP - 3}V{bottom}" />')
    return parts


def draw(path, title, observers, rows, panels):
    """Write an SVG with a panel for each (heading, values)."""
    width = LEFT + len(panels) * (PANEL + GAP)
    height = TOP + len(rows) * ROW + 4
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{width}" '
             f'height="{height}" viewBox="0 0 {width} {height}">',
             f"<title>{escape(title)}</title>", f"<style>\n{STYLE}\n</style>",
             '<rect class="paper" width="100%" height="100%" />', text(LEFT, 20, title, "title")]
    for at, observer in enumerate(observers):
        x = width - GAP - 90 * (len(observers) - at)
        parts.append(f'<rect class="b{at}" x="{x}" y="11" width="{BAR}" height="{BAR - 1}" />')
        parts.append(text(x + BAR + 5, 20, observer))
    parts += [text(LEFT - 8, TOP + at * ROW + BAR + 3, row, anchor="end")
              for at, row in enumerate(rows)]
    for at, (heading, values) in enumerate(panels):
        parts += panel(LEFT + at * (PANEL + GAP), heading, values)
    path.write_text("\n".join([*parts, "</svg>"]) + "\n", encoding="utf-8")
