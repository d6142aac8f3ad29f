#!/usr/bin/env python3
"""Compares what a shared library gives the linker with what its header declares.

  exports_test.py --nm NM LIBRARY HEADER...    (the header whose name the library's contains the most of counts)
"""

import argparse
import pathlib
import re
import subprocess
import sys

# Not a part of the interface: what the program `arenite` calls.
OTHERS = {"libarenite_planner": {"arenite_tool_main"}}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nm", default="nm")
    parser.add_argument("library", type=pathlib.Path)
    parser.add_argument("headers", type=pathlib.Path, nargs="+")
    options = parser.parse_args()
    stem = options.library.name.split(".")[0]
    header = next(h for h in options.headers if "lib" + h.stem == stem)
    declared = set(re.findall(r"\b(arenite_\w+)\(", re.sub(r"/\*.*?\*/", "", header.read_text(
        encoding="utf-8"), flags=re.DOTALL)))
    listed = subprocess.run([options.nm, "--dynamic", "--defined-only", options.library],
                            capture_output=True, text=True, check=True).stdout
    exported = {line.split()[-1].split("@")[0] for line in listed.splitlines()}
    exported -= OTHERS.get(stem, set())
    for name in sorted(exported - declared):
        print(f"{options.library}: exports {name}, which {header.name} does not declare")
    for name in sorted(declared - exported):
        print(f"{options.library}: lacks {name}, which {header.name} declares")
    return 1 if exported != declared else 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0
