#!/usr/bin/env python3
"""Puts the figures of bench/results into the pages.

    bench/tables.py            fill the marked parts of README.md, CONTRIBUTING.md and docs/
    bench/tables.py --check    fail if a page shows other figures than the data, or times that are not marked

A page marks a table, with empty lines around it, or a figure in a sentence (not at the start of a line):

    <!-- table: flagship -->

    <!-- end -->

    takes <!-- figure: million_grid -->0.04<!-- end --> s

The functions below make them, of what is in table_parts.py. bench/README.md explains the data.
"""

import math
import os
import re
import sys

sys.dont_write_bytecode = True  # the folder is part of the source

from table_parts import bold_least, figure, figures, machine, machines, ns, root, set_names, shown, table, tables, three_digits, times  # noqa: E402
import build_tables  # noqa: E402, F401: its tables are listed by being imported, as those of
import step_tables  # noqa: E402, F401

# ---- grid, nearest-neighbor

flagship_samples = {
    "lattice": "1,000,000 equal spheres, lattice of spacing d, jitter 0.1 d",
    "random": "1,000,000 equal spheres, random, volume fraction 0.3",
    "sparse": "1,000,000 equal spheres, spacing 20 d",
    "r-3": "125,001 spheres, ratio 50, number ~ r^-3, fraction 0.4",
    "mass": "1,000,000 spheres, ratio 32, equal mass per octave, fraction 0.4",
    "discs": "1,000,000 discs, lattice of spacing d, jitter 0.1 d",
    "clusters": "1,000,000 spheres in clusters of 1,000 in a space of 1e5 d",
}


def flagship_line(m, sample, plan, threads=1, **more):
    return m.one(benchmark="flagship", sample=sample, plan=plan, threads=threads, **more)


@table("flagship")
def flagship(m):
    rows = []
    for sample, name in flagship_samples.items():
        grid, cells = flagship_line(m, sample, "grid"), flagship_line(m, sample, "neighboring-cell")
        rows.append([name, ns(grid["update"]), ns(grid["find"]), ns(grid["sum"]), ns(flagship_line(m, sample, "grid", 2)["sum"]),
                     f'{float(grid["bytes"]):.0f}', ns(cells["sum"]), times(float(cells["sum"]) / float(grid["sum"]))])
    return ["bodies", "update", "find", "sum", "two threads", "bytes per body", "neighboring-cell", "times as long"], rows


def grid_costs():
    """The constants of the model by which grid chooses its levels, from its source."""
    with open(os.path.join(root, "src/methods/grid/sizes.cpp"), encoding="utf-8") as file:
        model = re.search(r"^struct model \{\n(.*?)^\};", file.read(), re.DOTALL | re.MULTILINE)
    return dict(re.findall(r"double (\w+) = ([\d.]+);", model[1]))


def grid_levels(_):
    c = grid_costs()
    return (f"    cost of a level = n ({c['body']} + {c['test']} t) + "
            f"sum over larger bodies ({c['finer']} + {c['finer_line']} r + {c['finer_test']} c)")


tables["grid_levels"] = grid_levels


@figure
def grid_several_levels(_):
    return grid_costs()["levels"]


def by_instructions(benchmark, samples, cell):
    """A row for every machine and its sets of instructions. `cell` makes a cell of the sums by plan, on one thread."""
    rows = []
    for name in sorted(machines, key=lambda name: (name != shown, name)):
        m = machines[name]
        for which in dict.fromkeys(line["instructions"] for line in m.lines if line["benchmark"] == benchmark):
            found = [{line["plan"]: float(line["sum"]) for line in m.all(benchmark=benchmark, sample=sample, instructions=which, threads=1)}
                     for sample in samples]
            rows.append([m.processor, set_names.get(which, which), m.compiler, *map(cell, found)])
    return ["processor", "instructions", "compiler", *samples], rows


@table()
def instructions(_):
    def cell(sums):
        if not {"grid", "neighboring-cell"} <= sums.keys():
            return ns(sums["grid"]) if "grid" in sums else ""
        return f'{ns(sums["grid"])} ({times(sums["neighboring-cell"] / sums["grid"])})'

    return by_instructions("flagship", list(flagship_samples), cell)


