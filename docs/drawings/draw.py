#!/usr/bin/env python3
"""Makes the drawings of docs/methods: one SVG a method, beside this file, named as the method.

    docs/drawings/draw.py            write them all
    docs/drawings/draw.py --check    fail where a file is not what this script makes

To add one: a file here named as the method (neighboring_cell.py), with a function marked @drawing(name, width, height, what it shows)
that draws with the strokes of strokes.py; then `![what it shows](../drawings/name.svg)` on the method's page. What is shaded, counted or
marked is computed from the bodies, by the method's own rule, so that a drawing cannot say what the method does not do.
"""

import importlib
import os
import sys

sys.dont_write_bytecode = True  # the folder holds drawings, nothing else
folder = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, folder)

from strokes import drawings  # noqa: E402

for name in sorted(os.listdir(folder)):
    if name.endswith(".py") and name not in ("draw.py", "strokes.py"):
        importlib.import_module(name[:-3])


def main():
    stale = []
    for name, make in drawings.items():
        path, text = os.path.join(folder, f"{name}.svg"), make()
        if "--check" not in sys.argv:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        elif not os.path.exists(path) or open(path, encoding="utf-8").read() != text:
            stale.append(f"{name}.svg")
    if stale:
        sys.exit(f"docs/drawings/draw.py makes other drawings than {', '.join(stale)}: run it")


main()
