#!/usr/bin/env python3
"""Mutation testing: changes the library's sources in one place at a time and asks whether any test fails.

A mutant that no test notices is equivalent (nothing that the contract promises has changed), a mere matter of speed, or
a hole in the tests. The working tree is left alone: mutants are made in a copy, build/mutants/source.

    tests/mutate.py --count 5 src/bodies/world.cpp    five mutants of a file, the same ones each time (--seed)
    tests/mutate.py src/bodies/world.cpp#17           that one again, by its number
    tests/mutate.py --list src/bodies/world.cpp       all that there are, without running any
    tests/mutate.py --replace OLD NEW src/bodies/world.cpp    one by hand: the first OLD of the file becomes NEW
"""

import argparse
import concurrent.futures
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import time
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parent.parent
PLACE = ROOT / "build" / "mutants"
COPIED = ("CMakeLists.txt", "README.md", "cmake", "docs", "include", "samples", "src", "tests")

# The methods whose tests say little about other files, as in a test's name.
OTHERS = ("bounding", "dess", "fixed_cubes", "hashing", "m", "neighboring", "rtree", "spatial", "stripe", "sweep")
FEW_METHODS = "-" + ":".join(f"methods/*/{name}*" for name in OTHERS)

# The tests that look at a file, by names in tests/, and which of those; the first pattern that matches counts.
TESTS = (
    (r"world|query|check",
     "images|wrapping|periodic|combined|property|errors|region|between|fixed|moving|internals", FEW_METHODS),
    (r"nearest_neighbor|moves|near_|neighborhood", "nearest_neighbor|near_[a-z]*|moving|combined|property", FEW_METHODS),
    (r"folded_axis", "far|property", FEW_METHODS),
    (r"grid", "grid|far|determinism|touching|property", FEW_METHODS),
    (r"", "[a-z_]*", "*"),
)  # fmt: skip


class mutant(NamedTuple):
    file: str
    number: int
    kind: str
    begin: int
    end: int
    text: str

    def of(self, source):
        return source[: self.begin] + self.text + source[self.end :]

    def name(self):
        return f"{self.file}#{self.number}"


# ---- which mutants there are


def masked(source):
    """The source with blanks for all that is not to be changed: comments, texts, includes, assertions, templates' heads."""
    skip = (
        r"//[^\n]*|/\*.*?\*/"
        r'|"(?:\\.|[^"\\\n])*"'
        r"|(?<!\w)'(?:\\.|[^'\\\n])*'"
        r"|^[ \t]*#(?:\\\n|[^\n])*"
        r"|\b(?:static_assert|assert)\s*\(.*?\);"
        r"|\btemplate <[^\n]*"
    )
    return re.sub(skip, lambda m: re.sub(r"[^\n]", " ", m.group()), source, flags=re.S | re.M)


def closing(code, begin):
    """Where the bracket that opens at `begin` closes."""
    depth = 0
    for k in range(begin, len(code)):
        depth += code[k] in "([{"
        depth -= code[k] in ")]}"
        if depth == 0:
            return k
    return len(code) - 1


def arguments(code, begin, end):
    """The ranges between the commas of [begin, end) that are in no further brackets."""
    depth, start, found = 0, begin, []
    for k in range(begin, end):
        depth += code[k] in "([{"
        depth -= code[k] in ")]}"
        if code[k] == "," and depth == 0:
            found.append((start, k))
            start = k + 1
    return found + [(start, end)]


SWAPS = (
    ("comparison", r"(?<= )(<=|>=|==|!=|<|>)(?=\s)",
     {"<": ("<=", ">="), "<=": ("<", ">"), ">": (">=", "<="), ">=": (">", "<"), "==": ("!=",), "!=": ("==",)}),
    ("sign", r"(?<=[\w)\]] )(\+|-|\+=|-=)(?= [\w(*])", {"+": ("-",), "-": ("+",), "+=": ("-=",), "-=": ("+=",)}),
    ("logic", r"(?<= )(&&|\|\|)(?=\s)", {"&&": ("||",), "||": ("&&",)}),
    ("extreme", r"std::(max|min)(?=[(<])", {"max": ("min",), "min": ("max",)}),
    ("flag", r"\b(true|false)\b", {"true": ("false",), "false": ("true",)}),
    ("jump", r"\b(continue|break)(?=;)", {"continue": ("break",), "break": ("continue",)}),
    ("room", r"(?<=\W)(\+ (?:\w+_)?(?:room|slack|rounding)_?)(?![\w(.])", None),
)  # fmt: skip

STATEMENTS = (
    r"(?:[\w.:*>()-]|->|\[[^;=]*?\])+ (?:[-+*/|&^]|<<|>>)?= [^;]*",  # an assignment
    r"(?:[\w.:>-]|\[[^;=]*?\])+\([^;]*\)",  # a call
    r"(?:\+\+|--)[\w.>\[\]-]+",
)