@table()
def moving_instructions(_):
    return by_instructions("flagship moving", ["lattice", "r-3", "mass"], lambda sums: ns(sums["nearest-neighbor"]) if "nearest-neighbor" in sums else "")


@table("flagship moving")
def moving(m):
    rows = []
    for sample in ("lattice", "r-3", "mass"):
        line = {plan: m.one(benchmark="flagship moving", sample=sample, plan=plan)
                for plan in ("grid", "nearest-neighbor", "nearest-neighbor in=length")}
        rows.append([flagship_samples[sample], *(ns(line[plan]["sum"]) for plan in line), f'{float(line["nearest-neighbor"]["bytes"]):.0f}'])
    return ["bodies", "`grid`", "`nearest-neighbor`", "with `in=length`", "bytes per body"], rows


@table("neighborhood")
def neighborhood(m):
    distances = ["0.05", "0.1", "0.2", "0.3", "0.5"]
    rows = []
    for how, move in (("walk", "0.001"), ("walk", "0.01"), ("straight on", "0.01"), ("walk", "0.1")):
        for sample in ("random", "lattice"):
            of = {"benchmark": "neighborhood", "sample": f"{sample} {how} {move}"}
            tuned = m.one(**of, plan="nearest-neighbor")
            rows.append([f"{sample}, {move} d, {how}", ns(m.of("sum", **of, plan="grid")), f'{ns(tuned["sum"])} ({float(tuned["count"]):.0f})',
                         *(ns(m.of("sum", **of, plan=f"nearest-neighbor distance={d}")) for d in distances)])
    return ["100,000 spheres", "`grid`", "tuned (rebuilds)", *(f"distance {d} d" for d in distances)], rows


# ---- all methods


@table("methods")
def methods(m):
    rows = []
    for name in ("pairing", "bounding-volume"):
        line = m.one(benchmark="few", bodies=1024, plan=name)
        test = 2 * float(line["sum"]) / (int(line["bodies"]) - 1)
        rows.append([f"[{name}]({name}.md)", "", "", f"N/2 tests of {test:.1f}", "all pairs" if name == "pairing" else "1.0",
                     f'{float(line["bytes"]):.0f}'])
    for line in m.all(benchmark="methods"):
        pairs = float(line["pairs"])
        rows.append([f'[{line["plan"]}]({line["plan"]}.md)', ns(line["first"]), ns(line["update"]), ns(line["find"]),
                     f'{float(line["candidates"]) / pairs:.1f}', f'{float(line["bytes"]):.0f}'])
    return ["method", "first update", "update", "find", "candidates per pair", "bytes per body"], rows


def local_powers(values):
    """The powers of N from each size to the next, of (N, what all N bodies take)."""
    def power(smaller, larger):
        (n0, v0), (n1, v1) = smaller, larger
        return f"{math.log(v1 / v0) / math.log(n1 / n0):.2f}" if v0 > 0 and v1 > 0 else "-"

    return " ".join(power(*two) for two in zip(values, values[1:]))


def by_size(lines):
    return sorted(lines, key=lambda line: int(line["bodies"]))


def with_size(plan, lines, most):
    """The plan, with its largest number of bodies if it is not the usual one."""
    largest = int(lines[-1]["bodies"])
    return f"`{plan}`" + (f" (at {largest:,})" if largest < most else "")


@table("powers")
def powers(m):
    rows = []
    everything = m.all(benchmark="powers")
    most = max(int(line["bodies"]) for line in everything)
    for plan in dict.fromkeys(sorted(line["plan"] for line in everything)):
        lines = by_size(line for line in everything if line["plan"] == plan)
        cells = [with_size(plan, lines, most)]
        for what in ("update", "find"):
            cells += [ns(lines[-1][what]),
                      local_powers([(int(line["bodies"]), int(line["bodies"]) * float(line[what])) for line in lines])]
        rows.append(cells)
    return ["plan", "update", "its powers", "find", "its powers"], rows


