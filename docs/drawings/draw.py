#!/usr/bin/env python3
"""Makes the drawings of docs/methods: one SVG a method, beside this file, named as the method.

    docs/drawings/draw.py            write them all
    docs/drawings/draw.py --check    fail where a file is not what this script makes

To add one: a function with @drawing(name, width, height, what it shows), which draws with the few strokes below; then
`![what it shows](../drawings/name.svg)` on the method's page. What is shaded, counted or marked is computed from the bodies,
by the method's own rule, so that a drawing cannot say what the method does not do.

Colors are names (ink, soft, line, paper, cool, warm), with a value for a light and a dark page. As an image, a drawing follows
the reader's system; set into the site, it follows the site's own switch.
"""

import os
import sys

LIGHT = dict(paper="#ffffff", ink="#1f2a33", soft="#5d6b76", line="#c9d1d8", cool="#0b7a99", warm="#d4660b")
DARK = dict(paper="#1b1e21", ink="#e4eaef", soft="#a2afba", line="#48535d", cool="#56bfdb", warm="#ffa556")

drawings = {}


def drawing(name, width, height, title):
    def add(function):
        def make():
            out = canvas(width, height, title)
            function(out)
            return out.text()

        drawings[name] = make
        return make

    return add


def number(v):
    return f"{v:.1f}".rstrip("0").rstrip(".")


class canvas:
    """Strokes in pixels, x to the right and y down, as in SVG."""

    def __init__(self, width, height, title):
        palette = lambda colors: " ".join(f"--{name}: {value};" for name, value in colors.items())
        self.parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="abut-drawing" viewBox="0 0 {width} {height}" width="{width}"'
            f' height="{height}" role="img" aria-label="{title}">',
            "<style>",
            f".abut-drawing {{ {palette(LIGHT)} font: 13px system-ui, sans-serif; }}",
            f"@media (prefers-color-scheme: dark) {{ .abut-drawing {{ {palette(DARK)} }} }}",
            f'[data-theme="light"] .abut-drawing {{ {palette(LIGHT)} }}',
            f'[data-theme="dark"] .abut-drawing {{ {palette(DARK)} }}',
            "</style>",
            f'<rect width="{width}" height="{height}" rx="8" style="fill: var(--paper)"/>',
        ]

    def add(self, tag, style, **attributes):
        given = " ".join(f'{k.replace("_", "-")}="{number(v) if isinstance(v, (int, float)) else v}"' for k, v in attributes.items())
        self.parts.append(f'<{tag} {given} style="{style}"/>')

    @staticmethod
    def style(fill=None, opacity=1, stroke=None, width=1.5, dash=None):
        parts = [f"fill: var(--{fill}); fill-opacity: {opacity}" if fill else "fill: none"]
        if stroke:
            parts.append(f"stroke: var(--{stroke}); stroke-width: {width}")
        if dash:
            parts.append(f"stroke-dasharray: {dash}")
        return "; ".join(parts)

    def rect(self, x, y, w, h, round=0, **look):
        self.add("rect", self.style(**look), x=x, y=y, width=w, height=h, rx=round)

    def disc(self, x, y, r, **look):
        self.add("circle", self.style(**look), cx=x, cy=y, r=r)

    def line(self, x1, y1, x2, y2, stroke="line", width=1, dash=None):
        self.add("line", self.style(stroke=stroke, width=width, dash=dash), x1=x1, y1=y1, x2=x2, y2=y2)

    def arrow(self, x1, y1, x2, y2, stroke="soft"):
        """From 1 to 2, along an axis."""
        self.line(x1, y1, x2, y2, stroke, 1.5)
        dx, dy = (x2 > x1) - (x2 < x1), (y2 > y1) - (y2 < y1)
        ends = [(x2 - 6 * dx + 4 * s * dy, y2 - 6 * dy + 4 * s * dx) for s in (1, -1)]
        points = " ".join(f"{number(x)},{number(y)}" for x, y in [ends[0], (x2, y2), ends[1]])
        self.add("polyline", self.style(stroke=stroke), points=points)

    def write(self, x, y, text, color="ink", size=13, anchor="start", bold=False, mono=False):
        look = f"fill: var(--{color}); font-size: {size}px"
        look += "; font-weight: 600" if bold else ""
        look += "; font-family: ui-monospace, monospace" if mono else ""
        text = text.replace("&", "&amp;").replace("<", "&lt;")
        self.parts.append(f'<text x="{number(x)}" y="{number(y)}" text-anchor="{anchor}" style="{look}">{text}</text>')

    def body(self, x, y, r, name="", color="cool", opacity=0.16):
        self.disc(x, y, r, fill=color, opacity=opacity, stroke=color)
        if name != "":
            self.write(x, y + 4.5, str(name), color="ink", anchor="middle")

    def text(self):
        return "\n".join(self.parts) + "\n</svg>\n"


