"""What results say of the machine on which they were measured."""

import os
import re


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        about = dict(re.findall(r"^(model name|cpu family|model)\s*:\s*(.*)$", file.read(), re.MULTILINE))
    # "AMD EPYC" alone does not say which.
    zen_3 = about.get("cpu family") == "25" and int(about.get("model", 99)) < 16
    return about.get("model name", "unknown processor") + (" (Zen 3)" if zen_3 else "")


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
    """As in intel-xeon-avx512: the processor without its trademarks, and the best instructions that were used."""
    name = re.sub(r"\((r|tm|zen 3)\)|processor|cpu|@.*|\d+-core", "", processor().lower())
    words = re.findall(r"[a-z0-9]+", name)[:3]
    return "-".join(words + [instructions])


def best_instructions():
    """The best vector instructions that this machine has, by the names that abut gives them."""
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        words = file.read().split()
    flags = {"avx512": "avx512f", "avx2": "avx2", "sse4": "sse4_2", "neon": "asimd"}
    return next((name for name, flag in flags.items() if flag in words), "scalar")
