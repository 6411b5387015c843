from strokes import drawing


@drawing("spatial-sort", 720, 330,
         "Intervals of eight bodies on one axis in the order of their lower ends, with the range of one body as begun by the lower ends, "
         "and extended to the first body that reaches in")
def spatial_sort(out):
    bodies = [(0.0, 4.9), (0.5, 1.3), (1.0, 1.9), (1.6, 2.5), (2.9, 4.2), (3.3, 4.1), (4.0, 5.0), (4.6, 5.5)]
    target = 4
    lower, upper = bodies[target]
    last = max(k for k, b in enumerate(bodies) if b[0] <= upper)
    first = min(k for k, b in enumerate(bodies) if b[1] >= lower)
    left, top, scale, step = 60, 62, 68, 26
    x = lambda v: left + v * scale
    out.write(30, 32, "one axis, in the order of the lower ends", bold=True)
    out.rect(x(lower), top - 14, (upper - lower) * scale, len(bodies) * step + 6, fill="cool", opacity=0.1)
    for k, (a, b) in enumerate(bodies):
        y = top + k * step
        meets = a <= upper and lower <= b
        color = "ink" if k == target else "warm" if meets else "soft"
        out.line(x(a), y, x(b), y, stroke=color, width=3)
        for end in (a, b):
            out.line(x(end), y - 5, x(end), y + 5, stroke=color, width=2)
        out.write(left - 24, y + 5, str(k), "ink" if k == target else "soft", anchor="middle", bold=k == target)
    right = 470
    bar = lambda column, a, b, color: out.rect(right + column, top + a * step - 9, 14, (b - a) * step + 18, 4, fill=color, opacity=0.45)
    bar(0, target + 1, last, "cool")
    bar(82, first, last, "cool")
    exact = [k for k, b in enumerate(bodies) if k != target and b[0] <= upper and lower <= b[1]]
    for k in exact:
        out.disc(right + 171, top + k * step, 7, fill="warm", opacity=0.8)
    for column, text in ((7, "begun"), (89, "extended"), (171, "listed")):
        out.write(right + column, 32, text, anchor="middle", bold=True)
    y = top + len(bodies) * step + 12
    wrong = [k for k in range(first, last + 1) if k != target and k not in exact]
    begun = " and ".join(str(k) for k in range(target + 1, last + 1))
    out.write(30, y, f"Within body {target} begin {begun}; body {first} began before and reaches into it: missed (case 11 of the thesis).", "soft")
    out.write(30, y + 20, f"Extended down to {first}, the range holds all neighbors, but also {', '.join(map(str, wrong))}: less accurate where sizes differ.", "soft")
    out.write(30, y + 40, "way=1 lists just the neighbors; way=2 extends on every axis; way=3 on every axis but the master.", "soft")
