#!/usr/bin/env python3
"""Every check of the project, part by part: ./dev check. Goes on where it stopped: a part that passed is not run again until
something changes.

    check.py                    every part
    check.py lint arm           these parts
    check.py --brief            what .ci/run does: the tests, those with assertions and all vector instructions, the linters on what
                                has changed, the part that has not passed for longest, and the parts that the change concerns, within 900 seconds by the record
    check.py --list             the parts, when each passed last, and what --brief would run

A part that passes is noted in .ci/record.csv with its commit, seconds and processor, if all changes are committed; commit that
file too. --brief notes nothing, since nobody would commit it, and prints the lines instead.
"""

import argparse
import csv
import datetime
import hashlib
import pathlib
import re
import subprocess
import sys
import time
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.dont_write_bytecode = True  # the folders are part of the source
sys.path.insert(0, str(ROOT / "bench"))

import here  # noqa: E402

RECORD = ROOT / ".ci" / "record.csv"
PASSED = ROOT / "build" / "check"
COLUMNS = ("part", "commit", "date", "seconds", "processor")
REST = 900  # the seconds, by the record, that --brief may take beside the tests and the linters


class part(NamedTuple):
    name: str
    command: str  # for bash, in the project's folder
    concerns: str  # a regular expression: the files whose changes --brief runs it for
    brief: str = ""  # what --brief always runs for it
    random: bool = False  # looks for other things each time, and is never run by --brief, which decides what is accepted
    committed: bool = False  # looks only at what is committed, and is never run by --brief, which runs in a clone itself


# The clone stays if something fails there.
CLONE = "at=build/check-clone; rm -rf $at && git clone -q . $at && (cd $at && ./dev run && ./dev test) && rm -rf $at"
PARTS = (
    part("test", "./dev test", "", brief="./dev test"),
    part("checked", "./dev test --checked", "", brief="./dev test --checked"),
    part("scenes", "RC_PARAMS='max_success=5000 max_size=100' ./dev test --only 'dem_scenes.*'", "", random=True),
    part("lint", "./dev lint", "", brief="./dev lint --changed {commit}"),
    part("bench", "./dev bench build", r"^bench/.*(cpp|hpp|txt)$"),
    part("asan", "./dev test --asan --short", r"^src/(c|contacts)/|^src/base/memory|^cli/(files|scene)/"),
    part("tsan", "./dev test --tsan --short", r"^src/base/parallel|^src/search/"),
    part("arm", "./dev test --arm", r"^src/base/(compress|instructions|kernels|vector)|\.inl$|^cmake/arm"),
    part("fuzz", "./dev fuzz 20", r"^fuzz/|^cli/files/|^src/bodies/(check|columns)"),
    part("site", "./dev docs", r"\.md$|^docs/|^(dem/)?include/"),
    part("clone", CLONE, "", committed=True),
)


