from strokes import drawing, touch


@drawing("dess", 720, 412,
         "Six discs with their boxes, the sorted ends on the x axis with the stretch between the ends of body a marked, and the ranks that "
         "its axis neighbors show on y")
def dess(out):
    bodies = {"a": (1.9, 2.0, 0.78), "b": (2.9, 2.75, 0.66), "c": (2.4, 0.62, 0.52), "d": (4.15, 1.2, 0.7), "e": (0.75, 3.2, 0.6),
              "f": (4.4, 3.3, 0.55)}
    target, scale, left, bottom = "a", 58, 40, 292
    at = lambda x, y: (left + x * scale, bottom - y * scale)
    ends = [sorted([(b[k] - b[2], 0, n) for n, b in bodies.items()] + [(b[k] + b[2], 1, n) for n, b in bodies.items()]) for k in (0, 1)]
    rank = [{(n, side): r for r, (_, side, n) in enumerate(axis)} for axis in ends]
    meets = lambda n, m, k: rank[k][n, 0] < rank[k][m, 1] and rank[k][m, 0] < rank[k][n, 1]
    first, last = rank[0][target, 0], rank[0][target, 1]
    matching = [n for _, side, n in ends[0][first + 1:last] if side == 0]
    found = [n for n in matching if meets(target, n, 1)]
    assert any(touch(bodies[target], bodies[n]) for n in found)

    lo, hi = (at(bodies[target][0] + s * bodies[target][2], 0)[0] for s in (-1, 1))
    out.rect(lo, 52, hi - lo, bottom - 40, fill="cool", opacity=0.12)
    for n, (x, y, r) in bodies.items():
        color = "ink" if n == target else "warm" if n in found else "cool" if n in matching else "soft"
        cx, cy = at(x, y)
        out.rect(cx - r * scale, cy - r * scale, 2 * r * scale, 2 * r * scale, stroke=color, width=1, dash="4 3")
        out.body(cx, cy, r * scale, n, color=color, opacity=0.16)
    out.write(30, 32, "one master axis is searched", bold=True)

    # The list of ends, one entry beside the other.
    step = 26
    out.line(left - 12, bottom + 12, 344, bottom + 12, stroke="soft", width=1.5)
    for n, (x, _, r) in bodies.items():
        for side in (-1, 1):
            ex = at(x + side * r, 0)[0]
            out.line(ex, bottom + 8, ex, bottom + 16, stroke="soft", width=1.5)
    y = 350
    for k, (_, side, n) in enumerate(ends[0]):
        inside = first <= k <= last
        hit = side == 0 and n in matching and first < k < last
        out.rect(30 + k * step, y - 17, step - 3, 24, 4, fill="warm" if hit and n in found else "cool", opacity=0.3 if hit else 0.16 if inside else 0.05)
        out.write(30 + k * step + (step - 3) / 2, y, f"{n}]" if side else f"[{n}", anchor="middle", mono=True, bold=n == target)
        out.write(30 + k * step + (step - 3) / 2, y + 22, str(k), "soft", size=11, anchor="middle")
    out.write(30, y + 42, f"the list on x, with ranks: between [{target} and {target}] begin {' and '.join(matching)}", "soft")

    right = 392
    out.write(right, 32, "the ranks on the other axis decide", bold=True)
    out.write(right, 66, "y", "soft")
    for k, text in enumerate(("lower", "upper", "")):
        out.write(right + 64 + 70 * k, 66, text, "soft", anchor="middle")
    for line, n in enumerate([target] + matching):
        y = 96 + 34 * line
        color = "ink" if n == target else "warm" if n in found else "cool"
        out.disc(right + 6, y - 5, 12, fill=color, opacity=0.16, stroke=color)
        out.write(right + 6, y, n, anchor="middle", bold=n == target)
        for side in (0, 1):
            out.rect(right + 40 + 70 * side, y - 18, 48, 25, 4, fill=color, opacity=0.12)
            out.write(right + 64 + 70 * side, y, str(rank[1][n, side]), anchor="middle", mono=True)
        if n != target:
            lower, upper = rank[1][n, 0], rank[1][n, 1]
            mine = rank[1][target, 0], rank[1][target, 1]
            text = f"{lower} < {mine[1]}, {mine[0]} < {upper}" if n in found else (
                f"{mine[0]} > {upper}: apart" if mine[0] > upper else f"{lower} > {mine[1]}: apart")
            out.write(right + 178, y, text, color if n in found else "soft", mono=True)
    y = 96 + 34 * (len(matching) + 1)
    out.write(right, y, f"handed on: {', '.join(f'({target}, {n})' for n in found)}", "warm", bold=True)
    earlier = [n for n in bodies if n not in matching and n != target and meets(target, n, 0)]
    out.write(right, y + 32, f"What began before {target} and reaches in ({', '.join(earlier)})", "soft")
    out.write(right, y + 52, f"has {target} in its own stretch: pairs are met once.", "soft")