def touch(a, b):
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 <= (a[2] + b[2]) ** 2


# ---- the methods

@drawing("pairing", 720, 300, "Six bodies with a line between each two, and the triangle of the 15 pairs that are tested")
def pairing(out):
    bodies = [(70, 92, 30), (122, 122, 32), (222, 84, 28), (248, 176, 34), (202, 214, 30), (76, 226, 26)]
    n = len(bodies)
    pairs = [(i, j) for i in range(n) for j in range(i + 1, n)]
    found = [p for p in pairs if touch(bodies[p[0]], bodies[p[1]])]
    for i, j in pairs:
        hit = (i, j) in found
        out.line(*bodies[i][:2], *bodies[j][:2], stroke="warm" if hit else "soft", width=3 if hit else 1)
    for k, (x, y, r) in enumerate(bodies):
        out.disc(x, y, r, fill="paper", opacity=0.55)
        out.body(x, y, r, k)
    out.write(30, 34, "every body with every other", bold=True)

    left, top, step = 370, 62, 34
    out.write(left, 34, "row i against the greater rows j", bold=True)
    for k in range(n):
        out.write(left + (k + 0.5) * step, top - 6, str(k), "soft", anchor="middle")
        out.write(left - 10, top + (k + 0.5) * step + 5, str(k), "soft", anchor="end")
    for i, j in pairs:
        hit = (i, j) in found
        out.rect(left + j * step + 2, top + i * step + 2, step - 4, step - 4, 4, fill="warm" if hit else "cool",
                 opacity=0.9 if hit else 0.18)
    for k in range(n):
        out.disc(left + (k + 0.5) * step, top + (k + 0.5) * step, 1.5, fill="soft")
    out.rect(left, 276, 12, 12, 3, fill="cool", opacity=0.18)
    out.write(left + 18, 287, f"{len(pairs)} tests", "soft")
    out.rect(left + 90, 276, 12, 12, 3, fill="warm", opacity=0.9)
    out.write(left + 108, 287, f"{len(found)} of them overlap: the pairs", "soft")


