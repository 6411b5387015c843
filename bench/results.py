#!/usr/bin/env python3
"""Measures what the documentation shows, and keeps it in bench/results, one file for each kind of machine.

    ./dev bench results                  everything: about twelve minutes on a quiet machine with two cores
    ./dev bench results flagship far     only these benchmarks; the others' lines stay as they are
    ./dev bench results --quick          few repeats: to see that it works; the figures are rough
    ./dev bench results steps            whole simulation steps beside LAMMPS, in about 20 minutes: only if named, as are
    ./dev bench results programs growth  LIGGGHTS and YADE as well, in about 25; from 1,000 to 10 million bodies, in about 15
    ./dev bench powers                   only how time and counts grow with the number of bodies

At the end, bench/tables.py puts the figures into the pages. bench/README.md explains the files.
"""

import argparse
import csv
import datetime
import json
import os
import re
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True  # the folder is part of the source

import step_results  # noqa: E402
from here import compiler, machine_name, processor  # noqa: E402

root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
binaries = os.path.join(root, "build/release")
abut = os.path.join(binaries, "cli/abut")
steps = os.path.join(binaries, "bench/abut_steps")
columns = ["benchmark", "sample", "bodies", "plan", "threads", "instructions", "first", "update", "find", "sum", "candidates", "tests",
           "pairs", "bytes", "count", "version", "date"]


# Values that do as the paper does, with the most discs that they are measured with: some are quadratic, or are refused above that.
originals = {
    "spatial-sort scan=linear": 12_000,
    "spatial-sort way=1 lists=whole": 12_000,
    "stripe-sort stripes=count": 1_200_000,
    "fixed-cubes examine=tree": 1_200_000,
    "mmr memory=one-list": 1_200_000,
    "nearest-neighbor rule=sum": 1_200_000,
    "multilevel cells=strict": 1_200_000,
    "rtree search=bodies": 1_200_000,
}


def run(*command):
    return subprocess.run([str(word) for word in command], check=True, stdout=subprocess.PIPE, universal_newlines=True).stdout


