#!/usr/bin/env python3
"""Whether a compiler's message says in plain words why bodies are refused, for what people often try: refused.py COMPILER INCLUDE"""

import re
import subprocess
import sys

HEAD = """#include <array>
#include <vector>
#include <abut/abut.hpp>
struct grain { int whole[3]; float padded[4]; double center[3]; std::vector<double> elsewhere; double x, y, r; };
std::vector<std::array<double, 3>> centers;
std::vector<std::array<int, 3>> whole;
std::vector<double> x;
std::vector<int> counts;
std::vector<short> short_ids;
std::vector<grain> grains;
float padded[10][4];
template <class T> std::vector<T> made() { return {}; }
"""

# What is tried, and words of the sentence that the message must have.
CASES = [
    ("abut::spheres(whole, 0.5)", "centers are arrays of float or double"),
    ("abut::spheres(padded, 0.5)", "state 2 or 3"),
    ("abut::spheres(made<std::array<double, 3>>(), 0.5)", "a temporary is gone before it is read"),
    ("abut::spheres(counts, x, 0.5)", "columns are float or double"),
    ("abut::spheres(made<double>(), x, 0.5)", "a temporary (or no contiguous range) cannot be read in place"),
    ("abut::spheres(centers, counts)", "columns are float or double"),
    ("abut::spheres(grains, &grain::padded, &grain::r)", "state 2 or 3"),
    ("abut::spheres(grains, &grain::whole, &grain::r)", "centers are arrays of float or double inside of the structs"),
    ("abut::spheres(grains, &grain::elsewhere, &grain::r)", "centers are arrays of float or double inside of the structs"),
    ("abut::spheres(made<grain>(), &grain::center, &grain::r)", "a temporary is gone before it is read"),
    ("abut::spheres(made<grain>(), &grain::x, &grain::y, &grain::r)", "a temporary is gone before it is read"),
    ("abut::boxes(made<std::array<double, 3>>(), centers)", "a temporary is gone before it is read"),
    ("abut::boxes(whole, whole)", "corners are arrays of float or double"),
    ("abut::boxes(made<grain>(), &grain::center, &grain::center)", "a temporary is gone before it is read"),
    ("abut::column_of(made<grain>(), &grain::x)", "a temporary is gone before it is read"),
    ("abut::spheres(centers, 0.5).fixed(made<bool>())", "no std::vector<bool>"),
    ("abut::spheres(centers, 0.5).group(short_ids)", "labels are integers of 32 or 64 bits"),
    ("abut::spheres(centers, 0.5).group(made<int>())", "a temporary (or no contiguous range) cannot be read in place"),
]


def main():
    compiler, include = sys.argv[1:]
    first = HEAD.count("\n") + 1
    source = HEAD + "".join(f"auto case_{k} = {code};\n" for k, (code, _) in enumerate(CASES))
    said = subprocess.run([compiler, "-std=c++20", "-fsyntax-only", f"-I{include}", "-x", "c++", "-"], check=False, input=source,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env={"LC_ALL": "C", "PATH": "/usr/bin:/bin"}).stdout
    errors = re.split(r"^(?=<stdin>:\d+:\d+: error: )", said, flags=re.M)
    failed = 0
    for k, (code, words) in enumerate(CASES):
        of_case = [e for e in errors if e.startswith(f"<stdin>:{first + k}:")]
        if any(words in e for e in of_case):
            continue
        failed += 1
        print(f'{code}: no word of "{words}" in:\n{"".join(of_case) or "(it compiles)"}')
    print(f"{len(CASES) - failed} of {len(CASES)} refusals say why")
    return failed > 0


sys.exit(main())
