from strokes import drawing, grid, touch


@drawing("mr", 720, 392,
         "Left: bodies in cells as large as the largest of them, linked in the order of their cells, and the two lines of cells that a body "
         "looks at. Right: the contact mask in 3D, 13 cells in 5 lines")
def mr(out):
    # The list: sorted by y, then x.
    cell, width, height = 53, 6, 5
    bodies = [(0.45, 0.40, 0.46), (2.30, 0.62, 0.44), (4.52, 0.45, 0.46), (0.62, 1.58, 0.42), (1.62, 1.40, 0.48), (2.55, 1.60, 0.46),
              (3.55, 1.42, 0.44), (1.42, 2.52, 0.46), (2.38, 2.50, 0.48), (5.40, 2.62, 0.46), (3.30, 3.52, 0.44), (0.60, 4.40, 0.44),
              (4.60, 4.45, 0.46)]
    order = sorted(range(len(bodies)), key=lambda i: (int(bodies[i][1]), int(bodies[i][0])))
    central = 8
    at = [int(bodies[central][k]) for k in (0, 1)]
    mask = [(at[0] + dx, at[1] - 1) for dx in (-1, 0, 1)] + [(at[0] - 1, at[1])]
    g = grid(out, 28, 318, cell, width, height)
    for c in mask:
        g.shade(c, "cool", 0.34)
    g.shade(tuple(at), "cool", 0.14)
    g.lines()
    for i, b in enumerate(bodies):
        inside = (int(b[0]), int(b[1])) in mask
        hit = inside and touch(bodies[central], b)
        g.body(b, color="ink" if i == central else "warm" if hit else "soft", opacity=0.2 if hit else 0.12)
    for before, after in zip(order, order[1:]):
        out.line(*g.at(*bodies[before][:2]), *g.at(*bodies[after][:2]), stroke="ink", width=1.5, dash="3 3")
    for place, i in enumerate(order):
        x, y = g.at(*bodies[i][:2])
        out.disc(x, y, 8, fill="paper", stroke="ink", width=1.2)
        out.write(x, y + 4, str(place + 1), size=11, anchor="middle", bold=i == central)
    out.write(28, 30, "the list", bold=True)
    out.write(84, 30, "by cell: y, then x (in 3D z first)", "soft")
    out.rect(28, 336, 12, 12, 3, fill="cool", opacity=0.34)
    met = [place + 1 for place, i in enumerate(order) if (int(bodies[i][0]), int(bodies[i][1])) in mask]
    out.write(46, 347, f"the 2 lines of body {order.index(central) + 1}'s mask hold {', '.join(map(str, met[:-1]))} and {met[-1]}")
    out.write(46, 366, "each line's first and last pointer only move forward", "soft")

    # The mask in 3D: what comes before the central cell, by the order itself.
    out.write(420, 30, "the contact mask in 3D", bold=True)
    small = 40
    names = {}
    for z in (-1, 0, 1):
        for y in (-1, 0, 1):
            if any((z, y, x) < (0, 0, 0) for x in (-1, 0, 1)):
                names[(z, y)] = len(names) + 1
    count = 0
    for panel, z in enumerate((-1, 0)):
        left = 420 + 150 * panel
        g = grid(out, left, 214, small, 3, 3)
        for y in (-1, 0, 1):
            for x in (-1, 0, 1):
                if (z, y, x) < (0, 0, 0):
                    g.shade((x + 1, y + 1), "cool", 0.34)
                    out.write(*[a + b for a, b in zip(g.at(x + 1.5, y + 1.5), (0, 4.5))], str(names[(z, y)]), anchor="middle")
                    count += 1
        g.lines()
        if z == 0:
            x, y = g.at(1, 2)
            out.rect(x + 2, y + 2, small - 4, small - 4, 4, stroke="warm", width=3)
        out.write(left, 82, "the plane below" if z < 0 else "its own plane", "soft")
    out.write(420, 246, f"{count} cells in {len(names)} lines")
    out.rect(421.5, 262.5, 9, 9, 2, stroke="warm", width=3)
    out.write(438, 272, "the central cell: its own bodies, each", "soft")
    out.write(438, 290, "with those before it in the list", "soft")
    out.write(420, 318, "the other 13 cells look at this one", "soft")