@table()
def powers_counts(m):
    """What methods count is the same on every machine."""
    rows = []
    everything = m.all(benchmark="powers counts")
    most = max(int(line["bodies"]) for line in everything)
    for plan, sample in sorted(dict.fromkeys((line["plan"], line["sample"]) for line in everything), key=lambda key: key[0]):
        lines = by_size(line for line in everything if (line["plan"], line["sample"]) == (plan, sample))
        if all(float(line["count"]) == 0 for line in lines):
            continue
        values = [(int(line["bodies"]), int(line["bodies"]) * float(line["count"])) for line in lines]
        rows.append([with_size(plan, lines, most), sample.split(": ")[1], three_digits(lines[-1]["count"]), local_powers(values)])
    return ["plan", "count", "per body", "its powers"], rows


def counts_if_measured(m, counts=tables["powers_counts"]):
    return counts(m) if m.all(benchmark="powers counts") else "*Not measured yet: `./dev bench powers`.*"


tables["powers_counts"] = counts_if_measured


@table("sizes")
def sizes(m):
    lines = m.all(benchmark="sizes")
    samples = list(dict.fromkeys(line["sample"] for line in lines))
    plans = list(dict.fromkeys(line["plan"] for line in lines))
    rows = [[sample, *bold_least([m.of("sum", benchmark="sizes", sample=sample, plan=plan) for plan in plans])] for sample in samples]
    return ["100,000 spheres", *(f"`{plan}`" for plan in plans)], rows


@table("motion")
def motion(m):
    rows = []
    for count in (10_000, 100_000, 1_000_000):
        for move in ("0", "0.001", "0.01"):
            of = {"benchmark": "motion", "sample": f"lattice, move {move}", "bodies": count}
            line = m.one(**of, plan="sweep-and-prune")
            rows.append([f"{count:,}", f"{move} d", ns(line["first"]), ns(line["update"]), ns(line["find"]),
                         *(ns(m.of("sum", **of, plan=plan)) for plan in ("sweep-and-prune", "neighboring-cell", "grid"))])
    return ["spheres", "move", "first update", "update", "find", "both", "`neighboring-cell`, both", "`grid`, both"], rows


@table("few")
def few(m):
    plans = ["pairing", "bounding-volume", "neighboring-cell", "grid"]
    rows = [[f"{count:,}", *bold_least([m.of("sum", benchmark="few", bodies=count, plan=plan) for plan in plans])]
            for count in (32, 64, 128, 1024)]
    return ["spheres", *(f"`{plan}`" for plan in plans)], rows


# ---- single methods


@table("levels")
def levels(m):
    counts = [1, 2, 3, 4, 5, 6, 8, 12, 20]
    rows = []
    for fraction in ("0.1", "0.4"):
        for direction in ("down", "up"):
            of = {"benchmark": "levels", "sample": f"fraction {fraction}"}
            sums = [m.of("sum", **of, plan=f"multilevel levels={count} direction={direction}") for count in counts]
            chosen = m.one(**of, plan=f"multilevel direction={direction}")
            tests = m.of("tests", **of, plan=f"multilevel levels=1 direction={direction}") / float(chosen["tests"])
            rows.append([f"{fraction}, {direction}", *bold_least(sums), f'{float(chosen["count"]):.0f}', f"{tests:.0f}",
                         times(sums[0] / float(chosen["sum"]))])
    return ["fraction, direction", "L = 1", *map(str, counts[1:]), "chosen L", "times fewer tests than L = 1", "times faster"], rows


@table("levels")
def decades(m):
    rows = []
    for sample in ("equal", "a giant, ratio 100", "a giant, ratio 1e6", "log-uniform, ratio 1e6"):
        rows.append([sample, *(ns(m.of("sum", benchmark="levels", sample=sample, plan=f"multilevel direction={direction}"))
                               for direction in ("down", "up"))])
    return ["1,000,000 spheres", "`direction=down`", "`direction=up`"], rows


@table("cells")
def cells(m):
    edges = ["0.5", "0.7", "0.9", "1.05", "1.25", "1.5", "1.75", "2.1", "3", "4"]
    rows = []
    for store, fraction in (("center", 0.05), ("center", 0.3), ("center", 0.6), ("cover", 0.3)):
        lines = {line["plan"]: float(line["sum"]) for line in m.all(benchmark="cells", sample=f"random, volume fraction {fraction}")}
        plan = f"neighboring-cell store={store}"
        least = min(lines[f"{plan} cell={edge}"] for edge in edges if f"{plan} cell={edge}" in lines)
        values = [lines.get(f"{plan} cell={edge}") for edge in edges]
        rows.append([f"{store}, fraction {fraction}", *("-" if v is None else f"**{ns(v)}**" if v == least else ns(v) for v in values), ns(lines[plan])])
    return ["cell", *edges, "chosen"], rows


