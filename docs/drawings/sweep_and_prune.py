from itertools import combinations

from strokes import drawing


def on(b, k):
    return b[k] - b[2], b[k] + b[2]


def meet(a, b, k):
    return on(a, k)[0] <= on(b, k)[1] and on(b, k)[0] <= on(a, k)[1]


@drawing("sweep-and-prune", 720, 400,
         "Left: four discs in their boxes, with the boxes' ends on both axes; the one pair of boxes that overlaps on both is marked. "
         "Right: the ends on the x axis at the last update and now; where two lines cross, two ends swap places, and a swap of "
         "an upper and a lower end begins or ends an overlap")
def sweep_and_prune(out):
    # The boxes and their ends on both axes, in units of 46 pixels.
    unit, left, bottom = 46, 78, 290
    bodies = dict(a=(0.95, 3.85, 0.72), b=(2.35, 1.10, 0.85), c=(3.40, 2.35, 0.80), d=(4.95, 4.10, 0.66))
    pairs = [p for p in combinations(bodies, 2) if all(meet(bodies[p[0]], bodies[p[1]], k) for k in (0, 1))]
    along_x = [p for p in combinations(bodies, 2) if meet(bodies[p[0]], bodies[p[1]], 0)]
    assert pairs == [("b", "c")] and len(along_x) > 1
    warm = {name for p in pairs for name in p}
    at = lambda x, y: (left + x * unit, bottom - y * unit)
    out.write(28, 30, "the table", bold=True)
    out.write(104, 30, "boxes that overlap on every axis", "soft")
    for n, (name, b) in enumerate(bodies.items()):
        color = "warm" if name in warm else "soft"
        x, y = at(b[0] - b[2], b[1] + b[2])
        out.rect(x, y, 2 * b[2] * unit, 2 * b[2] * unit, 2, stroke=color, width=1.5, dash="4 3")
        out.body(*at(b[0], b[1]), b[2] * unit, name, color=color, opacity=0.16)
        # The box's ends on each axis, each body on a line of its own.
        (x1, x2), (y1, y2) = on(b, 0), on(b, 1)
        below, beside = bottom + 22 + 11 * n, left - 14 - 11 * n
        out.line(at(x1, 0)[0], below, at(x2, 0)[0], below, stroke=color, width=4)
        out.line(beside, at(0, y1)[1], beside, at(0, y2)[1], stroke=color, width=4)
        out.write(at(x2, 0)[0] + 5, below + 4, name, "soft", size=11)
    out.line(left, bottom + 8, left + 5.9 * unit, bottom + 8)
    out.line(left - 6, bottom, left - 6, bottom - 5.2 * unit)
    named = " and ".join("".join(p) for p in along_x)
    out.write(28, 372, f"on x alone {named} overlap, on both axes {''.join(pairs[0])}", "soft")

    # The x axis at the last update and now: a line for each end, from where it stood to where it stands.
    start, wide, top, low = 394, 50, 96, 250
    before = dict(a=(0.15, 1.75), b=(1.25, 3.05), c=(3.55, 4.95), d=(4.45, 5.95))
    now = dict(a=(0.25, 1.55), b=(1.95, 3.95), c=(3.35, 4.65), d=(4.85, 6.00))
    ends = [(name, side, before[name][side], now[name][side]) for name in before for side in (0, 1)]
    place = lambda x: start + x * wide
    out.write(380, 30, "the swaps", bold=True)
    out.write(464, 30, "of neighbors in the list on x", "soft")
    out.write(380, top - 32, "last update", "soft")
    out.write(380, low + 40, "now", "soft")
    for name, side, x1, x2 in ends:
        out.line(place(x1), top + 8, place(x2), low - 8, stroke="soft", width=1.2)
        for x, y in ((x1, top), (x2, low)):
            out.write(place(x), y + 5, "[]"[side], bold=True, size=17, anchor="middle", mono=True)
        out.write(place(x1), top - 12, name, "soft", size=11, anchor="middle")
        out.write(place(x2), low + 20, name, "soft", size=11, anchor="middle")
    kinds = []
    for (n1, s1, x1, y1), (n2, s2, x2, y2) in combinations(ends, 2):
        if n1 == n2 or (x1 - x2) * (y1 - y2) >= 0:
            continue
        part = (x2 - x1) / ((x2 - x1) - (y2 - y1))
        x, y = place(x1 + part * (y1 - x1)), top + 8 + part * (low - top - 16)
        lower_first_now = (y1 < y2) == (s1 == 0)
        kind = "none" if s1 == s2 else "begins" if lower_first_now else "ends"
        kinds.append(kind)
        if kind != "none":
            out.disc(x, y, 5.5, fill="warm" if kind == "begins" else "cool")
    assert sorted(kinds) == ["begins", "ends", "ends"], kinds
    out.disc(386, 318, 5.5, fill="warm")
    out.write(400, 322, "] [ to [ ] : an overlap on x begins")
    out.disc(386, 342, 5.5, fill="cool")
    out.write(400, 346, "[ ] to ] [ : an overlap on x ends")
    out.write(380, 372, "[ [ and ] ] change nothing", "soft")
