#!/usr/bin/env python3
"""Writes mixer.stl, the rotor of the scene "mixer": a shaft with four pitched blades, in meters, about the z axis."""

import math

RADIUS = 0.012  # of the shaft
BOTTOM, TOP = 0.004, 0.16  # ends of the shaft
SIDES = 12  # of the shaft
BLADES = 4
REACH = 0.066  # of the blades, from the axis
WIDTH, THICKNESS = 0.034, 0.004
PITCH = math.radians(40)  # against the horizontal
HEIGHT = 0.022  # of the blades' middle


def quad(a, b, c, d):
    return [(a, b, c), (a, c, d)]


def shaft():
    def ring(z):
        angles = [2 * math.pi * k / SIDES for k in range(SIDES)]
        return [(RADIUS * math.cos(a), RADIUS * math.sin(a), z) for a in angles]

    low, high = ring(BOTTOM), ring(TOP)
    triangles = []
    for k in range(SIDES):
        n = (k + 1) % SIDES
        triangles += quad(low[k], low[n], high[n], high[k])
        triangles.append(((0, 0, BOTTOM), low[n], low[k]))
        triangles.append(((0, 0, TOP), high[k], high[n]))
    return triangles


def blade(turn):
    """A flat bar along a radius, tilted about it."""

    def corner(along, across, up):
        y = across * math.cos(PITCH) - up * math.sin(PITCH)
        z = across * math.sin(PITCH) + up * math.cos(PITCH) + HEIGHT
        return (along * math.cos(turn) - y * math.sin(turn), along * math.sin(turn) + y * math.cos(turn), z)

    near, far = 0.6 * RADIUS, REACH
    w, t = WIDTH / 2, THICKNESS / 2
    c = {(i, j, k): corner((near, far)[i], (-w, w)[j], (-t, t)[k]) for i in (0, 1) for j in (0, 1) for k in (0, 1)}
    faces = [
        ((0, 0, 0), (0, 1, 0), (1, 1, 0), (1, 0, 0)),
        ((0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)),
        ((0, 0, 0), (1, 0, 0), (1, 0, 1), (0, 0, 1)),
        ((0, 1, 0), (0, 1, 1), (1, 1, 1), (1, 1, 0)),
        ((1, 0, 0), (1, 1, 0), (1, 1, 1), (1, 0, 1)),
        ((0, 0, 0), (0, 0, 1), (0, 1, 1), (0, 1, 0)),
    ]
    return [t for f in faces for t in quad(*(c[k] for k in f))]


def main():
    triangles = shaft()
    for k in range(BLADES):
        triangles += blade(2 * math.pi * k / BLADES)
    lines = ["solid mixer"]
    for triangle in triangles:
        lines += ["facet normal 0 0 0", "outer loop"]
        lines += [f"vertex {x:.6g} {y:.6g} {z:.6g}" for x, y, z in triangle]
        lines += ["endloop", "endfacet"]
    print("\n".join(lines + ["endsolid mixer"]))


if __name__ == "__main__":
    main()
