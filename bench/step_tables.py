"""The tables of docs/performance.md, of what `./dev bench results steps programs growth` measured: bench/results/steps."""

import os

from table_parts import machine, ns, root, set_names, table

folder = os.path.join(root, "bench", "results", "steps")
shown = "intel-xeon-avx512"  # the machine of the tables
before = "amd-epyc-avx2"  # one on which an earlier version was measured, and other programs
not_measured = [["not measured yet"]]
programs = {"lammps": "LAMMPS", "liggghts": "LIGGGHTS", "yade": "YADE"}


class groups:
    """The lines of a benchmark, grouped by what was measured in one run: a case, a number of bodies and of threads."""

    def __init__(self, benchmark, on=shown):
        of = machine(os.path.join(folder, f"{on}.csv"))
        self.all = {}
        for line in of.lines:
            if line["benchmark"] == benchmark:
                self.all.setdefault((line["case"], int(line["bodies"]), int(line["threads"])), []).append(line)

    def __iter__(self):
        for (case, bodies, threads), lines in self.all.items():
            ours = {line["instructions"]: line for line in lines if line["program"] == "abut"}
            theirs = {line["program"]: line for line in lines if not line["program"].startswith("abut")}
            same_scheme = {line["instructions"]: line for line in lines if line["program"] == "abut_as_lammps"}
            yield case, bodies, threads, ours, theirs, same_scheme


def best(ours):
    return next(iter(ours.values()))


def neighbors(line):
    return f'{line["classes"]} classes, skin {line["skin"]}' if line["classes"] != "0" else f'skin {line["skin"]}'


def ratio(ours, theirs, start=True):
    time = float(ours["ns"]) - (0 if start else float(ours["start_ns"]))
    return f'{time / float(theirs["ns"]):.2f}'


def parts(line):
    return ", ".join(f'{100 * float(line[what]):.0f} %' for what in ("forces", "search", "motion"))


def apart(line):
    """How far contacts and kinetic energies are apart; a dash if abut made no run to compare with."""

    def of(what):
        if not line[f"comparable_{what}"]:
            return "-"
        theirs, ours = float(line[what]), float(line[f"comparable_{what}"])
        return f"{100 * abs(ours - theirs) / theirs:.3f} %"

    return f'{of("contacts")}, {of("kinetic")}'


def bytes_of(theirs, ours):
    return f'{float(theirs["bytes"]):.0f}, {float(ours["bytes"]):.0f}'


@table()
def step_cases(_):
    rows = []
    for case, _, threads, ours, theirs, same_scheme in groups("steps"):
        a, b, s = best(ours), theirs["lammps"], best(same_scheme)
        rows.append([case, str(threads), f'{ns(b["ns"])} ({neighbors(b)})', ns(a["ns"]), ratio(a, b), ratio(a, b, False), ratio(s, b),
                     parts(a), bytes_of(b, a), apart(b)])
    return ["case", "threads", "LAMMPS", "abut", "ratio", "without the start", "ratio by LAMMPS's scheme", "abut: forces, search, motion",
            "bytes per body: LAMMPS, abut", "apart by LAMMPS's scheme: contacts, energy"], rows


@table()
def step_cases_before(_):
    rows = []
    for case, _, threads, ours, theirs, _ in groups("steps", before):
        a, b = best(ours), theirs["lammps"]
        rows.append([case, str(threads), ns(b["ns"]), ns(a["ns"]), ratio(a, b), ratio(a, b, False)])
    return ["case", "threads", "LAMMPS", "abut", "ratio", "without the start"], rows


@table()
def step_instructions(_):
    lines = list(groups("steps"))
    sets = list(dict.fromkeys(s for _, _, _, ours, _, _ in lines for s in ours))
    rows = []
    for case, _, threads, ours, theirs, _ in lines:
        cells = [f'{ns(ours[s]["ns"])} ({ratio(ours[s], theirs["lammps"])})' if s in ours else "-" for s in sets]
        rows.append([case, str(threads), ns(theirs["lammps"]["ns"])] + cells)
    return ["case", "threads", "LAMMPS"] + [f"abut, {set_names[s]}" for s in sets], rows


@table()
def step_programs(_):
    rows = []
    for case, _, threads, ours, theirs, _ in groups("programs", before):
        a = best(ours)
        row = [case, str(threads), ns(a["ns"])]
        for key in programs:
            line = theirs.get(key)
            if line is None:
                row.append("-")
            elif line["failure"]:
                row.append(line["failure"])
            else:
                row.append(f'{ns(line["ns"])} ({ratio(a, line)}); {apart(line)}')
        rows.append(row)
    return ["case", "threads", "abut"] + [f"{name} (ratio); apart" for name in programs.values()], rows or not_measured


@table()
def step_growth(_):
    rows = []
    for _, bodies, threads, ours, theirs, _ in groups("growth"):
        a, b = best(ours), theirs["lammps"]
        rows.append([f"{bodies:,}", str(threads), b["timed_steps"], ns(b["ns"]), ns(a["ns"]), ratio(a, b), ratio(a, b, False), parts(a),
                     bytes_of(b, a), apart(b)])
    return ["bodies", "threads", "steps", "LAMMPS", "abut", "ratio", "without the start", "abut: forces, search, motion",
            "bytes per body: LAMMPS, abut", "apart: contacts, energy"], rows or not_measured
