#!/usr/bin/env python3
"""Writes font_outlines.cpp: the characters that pictures use, as outlines of DejaVu Sans (Debian's fonts-dejavu-core).

    python3 cli/render/make_font.py /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf >cli/render/font_outlines.cpp

Its license, which allows this, is in font_license.txt. The format of the font:
https://learn.microsoft.com/typography/opentype/spec/otff
"""

import struct
import sys

CHARACTERS = "".join(map(chr, range(32, 127))) + "µ°²³·×√–−⁰¹⁴⁵⁶⁷⁸⁹⁻"


class Font:
    def __init__(self, data):
        self.data = data
        self.tables = {}
        for k in range(struct.unpack_from(">H", data, 4)[0]):
            tag, _, offset, _ = struct.unpack_from(">4sIII", data, 12 + 16 * k)
            self.tables[tag.decode()] = offset
        self.long_places = struct.unpack_from(">h", data, self.tables["head"] + 50)[0] == 1
        self.widths = struct.unpack_from(">H", data, self.tables["hhea"] + 34)[0]
        self.glyphs = self.read_characters()

    def read_characters(self):
        """The glyph of each character: a table of format 4."""
        start = self.tables["cmap"]
        for k in range(struct.unpack_from(">H", self.data, start + 2)[0]):
            platform, encoding, offset = struct.unpack_from(">HHI", self.data, start + 4 + 8 * k)
            at = start + offset
            if (platform, encoding) == (3, 1) and struct.unpack_from(">H", self.data, at)[0] == 4:
                break
        count = struct.unpack_from(">H", self.data, at + 6)[0] // 2
        list_at = lambda n, form: struct.unpack_from(f">{count}{form}", self.data, at + 14 + 2 * n)
        ends, starts = list_at(0, "H"), list_at(count + 1, "H")
        deltas, ranges = list_at(2 * count + 1, "H"), list_at(3 * count + 1, "H")
        found = {}
        for k in range(count):
            for c in range(starts[k], ends[k] + 1):
                glyph = c
                if ranges[k]:
                    place = at + 14 + 2 * (3 * count + 1 + k) + ranges[k] + 2 * (c - starts[k])
                    glyph = struct.unpack_from(">H", self.data, place)[0]
                found[c] = glyph + deltas[k] & 0xFFFF
        return found

    def advance(self, glyph):
        return struct.unpack_from(">H", self.data, self.tables["hmtx"] + 4 * min(glyph, self.widths - 1))[0]

    def outline(self, glyph):
        """Closed curves, each a list of (x, y, whether the curve passes through it)."""
        loca = self.tables["loca"]
        if self.long_places:
            begin, end = struct.unpack_from(">II", self.data, loca + 4 * glyph)
        else:
            begin, end = (2 * v for v in struct.unpack_from(">HH", self.data, loca + 2 * glyph))
        if begin == end:
            return []
        at = self.tables["glyf"] + begin
        curves = struct.unpack_from(">h", self.data, at)[0]
        return self.simple(at + 10, curves) if curves >= 0 else self.composed(at + 10)

    def composed(self, at):
        """A glyph made of others: here only moved ones, without a change of size."""
        all_curves = []
        while True:
            flags, glyph = struct.unpack_from(">HH", self.data, at)
            dx, dy = struct.unpack_from(">hh" if flags & 1 else ">bb", self.data, at + 4)
            assert flags & 2 and not flags & 0xC8, "only moved parts are known"
            all_curves += [[(x + dx, y + dy, on) for x, y, on in curve] for curve in self.outline(glyph)]
            if not flags & 0x20:
                return all_curves
            at += 8 if flags & 1 else 6

    def simple(self, at, curves):
        ends = struct.unpack_from(f">{curves}H", self.data, at)
        at += 2 * curves
        at += 2 + struct.unpack_from(">H", self.data, at)[0]
        flags = []
        while len(flags) <= ends[-1]:
            flag = self.data[at]
            at += 1
            flags.append(flag)
            if flag & 8:
                flags += [flag] * self.data[at]
                at += 1
        coordinates = []
        for short, same in ((2, 16), (4, 32)):
            value, values = 0, []
            for flag in flags:
                if flag & short:
                    value += self.data[at] if flag & same else -self.data[at]
                    at += 1
                elif not flag & same:
                    value += struct.unpack_from(">h", self.data, at)[0]
                    at += 2
                values.append(value)
            coordinates.append(values)
        points = [(x, y, flag & 1) for x, y, flag in zip(*coordinates, flags)]
        return [points[begin : end + 1] for begin, end in zip([0, *(e + 1 for e in ends)], ends)]


def words_of(curve):
    """A curve in words: "x,y" for a point that it passes through, "x,y~" for one that pulls it."""
    return " ".join(f"{x},{y}" + ("" if on else "~") for x, y, on in curve)


def wrapped(text, width):
    """The text in pieces of at most this width, which end behind a space."""
    while len(text) > width:
        end = text.rfind(" ", 0, width) + 1
        yield text[:end]
        text = text[end:]
    yield text


def main():
    with open(sys.argv[1], "rb") as file:
        font = Font(file.read())
    print("// Made by make_font.py from DejaVu Sans, whose license is in font_license.txt: not to be edited by hand.\n")
    print('#include "render/font.hpp"\n')
    print("// clang-format off: lines as the script breaks them")
    print("const std::vector<abut::cli::glyph>& abut::cli::font_glyphs() {")
    print("  static const std::vector<glyph> all = {")
    for character in sorted(CHARACTERS, key=ord):
        glyph = font.glyphs[ord(character)]
        text = "; ".join(words_of(curve) for curve in font.outline(glyph))
        lines = "\n       ".join(f'"{piece}"' for piece in wrapped(text, 110))
        print(f"      {{0x{ord(character):04x}, {font.advance(glyph)},\n       {lines}}},")
    print("  };\n  return all;\n}")


main()
