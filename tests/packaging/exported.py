#!/usr/bin/env python3
"""Fails if a shared library exports anything but what the public headers mark by ABUT_API, or less than that.

Usage: exported.py LIBRARY FOLDER_OF_HEADERS
"""
import pathlib
import re
import subprocess
import sys

CLASS = re.compile(r"^class ABUT_API (\w+)", re.M)
FUNCTION = re.compile(r"^(?!#)[^\n/]*\bABUT_API\b[^;{(]*?(~?\w+|operator=)\(", re.M)
OF_ERROR = ("typeinfo for abut::error", "typeinfo name for abut::error", "vtable for abut::error")
OWNERS = (["search"], ["other_set"], ["contact_list"])  # classes that mark their members one by one
SYMBOL = re.compile(r"^(?:abut::)?(?P<path>[\w:~=]+)(?:\[abi:\w+\])?(?:\(.*)?$")


def marked(headers):
    """The classes that are exported as a whole, and the functions that are exported by themselves."""
    text = "\n".join(header.read_text() for header in sorted(pathlib.Path(headers).iterdir()))
    return set(CLASS.findall(text)), set(FUNCTION.findall(text))


def exported(library):
    """The names of a library's dynamic symbols, in C++'s words."""
    lines = subprocess.run(["nm", "--dynamic", "--defined-only", library], check=True, capture_output=True, text=True)
    names = [line.split()[-1] for line in lines.stdout.splitlines()]
    words = subprocess.run(["c++filt"], input="\n".join(names), check=True, capture_output=True, text=True)
    return words.stdout.splitlines()


def main():
    library, headers = sys.argv[1:]
    classes, functions = marked(headers)
    seen, foreign = set(), []
    for symbol in exported(library):
        match = SYMBOL.match(symbol)
        path = match["path"].split("::") if match else []
        if symbol in OF_ERROR or (len(path) == 2 and path[0] in classes):
            continue
        if path and path[-1] in functions and (len(path) == 1 or path[:-1] in OWNERS):
            seen.add(path[-1])
        else:
            foreign.append(symbol)
    missing = functions - seen
    if foreign or missing:
        print("\n".join(foreign))
        sys.exit(f"{library}: {len(foreign)} symbols that are not of the interface (above); missing: {sorted(missing)}")
    print(f"{library}: {len(seen)} functions and the members of {sorted(classes)}")


if __name__ == "__main__":
    main()
