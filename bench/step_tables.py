"""The tables of docs/performance.md, of what `abut bench steps --csv` wrote: bench/results/steps."""

import os

from table_parts import machine, ns, root, shown, table

folder = os.path.join(root, "bench", "results", "steps")


def steps():
    return machine(os.path.join(folder, f"{shown}.csv"))


def neighbors(line):
    how = "bins" if line["lammps_neighbors"] == "bin" else f'multi, {line["lammps_classes"]} classes'
    return f'{how}, skin {line["lammps_skin"]}'


def parts(line):
    return ", ".join(f'{100 * float(line["abut_" + what]):.0f} %' for what in ("forces", "search", "integrate"))


def apart(line, what):
    theirs, ours = float(line[f"lammps_{what}"]), float(line[f"abut_{what}"])
    return f"{100 * abs(ours - theirs) / theirs:.3f} %"


@table()
def step_cases(_):
    lines = steps().all()
    rows = [[line["case"], line["threads"], f'{ns(line["lammps_ns"])} ({neighbors(line)})', ns(line["abut_ns"]), f'{float(line["ratio"]):.2f}',
             f'{float(line["steps_ratio"]):.2f}', parts(line), f'{float(line["lammps_bytes"]):.0f}, {float(line["abut_bytes"]):.0f}',
             f'{apart(line, "contacts")}, {apart(line, "kinetic")}'] for line in lines]
    return ["case", "threads", "LAMMPS", "abut", "ratio", "without the start", "abut: forces, search, motion", "bytes per body: LAMMPS, abut",
            "apart: contacts, energy"], rows
