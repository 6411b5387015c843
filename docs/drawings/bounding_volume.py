from strokes import drawing, touch


@drawing("bounding-volume", 720, 300, "One body compared with a packed block of others; a string of zeros and ones says which overlap")
def bounding_volume(out):
    one = (3.0, 2.6, 1.1)
    others = [(0.9, 0.9, 0.7), (4.6, 3.4, 0.8), (6.6, 1.2, 0.9), (1.3, 4.2, 0.8), (3.6, 0.8, 0.8), (6.3, 4.2, 0.7), (0.8, 2.6, 0.6),
              (5.1, 1.6, 0.5)]
    scale = 35
    place = lambda b: (22 + b[0] * scale, 250 - b[1] * scale, b[2] * scale)
    hits = [touch(one, b) for b in others]
    for k, b in enumerate(others):
        out.body(*place(b), k + 1, color="warm" if hits[k] else "cool", opacity=0.22 if hits[k] else 0.14)
    out.disc(*place(one), fill="paper", opacity=0.3)
    out.body(*place(one), 0, color="ink", opacity=0.1)
    out.write(30, 34, "one body", bold=True)
    out.write(30, 287, "rows 0 to 8 of the user's arrays", "soft")

    left, top, wide, high = 386, 86, 38, 32
    out.write(left - 74, 34, "against a packed block of the rows after it", bold=True)
    names = "xyr"
    for a in range(3):
        y = top + a * high
        out.write(left - 90, y + 21, names[a], "soft", anchor="middle")
        out.rect(left - 74, y + 2, wide - 4, high - 4, 4, fill="ink", opacity=0.12)
        out.write(left - 74 + (wide - 4) / 2, y + 21, f"{one[a]:.1f}", anchor="middle", mono=True)
        for k, b in enumerate(others):
            out.rect(left + k * wide, y + 2, wide - 4, high - 4, 4, fill="warm" if hits[k] else "cool", opacity=0.2)
            out.write(left + k * wide + (wide - 4) / 2, y + 21, f"{b[a]:.1f}", anchor="middle", mono=True)
    out.write(left - 74 + (wide - 4) / 2, top - 8, "0", "soft", anchor="middle")
    for k in range(len(others)):
        x = left + k * wide + (wide - 4) / 2
        out.write(x, top - 8, str(k + 1), "soft", anchor="middle")
        out.arrow(x, top + 3 * high + 4, x, top + 3 * high + 24, stroke="warm" if hits[k] else "soft")
        y = top + 3 * high + 28
        out.rect(left + k * wide, y, wide - 4, high - 4, 4, fill="warm" if hits[k] else "line", opacity=0.9 if hits[k] else 0.45)
        out.write(x, y + 19, "1" if hits[k] else "0", "paper" if hits[k] else "soft", anchor="middle", bold=hits[k], mono=True)
    out.write(left - 14, top + 3 * high + 47, "overlap?", "soft", anchor="end")
    found = ", ".join(f"(0, {k + 1})" for k, hit in enumerate(hits) if hit)
    out.write(left - 74, 266, "all at once, without branches; then picked out:", "soft")
    out.write(left - 74, 287, f"the pairs {found}", "warm", bold=True)
