from strokes import drawing, touch


@drawing("pairing", 720, 300, "Six bodies with a line between each two, and the triangle of the 15 pairs that are tested")
def pairing(out):
    bodies = [(70, 92, 30), (122, 122, 32), (222, 84, 28), (248, 176, 34), (202, 214, 30), (76, 226, 26)]
    n = len(bodies)
    pairs = [(i, j) for i in range(n) for j in range(i + 1, n)]
    found = [p for p in pairs if touch(bodies[p[0]], bodies[p[1]])]
    for i, j in pairs:
        hit = (i, j) in found
        out.line(*bodies[i][:2], *bodies[j][:2], stroke="warm" if hit else "soft", width=3 if hit else 1)
    for k, (x, y, r) in enumerate(bodies):
        out.disc(x, y, r, fill="paper", opacity=0.55)
        out.body(x, y, r, k)
    out.write(30, 34, "every body with every other", bold=True)

    left, top, step = 370, 62, 34
    out.write(left, 34, "row i against the greater rows j", bold=True)
    for k in range(n):
        out.write(left + (k + 0.5) * step, top - 6, str(k), "soft", anchor="middle")
        out.write(left - 10, top + (k + 0.5) * step + 5, str(k), "soft", anchor="end")
    for i, j in pairs:
        hit = (i, j) in found
        out.rect(left + j * step + 2, top + i * step + 2, step - 4, step - 4, 4, fill="warm" if hit else "cool",
                 opacity=0.9 if hit else 0.18)
    for k in range(n):
        out.disc(left + (k + 0.5) * step, top + (k + 0.5) * step, 1.5, fill="soft")
    out.rect(left, 276, 12, 12, 3, fill="cool", opacity=0.18)
    out.write(left + 18, 287, f"{len(pairs)} tests", "soft")
    out.rect(left + 90, 276, 12, 12, 3, fill="warm", opacity=0.9)
    out.write(left + 108, 287, f"{len(found)} of them overlap: the pairs", "soft")
