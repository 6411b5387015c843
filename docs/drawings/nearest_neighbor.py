from math import hypot

from strokes import drawing, touch


def gap(a, b):
    return hypot(a[0] - b[0], a[1] - b[1]) - a[2] - b[2]


@drawing("nearest-neighbor", 720, 400,
         "Left: the pairs of a body with a gap of at most the distance D are in its list. Right: bodies have moved since; the two that "
         "moved least still are in the list, one that moved by more than half of D is a stray")
def nearest_neighbor(out):
    distance = 30

    # The list of a, as it was made: every body whose gap to a is at most D.
    a = (186, 190, 40)
    others = [(115, 180, 34), (196, 110, 36), (262, 236, 38), (150, 288, 40), (286, 120, 36), (66, 262, 34), (258, 308, 30), (90, 92, 34)]
    out.write(28, 30, "the list of a", bold=True)
    out.write(118, 30, "all with a gap of at most D", "soft")
    out.disc(a[0], a[1], a[2] + distance, stroke="cool", width=1.5, dash="5 4")
    listed = 0
    for b in others:
        near, hit = gap(a, b) <= distance, touch(a, b)
        listed += near
        color = "warm" if hit else "cool" if near else "soft"
        out.body(*b, color=color, opacity=0.3 if near else 0.1)
        if near:
            length = hypot(b[0] - a[0], b[1] - a[1])
            x, y = ((b[k] - a[k]) / length for k in (0, 1))
            out.line(a[0] + x * (a[2] - 12), a[1] + y * (a[2] - 12), b[0] - x * (b[2] - 12), b[1] - y * (b[2] - 12), "ink", 1.5)
    out.disc(*a, fill="paper")
    out.body(*a, name="a", color="ink", opacity=0.14)
    out.disc(34, 356, 6, fill="warm", opacity=0.3, stroke="warm")
    out.write(48, 361, "touches a", "ink")
    out.disc(134, 356, 6, fill="cool", opacity=0.3, stroke="cool")
    out.write(148, 361, f"near: these {listed} are tested")
    out.line(28, 380, 41, 380, stroke="cool", width=1.5, dash="5 3")
    out.write(48, 385, "D beyond the surface of a", "soft")

    # The same rule later: what matters is how far bodies are from where they were.
    then = [(430, 132, 36), (526, 132, 36), (452, 256, 36), (640, 218, 32)]
    now = [(438, 132, 36), (516, 132, 36), (452, 246, 36), (584, 272, 32)]
    out.write(384, 30, "later", bold=True)
    out.write(430, 30, "what counts is how far each has moved", "soft")
    names = "bcde"
    stray = []
    for k, (old, new) in enumerate(zip(then, now)):
        move = hypot(new[0] - old[0], new[1] - old[1])
        stray.append(move > distance / 2)
        color = "warm" if stray[k] else "cool"
        out.disc(*old, stroke=color, width=1, dash="4 4")
        out.body(*new, name=names[k], color=color, opacity=0.25)
    assert stray == [False, False, False, True]
    moved = [hypot(n[0] - o[0], n[1] - o[1]) for o, n in zip(then, now)]
    assert moved[0] + moved[1] <= distance and gap(then[0], then[1]) <= distance
    out.write(384, 66, "b and c have moved by less than D together:", size=12)
    out.write(384, 82, "if they touch, they are in the list", size=12)
    out.write(584, 338, "e, a stray: moved by more than D / 2", anchor="middle", size=12)
    x, y, r = now[3]
    reach = r + max(m for m, s in zip(moved, stray) if not s)
    out.disc(x, y, reach, stroke="ink", width=1.5, dash="2 3")
    out.line(384, 356, 397, 356, stroke="soft", width=1, dash="4 3")
    out.write(404, 361, "where it was when the list was made", "soft")
    out.line(384, 380, 397, 380, stroke="ink", width=1.5, dash="2 3")
    out.write(404, 385, "where the stray looks, among those places", "soft")
