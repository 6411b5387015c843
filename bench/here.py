"""What results say of the machine on which they were measured."""

import os
import re


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        about = dict(re.findall(r"^(model name|cpu family|model)\s*:\s*(.*)$", file.read(), re.MULTILINE))
    # "AMD EPYC" alone does not say which.
    family, model = about.get("cpu family"), int(about.get("model", 0))
    zen = {"25": 3 if model < 16 else 4, "26": 5}.get(family) if "EPYC" in about.get("model name", "") else None
    return about.get("model name", "unknown processor") + (f" (Zen {zen})" if zen else "")


def compiler(binaries):
    """Of a build folder."""
    for folder, _, names in os.walk(os.path.join(binaries, "CMakeFiles")):
        if "CMakeCXXCompiler.cmake" in names:
            with open(os.path.join(folder, "CMakeCXXCompiler.cmake"), encoding="utf-8") as file:
                known = dict(re.findall(r'set\(CMAKE_CXX_COMPILER_(ID|VERSION) "(.*)"\)', file.read()))
            name = {"GNU": "g++", "Clang": "clang++"}.get(known["ID"], known["ID"])
            return f'{name} {known["VERSION"]}'
    return "unknown compiler"


def machine_name(instructions):
    """As in intel-xeon-avx512 or amd-epyc-zen-5-avx512: the processor without its trademarks (that of Zen 3 is the first that we had, and
    has no number), and the best instructions that were used."""
    name = re.sub(r"\((r|tm|zen 3)\)|processor|cpu|@.*|\d+-core", "", processor().lower())
    words = re.findall(r"[a-z0-9]+", name)[:4]
    return "-".join(words + [instructions])


def best_instructions():
    """The best vector instructions that this machine has, by the names that abut gives them."""
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        words = file.read().split()
    flags = {"avx512": "avx512f", "avx2": "avx2", "sse4": "sse4_2", "neon": "asimd"}
    return next((name for name, flag in flags.items() if flag in words), "scalar")
