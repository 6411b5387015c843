from strokes import drawing, grid, touch


@drawing("hashing", 720, 372,
         "A grid of cells as large as the largest body. One line of cells is at work, with the line before it; body a meets its own cell, the cell before, and "
         "three cells of the line before. Beside it, the linked lists of the two lines")
def hashing(out):
    bodies = [(0.55, 3.4, 0.42), (1.7, 3.55, 0.4), (3.4, 3.3, 0.44), (0.5, 2.45, 0.4), (2.4, 2.5, 0.44), (2.78, 2.28, 0.36), (4.4, 2.6, 0.42),
              (1.6, 1.6, 0.4), (2.62, 1.62, 0.42), (3.45, 1.5, 0.38), (4.6, 1.4, 0.42), (0.6, 0.5, 0.4), (3.1, 0.55, 0.42)]
    at_work, target = 2, 4
    cell, width, height = 62, 5, 4
    place = lambda b: (int(b[0]), int(b[1]))
    own = place(bodies[target])
    g = grid(out, 28, 310, cell, width, height)
    for x in range(width):
        g.shade((x, at_work), "cool", 0.10)
        g.shade((x, at_work - 1), "cool", 0.10)
    searched = [own, (own[0] - 1, own[1])] + [(own[0] + dx, own[1] - 1) for dx in (-1, 0, 1)]
    for c in searched:
        g.shade(c, "cool", 0.3)
    g.lines()
    for k, b in enumerate(bodies):
        hit = k != target and place(b) in searched and touch(b, bodies[target])
        g.body(b, str(k), color="ink" if k == target else "warm" if hit else "soft", opacity=0.2 if k == target or hit else 0.12)
    out.write(28, 34, "two lines at a time", bold=True)
    out.rect(28, 330, 12, 12, 3, fill="cool", opacity=0.3)
    out.write(46, 341, f"body {target} meets these {len(searched)} cells", "soft")
    out.write(46, 361, "the other cells around it meet it from their side", "soft")

    left, top, step = 400, 84, 56
    out.write(left, 34, "their lists, one for each cell", bold=True)
    for line, (name, its_y) in enumerate((("X1", at_work), ("X2", at_work - 1))):
        y = top + line * 130
        out.write(left - 6, y - 14, f"{name}: the line {'at work' if line == 0 else 'before'}", "soft")
        for cell_x in range(width):
            x = left + cell_x * step
            out.rect(x, y, step - 8, 26, 4, fill="cool", opacity=0.3 if (cell_x, its_y) in searched else 0.12)
            out.write(x + (step - 8) / 2, y + 18, str(cell_x), "soft", anchor="middle", size=11)
            chain = [k for k, b in enumerate(bodies) if place(b) == (cell_x, its_y)]
            for depth, k in enumerate(chain):
                cy = y + 46 + depth * 30
                out.line(x + (step - 8) / 2, cy - 20 if depth == 0 else cy - 19, x + (step - 8) / 2, cy - 11, stroke="soft", width=1.5)
                out.disc(x + (step - 8) / 2, cy, 11, fill="ink" if k == target else "cool", opacity=0.2, stroke="ink" if k == target else "cool")
                out.write(x + (step - 8) / 2, cy + 4, str(k), anchor="middle", size=12)
    out.write(left - 6, 341, "for the next line X1 becomes X2, and X2 is", "soft")
    out.write(left - 6, 361, "cleared: whole, or just what was touched", "soft")
