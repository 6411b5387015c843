from strokes import drawing, grid, touch


@drawing("multilevel", 720, 356,
         "The same space three times: the grids of three levels, each with its own bodies, and the cells that the large body a searches "
         "on each")
def multilevel(out):
    side, space = 208, 8
    a = (4.35, 4.3, 1.75)
    levels = [  # the cell size, and the bodies whose diameters are above the last one's and up to it
        (1, [(0.6, 0.7, 0.45), (1.7, 2.3, 0.4), (2.5, 3.1, 0.42), (3.5, 0.6, 0.35), (5.4, 1.5, 0.45), (7.3, 0.8, 0.4), (6.3, 3.6, 0.48),
             (7.4, 3.3, 0.4), (0.7, 4.4, 0.42), (2.3, 6.2, 0.38), (3.4, 6.4, 0.45), (5.0, 6.35, 0.42), (6.4, 5.9, 0.4), (7.3, 7.2, 0.45),
             (0.8, 7.3, 0.4), (4.6, 7.5, 0.38), (1.6, 0.5, 0.3), (7.5, 5.2, 0.35)]),
        (2, [(1.3, 5.6, 0.85), (3.4, 1.9, 0.9), (6.6, 2.2, 0.8), (6.9, 6.3, 0.7), (2.6, 7.1, 0.7)]),
        (4, [(1.6, 2.1, 1.25), a]),
    ]
    largest = [max(r for _, _, r in bodies) for _, bodies in levels]
    for h, (cell, bodies) in enumerate(levels):
        left = 24 + h * (side + 24)
        scale = side / space
        own = h == len(levels) - 1
        g = grid(out, left, 262, scale * cell, space // cell, space // cell)
        # The centers of a's partners here are within its radius and the largest one's; on its own level, only those after it.
        reach = a[2] + largest[h]
        low = [max(0, int((a[k] - reach) // cell)) for k in (0, 1)]
        high = [min(space // cell - 1, int((a[k] + reach) // cell)) for k in (0, 1)]
        home = (int(a[0] // cell), int(a[1] // cell))
        for x in range(low[0], high[0] + 1):
            for y in range(low[1], high[1] + 1):
                after = not own or (y, x) >= (home[1], home[0])
                g.shade((x, y), "cool", 0.3 if after else 0.1)
        g.lines()
        for b in bodies:
            if b is a:
                continue
            hit = touch(a, b)
            center = (left + b[0] * scale, 262 - b[1] * scale)
            out.body(*center, b[2] * scale, color="warm" if hit else "soft", opacity=0.25 if hit else 0.12)
            out.disc(*center, 1.8, fill="warm" if hit else "soft")
        x, y = left + a[0] * scale, 262 - a[1] * scale
        if own:
            out.body(x, y, a[2] * scale, "a", color="ink", opacity=0.14)
        else:
            out.disc(x, y, a[2] * scale, stroke="ink", width=1.5, dash="5 4")
            out.write(x, y + 4.5, "a", anchor="middle")
        out.write(left, 34, f"level {h + 1}", bold=True)
        sizes = f"diameters up to {cell}" if h == 0 else f"above {levels[h - 1][0]}, up to {cell}"
        out.write(left + 54, 34, sizes, "soft")
    out.rect(24, 286, 12, 12, 3, fill="cool", opacity=0.3)
    out.write(42, 297, "searched by a: its own level, then every lower one (direction=down)")
    out.rect(24, 308, 12, 12, 3, fill="cool", opacity=0.1)
    out.write(42, 319, "earlier cells of its own level: their bodies search for a", "soft")
    out.disc(30, 336, 6, fill="warm", opacity=0.25, stroke="warm")
    out.write(42, 341, "bodies that a overlaps; small bodies do not look up", "soft")
