#!/usr/bin/env python3
"""Fails if a function that is compiled for vector instructions copies or clears blocks of memory, or if one is compiled
for vectors whose length is known at run time only (src/base/vector_targets.hpp).

A table that a function holds as a local constant is copied to the stack on every call by some compilers, which can take
longer than all the rest; no other test would notice. Usage: kernels.py OBJDUMP OBJECT...
"""
import re
import subprocess
import sys

SKIPPED = 77
FUNCTION = re.compile(r"^[0-9a-f]+ <(.*)>:$")
KERNEL = re.compile(r"\babut::N_\w+::")  # Highway has a namespace for each set of instructions
BLOCK = re.compile(r"\brep (?:movs|stos)|\bmem(?:cpy|set)\b")  # growing a vector takes memmove, which is allowed
SCALABLE = re.compile(r"\babut::N_(?:SVE|RVV)")
SANITIZER = re.compile(r"__(?:asan|ubsan|tsan)_")


def offenses(disassembly):
    """The kernels seen, and the lines in them that copy or clear, each with its kernel."""
    kernels, found, kernel = set(), [], None
    for line in disassembly.splitlines():
        start = FUNCTION.match(line)
        if start:
            kernel = start[1] if KERNEL.search(start[1]) else None
            if kernel:
                kernels.add(kernel)
        elif kernel and BLOCK.search(line):
            found.append((kernel, " ".join(line.split())))
    return kernels, found


def main():
    objdump, objects = sys.argv[1], sys.argv[2:]
    if not objdump or objdump.endswith("-NOTFOUND"):
        print("skipped: there is no objdump here; it comes with binutils")
        return SKIPPED
    if not objects:
        sys.exit("no objects to look at")
    bad = 0
    for path in objects:
        text = subprocess.run([objdump, "--disassemble", "--reloc", "--demangle", "--no-show-raw-insn", path], check=True,
                              capture_output=True, text=True).stdout
        if SANITIZER.search(text):
            print("skipped: the objects have a sanitizer's checks in them")
            return SKIPPED
        kernels, found = offenses(text)
        if not kernels:
            sys.exit(f"{path}: no kernel was found in its disassembly")
        print(f"{path}: {len(kernels)} kernels")
        scalable = sorted(filter(SCALABLE.search, kernels))
        if scalable:
            sys.exit(f"{path}: {scalable[0]} is compiled for vectors of unknown length: include vector_targets.hpp")
        for kernel, line in found:
            print(f"  {kernel}\n    {line}")
        bad += len(found)
    if bad > 0:
        sys.exit(f"{bad} instructions that copy or clear memory; is a table of constants a local variable?")
    return 0


if __name__ == "__main__":
    sys.exit(main())