def changes(code):
    """Yields (kind, begin, end, text) for every mutant of masked code."""
    for kind, pattern, becomes in SWAPS:
        for m in re.finditer(pattern, code):
            for text in becomes[m.group(1)] if becomes else ("",):
                yield kind, m.start(1), m.end(1), text
    for m in re.finditer(r"(?<![\w.'])(\d+(?:\.\d+)?)(?![\w.'])", code):
        number = m.group(1)
        point = ".0" if "." in number else ""
        for text in {str(int(float(number)) + 1) + point, str(max(0, int(float(number)) - 1)) + point, "0" + point}:
            if text != number:
                yield "constant", m.start(), m.end(), text
    for m in re.finditer(r"std::(?:max|min)(?:<[\w:]+>)?\(", code):
        end = closing(code, m.end() - 1)
        listed = code[m.end()] == "{"
        for a, b in arguments(code, m.end() + listed, end - listed):
            yield "wrapper", m.start(), end + 1, "(" + code[a:b].strip() + ")"
    for m in re.finditer(r"\bwidened\(", code):
        yield "room", m.start(), m.end() - 1, "interval"
        end = closing(code, m.end() - 1)
        yield "room", m.start(), end + 1, "interval{" + code[m.end() : end] + "}"
    for m in re.finditer(r"\brounding_room\(", code):
        end = closing(code, m.end() - 1)
        yield "room", m.start(), end + 1, "0.0"
        yield "room", m.start(), end + 1, "(" + code[m.start() : end + 1] + " / 64)"
    for m in re.finditer(r"\b(?:if|while) \(", code):
        end = closing(code, m.end() - 1)
        if not re.search(r"[^=!<>]=[^=]|;", code[m.end() : end]):
            yield "condition", m.end(), end, "!(" + code[m.end() : end] + ")"
    for m in re.finditer(r"(?<=[;{})\n])([ ]+)(?!return|throw|break|else|case|delete)(" + "|".join(STATEMENTS) + ");", code):
        if code.count("(", *m.span(2)) == code.count(")", *m.span(2)):
            yield "statement", m.start(2), m.end(2), ""


def mutants_of(file):
    source = (ROOT / file).read_text()
    code = masked(source)
    found = {(a, b, source_text(source, code, a, b, text)): kind for kind, a, b, text in changes(code)}
    every = sorted((a, b, text, kind) for (a, b, text), kind in found.items() if source[a:b] != text)
    return [mutant(file, n, kind, a, b, text) for n, (a, b, text, kind) in enumerate(every)]


def source_text(source, code, begin, end, text):
    """What a mutant writes, with the texts that were masked in it."""
    kept = code[begin:end]
    return text.replace(kept, source[begin:end]) if kept.strip() and kept in text else text


def sample(every, count, seed):
    """Some of them, of all kinds in turn."""
    rng = random.Random(f"{seed} {every[0].file}" if every else seed)
    kinds = {}
    for m in rng.sample(every, len(every)):
        kinds.setdefault(m.kind, []).append(m)
    order = rng.sample(sorted(kinds), len(kinds))
    chosen = []
    while len(chosen) < min(count, len(every)):
        for kind in order:
            if kinds[kind] and len(chosen) < count:
                chosen.append(kinds[kind].pop())
    return chosen


# ---- whether the tests notice


def write_if_other(path, text):
    if not path.exists() or path.read_bytes() != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)


def copy_sources():
    for name in COPIED:
        top = ROOT / name
        files = [p for p in top.rglob("*") if p.is_file() and "__pycache__" not in p.parts] if top.is_dir() else [top]
        for path in files:
            write_if_other(PLACE / "source" / path.relative_to(ROOT), path.read_bytes())
        for path in (PLACE / "source" / name).rglob("*"):
            if path.is_file() and not (ROOT / path.relative_to(PLACE / "source")).exists():
                path.unlink()


