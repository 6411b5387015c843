#!/usr/bin/env python3
"""abut from Python without any extension module: contacts with memory by ctypes, through the C header abut.h.

Usage: contacts.py LIBRARY, the shared library of abut (build it with -DBUILD_SHARED_LIBS=ON).
The structs here are those of the header, field by field, up to what is needed.
"""
import ctypes
import math
import random
import sys
from ctypes import POINTER, c_double, c_int, c_int32, c_size_t, c_ssize_t, c_uint32, c_uint64, c_void_p

SPHERE, DOUBLE = 1, 1


class Column(ctypes.Structure):
    """abut_column, and abut_labels, which has the same fields."""

    _fields_ = [("data", c_void_p), ("stride", c_ssize_t), ("type", c_int)]


class Sized(ctypes.Structure):
    """A struct that begins with its own size."""

    def __init__(self, **fields):
        super().__init__(size=ctypes.sizeof(self), **fields)


class Bodies(Sized):
    _fields_ = [("size", c_size_t), ("count", c_size_t), ("shape", c_int), ("dimension", c_int),
                ("center", Column * 3), ("radius", Column), ("min", Column * 3), ("max", Column * 3),
                ("fixed", c_void_p), ("fixed_stride", c_ssize_t),
                ("group", Column), ("category", Column), ("collides", Column)]


class Options(Sized):
    _fields_ = [("size", c_size_t), ("margin", c_double), ("threads", c_int), ("periodic", c_int * 3),
                ("periodic_min", c_double * 3), ("periodic_max", c_double * 3), ("motion", c_double),
                ("constants", ctypes.c_char_p)]


class ContactOptions(Sized):
    _fields_ = [("size", c_size_t), ("margin", c_double), ("has_skin", c_int), ("skin", c_double),
                ("bytes", c_size_t), ("fresh", c_void_p), ("keep", c_void_p), ("keep_context", c_void_p)]


class ContactArrays(Sized):
    _fields_ = [("size", c_size_t), ("count", c_size_t), ("rows", c_size_t), ("other_rows", c_size_t),
                ("bytes", c_size_t), ("between", c_int), ("firsts", POINTER(c_uint32)), ("seconds", POINTER(c_uint32)),
                ("memory", c_void_p), ("offsets", POINTER(c_uint32)), ("back_offsets", POINTER(c_uint32)),
                ("back", POINTER(c_uint32)), ("images", POINTER(c_int32)), ("begun", POINTER(c_uint64))]


class NeighborOptions(Sized):
    _fields_ = [("size", c_size_t), ("half", c_int), ("distances", c_int), ("vectors", c_int), ("images", c_int)]


class Neighbors(Sized):
    _fields_ = [("size", c_size_t), ("rows", c_size_t), ("count", c_size_t), ("offsets", POINTER(c_uint32)),
                ("neighbors", POINTER(c_uint32)), ("distances", POINTER(c_double)), ("vectors", POINTER(c_double)),
                ("images", POINTER(c_int32))]


def load(path):
    """The library, with the types of the functions that return handles or text; the others return a status."""
    abut = ctypes.CDLL(path)
    for name in ("abut_version", "abut_last_error"):
        getattr(abut, name).restype = ctypes.c_char_p
    for name in ("abut_create", "abut_contacts_create"):
        getattr(abut, name).restype = c_void_p
    return abut


def column(numbers):
    return Column(ctypes.addressof(numbers), ctypes.sizeof(c_double), DOUBLE)


def distance(x, y, i, j, side):
    """Of two centers, through the periodic borders."""
    dx, dy = ((a[j] - a[i] + side / 2) % side - side / 2 for a in (x, y))
    return math.hypot(dx, dy)


def main():
    abut = load(sys.argv[1])

    def check(status):
        if status != 0:
            sys.exit("error: " + abut.abut_last_error().decode())

    random.seed(1)
    count, side, steps = 150, 14.0, 60
    x, y, r = ((c_double * count)(*(random.uniform(low, high) for _ in range(count)))
               for low, high in ((0, side), (0, side), (0.3, 0.6)))
    velocity = [(random.uniform(-1, 1), random.uniform(-1, 1)) for _ in range(count)]

    discs = Bodies(count=count, shape=SPHERE, dimension=2, radius=column(r))
    discs.center[0], discs.center[1] = column(x), column(y)
    options = Options(periodic=(1, 1, 0), periodic_max=(side, side, 0))
    search = c_void_p(abut.abut_create(None, ctypes.byref(options)))
    remembering = ContactOptions(bytes=ctypes.sizeof(c_uint32))  # how many steps a contact has been listed
    contacts = c_void_p(abut.abut_contacts_create(ctypes.byref(remembering)))
    if not search or not contacts:
        check(1)

    arrays, updated, searches = ContactArrays(), c_int(), 0
    for _ in range(steps):
        for i, (vx, vy) in enumerate(velocity):
            x[i] += 0.01 * vx
            y[i] += 0.01 * vy
        check(abut.abut_contacts_follow(contacts, search, ctypes.byref(discs), None, None, ctypes.byref(updated)))
        check(abut.abut_contacts_arrays(contacts, ctypes.byref(arrays)))
        searches += updated.value
        ages = ctypes.cast(arrays.memory, POINTER(c_uint32))
        for slot in range(arrays.count):
            ages[slot] += 1
    oldest = max(ages[slot] for slot in range(arrays.count))

    found = Neighbors()
    asked = NeighborOptions(half=1, distances=1)
    check(abut.abut_contacts_neighbors(contacts, ctypes.byref(discs), None, ctypes.byref(asked), ctypes.byref(found)))
    pairs = {(min(i, found.neighbors[k]), max(i, found.neighbors[k]))
             for i in range(count) for k in range(found.offsets[i], found.offsets[i + 1])}
    expected = {(i, j) for j in range(count) for i in range(j) if distance(x, y, i, j, side) <= r[i] + r[j]}
    print(f"{count} discs, {steps} steps, {searches} searches; {len(pairs)} pairs touch; the oldest contact was listed "
          f"for {oldest} steps (abut {abut.abut_version().decode()})")

    refused = Bodies(count=count, shape=7, dimension=2)
    failed = abut.abut_update(search, ctypes.byref(refused)) == 1
    print("refused:", abut.abut_last_error().decode())

    abut.abut_contacts_destroy(contacts)
    abut.abut_destroy(search)
    return 0 if pairs == expected and failed and 0 < searches < steps and 1 < oldest <= steps else 1


if __name__ == "__main__":
    sys.exit(main())
