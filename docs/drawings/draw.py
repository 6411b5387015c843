#!/usr/bin/env python3
"""Makes the drawings of the pages: SVG files, beside this one.

    docs/drawings/draw.py            write them all
    docs/drawings/draw.py --check    fail where a file is not what this script makes

`--abut PROGRAM` says where the program is; by default in build/release or build/dev.

Drawings of methods are made by `abut draw` from the bodies in this folder, as methods.txt says: what is shown is what the method keeps. To add
one, add a line there, and `![what it shows](../drawings/name.svg)` to the method's page. Plots are made by functions marked
@drawing(name, width, height, what it shows) in the other files here, with the strokes of strokes.py.
"""

import argparse
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # the folder holds drawings, nothing else
folder = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, folder)

import validation  # noqa: E402, F401
from strokes import drawings  # noqa: E402


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def program():
    for build in ("release", "dev"):
        path = os.path.join(folder, "..", "..", "build", build, "cli", "abut")
        if os.path.exists(path):
            return path
    sys.exit("there is no build/release/cli/abut: `./dev run --version` builds it; or say where it is: --abut PROGRAM")


def method_drawings(abut):
    """Name and text of each drawing of methods.txt."""
    for line in read(os.path.join(folder, "methods.txt")).splitlines():
        if not line or line.startswith("#"):
            continue
        name, bodies, *options = line.split()
        with tempfile.TemporaryDirectory() as place:
            path = os.path.join(place, "drawing.svg")
            command = [abut, "draw", os.path.join(folder, bodies), "--method", name, *options, "--out", path]
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode != 0:
                sys.exit(f"docs/drawings/methods.txt: {name}: {done.stderr.strip()}")
            yield name, read(path)


def main():
    parser = argparse.ArgumentParser(description="Makes the drawings of the pages.")
    parser.add_argument("--check", action="store_true", help="fail if a file is not what this script makes")
    parser.add_argument("--abut", metavar="PROGRAM", help="the program")
    given = parser.parse_args()
    stale = []
    plots = ((name, make()) for name, make in drawings.items())
    for name, text in (*plots, *method_drawings(given.abut or program())):
        path = os.path.join(folder, f"{name}.svg")
        if not given.check:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        elif not os.path.exists(path) or read(path) != text:
            stale.append(f"{name}.svg")
    if stale:
        sys.exit(f"docs/drawings/draw.py makes other drawings than {', '.join(stale)}: run it")


main()