@drawing("bounding-volume", 720, 300, "One body compared with a packed block of others; a row of zeros and ones says which overlap")
def bounding_volume(out):
    one = (3.0, 2.6, 1.1)
    others = [(0.9, 0.9, 0.7), (4.6, 3.4, 0.8), (6.6, 1.2, 0.9), (1.3, 4.2, 0.8), (3.6, 0.8, 0.8), (6.3, 4.2, 0.7), (0.8, 2.6, 0.6),
              (5.1, 1.6, 0.5)]
    scale = 35
    place = lambda b: (22 + b[0] * scale, 250 - b[1] * scale, b[2] * scale)
    hits = [touch(one, b) for b in others]
    for k, b in enumerate(others):
        out.body(*place(b), k + 1, color="warm" if hits[k] else "cool", opacity=0.22 if hits[k] else 0.14)
    out.disc(*place(one), fill="paper", opacity=0.3)
    out.body(*place(one), 0, color="ink", opacity=0.1)
    out.write(30, 34, "one body", bold=True)
    out.write(30, 287, "rows 0 to 8 of the user's arrays", "soft")

    left, top, wide, high = 386, 86, 38, 32
    out.write(left - 74, 34, "against a packed block of the rows after it", bold=True)
    names = "xyr"
    for a in range(3):
        y = top + a * high
        out.write(left - 90, y + 21, names[a], "soft", anchor="middle")
        out.rect(left - 74, y + 2, wide - 4, high - 4, 4, fill="ink", opacity=0.12)
        out.write(left - 74 + (wide - 4) / 2, y + 21, f"{one[a]:.1f}", anchor="middle", mono=True)
        for k, b in enumerate(others):
            out.rect(left + k * wide, y + 2, wide - 4, high - 4, 4, fill="warm" if hits[k] else "cool", opacity=0.2)
            out.write(left + k * wide + (wide - 4) / 2, y + 21, f"{b[a]:.1f}", anchor="middle", mono=True)
    out.write(left - 74 + (wide - 4) / 2, top - 8, "0", "soft", anchor="middle")
    for k in range(len(others)):
        x = left + k * wide + (wide - 4) / 2
        out.write(x, top - 8, str(k + 1), "soft", anchor="middle")
        out.arrow(x, top + 3 * high + 4, x, top + 3 * high + 24, stroke="warm" if hits[k] else "soft")
        y = top + 3 * high + 28
        out.rect(left + k * wide, y, wide - 4, high - 4, 4, fill="warm" if hits[k] else "line", opacity=0.9 if hits[k] else 0.45)
        out.write(x, y + 19, "1" if hits[k] else "0", "paper" if hits[k] else "soft", anchor="middle", bold=hits[k], mono=True)
    out.write(left - 14, top + 3 * high + 47, "overlap?", "soft", anchor="end")
    found = ", ".join(f"(0, {k + 1})" for k, hit in enumerate(hits) if hit)
    out.write(left - 74, 266, "all at once, without branches; then picked out:", "soft")
    out.write(left - 74, 287, f"the pairs {found}", "warm", bold=True)


class grid:
    """Cells of one size over a stretch of the plane, with y up: cell (0, 0) is the lowest, at the lower left."""

    def __init__(self, out, left, bottom, cell, columns, rows):
        self.out, self.left, self.bottom, self.cell, self.columns, self.rows = out, left, bottom, cell, columns, rows

    def at(self, x, y):
        return self.left + x * self.cell, self.bottom - y * self.cell

    def shade(self, cell, color, opacity):
        x, y = self.at(cell[0], cell[1] + 1)
        self.out.rect(x + 1.5, y + 1.5, self.cell - 3, self.cell - 3, 3, fill=color, opacity=opacity)

    def lines(self):
        right, top = self.at(self.columns, self.rows)
        for c in range(self.columns + 1):
            x = self.at(c, 0)[0]
            self.out.line(x, self.bottom, x, top)
        for r in range(self.rows + 1):
            y = self.at(0, r)[1]
            self.out.line(self.left, y, right, y)

    def body(self, b, name="", **look):
        self.out.body(*self.at(b[0], b[1]), b[2] * self.cell, name, **look)


@drawing("neighboring-cell", 720, 416,
         "Two grids of cells. Left, store=center: the cells that body a searches. Right, store=cover: the cells that two bodies "
         "cover, with the lowest that they share marked")
