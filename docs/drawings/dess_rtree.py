from rtree import around, box_of, pack
from strokes import drawing


@drawing("dess-rtree", 720, 400, "Left, discs of many sizes, most of them close together. Right, the boxes that they take among the ranks of "
         "their ends, evenly spread, with the boxes of a tree's leaves")
def dess_rtree(out):
    bodies = [(0.55, 0.6, 0.3), (1.0, 1.05, 0.26), (0.5, 1.35, 0.2), (1.5, 0.5, 0.22), (1.55, 1.5, 0.3), (1.05, 1.62, 0.18),
              (0.95, 0.48, 0.14), (4.4, 4.3, 1.25), (3.2, 3.9, 0.36), (5.3, 1.2, 0.6), (0.8, 4.9, 0.5), (1.9, 1.0, 0.16)]
    names = "abcdefghijkl"
    scale = 50
    place = lambda x, y: (22 + x * scale, 340 - y * scale)
    for b, name in zip(bodies, names):
        out.body(*place(b[0], b[1]), b[2] * scale, color="cool", opacity=0.14)
        if b[2] >= 0.3:
            x, y = place(b[0], b[1])
            out.write(x, y + 4, name, anchor="middle")
    out.rect(22, 40, 300, 300, 4, stroke="line", width=1)
    out.write(22, 28, "in coordinates", bold=True)

    # Both ends of every body on each axis, sorted; lower ends first where they are equal.
    ranks = [[0, 0, 0, 0] for _ in bodies]
    for axis in (0, 1):
        ends = [(box_of(b)[axis + 2 * side], side, i) for i, b in enumerate(bodies) for side in (0, 1)]
        for rank, (_, side, i) in enumerate(sorted(ends)):
            ranks[i][axis + 2 * side] = rank
    last = 2 * len(bodies) - 1
    left, bottom, cell = 390, 340, 300 / last
    at = lambda x, y: (left + x * cell, bottom - y * cell)
    for r in range(last + 1):
        out.line(*at(r, 0), *at(r, last), width=0.5)
        out.line(*at(0, r), *at(last, r), width=0.5)

    def frame(b, **look):
        x, y = at(b[0], b[3])
        out.rect(x, y, (b[2] - b[0]) * cell, (b[3] - b[1]) * cell, 2, **look)

    leaves = pack([tuple(r) for r in ranks], 4)
    for i, r in enumerate(ranks):
        frame(r, fill="cool", opacity=0.14, stroke="cool", width=1.2)
    for leaf in leaves:
        frame(around([ranks[i] for i in leaf]), stroke="warm", width=2.5)
    for i, r in enumerate(ranks):
        if bodies[i][2] >= 0.3:
            x, y = at((r[0] + r[2]) / 2, (r[1] + r[3]) / 2)
            out.write(x, y + 4, names[i], anchor="middle")
    out.write(left, 28, "in ranks", bold=True)
    out.write(left + 64, 28, f"0 to {last}: two ends a body and axis", "soft")
    out.write(22, 366, "most of the bodies in a corner of space", "soft")
    out.write(left, 366, "every rank is one body's end: evenly spread,", "soft")
    out.write(left, 386, f"and so are the {len(leaves)} leaves of the tree", "warm")
