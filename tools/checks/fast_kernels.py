#!/usr/bin/env python3
"""Holds the walls around the kernels of portable_fallback/fast/, each compiled with flags of its own.

usage: fast_kernels.py ROOT NM ARCHIVE

A file of that folder sees headers of that folder, core/access.h and the compiler's, and its object in ARCHIVE holds
no weak symbol: an inline function that one of them was compiled with, say, AVX2 for would otherwise become
everybody's, and stop a machine without it. Prints what it finds; exit status: 0 nothing, 1 a wall is broken, 2 bad usage."""
import pathlib
import re
import subprocess
import sys

FOLDER = "portable_fallback/fast"
# The pointers through which kernels reach tensors, which tests watch: templates that become part of what calls them.
POINTERS = "core/access.h"
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
MEMBER = re.compile(r"^(\S+)\.o(?:bj)?:$")
WEAK = re.compile(r"^[0-9a-f ]*\s([WwVvu]) (\S+)$")


def includes(root, files):
    for file in files:
        for name in INCLUDE.findall(file.read_text(encoding="utf-8")):
            if not name.startswith(FOLDER + "/") and name != POINTERS:
                yield f"{file.relative_to(root)}: includes {name}; expected headers of {FOLDER}/ and {POINTERS} alone"


def weak_symbols(listing, kernels):
    """Problems in what nm says of an archive: each kernel's object is there, and holds no weak symbol."""
    member, seen = None, set()
    for line in listing.splitlines():
        if found := MEMBER.match(line):
            member = found[1]
            seen.add(member)
        elif member in kernels and (weak := WEAK.match(line)):
            yield f"{FOLDER}/{member}: its object holds the weak symbol {weak[2]}; expected functions of its own alone"
    for kernel in sorted(kernels - seen):
        yield f"{FOLDER}/{kernel}: not compiled into the archive"


def main():
    if len(sys.argv) != 4:
        print(__doc__.split("\n\n")[1], file=sys.stderr)
        return 2
    root, nm, archive = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    files = sorted((root / FOLDER).glob("*.*"))
    kernels = {file.name for file in files if file.suffix == ".cc"}
    done = subprocess.run([nm, archive], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        print(f"fast_kernels: {done.stderr.strip()}", file=sys.stderr)
        return 2
    found = [*includes(root, files), *weak_symbols(done.stdout, kernels)]
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
# SPDX-License-Identifier: Apache-2.0
