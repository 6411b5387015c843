"""Measures whole simulation steps for docs/performance.md: bench/results/steps, one file for each kind of machine.

`./dev bench steps` writes its file again after each case. If it is interrupted, the next run of the same program goes on there.
"""

import csv
import hashlib
import os
import subprocess
import sys

from table_parts import root

folder = os.path.join(root, "bench", "results", "steps")

# How `./dev bench steps` is called for each benchmark: in full, and with --quick.
benchmarks = {
    "steps": (["--with", "lammps", "--threads", "1,2", "--instructions", "all"], ["--bodies", "1000", "--steps", "50", "--repeat", "1"]),
    "programs": (["--with", "lammps,liggghts,yade", "--repeat", "1"], ["--bodies", "1000", "--steps", "50"]),
    "growth": (["--with", "lammps", "--grow"], ["--bodies", "21600", "--repeat", "1"]),
}


def measure(program, benchmark, quick, packings):
    """The lines of a benchmark, as dictionaries."""
    full, less = benchmarks[benchmark]
    with open(program, "rb") as file:
        which = hashlib.sha256(file.read()).hexdigest()[:12]
    unfinished = os.path.join(root, "build", f'{benchmark}{"-quick" if quick else ""}-{which}.csv')
    command = [program, *full, *(less if quick else []), "--csv", unfinished, "--resume"]
    command += ["--folder", packings] if packings else []
    print("\n" + " ".join(command), file=sys.stderr, flush=True)
    code = subprocess.run(command, stdout=sys.stderr).returncode
    if code != 0:
        sys.exit(f"bench results: {benchmark} ended with code {code}; what was measured is in {os.path.relpath(unfinished, root)}")
    with open(unfinished, encoding="utf-8") as file:
        lines = list(csv.DictReader(file))
    os.remove(unfinished)
    if not lines:
        sys.exit(f"bench results: {benchmark} measured nothing")
    return lines


def update(machine, benchmark, lines, stamp, comments):
    """Puts the lines of a benchmark into the machine's file, instead of its older ones."""
    path = os.path.join(folder, machine + ".csv")
    kept = []
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            kept = [line for line in csv.DictReader(text for text in file if not text.startswith("#")) if line["benchmark"] != benchmark]
    new = [{"benchmark": benchmark, **line, **stamp} for line in lines]
    order = list(benchmarks)
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.writelines(f"# {comment}\n" for comment in comments)
        writer = csv.DictWriter(file, list(new[0]), lineterminator="\n", restval="", extrasaction="ignore")
        writer.writeheader()
        writer.writerows(sorted(kept + new, key=lambda line: order.index(line["benchmark"])))
    return path


def best_instructions(lines):
    """The set that abut used first, which is the best."""
    return next(line["instructions"] for line in lines if line["program"] == "abut")
