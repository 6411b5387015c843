from random import Random

from strokes import drawing

LINE = 92.0          # pixels: twice the reach
CELL = LINE / 4      # a quarter of it
REACH = LINE / 2


@drawing("grid", 720, 420,
         "Lines of cells twice as high as partners can be apart. A body looks forward along its own line, and both ways along the later line that it is near "
         "to; both are contiguous ranges of the sorted bodies, which are compared sixteen at a time")
def grid(out):
    left, top, cells, lines = 28, 60, 14, 2
    rng = Random(5)
    radius = REACH / 2.1
    bodies = []
    for _ in range(4000):
        x, y = rng.uniform(10, cells * CELL - 10), rng.uniform(6, lines * LINE - 6)
        if all((x - a) ** 2 + (y - b) ** 2 > (1.75 * radius) ** 2 for a, b in bodies):
            bodies.append((x, y))
    key = lambda b: (int(b[1] // LINE), int(b[0] // CELL))
    bodies.sort(key=key)
    middle = lambda b: abs(b[0] - 4.3 * CELL) + abs(b[1] - 0.72 * LINE)
    target = min(range(len(bodies)), key=lambda k: middle(bodies[k]))
    tx, ty = bodies[target]
    own = int(ty // LINE)
    other = own + 1
    first = {own: int(tx // CELL), other: int((tx - REACH) // CELL)}
    last = int((tx + REACH) // CELL)

    out.write(left, 34, "two lines of cells, and the body at work", bold=True)
    for line in (own, other):
        from_cell = first[line]
        out.rect(left + from_cell * CELL, top + line * LINE, (last + 1 - from_cell) * CELL, LINE, fill="cool", opacity=0.2)
    for c in range(cells + 1):
        out.line(left + c * CELL, top, left + c * CELL, top + lines * LINE)
    for r in range(lines + 1):
        out.line(left, top + r * LINE, left + cells * CELL, top + r * LINE, stroke="soft", width=1.5)
    ranges = {own: [k for k, b in enumerate(bodies) if key(b)[0] == own and k > target and key(b)[1] <= last],
              other: [k for k, b in enumerate(bodies) if key(b)[0] == other and first[other] <= key(b)[1] <= last]}
    tested = ranges[own] + ranges[other]
    hits = [k for k in tested if (bodies[k][0] - tx) ** 2 + (bodies[k][1] - ty) ** 2 <= (2 * radius) ** 2]
    for k, (x, y) in enumerate(bodies):
        color = "ink" if k == target else "warm" if k in hits else "cool" if k in tested else "soft"
        out.disc(left + x, top + y, radius, fill=color, opacity=0.16, stroke=color)
        out.write(left + x, top + y + 4, str(k), color if k in tested or k == target else "soft", size=11, anchor="middle")
    right = left + cells * CELL + 14
    out.arrow(right + 8, top + 4, right + 8, top + LINE - 4)
    out.arrow(right + 8, top + LINE - 4, right + 8, top + 4)
    out.write(right + 22, top + LINE / 2 - 4, "a line is twice the reach high:", "soft")
    out.write(right + 22, top + LINE / 2 + 14, "partners are in it and in the", "soft")
    out.write(right + 22, top + LINE / 2 + 32, f"line that body {target} is nearer to", "soft")
    out.write(right + 22, top + LINE + 40, "forward in its own, both ways in", "soft")
    out.write(right + 22, top + LINE + 58, "a later one, not in an earlier", "soft")
    out.write(right + 22, top + LINE + 76, "one: each pair comes up once", "soft")

    y = top + lines * LINE + 56
    out.write(left, y - 18, "the bodies in the order of cells: each line of them is a range", bold=True)
    width = min(27.0, (720 - 2 * left) / len(bodies))
    for k in range(len(bodies)):
        color = "ink" if k == target else "warm" if k in hits else "cool" if k in tested else "soft"
        strong = k == target or k in tested
        out.rect(left + k * width, y, width - 3, 26, 3, fill=color, opacity=0.3 if strong else 0.1)
        out.write(left + k * width + (width - 3) / 2, y + 17, str(k), "ink" if strong else "soft", size=10, anchor="middle")
    for line in (own, other):
        a, b = min(ranges[line]), max(ranges[line]) + 1
        out.line(left + a * width, y + 36, left + b * width - 3, y + 36, stroke="cool", width=3)
        out.write(left + (a + b) / 2 * width, y + 54, "its own line" if line == own else "the line beside", "soft", size=12, anchor="middle")
    out.write(left, y + 86, f"{len(tested)} tests, sixteen at a time, find {len(hits)} partner{'s' if len(hits) != 1 else ''};"
              " in single precision, and what is in doubt again in double", "soft")
