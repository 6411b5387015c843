"""The table of CONTRIBUTING.md, of what `./dev bench builds` measured: bench/results/builds."""

import os

from table_parts import machine, root, set_names, table

folder = os.path.join(root, "bench", "results", "builds")

# What a measurement is, and how many seconds it may take.
rows = {
    "build": ("`./dev run`, from nothing: the build", 80),
    "simulation": ("the simulation that follows, and its picture", 30),
    "test": ("`./dev test` after `./dev run`", 420),
    "test from nothing": ("`./dev test` from nothing", 540),
    "method": ("a changed method (`grid`) and its own tests", 15),
    "dem": ("a changed file of `dem/` (`laws.cpp`) and its own tests", 15),
    "header": ("a changed header of `include/abut`, with a few tests", 120),
    "ci": ("`.ci/run` from nothing", 2400),
}


@table()
def builds(_):
    names = sorted(name for name in os.listdir(folder) if name.endswith(".csv")) if os.path.isdir(folder) else []
    machines = [machine(os.path.join(folder, name)) for name in names]
    head = ["what", "at most", *(f"{m.processor}, {set_names[m.best]}" for m in machines)]
    lines = []
    for name, (what, most) in rows.items():
        cells = []
        for m in machines:
            of = m.all(benchmark=name)
            cells.append(f'{float(of[0]["seconds"]):,.0f} s ({float(of[0]["processor_seconds"]):,.0f} s)' if of else "")
        lines.append([what, f"{most:,} s", *cells])
    return head, lines
