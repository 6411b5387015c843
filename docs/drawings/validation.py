"""The plots of docs/validation.md. Dots and lines of the simulation are from validation.csv, which tests/dem/curves.cpp
writes; lines of theory are computed here."""

import csv
import os
from math import cos, exp, pi, sqrt

from plots import plot
from strokes import drawing

WIDTH, HEIGHT = 720, 300
LEFT, RIGHT = (64, 48, 340, 236), (424, 48, 700, 236)


def curves():
    found = {}
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "validation.csv")
    with open(path, encoding="utf-8") as file:
        for line in csv.DictReader(file):
            found.setdefault((line["plot"], line["curve"]), []).append((float(line["x"]), float(line["y"])))
    return found


def theory(function, low, high, steps=120):
    return [(x, function(x)) for x in (low + (high - low) * k / steps for k in range(steps + 1))]


def legend(out):
    out.disc(LEFT[0] + 4, HEIGHT - 14, 3.2, fill="warm")
    out.write(LEFT[0] + 14, HEIGHT - 10, "simulation", "soft", 12)
    out.line(LEFT[0] + 94, HEIGHT - 14, LEFT[0] + 120, HEIGHT - 14, stroke="cool", width=1.5)
    out.write(LEFT[0] + 126, HEIGHT - 10, "theory", "soft", 12)


@drawing("validation-collisions", WIDTH, HEIGHT,
         "Left: restitution and time of contact of a spring and dashpot against the share of critical damping. Right: restitution measured "
         "against restitution asked for, hooke and hertz-mindlin")
def collisions(out):
    found = curves()
    p = plot(out, LEFT, (0, 1), (0, 2.4), "spring and dashpot", "damping, as a share of the critical one", "")
    p.curve(theory(lambda z: exp(-pi * z / sqrt(1 - z * z)), 0, 0.999), "cool")
    p.curve(theory(lambda z: 1 / sqrt(1 - z * z), 0, 0.909), "cool")
    p.dots(found["dashpot", "restitution"] + found["dashpot", "time"], "warm")
    p.label(0.3, 0.5, "restitution", "ink")
    p.label(0.2, 1.25, "time of contact", "ink")
    p = plot(out, RIGHT, (0, 1), (0, 1), "restitution", "asked for", "measured")
    p.curve([(0, 0), (1, 1)], "cool")
    p.dots(found["restitution", "hooke"], "warm")
    for at in found["restitution", "hertz-mindlin"]:
        out.disc(*p.at(*at), 5.5, stroke="warm")
    p.label(0.62, 0.36, "\u25cf hooke", "warm")
    p.label(0.62, 0.24, "\u25cb hertz-mindlin", "warm")
    legend(out)


@drawing("validation-hertz", WIDTH, HEIGHT,
         "Left: the force of two Hertz impacts over time, with the published largest force and time of contact. Right: the velocity of the contact "
         "point after an impact with a tangential spring, over the ratio of stiffnesses")
def hertz(out):
    found = curves()
    p = plot(out, LEFT, (0, 60), (0, 12), "Hertz impacts at 10 m/s", "time in µs", "force in kN")
    for name, force, lasts in (("glass", 10.70, 40.3), ("limestone", 7.108, 54.2)):
        p.curve([at for at in found["hertz", name] if at[0] <= lasts * 1.03], "warm")
        p.curve([(0, force), (lasts, force), (lasts, 0)], "cool", 1.2, "4 3")
        p.label(lasts - 1, force - 0.8, name, "ink", "end")
    p = plot(out, RIGHT, (0, 0.6), (-1, 1), "tangential spring", "tangential by normal stiffness", "velocity out / in")
    p.curve(theory(lambda k: cos(pi * sqrt(3.5 * k)), 0, 0.6), "cool")
    p.dots(found["tangential", "velocity"], "warm")
    legend(out)


@drawing("validation-oblique", WIDTH, HEIGHT,
         "An oblique impact of an aluminium oxide sphere: tangential velocity after by before, and spin after, against the tangent of the angle of "
         "impact")
def oblique(out):
    found = curves()
    mu, e, v, r = 0.092, 0.98, 3.9, 0.0025
    sticks = 3.5 * mu * (1 + e)  # below this tangent a rigid sphere does not slide to the end
    p = plot(out, LEFT, (0, 4), (0.6, 1), "oblique impact: velocity", "tangent of the angle of impact", "after / before")
    p.curve(theory(lambda t: 1 - mu * (1 + e) / t, sticks, 4), "cool")
    p.dots([at for at in found["oblique", "velocity"] if at[0] <= 4], "warm")
    p = plot(out, RIGHT, (0, 4), (0, 800), "spin", "tangent of the angle of impact", "after, in rad/s")
    p.curve(theory(lambda t: 2.5 * mu * (1 + e) * v / sqrt(1 + t * t) / r, sticks, 4), "cool")
    p.dots([at for at in found["oblique", "spin"] if at[0] <= 4], "warm")
    legend(out)


@drawing("validation-rolling", WIDTH, HEIGHT,
         "Left: a sliding ball slows down and its surface speeds up until it rolls at five sevenths of its speed. Right: rolling resistance stops a ball")
def rolling(out):
    found = curves()
    g, v = 9.81, 0.1
    p = plot(out, LEFT, (0, 0.02), (0, 0.1), "a sliding ball", "time in s", "velocity in m/s")
    end = 2 * v / (7 * 0.3 * g)
    p.curve([(0, v), (end, v * 5 / 7), (0.02, v * 5 / 7)], "cool")
    p.curve([(0, 0), (end, v * 5 / 7)], "cool")
    p.dots(found["sliding", "center"], "warm")
    p.dots(found["sliding", "surface"], "warm")
    p.label(0.0075, 0.088, "center", "ink")
    p.label(0.0045, 0.025, "surface", "ink")
    p = plot(out, RIGHT, (0, 0.16), (0, 0.1), "rolling resistance", "time in s", "velocity in m/s")
    p.curve([(0, v), (v / (0.1 * g * 5 / 7), 0), (0.16, 0)], "cool")
    p.dots(found["resistance", "center"], "warm")
    legend(out)


@drawing("validation-gas", WIDTH, HEIGHT, "The relative error of an elastic gas's energy, at 50 and at 100 steps for each time of contact")
def gas(out):
    found = curves()
    errors = [y for steps in ("50", "100") for _, y in found["gas", steps]]
    p = plot(out, (64, 48, 700, 236), (0, 200), (min(errors) * 1.1, max(errors) * 1.1), "elastic gas", "time, in times of contact",
             "error of the energy, in millionths")
    p.curve(found["gas", "50"], "warm")
    p.curve(found["gas", "100"], "cool")
    out.line(LEFT[0], HEIGHT - 14, LEFT[0] + 26, HEIGHT - 14, stroke="warm", width=1.5)
    out.write(LEFT[0] + 32, HEIGHT - 10, "50 steps for each time of contact", "soft", 12)
    out.line(LEFT[0] + 240, HEIGHT - 14, LEFT[0] + 266, HEIGHT - 14, stroke="cool", width=1.5)
    out.write(LEFT[0] + 272, HEIGHT - 10, "100 steps", "soft", 12)
