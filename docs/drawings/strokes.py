"""The few strokes that the drawings are made of.

Colors are names (ink, soft, line, paper, cool, warm), with a value for a light and a dark page. As an image, a drawing follows
the reader's system; set into the site, it follows the site's own switch.
"""

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

    def disc(self, x, y, r, **look):
        self.add("circle", self.style(**look), cx=x, cy=y, r=r)

    def line(self, x1, y1, x2, y2, stroke="line", width=1, dash=None):
        self.add("line", self.style(stroke=stroke, width=width, dash=dash), x1=x1, y1=y1, x2=x2, y2=y2)

    def write(self, x, y, text, color="ink", size=13, anchor="start", bold=False, mono=False):
        look = f"fill: var(--{color}); font-size: {size}px"
        look += "; font-weight: 600" if bold else ""
        look += "; font-family: ui-monospace, monospace" if mono else ""
        text = text.replace("&", "&amp;").replace("<", "&lt;")
        self.parts.append(f'<text x="{number(x)}" y="{number(y)}" text-anchor="{anchor}" style="{look}">{text}</text>')

    def text(self):
        return "\n".join(self.parts) + "\n</svg>\n"
