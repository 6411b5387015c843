from math import ceil, sqrt

from strokes import drawing


def box_of(body):
    x, y, r = body
    return (x - r, y - r, x + r, y + r)


def around(boxes):
    return (min(b[0] for b in boxes), min(b[1] for b in boxes), max(b[2] for b in boxes), max(b[3] for b in boxes))


def meet(a, b):
    return a[0] <= b[2] and b[0] <= a[2] and a[1] <= b[3] and b[1] <= a[3]


def pack(boxes, node):
    """Sort-tile-recursive: slabs by x, in them groups by y. Returns the groups, as lists of indices."""
    groups = ceil(len(boxes) / node)
    start = lambda g: g * len(boxes) // groups
    slabs = ceil(sqrt(groups))
    center = lambda i, k: boxes[i][k] + boxes[i][k + 2]
    order = sorted(range(len(boxes)), key=lambda i: center(i, 0))
    for s in range(slabs):
        a, b = start(s * groups // slabs), start((s + 1) * groups // slabs)
        order[a:b] = sorted(order[a:b], key=lambda i: center(i, 1))
    return [order[start(g):start(g + 1)] for g in range(groups)]


@drawing("rtree", 720, 400, "Left, discs in the boxes of leaves, these in the boxes of nodes, with one body's box. Right, the same tree from "
         "the root down to the bodies, with what the box meets marked")
def rtree(out):
    # Bodies on a wobbly lattice, in leaves of up to 4, these in nodes of up to 4.
    wobble = lambda i, k: ((i * 37 + k * 61) % 23) / 23 - 0.5
    bodies = [(i % 6 + 0.3 * wobble(i, 0), i // 6 + 0.3 * wobble(i, 1), 0.47 + 0.12 * wobble(i, 2)) for i in range(36)]
    bodies = [b for i, b in enumerate(bodies) if i not in (4, 5, 11, 31)]
    boxes = [box_of(b) for b in bodies]
    leaves = pack(boxes, 4)
    leaf_boxes = [around([boxes[i] for i in leaf]) for leaf in leaves]
    nodes = pack(leaf_boxes, 4)
    node_boxes = [around([leaf_boxes[i] for i in node]) for node in nodes]
    target = max(range(len(bodies)), key=lambda i: sum(meet(boxes[i], b) for b in boxes))
    query = boxes[target]

    scale = 49
    place = lambda x, y: (56 + x * scale, 330 - y * scale)

    def frame(b, grow, **look):
        x, y = place(b[0], b[3])
        out.rect(x - grow, y - grow, (b[2] - b[0]) * scale + 2 * grow, (b[3] - b[1]) * scale + 2 * grow, 4, **look)

    for b in node_boxes:
        frame(b, 4, stroke="ink", width=1.5, dash="6 4")
    for b in leaf_boxes:
        hit = meet(b, query)
        frame(b, 0, fill="cool" if hit else None, opacity=0.13, stroke="cool" if hit else "line", width=1.5)
    for i, (x, y, r) in enumerate(bodies):
        hit = meet(boxes[i], query)
        color = "ink" if i == target else "warm" if hit else "soft"
        out.body(*place(x, y), r * scale, color=color, opacity=0.25 if hit else 0.1)
    frame(query, 0, stroke="ink", width=2)
    out.write(*[v + d for v, d in zip(place(*bodies[target][:2]), (0, 4))], "a", bold=True, anchor="middle")
    out.write(20, 28, "boxes in boxes", bold=True)

    # The tree, from the root down.
    left, right = 400, 706
    heights = [70, 136, 206, 266]
    spots = []
    count = sum(len(leaves[l]) for node in nodes for l in node)
    step = (right - left) / count
    k = 0
    for node in nodes:
        for l in node:
            spots.append((l, [left + (k + j + 0.5) * step for j in range(len(leaves[l]))]))
            k += len(leaves[l])
    middle = {l: sum(xs) / len(xs) for l, xs in spots}
    node_at = [sum(middle[l] for l in node) / len(node) for node in nodes]
    root = sum(node_at) / len(node_at)
    for n, node in enumerate(nodes):
        open_node = meet(node_boxes[n], query)
        out.line(root, heights[0], node_at[n], heights[1], stroke="cool" if open_node else "line", width=2 if open_node else 1)
        for l in node:
            open_leaf = open_node and meet(leaf_boxes[l], query)
            out.line(node_at[n], heights[1], middle[l], heights[2], stroke="cool" if open_leaf else "line", width=2 if open_leaf else 1)
            for x, i in zip(dict(spots)[l], leaves[l]):
                hit = open_leaf and meet(boxes[i], query)
                out.line(middle[l], heights[2], x, heights[3], stroke="warm" if hit else "cool" if open_leaf else "line", width=1.5 if hit else 1)
                out.disc(x, heights[3], 3.6, fill="ink" if i == target else "warm" if hit else "soft", opacity=1 if hit else 0.5)
            out.rect(middle[l] - 9, heights[2] - 7, 18, 14, 3, fill="paper", stroke="cool" if open_leaf else "line", width=2)
        out.rect(node_at[n] - 13, heights[1] - 8, 26, 16, 3, fill="paper", stroke="cool" if open_node else "line", width=2)
    out.rect(root - 16, heights[0] - 9, 32, 18, 3, fill="paper", stroke="cool", width=2)
    out.write(left, 28, "the same, from the root down", bold=True)
    out.write(root + 26, heights[0] + 4, "root", "soft")
    met = sum(meet(b, query) for b in leaf_boxes)
    found = sum(meet(b, query) for b in boxes) - 1
    out.write(left, 310, f"a's box meets {met} of {len(leaves)} leaves: these are opened", "cool")
    out.write(left, 332, f"in them, boxes of {found} others: its candidates", "warm")
    out.write(left, 354, "a leaf's bodies go down together, and look only", "soft")
    out.write(left, 374, "at what comes after them in the row of leaves", "soft")
    out.write(20, 382, "dashed: nodes; solid: leaves, of at most 4 entries each", "soft")
