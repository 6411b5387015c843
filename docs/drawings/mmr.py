from strokes import drawing, grid, touch


@drawing("mmr", 720, 300,
         "Three steps. In each, cells are as large as the group's largest body; the group's bodies meet each other and all smaller "
         "ones, and are removed")
def mmr(out):
    side, alpha = 200, 2
    # In units of the side: one of the largest size, then each group half as large.
    bodies = [(0.29, 0.68, 0.25), (0.70, 0.72, 0.19), (0.60, 0.40, 0.12), (0.22, 0.33, 0.115), (0.86, 0.44, 0.10),
              (0.40, 0.20, 0.09), (0.46, 0.33, 0.055), (0.52, 0.26, 0.045), (0.10, 0.16, 0.06), (0.70, 0.15, 0.06),
              (0.80, 0.10, 0.052), (0.92, 0.24, 0.05), (0.06, 0.47, 0.045), (0.93, 0.90, 0.06), (0.50, 0.90, 0.05), (0.62, 0.22, 0.05)]
    largest = 2 * max(b[2] for b in bodies)

    def group(b):
        n = 0
        while 2 * b[2] <= largest / alpha ** (n + 1):
            n += 1
        return n

    for panel, step in enumerate(sorted({group(b) for b in bodies})):
        left = 28 + 232 * panel
        size = 2 * max(b[2] for b in bodies if group(b) == step)
        cells = int(1 / size) if 1 / size == int(1 / size) else int(1 / size) + 1
        g = grid(out, left, 250, side, 1, 1)
        for k in range(cells + 1):
            at = min(k * size, 1) * side
            out.line(left + at, 250, left + at, 250 - side)
            out.line(left, 250 - at, left + side, 250 - at)
        own = [b for b in bodies if group(b) == step]
        there = [b for b in bodies if group(b) >= step]
        for b in there:
            hit = group(b) > step and any(touch(a, b) for a in own)
            g.body(b, color="cool" if b in own else "warm" if hit else "soft", opacity=0.3 if b in own else 0.16)
        out.write(left, 30, f"step {step}", bold=True)
        out.write(left + 54, 30, f"{len(own)} in the group, {len(there) - len(own)} smaller", "soft")
    out.disc(34, 277, 6, fill="cool", opacity=0.3, stroke="cool")
    out.write(46, 282, "the group: removed after its step")
    out.disc(296, 277, 6, fill="warm", opacity=0.16, stroke="warm")
    out.write(308, 282, "smaller, and touches one of the group")
