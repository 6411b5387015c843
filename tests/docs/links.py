#!/usr/bin/env python3
"""Checks that every relative link in the project's Markdown points to something that exists, headings included.

    tests/docs/links.py FOLDER

looks at README.md and the other pages of FOLDER, and at all pages of FOLDER/docs. Links out of the project are not followed.
(The modules are those of python3-minimal, which has no working pathlib.)
"""

import os
import re
import sys

fence = re.compile(r"^[ \t]*(```|~~~)")
target = re.compile(r"\]\(\s*<?([^)>\s]+)>?(?:\s+\"[^\"]*\")?\s*\)")
definition = re.compile(r"^[ \t]*\[[^\]]+\]:\s*(\S+)")


def prose(path):
    """The numbered lines outside of code, and what is `code` in them without brackets."""
    inside = False
    with open(path, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if fence.match(line):
                inside = not inside
            elif not inside and not line.startswith("    "):
                yield number, re.sub(r"`[^`]*`", lambda code: re.sub(r"[\[\]()]", "", code[0]), line.rstrip("\n"))


def anchors(path):
    """The names by which a page's headings can be linked to, as forges make them."""
    names = set()
    for _, line in prose(path):
        heading = re.match(r"#{1,6}\s+(.*?)\s*#*$", line)
        if heading:
            text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading[1])
            names.add(re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-"))
    return names


def problem_of(page, link, root):
    if re.match(r"[a-z][a-z0-9+.-]*:|//", link, re.IGNORECASE):
        return None
    name, _, anchor = link.partition("#")
    if name.startswith("/"):
        return "is absolute; links are relative to their page"
    path = os.path.normpath(os.path.join(os.path.dirname(page), name)) if name else page
    if os.path.relpath(path, root).startswith(".."):
        return "leads out of the project"
    if not os.path.exists(path):
        return "leads nowhere"
    if anchor and path.endswith(".md") and anchor not in anchors(path):
        return f"names a heading that {os.path.relpath(path, root)} does not have"
    return None


def pages_of(root):
    yield from (os.path.join(root, name) for name in sorted(os.listdir(root)) if name.endswith(".md"))
    for folder, _, names in sorted(os.walk(os.path.join(root, "docs"))):
        yield from (os.path.join(folder, name) for name in sorted(names) if name.endswith(".md"))


def main():
    root = os.path.abspath(sys.argv[1])
    pages = list(pages_of(root))
    count = 0
    problems = []
    for page in pages:
        for number, line in prose(page):
            for link in target.findall(line) + definition.findall(line):
                count += 1
                problem = problem_of(page, link, root)
                if problem:
                    problems.append(f"{os.path.relpath(page, root)}:{number}: {link} {problem}")
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{count} links on {len(pages)} pages, {len(problems)} broken")
    # Hardly any links would mean that this script no longer sees them.
    sys.exit(1 if problems or count < len(pages) else 0)


main()
