#!/usr/bin/env python3
"""Checks that what pages show of the program's output is what it prints.

    tests/docs/samples.py FOLDER ABUT

compares the samples of `abut find` in the pages of FOLDER with what ABUT prints: the same lines, with the same words. Times,
memory and counts of work differ from machine to machine, and so their numbers do not count; what the bodies alone decide does.
(The modules are those of python3-minimal, which has no working pathlib.)
"""

import os
import re
import subprocess
import sys
import tempfile

PACKING = "generate packing --count 20000 --fraction 0.35 --out packing.npy"
# The page, the commands, the last of which prints the sample.
SAMPLES = [
    ("README.md", [PACKING, "find packing.npy --scale 1.1 --threads 2"]),
    ("docs/getting-started.md", ["find --demo --threads 2"]),
    ("docs/choosing.md", ["find --demo --threads 2"]),
]
EXACT = ("bodies", "pairs", "contacts", "plan")  # what the bodies alone decide


def samples_in(path):
    """The blocks of a page that begin with bodies, without the command before them."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    for block in re.findall(r"^```(?:text|console)\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        lines = block.splitlines()
        lines = lines[1:] if lines and lines[0].startswith("$ ") else lines
        if lines and lines[0].startswith("bodies "):
            yield lines


def parts_of(lines):
    """The text under each label, in order; what differs from machine to machine is masked."""
    parts = []
    for line in lines:
        if line[:1] not in ("", " "):
            parts.append([line[:10].strip(), line[10:]])
        elif parts:
            parts[-1][1] += " " + line.strip()
    for part in parts:
        if part[0] in EXACT:
            continue
        part[1] = re.sub(r" \(first updates and busy machines are slower\)", "", part[1])
        part[1] = re.sub(r"[\d.,]*\d( (ns|us|ms|s|min|bytes|kB|MB|threads?))?\b", "#", part[1])
        if part[0] == "because":
            part[1] = ""  # which method would be next depends on the machine's constants
    return parts


def printed(abut, commands):
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, ABUT_CACHE=os.path.join(folder, "cache"), LC_ALL="C.UTF-8")
        for command in commands:
            result = subprocess.run([os.path.abspath(abut), *command.split()], cwd=folder, env=environment,
                                    capture_output=True, text=True, check=True)
    return result.stdout.splitlines()


def main():
    root, abut = sys.argv[1:]
    problems = []
    for page, commands in SAMPLES:
        found = list(samples_in(os.path.join(root, page)))
        if len(found) != 1:
            problems.append(f"{page}: has {len(found)} samples of abut {commands[-1]}, and should have one")
            continue
        shown, real = parts_of(found[0]), parts_of(printed(abut, commands))
        for k in range(max(len(shown), len(real))):
            here, there = (list(parts[k]) if k < len(parts) else "nothing" for parts in (shown, real))
            if here != there:
                problems.append(f"{page}: shows {here}, and abut {commands[-1]} prints {there}")
                break
    sys.exit("\n".join(problems) or 0)


main()
