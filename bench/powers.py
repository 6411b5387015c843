#!/usr/bin/env python3
"""How the methods scale: `abut bench` on 2D lattices of 1,200 to 1,200,000 discs, as the table of docs/methods/README.md.

    ./dev bench powers [PLAN ...]     all methods that do not take the square of the time, or these plans

The discs have the spacing as diameter, are moved by up to 0.1 of it, shuffled, and enlarged by 1.05. A search lives through a few updates,
between which every disc moves by up to 1 % of its diameter on each axis. Times are of one thread, in ns a body; the powers are of
the time of all bodies in N, from one number of bodies to the next: 1 is linear.
"""

import json
import math
import os
import subprocess
import sys
import tempfile

COUNTS = [1_200, 12_000, 120_000, 1_200_000]
STEPS = {1_200: (4, 20), 12_000: (4, 5), 120_000: (3, 3), 1_200_000: (2, 1)}  # updates, repeats


def measure(abut, plans):
    """For each plan, its results by number of bodies."""
    results = {}
    with tempfile.TemporaryDirectory() as folder:
        for count in COUNTS:
            print(f"{count} discs", file=sys.stderr, flush=True)
            bodies = os.path.join(folder, f"{count}.npy")
            subprocess.run([abut, "generate", "lattice", "--dimension", "2", "--count", str(count), "--out", bodies], check=True,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            steps, repeats = STEPS[count]
            answer = subprocess.run([abut, "bench", bodies, "--scale", "1.05", "--methods", ",".join(plans), "--threads", "1", "--move", "0.01",
                                     "--steps", str(steps), "--repeat", str(repeats), "--json"], check=True, stdout=subprocess.PIPE)
            for result in json.loads(answer.stdout)["results"]:
                assert result["exact"], result
                results.setdefault(result["plan"], {})[count] = result
    return results


def powers(results, what):
    times = [(n, n * r["nanoseconds_per_body"][what]["median"]) for n, r in sorted(results.items())]
    return [math.log(t1 / t0) / math.log(n1 / n0) for (n0, t0), (n1, t1) in zip(times, times[1:])]


def row(plan, results):
    last = results[max(results)]
    cells = [f"`{plan}`"]
    for what in ("first", "update", "find"):
        time = last["nanoseconds_per_body"][what]["median"]
        cells += [f"{time:,.0f}", " ".join(f"{p:.2f}" for p in powers(results, what))]
    cells += [f'{last["candidates_per_pair"]:.2f}', f'{last["bytes_per_body"]:.0f}']
    return "| " + " | ".join(cells) + " |"


def main():
    abut, plans = sys.argv[1], sys.argv[2:]
    if not plans:
        listed = json.loads(subprocess.run([abut, "methods", "--json"], check=True, stdout=subprocess.PIPE).stdout)
        plans = [m["name"] for m in listed if not m["quadratic"]]
    results = measure(abut, plans)
    print("| plan | first update | its powers | update | its powers | find | its powers | candidates per pair | bytes a body |")
    print("|---|---|---|---|---|---|---|---|---|")
    for plan in plans:
        print(row(plan, results[plan]))


main()
