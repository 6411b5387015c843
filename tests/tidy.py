"""Runs clang-tidy on files, several at a time, and skips those that were clean before: what clang-tidy says depends on its
version, its checks, the command, and the files that are included, and the name of a clean result is a hash of all of
these. Names of files count from the current folder, so that results hold for other clones, too. Files that the build
compiles in one go are looked at in one go: most of the time goes into the headers that they share.

With --changed REVISION, only the files that differ from that revision are looked at, and one that includes each changed header.

    tidy.py [--changed REVISION] <folder of compile_commands.json> <changes to .clang-tidy's checks> <clean results> <extra argument>... -- <file>...
"""

import concurrent.futures
import hashlib
import json
import os
import re
import shlex
import subprocess
import sys


def output(*command, **how):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, **how).stdout


def includes(entry, extra):
    """All files that a compilation reads, the system's too."""
    words = shlex.split(entry["command"])
    words = [word for word in words if word not in ("-c", "-MD")]
    if "-o" in words:
        at = words.index("-o")
        del words[at : at + 2]
    words = words[next(k for k, word in enumerate(words) if word.endswith("++")) + 1 :]
    rule = output("clang++", *words, *extra, "-w", "-M", cwd=entry["directory"])
    names = shlex.split(rule.replace("\\\n", " "))[1:]
    return [os.path.join(entry["directory"], name) for name in names]


class linter:
    def __init__(self, database, checks, clean, extra):
        with open(os.path.join(database, "compile_commands.json"), encoding="utf-8") as file:
            self.entries = {entry["file"]: entry for entry in json.load(file)}
        self.command = ["clang-tidy", "--quiet", "--warnings-as-errors=*", f"--checks={checks}", "-p", database]
        self.command += [f"--extra-arg={word}" for word in extra]
        self.clean = clean
        self.extra = extra
        with open(".clang-tidy", "rb") as file:
            self.common = file.read() + output("clang-tidy", "--version").encode() + repr(self.command).encode()
        self.contents = {}
        os.makedirs(clean, exist_ok=True)

    def joined(self, files):
        """The files to look at: instead of those that the build compiles in one go, the one that includes them."""
        includer = {}
        for name in self.entries:
            if "/Unity/" in name:
                with open(name, encoding="utf-8") as file:
                    includer.update((included, name) for included in re.findall(r'^#include "(.*)"', file.read(), re.MULTILINE))
        return list(dict.fromkeys(includer.get(os.path.abspath(file), file) for file in files))

    def digest(self, name):
        if name not in self.contents:
            with open(name, "rb") as file:
                self.contents[name] = hashlib.sha256(file.read()).hexdigest()
        return self.contents[name]

    def result(self, file):
        """Where it is noted that the file is clean."""
        entry = self.entries.get(os.path.abspath(file))
        if entry is None:  # not part of this build: clang-tidy guesses the command
            return None
        read = [(name, self.digest(name)) for name in includes(entry, self.extra)]
        compiled = repr((entry["command"], read)).replace(os.getcwd(), ".")
        key = hashlib.sha256(self.common + compiled.encode()).hexdigest()
        return os.path.join(self.clean, key)

    def check(self, file):
        """Whether the file is clean, and whether it had to be looked at. Prints what clang-tidy says."""
        result = self.result(file)
        if result and os.path.exists(result):
            return True, False
        command = self.command
        if "/Unity/" in file:  # it includes other sources, whose own names may be the same
            checks = [word + ",-bugprone-suspicious-include" for word in command if word.startswith("--checks=")]
            command = [*(word for word in command if not word.startswith("--checks=")), *checks, "--extra-arg=-Wno-shadow"]
        run = subprocess.run([*command, file], check=False, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if run.returncode != 0:
            print(run.stdout + run.stderr, flush=True)
            return False, True
        if result:
            with open(result, "w", encoding="utf-8") as note:
                note.write(file + "\n")
        return True, True


def changed(files, revision):
    """The files that differ from a revision, and for each header that does, one that includes it, if there is any."""
    names = output("git", "diff", "--name-only", "--diff-filter=d", revision).splitlines()
    names += output("git", "ls-files", "--others", "--exclude-standard").splitlines()
    if ".clang-tidy" in names:
        return files
    read = {}  # what each file of ours includes, by the names after their folders of includes
    for name in output("git", "ls-files", "*.cpp", "*.hpp", "*.inl", "*.h").splitlines():
        with open(name, encoding="utf-8") as file:
            read[name] = re.findall(r'^#include ["<](.*)[">]', file.read(), re.MULTILINE)

    def reached(file, seen):
        for name in read.get(file, ()):
            for candidate in by_end.get(os.path.basename(name), ()):
                if candidate not in seen and ("/" + candidate).endswith("/" + name):
                    seen.add(candidate)
                    reached(candidate, seen)
        return seen

    by_end = {}
    for name in read:
        by_end.setdefault(os.path.basename(name), []).append(name)
    chosen = [name for name in files if name in names]
    covered = set().union(*(reached(name, set()) for name in chosen))
    headers = [name for name in names if name in read and name not in chosen and name not in covered]
    for file in sorted(files, key=lambda name: os.path.getsize(name)) if headers else ():
        news = reached(file, set()).intersection(headers)
        if news:
            chosen.append(file)
            headers = [name for name in headers if name not in news]
    return chosen


def main():
    revision = None
    if sys.argv[1] == "--changed":
        revision = sys.argv[2]
        del sys.argv[1:3]
    at = sys.argv.index("--")
    database, checks, clean, *extra = sys.argv[1:at]
    lint = linter(database, checks, clean, extra)
    files = sys.argv[at + 1 :]
    files = lint.joined(files if revision is None else changed(files, revision))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lint.check, files))
    bad = sum(1 for is_clean, _ in results if not is_clean)
    known = sum(1 for _, is_new in results if not is_new)
    print(f"clang-tidy: {bad} of {len(files)} files need mending; {known} were known to be clean", file=sys.stderr)
    return 1 if bad else 0


sys.exit(main())
