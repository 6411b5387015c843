#!/usr/bin/env python3
"""Fails if a file of src/ includes a room that it must not know.

The rooms are ordered: each may include itself and the rooms before it. A method may include what methods share, but
never another method: it reaches others through the table. Usage: rooms.py SOURCE_FOLDER
"""
import pathlib
import re
import sys

ROOMS = ("base", "bodies", "steps", "tree", "methods", "plan", "search", "contacts", "c")
INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)


def method_of(path):
    """The method whose own file or folder this is; None for what all methods share."""
    parts = path.parts
    if parts[0] != "methods" or parts[1] in ("cost.hpp", "method.hpp", "table.cpp"):
        return None
    return parts[1].split(".")[0]


def faults(root):
    files = {p.relative_to(root) for p in root.rglob("*") if p.suffix in (".cpp", ".hpp")}
    if not files:
        sys.exit(f"{root}: no sources there")
    for path in sorted(files):
        if path.parts[0] not in ROOMS:
            yield f"src/{path}: not in a room; the rooms are {', '.join(ROOMS)}"
            continue
        for name in INCLUDE.findall((root / path).read_text()):
            used = pathlib.PurePosixPath(name)
            if used not in files:
                yield f'src/{path} includes "{name}", which is no file of src/; write its path from there'
            elif ROOMS.index(used.parts[0]) > ROOMS.index(path.parts[0]):
                yield f'src/{path} includes "{name}": {path.parts[0]}/ comes before {used.parts[0]}/'
            elif method_of(used) not in (None, method_of(path)):
                yield f'src/{path} includes "{name}", a part of the method {method_of(used)}: use the table of methods'


def main():
    found = list(faults(pathlib.Path(sys.argv[1]) / "src"))
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
