"""Plots for the drawings: axes with round numbers, lines and dots."""

from strokes import number

GAP = 5  # between the axis and its numbers, in pixels


def round_steps(low, high, most=6):
    """Round numbers from low to high, at most `most` of them."""
    step = 1.0
    while (high - low) / step > most:
        step *= 10
    while (high - low) / step < most / 10:
        step /= 10
    for factor in (0.1, 0.2, 0.5, 1, 2, 5):
        if (high - low) / (step * factor) <= most:
            step *= factor
            break
    first = int(low / step) - 1
    return [k * step for k in range(first, first + 3 * most) if low - 1e-9 * step <= k * step <= high + 1e-9 * step]


class plot:
    """A frame from (left, top) to (right, bottom) in pixels, with an axis of numbers on each side."""

    def __init__(self, out, frame, x, y, title, x_name, y_name):
        self.out, self.frame, self.x, self.y = out, frame, x, y
        left, top, right, bottom = frame
        out.write(left, top - 12, title, bold=True)
        for value in round_steps(*x):
            at = self.at(value, y[0])[0]
            out.line(at, top, at, bottom)
            out.write(at, bottom + 17, f"{value:.6g}", "soft", 11, "middle")
        for value in round_steps(*y):
            at = self.at(x[0], value)[1]
            out.line(left, at, right, at)
            out.write(left - GAP, at + 4, f"{value:.6g}".replace("-", "\u2212"), "soft", 11, "end")
        out.write((left + right) / 2, bottom + 35, x_name, "soft", 12, "middle")
        out.write(right, top - 12, y_name, "soft", 12, "end")

    def at(self, x, y):
        left, top, right, bottom = self.frame
        return (left + (x - self.x[0]) / (self.x[1] - self.x[0]) * (right - left),
                bottom - (y - self.y[0]) / (self.y[1] - self.y[0]) * (bottom - top))

    def curve(self, points, stroke, width=1.5, dash=None):
        text = " ".join(f"{number(x)},{number(y)}" for x, y in (self.at(*p) for p in points))
        self.out.add("polyline", self.out.style(stroke=stroke, width=width, dash=dash), points=text)

    def dots(self, points, color):
        for p in points:
            self.out.disc(*self.at(*p), 3.2, fill=color)

    def label(self, x, y, text, color, anchor="start"):
        self.out.write(*self.at(x, y), text, color, 12, anchor)