class measuring:
    """The benchmarks. Each method returns lines of the file, as dictionaries."""

    def __init__(self, quick, most_bodies, folder):
        self.quick = quick
        self.most_bodies = most_bodies
        self.folder = folder
        self.best = self.program("abut_flagship", "lattice", "--count", 1000, "--repeats", 1)[0]["instructions"]

    # ---- programs that write the lines themselves

    def program(self, name, *arguments):
        path = os.path.join(self.folder, "results.csv")
        run(os.path.join(binaries, "bench", name), *arguments, "--csv", path)
        with open(path, encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def figures(self, name):
        return self.program("abut_figures", name, "--pages", *(["--quick"] if self.quick else []))

    def flagship(self):
        repeats = ["--repeats", 3 if self.quick else 9]
        every = ["--instructions", "all"]
        lines = self.program("abut_flagship", *every, *repeats)  # one thread alone: its processor time is measured
        lines += self.program("abut_flagship", "--plan", "grid", "--threads", 2, *repeats)
        structs = ["double64", "double128", "float64"]
        for line in self.program("abut_flagship", "lattice", "--plan", "grid", "--layout", "arrays", *structs, *repeats):
            lines.append({**line, "benchmark": "flagship layouts"})
        steps = ["--repeats", 5, "--steps", 5 if self.quick else 40]
        return lines + self.program("abut_flagship", "lattice", "r-3", "mass", "--plan", "nearest-neighbor", "grid",
                                    "nearest-neighbor in=length", *every, *steps)

    def levels(self):
        return self.program("abut_levels", "--pages", *(["--quick"] if self.quick else []))

    # ---- abut bench

    def bench(self, benchmark, sample, generate, plans, *arguments):
        bodies = os.path.join(self.folder, "bodies.npy")
        run(abut, "generate", *generate, "--out", bodies)
        answer = json.loads(run(abut, "bench", bodies, "--scale", 1.05, "--methods", ",".join(plans), "--threads", 1, "--json", *arguments))
        lines = []
        for result in answer["results"]:
            if not result["exact"]:
                sys.exit(f"bench results: {benchmark}, {sample}: {result['plan']} finds other pairs than the reference")
            times = {what: result["nanoseconds_per_body"][what]["median"] for what in ("first", "update", "find")}
            pairs = result["pairs"] / answer["bodies"]
            lines.append({"benchmark": benchmark, "sample": sample, "bodies": answer["bodies"], "plan": result["plan"], "threads": 1,
                          "instructions": result["instructions"], **times, "sum": times["update"] + times["find"], "candidates": pairs * result["candidates_per_pair"],
                          "tests": pairs * result["tests_per_pair"], "pairs": pairs, "bytes": result["bytes_per_body"],
                          "counts": result["counts_per_body"]})
        return lines

    def all_methods(self):
        return [m["name"] for m in json.loads(run(abut, "methods", "--json")) if not m["quadratic"]]

    def methods(self):
        return self.bench("methods", "lattice", ["lattice", "--count", 1_000_000], self.all_methods(), "--move", 0.01, "--steps", 3,
                          "--repeat", 1)

    def powers(self):
        """Times, and lines "powers counts" of what the methods count: the same on every machine."""
        plans = self.all_methods() + ["spatial-sort way=2", "dess sort=heap", "rtree build=insert", "rtree build=insert split=linear",
                                      "hashing clear=all", *originals]
        plans.sort()
        lines = []
        for count, steps, repeats in [(1_200, 4, 20), (12_000, 4, 5), (120_000, 3, 3), (1_200_000, 2, 1)]:  # updates, repeats
            if self.most_bodies and count > self.most_bodies:
                break
            fit = [plan for plan in plans if count <= originals.get(plan, count)]
            lines += self.bench("powers", "discs", ["lattice", "--dimension", 2, "--count", count], fit, "--move", 0.01, "--steps", steps,
                                "--repeat", 1 if self.quick else repeats)
        return lines + [{"benchmark": "powers counts", "sample": f'{line["sample"]}: {name}', "bodies": line["bodies"], "plan": line["plan"],
                         "threads": 1, "count": value} for line in lines for name, value in line["counts"].items()]

    def sizes(self):
        samples = {
            "equal, at random, fraction 0.3": ["packing", "--fraction", 0.3],
            "clusters of 1,000, far apart": ["clusters", "--each", 1000, "--side", 1e5],
            "ratio 32, equal mass per octave, fraction 0.4": ["packing", "--sizes", "mass", "--ratio", 32, "--fraction", 0.4],
            "ratio 50, number ~ r^-3, fraction 0.4": ["packing", "--sizes", "r-3", "--ratio", 50, "--fraction", 0.4],
            "a giant of 100 diameters among specks": ["giant", "--ratio", 100],
        }
        plans = ["grid", "multilevel", "neighboring-cell", "mmr", "rtree", "stripe-sort", "sweep-and-prune"]
        lines = []
        for sample, generate in samples.items():
            lines += self.bench("sizes", sample, generate + ["--count", 100_000], plans, "--move", 0.001, "--steps", 4, "--repeat",
                                1 if self.quick else 3)
        return lines

    def motion(self):
        plans = ["sweep-and-prune", "neighboring-cell", "nearest-neighbor", "grid"]
        lines = []
        for count in (10_000, 100_000, 1_000_000):
            for move in (0, 0.001, 0.01):
                lines += self.bench("motion", f"lattice, move {move}", ["lattice", "--count", count], plans, "--move", move, "--steps", 4,
                                    "--repeat", 1 if self.quick or count == 1_000_000 else 3)
        return lines

    def planner(self):
        """Two lines for each sample: the chosen plan, and the best by trial."""
        text = run(abut, "bench", "planner", *(["--quick"] if self.quick else []))
        found = re.findall(r"^(\S.{13}) +([\d,]+)  .{8}  +([\d.,]+)  +([\d.,]+)  +[\d.]+  (.*)\n +best of \d+: (.*)$", text, re.MULTILINE)
        if not found:
            sys.exit("bench results: abut bench planner prints another table than expected")
        lines = []
        for sample, bodies, chosen, best, plan, best_plan in found:
            for kind, time_taken, which in (("chosen", chosen, plan), ("best", best, best_plan)):
                lines.append({"benchmark": f"planner {kind}", "sample": sample.strip(), "bodies": bodies.replace(",", ""), "plan": which,
                              "threads": 1, "sum": time_taken.replace(",", "")})
        return lines


def benchmarks(measure):
    """In the order in which they run."""
    return {
        "flagship": measure.flagship,
        "methods": measure.methods,
        "powers": measure.powers,
        "sizes": measure.sizes,
        "motion": measure.motion,
        "planner": measure.planner,
        "levels": measure.levels,
        **{name: (lambda name=name: measure.figures(name)) for name in ("few", "far", "cells", "neighborhood", "mr", "stripes")},
    }


def rounded(value):
    return value if isinstance(value, (str, int)) else f"{value:.4g}"


def write(path, lines, comments):
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.writelines(f"# {comment}\n" for comment in comments)
        writer = csv.DictWriter(file, columns, lineterminator="\n", restval="")
        writer.writeheader()
        writer.writerows({key: rounded(line[key]) for key in columns if key in line} for line in lines)


def read(path):
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def measure_steps(names, given, stamp, comments):
    """Whole simulation steps, which have a file of their own."""
    for name in names:
        lines = step_results.measure(steps, name, given.quick, given.packings)
        machine = given.machine or machine_name(step_results.best_instructions(lines))
        path = step_results.update(machine, name, lines, stamp, comments)
        print(f"{os.path.relpath(path, root)}: {name}", file=sys.stderr)


def measure_searches(names, given, stamp, comments, folder):
    measure = measuring(given.quick, given.most_bodies, folder)
    all_of_them = benchmarks(measure)
    path = os.path.join(root, "bench/results", (given.machine or machine_name(measure.best)) + ".csv")
    for k, name in enumerate(names, 1):
        print(f"{k} of {len(names)}: {name}", file=sys.stderr, end=" ", flush=True)
        start = time.time()
        new = [{"instructions": measure.best, **line, **stamp} for line in all_of_them[name]()]
        replaced = {line["benchmark"] for line in new}
        kept = [line for line in read(path) if line["benchmark"] not in replaced]
        order = list(all_of_them)
        write(path, sorted(kept + new, key=lambda line: order.index(line["benchmark"].split()[0])), comments)
        print(f"{time.time() - start:.0f} s", file=sys.stderr, flush=True)
    print(os.path.relpath(path, root), file=sys.stderr)


def main():
    searches = list(benchmarks(measuring.__new__(measuring)))
    parser = argparse.ArgumentParser(prog="./dev bench results", description="Measures what the documentation shows, for bench/results.")
    parser.add_argument("benchmark", nargs="*", help=f'only these: {" ".join(searches)}; or these, which are left out unless named: '
                                                     f'{" ".join(step_results.benchmarks)}')
    parser.add_argument("--quick", action="store_true", help="few repeats: to see that it works")
    parser.add_argument("--machine", help="the file's name in bench/results, instead of one made of the processor's name")
    parser.add_argument("--packings", help="the folder of packings, for whole steps (that of ./dev bench steps --folder)")
    parser.add_argument("--most-bodies", type=int, help="powers: leave out larger samples")
    given = parser.parse_args()
    wanted = given.benchmark or searches
    for name in wanted:
        if name not in searches and name not in step_results.benchmarks:
            parser.error(f'unknown benchmark "{name}"')
    stamp = {"version": run("git", "-C", root, "describe", "--always", "--dirty").strip(), "date": datetime.date.today().isoformat()}
    comments = [f"processor: {processor()}, {os.cpu_count()} cores", f"compiler: {compiler(binaries)}"]
    begin = time.time()
    if of_searches := [name for name in wanted if name in searches]:
        with tempfile.TemporaryDirectory() as folder:
            measure_searches(of_searches, given, stamp, comments, folder)
    measure_steps([name for name in wanted if name in step_results.benchmarks], given, stamp, comments)
    print(f"{time.time() - begin:.0f} s in all", file=sys.stderr)
    sys.exit(subprocess.run([sys.executable, os.path.join(root, "bench/tables.py")]).returncode)


main()