@table()
def stripes(m):
    lines = m.all(benchmark="stripes")
    rules = list(dict.fromkeys(line["plan"] for line in lines))
    rows = []
    for sample, count in dict.fromkeys((line["sample"], line["bodies"]) for line in lines):
        of = {line["plan"]: line for line in lines if (line["sample"], line["bodies"]) == (sample, count)}
        rows.append([f"{sample}, {int(count):,}", *(f'{float(of[rule]["count"]):.3g}, {float(of[rule]["tests"]):.3g}' for rule in rules)])
    return ["sample, bodies", *(rule.replace("sqrt(N)", "√N") for rule in rules)], rows


@table("mr")
def packings(m):
    rows = []
    for spacing in ("1", "2", "20", "200"):
        of = [m.one(benchmark="mr", sample=f"packing {packing}, spacing {spacing}") for packing in "DCB"]
        rows.append([f"{spacing} d", f'{float(of[0]["tests"]):.2f}', *(f'{ns(line["update"])} + {ns(line["find"])}' for line in of)])
    return ["spacing s", "tests per sphere (D)", "D: s in x, y, z", "C: s in x, y", "B: s in x"], rows


@table("planner chosen")
def planner(m):
    rows = []
    for line in m.all(benchmark="planner chosen"):
        best = m.one(benchmark="planner best", sample=line["sample"])
        ratio = float(line["sum"]) / float(best["sum"])
        rows.append([line["sample"], f'{int(line["bodies"]):,}', ns(line["sum"]), ns(best["sum"]), f"{ratio:.2f}", f'`{line["plan"]}`',
                     f'`{best["plan"]}`'])
    return ["sample", "bodies", "chosen", "best by trial", "ratio", "chosen", "best"], rows


# ---- figures in sentences


def seconds(per_body):
    return f"{per_body / 1000:.2g}"  # of a million bodies


@figure
def million_grid(m):
    return seconds(float(flagship_line(m, "lattice", "grid")["sum"]))


@figure
def million_two_threads(m):
    return seconds(float(flagship_line(m, "lattice", "grid", 2)["sum"]))


@figure
def million_cells(m):
    return seconds(float(flagship_line(m, "lattice", "neighboring-cell")["sum"]))


@figure
def million_bytes(m):
    return f'{float(flagship_line(m, "lattice", "grid")["bytes"]):.0f}'


@figure
def million_moving(m):
    return seconds(m.of("sum", benchmark="flagship moving", sample="lattice", plan="nearest-neighbor"))


@figure
def pairing_times(m):
    return f'{m.of("sum", benchmark="few", bodies=1024, plan="pairing") / m.of("sum", benchmark="few", bodies=1024, plan="bounding-volume"):.1f}'


@figure
def processor(m):
    return m.processor


@figure
def grid_bytes(m):
    values = [float(line["bytes"]) for line in m.all(benchmark="flagship", plan="grid", threads=1)]
    return f"{min(values):.0f} to {max(values):.0f}"


def struct_times(m, layout):
    of = {"benchmark": "flagship layouts", "what": "sum"}
    return f'{m.of(**of, sample=f"lattice {layout}") / m.of(**of, sample="lattice"):.2g}'


@figure
def structs_of_64(m):
    return struct_times(m, "double64")


@figure
def structs_of_128(m):
    return struct_times(m, "double128")


def far_times(m, prefix, what="sum"):
    lines = [line for line in m.all(benchmark="far") if line["sample"].startswith(prefix)]
    return max(float(line[what]) for line in lines[1:]) / float(lines[0][what])


@figure
def far_clusters(m):
    return f'{far_times(m, "spheres in clusters of 1,000"):.1f}'


@figure
def far_boxes(m):
    return f'{far_times(m, "boxes in clusters of 1,000"):.1f}'


@figure
def far_stray(m):
    return f'{far_times(m, "a lattice of spheres"):.1f}'