def git(*words):
    return subprocess.run(["git", *words], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout


def is_record(name):
    return name == str(RECORD.relative_to(ROOT))


def uncommitted():
    return [line for line in git("status", "--porcelain").splitlines() if not is_record(line[3:])]


def tree():
    """A hash of all files that a part may depend on, uncommitted changes included."""
    text = [line for line in git("ls-tree", "-r", "HEAD").splitlines() if not is_record(line.split("\t")[1])]
    text += [git("diff", "HEAD", "--", ".", f":!{RECORD.relative_to(ROOT)}")]
    for name in git("ls-files", "--others", "--exclude-standard").splitlines():
        text += [name, hashlib.sha256((ROOT / name).read_bytes()).hexdigest()]
    return hashlib.sha256("\n".join(text).encode()).hexdigest()


def processor():
    """Its name and its best vector instructions."""
    return f"{here.processor()} {here.best_instructions()}".replace(",", " ")


def read_record():
    if not RECORD.exists():
        return {}
    with open(RECORD, newline="", encoding="utf-8") as file:
        return {row["part"]: row for row in csv.DictReader(file)}


def write_record(record):
    with open(RECORD, "w", newline="", encoding="utf-8") as file:
        lines = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        lines.writeheader()
        lines.writerows(record[p.name] for p in PARTS if p.name in record)


def changed_since(commit):
    """The files that have changed since a commit; None if the commit is not known here."""
    known = subprocess.run(["git", "cat-file", "-e", f"{commit}^{{commit}}"], cwd=ROOT, check=False, stderr=subprocess.DEVNULL)
    return git("diff", "--name-only", commit).splitlines() if known.returncode == 0 else None


def choose_brief(record, changed=changed_since):
    """What --brief runs, and what is left out for lack of time, though it has never passed or the change concerns it."""

    def age(p):  # the oldest first
        return record[p.name]["date"] if p.name in record else ""

    def concerned(p):
        names = changed(record[p.name]["commit"]) if p.name in record else None
        return names is None or any(re.search(p.concerns, name) for name in names)

    rest = sorted((p for p in PARTS if not p.brief and not p.random and not p.committed), key=age)
    wanted = [rest[0], *(p for p in rest[1:] if concerned(p))]
    chosen, seconds = [], 0.0
    for p in wanted:
        takes = float(record[p.name]["seconds"]) if p.name in record else REST
        if not chosen or seconds + takes <= REST:
            chosen.append(p)
            seconds += takes
    always = [p for p in PARTS if p.brief]
    return [*always, *chosen], [p for p in wanted if p not in chosen]


def brief_command(p, record, changed=changed_since):
    """With {commit} replaced by the one on which the part passed last; if that is not known here, the whole part."""
    known = p.name in record and changed(record[p.name]["commit"]) is not None
    return p.brief.format(commit=record[p.name]["commit"]) if p.brief and known else p.command


def seconds_in_words(seconds):
    return f"{seconds:,.0f} s"


class checker:
    def __init__(self, brief):
        self.brief = brief
        self.record = read_record()
        self.lines = []
        self.failed = []

    def run(self, p):
        note = PASSED / p.name
        now = tree()
        if not self.brief and note.exists() and note.read_text(encoding="utf-8") == now:
            self.lines.append(f"{p.name:8} passed before, on the same files")
            return
        if p.committed and uncommitted():
            self.lines.append(f"{p.name:8} FAILED: it looks only at what is committed, and there are uncommitted changes; commit them")
            self.failed.append(p)
            return
        command = brief_command(p, self.record) if self.brief else p.command
        print(f"\n== {p.name}: {command}", flush=True)
        began = time.monotonic()
        code = subprocess.run(["bash", "-c", command], cwd=ROOT, check=False, stdin=subprocess.DEVNULL).returncode
        seconds = time.monotonic() - began
        self.lines.append(f"{p.name:8} {'passed' if code == 0 else 'FAILED':6} {seconds_in_words(seconds):>9}  {command}")
        print(self.lines[-1], flush=True)
        if code != 0:
            self.failed.append(p)
            return
        if self.brief and command != p.command:
            return  # not the whole part
        if not self.brief:
            note.write_text(now, encoding="utf-8")
        self.record[p.name] = dict(zip(COLUMNS, (p.name, git("rev-parse", "--short=12", "HEAD").strip(),
                                                 datetime.datetime.now().isoformat(" ", "minutes"), f"{seconds:.0f}", processor())))
        if self.brief:
            self.lines[-1] += f"\n         {','.join(self.record[p.name].values())}"
        elif uncommitted():
            self.lines[-1] += " (not recorded: there are uncommitted changes)"
        else:
            write_record(self.record)


def show(record):
    chosen, left = choose_brief(record)
    for p in PARTS:
        last = record.get(p.name)
        when = f"{last['date']:16}  {last['commit']:12}  {last['seconds']:>6} s" if last else "never"
        brief = "brief" if p in chosen else "brief, if there were time" if p in left else ""
        print(f"{p.name:8} {when:41}  {brief}".rstrip())


def main():
    names = [p.name for p in PARTS]
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--brief", action="store_true")
    words.add_argument("--list", action="store_true")
    words.add_argument("parts", nargs="*", metavar="PART", help=", ".join(names))
    asked = words.parse_args()
    for name in asked.parts:
        if name not in names:
            words.error(f'there is no part "{name}"; the parts are {", ".join(names)}')
    check = checker(asked.brief)
    if asked.list:
        show(check.record)
        return 0
    PASSED.mkdir(parents=True, exist_ok=True)
    chosen, left = choose_brief(check.record) if asked.brief else ([p for p in PARTS if not asked.parts or p.name in asked.parts], [])
    began = time.monotonic()
    for p in chosen:
        check.run(p)
    print("\n" + "\n".join(check.lines))
    for p in left:
        print(f"{p.name:8} left out for lack of time, though it is due: ./dev check {p.name}")
    print(f"{'all':8} {'FAILED' if check.failed else 'passed'} {seconds_in_words(time.monotonic() - began):>9}", flush=True)
    return 1 if check.failed else 0


if __name__ == "__main__":
    sys.exit(main())