def run(command, limit=None):
    """Its exit code and output; None if it took longer than the limit, in seconds."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        try:
            output = process.communicate(timeout=limit)[0]
            return process.returncode, output
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return None, ""


def configure(tests):
    flags = "-O1 -D_GLIBCXX_ASSERTIONS"
    options = ["-DCMAKE_BUILD_TYPE=None", f"-DCMAKE_CXX_FLAGS={flags}", f"-DABUT_TEST_FILES={tests}"]
    options += ["-DABUT_TESTS=ON", "-DABUT_CLI=OFF", "-DABUT_INSTALL=OFF"]
    if shutil.which("ccache"):
        options.append("-DCMAKE_CXX_COMPILER_LAUNCHER=ccache")
    code, output = run(["cmake", "-G", "Ninja", "-S", str(PLACE / "source"), "-B", str(PLACE / "build"), *options])
    if code != 0:
        sys.exit(output)


def build():
    return run(["ninja", "-C", str(PLACE / "build"), "abut_tests"])


def run_tests(binary, limit, only):
    code, output = run([str(binary), "--gtest_fail_fast", "--gtest_brief=1", f"--gtest_filter={only}"], limit)
    if code == 0:
        return "survived", ""
    failed = re.search(r"(?:\[  FAILED  \]|^crashed:|^too slow:) ([^\s,]+)", output, re.M)
    return "killed", "by the time limit" if code is None else failed.group(1) if failed else f"by exit code {code}"


limits = {}


def time_limit(binary, tests, only):
    """Seconds after which a mutant is taken to hang, from what the tests take without one."""
    if (tests, only) not in limits:
        start = time.monotonic()
        if run_tests(binary, None, only)[0] == "killed":
            sys.exit(f"the tests fail without any mutant: {binary}")
        limits[tests, only] = 60 + 5 * (time.monotonic() - start)
    return limits[tests, only]


def try_out(mutants, arguments, report):
    """Builds each mutant, one after the other, while the tests of the last ones run."""
    file = mutants[0].file
    copy = PLACE / "source" / file
    source = (ROOT / file).read_text()
    tests, only = next(fitting for pattern, *fitting in TESTS if re.search(pattern, file))
    only = arguments.filter or only
    configure(arguments.tests or tests)
    code, output = build()
    if code != 0:
        sys.exit(output)
    binary = PLACE / "build" / "tests" / "abut_tests"
    limit = arguments.limit or time_limit(binary, arguments.tests or tests, only)
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for m in mutants:
            copy.write_text(m.of(source))
            code, output = build()
            if code != 0:
                report(m, "does not compile", "")
                continue
            own = PLACE / f"tests_{m.number}"
            shutil.copy2(binary, own)
            result = pool.submit(run_tests, own, limit, only)
            result.add_done_callback(lambda r, m=m, own=own: (report(m, *r.result()), own.unlink()))
    copy.write_text(source)


def mutated_line(m):
    source = (ROOT / m.file).read_text()
    line = source.count("\n", 0, m.begin) + 1
    after = m.of(source)
    end = after.find("\n", m.begin + len(m.text))
    text = after[after.rfind("\n", 0, m.begin) + 1 : end]
    if not text.strip(" ;"):
        text = "without " + source[m.begin : m.end]
    return f"{m.file}:{line}", " ".join(text.split())


def by_hand(file, number, old, new):
    source = (ROOT / file).read_text()
    begin = source.find(old)
    if begin < 0:
        sys.exit(f'{file} has no "{old}"')
    return mutant(file, number, "by hand", begin, begin + len(old), new)


def chosen(arguments):
    """The mutants to try, by file."""
    for name in arguments.files:
        file, _, number = name.partition("#")
        file = os.path.relpath(pathlib.Path(file).resolve(), ROOT)
        every = mutants_of(file)
        if arguments.replace:
            yield [by_hand(file, n, *both) for n, both in enumerate(arguments.replace)]
        elif number:
            yield [every[int(k)] for k in number.split(",")]
        else:
            yield every if arguments.list else sample(every, arguments.count, arguments.seed)


def parse(command):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="FILE[#NUMBER,...]")
    parser.add_argument("--count", type=int, default=4, help="mutants of each file (4)")
    parser.add_argument("--seed", type=int, default=1, help="another sample for each (1)")
    parser.add_argument("--tests", metavar="REGEX", help="names in tests/, without _test.cpp; by default those that fit")
    parser.add_argument("--filter", help="of these tests, as for --gtest_filter; by default few methods' tests")
    parser.add_argument("--jobs", type=int, default=2, help="test runs at a time (2)")
    parser.add_argument("--limit", type=int, help="seconds for a test run; by default some times what it takes unchanged")
    parser.add_argument("--replace", nargs=2, action="append", metavar=("OLD", "NEW"), help="a mutant by hand")
    parser.add_argument("--list", action="store_true", help="print the mutants, run none")
    return parser.parse_args(command)


def main():
    arguments = parse(sys.argv[1:])
    results = []

    def report(m, outcome, by):
        results.append((outcome, m))
        place, line = mutated_line(m)
        print(f"{outcome:8}  {place}  {m.name()}  {m.kind}: {line}{'  -- ' + by if by else ''}", flush=True)

    for mutants in chosen(arguments):
        if arguments.list:
            for m in mutants:
                report(m, "mutant", "")
        elif mutants:
            copy_sources()
            try_out(mutants, arguments, report)
    if arguments.list:
        return
    survivors = [m for outcome, m in results if outcome == "survived"]
    counts = {outcome: sum(o == outcome for o, _ in results) for outcome in ("killed", "survived", "does not compile")}
    print("\n" + ", ".join(f"{n} {outcome}" for outcome, n in counts.items()))
    for m in survivors:
        place, line = mutated_line(m)
        print(f"  {place:32}  {m.name():36}  {line}")


if __name__ == "__main__":
    main()