@figure
def mmr_of_bound(m):
    """T / (n T_MR) of equation (34)."""
    mmr = m.one(benchmark="mr", plan="mmr", bodies=125_000)
    equal = m.one(benchmark="mr", sample="equal", plan="mr", bodies=125_000)
    return f'{float(mmr["sum"]) / (float(mmr["count"]) * float(equal["sum"])):.2f}'


@figure
def mmr_steps(m):
    return f'{m.of("count", benchmark="mr", plan="mmr", bodies=125_000):.0f}'


@figure
def levels_loss(m):
    """How much longer the chosen number of levels takes than the best one, at most, in percent."""
    worst = 0
    for fraction in ("0.1", "0.4"):
        for direction in ("down", "up"):
            of = [line for line in m.all(benchmark="levels", sample=f"fraction {fraction}") if line["plan"].endswith(direction)]
            chosen = [float(line["sum"]) for line in of if "levels" not in line["plan"]][0]
            worst = max(worst, chosen / min(float(line["sum"]) for line in of) - 1)
    return f"{100 * worst:.0f}"


@figure
def planner_worst(m):
    worst = max(float(line["sum"]) / m.of("sum", benchmark="planner best", sample=line["sample"]) for line in m.all(benchmark="planner chosen"))
    return f"{worst:.2f}"


@figure
def planner_samples(m):
    return str(len(m.all(benchmark="planner chosen")))


# ---- pages

table_mark = re.compile(r"(<!-- table: (\w+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)
figure_mark = re.compile(r"(<!-- figure: (\w+) -->)([^<\n]*)(<!-- end -->)")
measured = re.compile(r"\d[\d.,]*\s?(ns|µs)\b")


def filled(text, page):
    m = machines[shown]

    def value(found, known, around):
        if found[2] not in known:
            sys.exit(f"bench/tables.py: {page} asks for {found[2]}, which is unknown")
        try:
            return found[1] + around + known[found[2]](m) + around + found[4]
        except (LookupError, ValueError) as problem:
            sys.exit(f"bench/tables.py: bench/results/{shown}.csv lacks what {found[2]} of {page} needs: {problem}")

    text = table_mark.sub(lambda found: value(found, tables, "\n").replace("\n<!-- end -->", "\n\n<!-- end -->"), text)
    return figure_mark.sub(lambda found: value(found, figures, ""), text)


def unmarked(text):
    """Lines that name a time outside of generated parts and code, and marks that would break their paragraph."""
    plain = re.sub(r"^```.*?^```", lambda code: "\n" * code[0].count("\n"), text, flags=re.DOTALL | re.MULTILINE)
    for mark in (table_mark, figure_mark):
        plain = mark.sub(lambda found: "\n" * found[0].count("\n"), plain)
    for number, line in enumerate(plain.splitlines(), 1):
        if measured.search(line):
            yield number, f'"{measured.search(line)[0]}" is a measured time: generate it, or say it without the number'
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("<!-- figure"):
            yield number, "a figure's mark cannot begin a line, since it would end the paragraph"


def pages():
    yield from (os.path.join(root, name) for name in ("README.md", "CONTRIBUTING.md"))
    for folder, _, names in sorted(os.walk(os.path.join(root, "docs"))):
        yield from (os.path.join(folder, name) for name in sorted(names) if name.endswith(".md"))


def main():
    check = "--check" in sys.argv
    folder = os.path.join(root, "bench/results")
    for name in sorted(os.listdir(folder)):
        if name.endswith(".csv"):
            machines[name[:-4]] = machine(os.path.join(folder, name))
    problems = []
    marks = 0
    changed = {}
    for path in pages():
        page = os.path.relpath(path, root)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        marks += len(table_mark.findall(text)) + len(figure_mark.findall(text))
        new = filled(text, page)
        problems += [f"{page}:{number}: {problem}" for number, problem in unmarked(new)]
        if new != text and check:
            problems.append(f"{page} shows other figures than bench/results or the sources: run bench/tables.py")
        elif new != text:
            changed[path] = new
    if marks == 0:
        problems.append("no page has a marked part: did the search for them break?")
    if problems:
        sys.exit("\n".join(problems))
    for path, text in changed.items():
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


main()