def neighboring_cell(out):
    cell, columns, rows = 53, 6, 5

    # store=center, in units of a cell: a body lies in the cell of its center.
    bodies = [(0.62, 0.55, 0.40), (1.55, 1.42, 0.42), (2.30, 0.62, 0.38), (4.25, 0.70, 0.44), (5.45, 1.35, 0.40), (0.55, 2.35, 0.42),
              (2.62, 2.40, 0.42), (3.34, 2.74, 0.40), (4.50, 2.30, 0.36), (1.62, 3.35, 0.40), (2.60, 4.30, 0.42), (4.35, 3.62, 0.42),
              (5.40, 4.40, 0.40)]
    a = bodies[6]
    reach = a[2] + max(b[2] for b in bodies)
    low = [int((a[k] - reach) // 1) for k in (0, 1)]
    high = [int((a[k] + reach) // 1) for k in (0, 1)]
    own = (int(a[0]), int(a[1]))
    g = grid(out, 28, 326, cell, columns, rows)
    for x in range(low[0], high[0] + 1):
        for y in range(low[1], high[1] + 1):
            after = (y, x) >= (own[1], own[0])
            g.shade((x, y), "cool", 0.34 if after else 0.12)
    g.lines()
    for b in bodies:
        if b is a:
            continue
        hit = touch(a, b)
        g.body(b, color="warm" if hit else "soft", opacity=0.25 if hit else 0.12)
        out.disc(*g.at(b[0], b[1]), 2.5, fill="warm" if hit else "soft")
    out.disc(*g.at(a[0], a[1]), a[2] * cell, fill="paper", opacity=0.35)
    g.body(a, color="ink", opacity=0.14)
    out.disc(*g.at(a[0], a[1]), 2.5, fill="ink")
    out.write(g.at(a[0], a[1])[0] - 11, g.at(a[0], a[1])[1] + 4, "a", bold=True, anchor="middle")
    x, y = g.at(a[0] - reach, a[1] + reach)
    out.rect(x, y, 2 * reach * cell, 2 * reach * cell, stroke="ink", width=1.5, dash="5 4")
    out.write(28, 30, "store=center", bold=True, mono=True)
    out.write(136, 30, "a body lies in its center's cell", "soft")
    out.rect(28, 344, 12, 12, 3, fill="cool", opacity=0.34)
    out.write(46, 355, "searched by a, for partners not met yet")
    out.rect(28, 366, 12, 12, 3, fill="cool", opacity=0.12)
    out.write(46, 377, "earlier cells: their bodies search for a", "soft")
    out.line(28, 394, 41, 394, stroke="ink", width=1.5, dash="5 3")
    out.write(46, 399, "as far as R = r + r_max + margin from a's center", "soft")

    # store=cover: a body lies in every cell that it touches.
    pair = [(2.15, 1.75, 1.02), (3.92, 2.72, 1.12)]
    small = [(0.55, 0.60, 0.36), (5.25, 0.75, 0.40), (0.62, 4.30, 0.40), (4.60, 4.52, 0.34)]
    covers = [{(x, y) for x in range(int(b[0] - b[2]), int(b[0] + b[2]) + 1) for y in range(int(b[1] - b[2]), int(b[1] + b[2]) + 1)}
              for b in pair]
    shared = covers[0] & covers[1]
    lowest = min(shared, key=lambda c: (c[1], c[0]))
    g = grid(out, 380, 326, cell, columns, rows)
    for c in sorted(covers[0] | covers[1]):
        g.shade(c, "cool", 0.34 if c in shared else 0.12)
    g.lines()
    for b in small:
        g.body(b, color="soft", opacity=0.12)
    for b, name in zip(pair, "ab"):
        assert touch(*pair)
        g.body(b, color="warm", opacity=0.14)
        out.write(g.at(b[0], b[1])[0] + (12 if name == "b" else -26), g.at(b[0], b[1])[1] + 5, name, bold=True, anchor="middle")
    x, y = g.at(lowest[0], lowest[1] + 1)
    out.rect(x + 2, y + 2, cell - 4, cell - 4, 4, stroke="warm", width=4)
    out.write(380, 30, "store=cover", bold=True, mono=True)
    out.write(480, 30, "a body lies in every cell it touches", "soft")
    out.rect(380, 344, 12, 12, 3, fill="cool", opacity=0.34)
    out.write(398, 355, f"shared: a and b meet in these {len(shared)} cells")
    out.rect(381.5, 367.5, 9, 9, 2, stroke="warm", width=3)
    out.write(398, 377, "the lowest of these: here the pair is taken", "soft")


def main():
    folder = os.path.dirname(os.path.abspath(__file__))
    stale = []
    for name, make in drawings.items():
        path, text = os.path.join(folder, f"{name}.svg"), make()
        if "--check" not in sys.argv:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        elif not os.path.exists(path) or open(path, encoding="utf-8").read() != text:
            stale.append(f"{name}.svg")
    if stale:
        sys.exit(f"docs/drawings/draw.py makes other drawings than {', '.join(stale)}: run it")


main()
