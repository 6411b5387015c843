from strokes import drawing, grid


@drawing("fixed-cubes", 720, 376,
         "Cubes larger than a body. Left, the octant of the cube that a center is in leaves three of eight neighbors, and the face and edge tests say "
         "which of them the ball intersects. Right, two balls that share cubes, with the first of them marked")
def fixed_cubes(out):
    cell = 92

    # The ball, its cube, its quadrant and what is left to test.
    g = grid(out, 28, 314, cell, 3, 3)
    x, y, r = 1.70, 1.66, 0.42
    side = lambda v: 1 if v % 1 >= 0.5 else -1
    dx, dy = side(x), side(y)
    left = {"face x": (1 + dx, 1), "face y": (1, 1 + dy), "edge": (1 + dx, 1 + dy)}
    gap = lambda v, d: (1 - v % 1) if d > 0 else v % 1
    gx, gy = gap(x, dx), gap(y, dy)
    meets = {"face x": gx <= r, "face y": gy <= r, "edge": gx * gx + gy * gy <= r * r}
    for a in range(3):
        for b in range(3):
            c = (a, b)
            if c == (1, 1):
                g.shade(c, "cool", 0.3)
            elif c in left.values():
                hit = meets[[k for k, v in left.items() if v == c][0]]
                g.shade(c, "warm" if hit else "cool", 0.22 if hit else 0.1)
    g.lines()
    for name, c in left.items():
        cx, cy = g.at(c[0] + 0.5, c[1] + 0.5)
        out.write(cx + (18 if dx > 0 else -18), cy - 26, name, "warm" if meets[name] else "soft", anchor="middle", size=12)
    px, py = g.at(1, 1)
    out.rect(px + (cell / 2 if dx > 0 else 0), py - (cell if dy > 0 else cell / 2), cell / 2, cell / 2, stroke="ink", width=1.5, dash="4 3")
    g.body((x, y, r), color="ink", opacity=0.14)
    out.disc(*g.at(x, y), 2.5, fill="ink")
    out.write(28, 28, "the octant (here: quadrant)", bold=True)
    count = sum(meets.values())
    out.write(28, 336, f"of {8} neighbors it leaves 3 (in space 7 of 26);", "soft")
    out.write(28, 356, f"the tests say that the ball lies in {count} of them too", "soft")

    g = grid(out, 392, 314, cell, 3, 3)
    pair = [(1.05, 1.45, 0.44), (1.35, 0.95, 0.42)]
    cubes = []
    for b in pair:
        mine = set()
        for a in range(3):
            for c in range(3):
                nx, ny = max(a, min(b[0], a + 1)) - b[0], max(c, min(b[1], c + 1)) - b[1]
                if nx * nx + ny * ny <= b[2] * b[2]:
                    mine.add((a, c))
        cubes.append(mine)
    shared = cubes[0] & cubes[1]
    first = min(shared, key=lambda c: (c[1], c[0]))
    for c in cubes[0] | cubes[1]:
        g.shade(c, "cool", 0.3 if c in shared else 0.1)
    g.lines()
    for b, name in zip(pair, "ij"):
        g.body(b, name, color="warm", opacity=0.16)
    px, py = g.at(first[0], first[1] + 1)
    out.rect(px + 2, py + 2, cell - 4, cell - 4, 4, stroke="warm", width=4)
    out.write(392, 28, "a pair, once", bold=True)
    out.write(392, 336, f"i and j meet in {len(shared)} cubes: taken in the first,", "soft")
    out.write(392, 356, "which is the lowest that both lie in", "soft")
