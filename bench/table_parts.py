"""What the tables of bench/tables.py are made of: the files of results, and how figures are written."""

import csv
import os
import re

root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
shown = "amd-epyc-avx2"  # the machine of all tables but those that compare machines
set_names = {"avx512": "AVX-512", "avx2": "AVX2", "sse4": "SSE4", "neon": "NEON", "scalar": "no vectors"}
machines = {}
tables = {}
figures = {}


class machine:
    """A file of results."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            text = file.read().splitlines()
        about = dict(line[2:].split(": ", 1) for line in text if line.startswith("#"))
        self.processor = re.sub(r"\((R|TM)\)|,.*| Processor| CPU", "", about["processor"]).strip()
        self.compiler = about["compiler"]
        self.lines = list(csv.DictReader(line for line in text if not line.startswith("#")))
        self.best = self.lines[0]["instructions"]

    def all(self, **wanted):
        wanted = {"instructions": self.best, **wanted}
        return [line for line in self.lines if all(line[key] == str(value) for key, value in wanted.items())]

    def one(self, **wanted):
        found = self.all(**wanted)
        if len(found) != 1:
            raise LookupError(f"{len(found)} lines for {wanted}")
        return found[0]

    def of(self, what, **wanted):
        return float(self.one(**wanted)[what])


def table(*benchmarks):
    """Marks a function that returns the head and the rows of a table of these benchmarks."""

    def marked(function):
        def text(m):
            head, rows = function(m)
            lines = ["| " + " | ".join(cells) + " |" for cells in [head, *rows]]
            lines.insert(1, "|---" * len(head) + "|")
            return "\n".join(lines + ([""] + [caption(m, benchmarks)] if benchmarks else []))

        tables[function.__name__] = text
        return function

    return marked


def caption(m, benchmarks):
    dates = [line["date"] for line in m.lines if line["benchmark"] in benchmarks]
    return f"*{m.processor}, {set_names.get(m.best, m.best)}, {m.compiler}, {max(dates)}.*"


def figure(function):
    figures[function.__name__] = function
    return function


def ns(value):
    """A time in ns, to two or three digits."""
    value = float(value)
    return f"{value:.1f}" if value < 9.95 else f"{value:,.0f}"


def three_digits(value):
    """A count per body."""
    value = float(value)
    if value >= 99.95 or value == 0:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 9.995 else f"{value:.2f}"


def times(value):
    return f"{value:.1f}" if value < 9.95 else f"{value:.0f}"


def bold_least(values, show=ns):
    least = min(values)
    return [f"**{show(v)}**" if v == least else show(v) for v in values]
