#!/usr/bin/env python3
"""Measures how long the project's own commands take, in fresh clones of what is committed: bench/results/builds.

    ./dev bench builds              all, in about half an hour on a quiet machine with two cores
    ./dev bench builds build method only these, after what they need; the others' lines stay as they are

The clones are in build/clones. What was installed before is not installed again; the packages that were are named in the file.
At the end, bench/tables.py puts the figures into CONTRIBUTING.md.
"""

import argparse
import csv
import datetime
import os
import resource
import shutil
import subprocess
import sys
import time

sys.dont_write_bytecode = True  # the folder is part of the source

from here import best_instructions, compiler, machine_name, processor  # noqa: E402

root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
clones = os.path.join(root, "build", "clones")
columns = ["benchmark", "command", "seconds", "processor_seconds", "instructions", "version", "date"]

# The name of each measurement; the clone in which it is made, after those above it in the same clone; the file to which a line is
# added before; the command. The changed files are those that take longest to compile.
MEASUREMENTS = [
    ("build", "a", "", "./dev run --version"),
    ("simulation", "a", "", "./dev run"),
    ("test", "a", "", "./dev test"),
    ("method", "a", "src/methods/grid/grid.cpp", "./dev test --only 'grid.*'"),
    ("dem", "a", "dem/src/laws.cpp", "./dev test --only 'dem_laws.*'"),
    ("header", "a", "include/abut/search.hpp", "./dev test --only methods/changing"),
    ("test from nothing", "b", "", "./dev test"),
    ("ci", "c", "", "CI=true bash .ci/run"),
]


def fresh(name):
    folder = os.path.join(clones, name)
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run(["git", "clone", "-q", root, folder], check=True)
    return folder


def measured(command, folder):
    """The seconds and the processor's seconds of a command."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    code = subprocess.run(["bash", "-c", command], cwd=folder, stdout=sys.stderr, stdin=subprocess.DEVNULL).returncode
    seconds, after = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    if code != 0:
        sys.exit(f"bench builds: {command} ended with code {code} in {os.path.relpath(folder, root)}")
    return seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def git(*words):
    return subprocess.run(["git", "-C", root, *words], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def results(stamp):
    return os.path.join(root, "bench", "results", "builds", machine_name(stamp["instructions"]) + ".csv")


def put(folder, names, measurement):
    """Adds a measurement to the results, instead of an earlier one of the same name."""
    path, lines = results(measurement), []
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            lines = [line for line in csv.DictReader(text for text in file if not text.startswith("#"))]
    lines = [line for line in lines if line["benchmark"] != measurement["benchmark"]] + [measurement]
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(f"# processor: {processor()}, {os.cpu_count()} cores\n# compiler: {compiler(os.path.join(folder, 'build/dev'))}\n")
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(sorted(lines, key=lambda line: names.index(line["benchmark"])))


def main():
    names = [name for name, *_ in MEASUREMENTS]
    parser = argparse.ArgumentParser(prog="./dev bench builds", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wanted", nargs="*", metavar="WHAT", help=", ".join(f'"{name}"' if " " in name else name for name in names))
    wanted = parser.parse_args().wanted or names
    for name in wanted:
        if name not in names:
            parser.error(f'unknown measurement "{name}"; they are: {", ".join(names)}')
    if changed := git("status", "--porcelain"):
        sys.exit(f"bench builds: it measures what is committed, and there are uncommitted changes:\n{changed}")
    stamp = {"instructions": best_instructions(), "version": git("describe", "--always"), "date": datetime.date.today().isoformat()}
    last = {clone: max((k for k, m in enumerate(MEASUREMENTS) if m[1] == clone and m[0] in wanted), default=-1) for clone in "abc"}
    folders = {}
    for k, (name, clone, changes, command) in enumerate(MEASUREMENTS):
        if k > last[clone]:
            continue
        if clone not in folders:
            folders[clone] = fresh(clone)
        if changes:
            with open(os.path.join(folders[clone], changes), "r+", encoding="utf-8") as file:  # fails if there is no such file
                file.seek(0, os.SEEK_END)
                file.write("// changed\n")
        print(f"\n== {name}: {command}", file=sys.stderr, flush=True)
        seconds, of_processor = measured(command, folders[clone])
        print(f"== {name}: {seconds:.0f} s, {of_processor:.0f} s of processor time", file=sys.stderr, flush=True)
        if name in wanted:
            put(folders[clone], names,
                {"benchmark": name, "command": command, "seconds": f"{seconds:.0f}", "processor_seconds": f"{of_processor:.0f}", **stamp})
    shutil.rmtree(clones)
    print(os.path.relpath(results(stamp), root), file=sys.stderr)
    return subprocess.run([sys.executable, os.path.join(root, "bench/tables.py")], check=False).returncode


sys.exit(main())
