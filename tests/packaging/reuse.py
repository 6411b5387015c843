"""A compiler launcher: copies the object that the main build has made of the same source with the same options; if there
is none, compiles it.

    reuse.py <compile_commands.json of the main build> <compiler> <argument>...
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys

# What differs between builds and does not change the object: where it goes, its dependencies, warnings, a precompiled
# header, and a macro by which CMake tells that a library is shared, which abut does not use.
WITH_VALUE = ("-o", "-c", "-MT", "-MF", "-include")


def split(arguments):
    """The options that matter, and those with a value that do not."""
    options, values = [], {}
    rest = iter(arguments)
    for word in rest:
        if word in WITH_VALUE:
            values[word] = next(rest)
        elif word not in ("-MD", "-Dabut_EXPORTS") and not word.startswith("-W"):
            options.append(word)
    return options, values


def parts_of(source):
    """The files of a source that CMake makes to compile several in one go, or the source itself."""
    if "/Unity/" not in source:
        return [source]
    with open(source, encoding="utf-8") as file:
        return re.findall(r'^#include "(.*)"$', file.read(), re.MULTILINE)


def main():
    database, compiler, *arguments = sys.argv[1:]
    options, values = split(arguments)
    source = values.get("-c", "")
    parts = parts_of(source)
    with open(database, encoding="utf-8") as file:
        entries = [entry for entry in json.load(file) if os.path.basename(entry["file"]) == os.path.basename(source)]
    for entry in entries:
        words = shlex.split(entry["command"])
        made_by = words.index(compiler) if compiler in words else len(words)
        its_options, its_values = split(words[made_by + 1 :])
        if its_options != options or "-o" not in its_values or parts_of(entry["file"]) != parts:
            continue
        made = os.path.join(entry["directory"], its_values["-o"])
        if not os.path.exists(made) or os.path.getmtime(made) < max(map(os.path.getmtime, parts)):
            continue
        shutil.copyfile(made, values["-o"])
        if "-MF" in values:
            with open(values["-MF"], "w", encoding="utf-8") as file:
                file.write(f"{values['-MT']}: {' '.join(parts)} {made}\n")
        return 0
    return subprocess.run([compiler, *arguments], check=False).returncode


sys.exit(main())
