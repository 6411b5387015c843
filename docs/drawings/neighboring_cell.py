from strokes import drawing, grid, touch


@drawing("neighboring-cell", 720, 416,
         "Two grids of cells. Left, store=center: the cells that body a searches. Right, store=cover: the cells that two bodies "
         "cover, with the lowest that they share marked")
def neighboring_cell(out):
    cell, width, height = 53, 6, 5

    # store=center, in units of a cell: a body lies in the cell of its center.
    bodies = [(0.62, 0.55, 0.40), (1.55, 1.42, 0.42), (2.30, 0.62, 0.38), (4.25, 0.70, 0.44), (5.45, 1.35, 0.40), (0.55, 2.35, 0.42),
              (2.62, 2.40, 0.42), (3.34, 2.74, 0.40), (4.50, 2.30, 0.36), (1.62, 3.35, 0.40), (2.60, 4.30, 0.42), (4.35, 3.62, 0.42),
              (5.40, 4.40, 0.40)]
    a = bodies[6]
    reach = a[2] + max(b[2] for b in bodies)
    low = [int((a[k] - reach) // 1) for k in (0, 1)]
    high = [int((a[k] + reach) // 1) for k in (0, 1)]
    own = (int(a[0]), int(a[1]))
    g = grid(out, 28, 326, cell, width, height)
    for x in range(low[0], high[0] + 1):
        for y in range(low[1], high[1] + 1):
            after = (y, x) >= (own[1], own[0])
            g.shade((x, y), "cool", 0.34 if after else 0.12)
    g.lines()
    for b in bodies:
        if b is a:
            continue
        hit = touch(a, b)
        g.body(b, color="warm" if hit else "soft", opacity=0.25 if hit else 0.12)
        out.disc(*g.at(b[0], b[1]), 2.5, fill="warm" if hit else "soft")
    out.disc(*g.at(a[0], a[1]), a[2] * cell, fill="paper", opacity=0.35)
    g.body(a, color="ink", opacity=0.14)
    out.disc(*g.at(a[0], a[1]), 2.5, fill="ink")
    out.write(g.at(a[0], a[1])[0] - 11, g.at(a[0], a[1])[1] + 4, "a", bold=True, anchor="middle")
    x, y = g.at(a[0] - reach, a[1] + reach)
    out.rect(x, y, 2 * reach * cell, 2 * reach * cell, stroke="ink", width=1.5, dash="5 4")
    out.write(28, 30, "store=center", bold=True, mono=True)
    out.write(136, 30, "a body lies in its center's cell", "soft")
    out.rect(28, 344, 12, 12, 3, fill="cool", opacity=0.34)
    out.write(46, 355, "searched by a, for partners not met yet")
    out.rect(28, 366, 12, 12, 3, fill="cool", opacity=0.12)
    out.write(46, 377, "earlier cells: their bodies search for a", "soft")
    out.line(28, 394, 41, 394, stroke="ink", width=1.5, dash="5 3")
    out.write(46, 399, "as far as R = r + r_max + margin from a's center", "soft")

    # store=cover: a body lies in every cell that it touches.
    pair = [(2.15, 1.75, 1.02), (3.92, 2.72, 1.12)]
    small = [(0.55, 0.60, 0.36), (5.25, 0.75, 0.40), (0.62, 4.30, 0.40), (4.60, 4.52, 0.34)]
    covers = [{(x, y) for x in range(int(b[0] - b[2]), int(b[0] + b[2]) + 1) for y in range(int(b[1] - b[2]), int(b[1] + b[2]) + 1)}
              for b in pair]
    shared = covers[0] & covers[1]
    lowest = min(shared, key=lambda c: (c[1], c[0]))
    g = grid(out, 380, 326, cell, width, height)
    for c in sorted(covers[0] | covers[1]):
        g.shade(c, "cool", 0.34 if c in shared else 0.12)
    g.lines()
    for b in small:
        g.body(b, color="soft", opacity=0.12)
    for b, name in zip(pair, "ab"):
        assert touch(*pair)
        g.body(b, color="warm", opacity=0.14)
        out.write(g.at(b[0], b[1])[0] + (12 if name == "b" else -26), g.at(b[0], b[1])[1] + 5, name, bold=True, anchor="middle")
    x, y = g.at(lowest[0], lowest[1] + 1)
    out.rect(x + 2, y + 2, cell - 4, cell - 4, 4, stroke="warm", width=4)
    out.write(380, 30, "store=cover", bold=True, mono=True)
    out.write(480, 30, "a body lies in every cell it touches", "soft")
    out.rect(380, 344, 12, 12, 3, fill="cool", opacity=0.34)
    out.write(398, 355, f"shared: a and b meet in these {len(shared)} cells")
    out.rect(381.5, 367.5, 9, 9, 2, stroke="warm", width=3)
    out.write(398, 377, "the lowest of these: here the pair is taken", "soft")
