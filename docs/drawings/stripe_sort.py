from strokes import drawing


@drawing("stripe-sort", 720, 400,
         "Stripes along x, one of them shaded, with the bodies that are listed in it. Left, the thesis's rule: a border zone as far as the "
         "largest body of the stripe reaches. Right, ours: only what reaches into the stripe")
def stripe_sort(out):
    width, height, unit, which = 1.0, 4.6, 53, 1
    bodies = [(0.42, 0.55, 0.30), (0.80, 1.30, 0.34), (0.45, 3.30, 0.36), (0.62, 4.10, 0.30), (2.42, 2.40, 1.12), (1.55, 0.50, 0.32),
              (1.62, 3.85, 0.34), (2.15, 0.85, 0.30), (2.50, 3.90, 0.32), (3.10, 0.60, 0.36), (3.32, 4.00, 0.34), (3.90, 2.20, 0.32),
              (4.20, 0.90, 0.34), (4.50, 3.20, 0.36), (5.10, 1.70, 0.34), (5.30, 4.05, 0.36), (5.45, 0.60, 0.34)]
    low = lambda b: b[0] - b[2]
    high = lambda b: b[0] + b[2]
    own = [b for b in bodies if which * width <= low(b) < (which + 1) * width]
    highest = max(high(b) for b in own)
    zone = [b for b in bodies if (which + 1) * width <= low(b) <= highest]
    before = [b for b in bodies if low(b) < which * width <= high(b)]

    def panel(left, listed, shade_to):
        x = lambda v: left + v * unit
        y = lambda v: 300 - v * unit
        out.rect(x(which * width), y(height), width * unit, height * unit, fill="cool", opacity=0.22)
        if shade_to > (which + 1) * width:
            out.rect(x((which + 1) * width), y(height), (shade_to - (which + 1) * width) * unit, height * unit, fill="warm", opacity=0.16)
            out.line(x(shade_to), y(height), x(shade_to), y(0), stroke="warm", width=1.5, dash="5 4")
        for s in range(7):
            out.line(x(s * width), y(height), x(s * width), y(0))
        for b in bodies:
            color = "cool" if b in own else "warm" if b in listed else "soft"
            out.body(x(b[0]), y(b[1]), b[2] * unit, color=color, opacity=0.10 if color == "soft" else 0.30)
            out.disc(x(low(b)), y(b[1]), 2.5, fill=color)

    out.write(28, 28, "the thesis", bold=True)
    out.write(112, 28, "up to the highest upper end", "soft")
    panel(28, zone, highest)
    out.write(380, 28, "here", bold=True)
    out.write(420, 28, "what reaches into the stripe", "soft")
    panel(380, before, 0)
    for left, others, text in ((28, zone, "in its border zone, as far as the largest reaches"),
                               (380, before, "began before and reaches into it")):
        out.disc(left + 6, 327, 5, fill="cool", opacity=0.5, stroke="cool")
        out.write(left + 18, 332, f"{len(own)} bodies begin in the stripe")
        out.disc(left + 6, 351, 5, fill="warm", opacity=0.5, stroke="warm")
        out.write(left + 18, 356, f"{len(others)} {text}")
    out.write(28, 382, "The large body lists itself in three stripes; it does not make others be listed.", "soft")
    assert int(high(bodies[4]) // width) - int(low(bodies[4]) // width) + 1 == 3
