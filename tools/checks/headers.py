#!/usr/bin/env python3
"""Compiles each header that no source file of its name includes first, alone: it includes all that it needs.

Headers with a source file of their name are proved by that file in a tree without batches. Flags are those of the
nearest source file.

usage: headers.py BUILD   a configured tree with ARENITE_UNITY=OFF, whose generated headers are built
"""

import concurrent.futures
import json
import os
import pathlib
import shlex
import subprocess
import sys

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
# Other compilers than the tree's read these.
LEFT_OUT = ("boards/", "tests/package/", "examples/")


def headers():
    listed = subprocess.run(["git", "-C", REPOSITORY, "ls-files", "*.h"], capture_output=True, text=True,
                            check=True).stdout.split()
    return [name for name in listed if not name.startswith(LEFT_OUT) and not any(
        (REPOSITORY / name).with_suffix(ending).exists() for ending in (".cc", ".c"))]


def commands(build):
    """{folder: (flags, directory)} of a source file there."""
    found = {}
    for entry in json.loads((build / "compile_commands.json").read_text(encoding="utf-8")):
        file = pathlib.Path(entry["file"])
        if file.suffix != ".cc" or not file.is_relative_to(REPOSITORY) or file.is_relative_to(REPOSITORY / "build"):
            continue
        words = shlex.split(entry["command"])
        compiler = next(i for i, word in enumerate(words) if "++" in os.path.basename(word))
        flags = [word for word in words[compiler:words.index("-o")] if not word.startswith("-fsanitize")
                 and word not in ("-Winvalid-pch", "-MD")]
        for option in ("-include", "-MT", "-MF"):
            while option in flags:
                at = flags.index(option)
                del flags[at:at + 2]
        found.setdefault(file.parent, (flags, entry["directory"]))
    return found


def check(header, known):
    folder = (REPOSITORY / header).parent
    nearest = next((known[f] for f in (folder, *folder.parents) if f in known), None)
    if nearest is None:  # a folder of headers only
        nearest = known[REPOSITORY / "support"]
    flags, directory = nearest
    done = subprocess.run([*flags, f"-I{REPOSITORY}", "-fsyntax-only", "-x", "c++", "-"], cwd=directory,
                          input=f'#include "{header}"\n', capture_output=True, text=True, check=False)
    return header, done.returncode, done.stderr


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        print(__doc__.split("usage: ")[1], file=sys.stderr)
        return 2
    known = commands(pathlib.Path(sys.argv[1]).resolve())
    names = headers()
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for header, status, text in pool.map(lambda name: check(name, known), names):
            if status != 0:
                failed += 1
                print(f"{header}: does not compile alone\n{text}", file=sys.stderr)
    print(f"headers that compile alone: {len(names) - failed} of {len(names)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0
