#!/usr/bin/env python3
"""Compiles alone, as far as errors and warnings are found without making code, what builds compile in company only:
each source file of a batch that no tree has compiled apart or as the first of a batch, and each header that no source
file of its name includes first.

Other source files are compiled alone by a build, and prove the header of their name. The commands are those of
configured trees whose generated headers are built. They are also written, a file each, for clang-tidy.

Clang reads them, in half of GCC's time, sources behind the precompiled standard library; what it refuses is up to the
tree's compiler, which knows more of C++20. Warnings are left to the builds and to --strict.

usage: alone.py [--strict] COMMANDS BUILD...
  --strict   the tree's compiler reads all of batches, without the precompiled standard library, which hides that a file leaves
             a standard header out; takes longer
  COMMANDS   a folder, where compile_commands.json is written
"""

import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
# Other compilers than the tree's read these.
LEFT_OUT = ("boards/", "tests/package/", "examples/")
PRECOMPILED = "support/precompiled.h"
CLANG = ("clang++", "-std=c++20", "-w")


def headers():
    listed = subprocess.run(["git", "-C", REPOSITORY, "ls-files", "*.h"], capture_output=True, text=True,
                            check=True).stdout.split()
    return [REPOSITORY / name for name in listed if not name.startswith(LEFT_OUT) and not any(
        (REPOSITORY / name).with_suffix(ending).exists() for ending in (".cc", ".c"))]


def commands(builds):
    """{source file: (words that compile it, directory)}, files that batches join, and files compiled behind no other."""
    found, joined, apart = {}, set(), set()
    for entry in (entry for build in builds for entry in
                  json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))):
        file = pathlib.Path(entry["file"])
        batch = re.findall(r'^#include "(.*)"', file.read_text(encoding="utf-8"), re.M) if "Unity" in file.parts else []
        words = shlex.split(entry["command"])
        compiler = next((i for i, word in enumerate(words) if "++" in os.path.basename(word)), None)
        if compiler is None:  # C
            continue
        flags = [word for word in words[compiler:words.index("-o")] if not word.startswith("-fsanitize")
                 and word not in ("-Winvalid-pch", "-MD")]
        for option in ("-Xclang", "-include", "-MT", "-MF"):
            while option in flags:
                at = flags.index(option)
                del flags[at:at + 2]
        made = (pathlib.Path(entry["directory"]) / words[words.index("-o") + 1]).exists()
        for at, source in enumerate(map(pathlib.Path, batch or [file])):
            if source.suffix == ".cc" and source.is_relative_to(REPOSITORY) and not source.is_relative_to(
                    REPOSITORY / "build"):
                found.setdefault(source, (flags, entry["directory"]))
                if batch:
                    joined.add(source)
                if made and at == 0:
                    apart.add(source)
    return found, joined, apart


def precompile(folder):
    """Words by which Clang reads the standard library compiled ahead."""
    ahead = pathlib.Path(folder) / "precompiled.pch"
    # Instantiated once, not at the end of each file.
    subprocess.run([*CLANG, "-fpch-instantiate-templates", "-x", "c++-header", REPOSITORY / PRECOMPILED, "-o", ahead],
                   check=True)
    return ["-include-pch", str(ahead)]


def read(compiler, flags, directory, file):
    """Without making code; a header as the first line of a file."""
    source, text = [file], None
    if file.suffix == ".h":
        source, text = ["-x", "c++", "-"], f'#include "{file.relative_to(REPOSITORY)}"\n'
    return subprocess.run([*compiler, *flags, f"-I{REPOSITORY}", "-fsyntax-only", *source], cwd=directory, input=text,
                          capture_output=True, text=True, check=False)


def check(file, command, ahead):
    """ahead: words of precompile(), or None for --strict."""
    (compiler, *flags), directory = command
    if ahead is not None:
        fit = [word for word in flags if not word.startswith(("-O", "-W", "-f", "-g", "-m"))]
        if read(CLANG, fit + (ahead if file.suffix == ".cc" else []), directory, file).returncode == 0:
            return file, 0, ""
    done = read([compiler], flags, directory, file)
    return file, done.returncode, done.stderr


def main():
    words = sys.argv[1:]
    strict = words[:1] == ["--strict"]
    words = words[strict:]
    if len(words) < 2 or words[0].startswith("-"):
        print(__doc__.split("usage: ")[1], file=sys.stderr)
        return 2
    folder = pathlib.Path(words[0])
    found, joined, apart = commands([pathlib.Path(word).resolve() for word in words[1:]])
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "compile_commands.json").write_text(json.dumps([
        {"file": str(file), "directory": directory, "command": shlex.join([*flags, "-c", str(file)])}
        for file, (flags, directory) in found.items()], indent=1), encoding="utf-8")

    by_folder = {}
    for file, command in found.items():
        by_folder.setdefault(file.parent, command)
    support = by_folder[REPOSITORY / "support"]  # also for a folder of headers only
    work = [(file, found[file]) for file in sorted(joined if strict else joined - apart)]
    work += [(file, next((by_folder[f] for f in file.parents if f in by_folder), support)) for file in headers()]
    failed = 0
    with tempfile.TemporaryDirectory() as scratch, \
            concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        ahead = None if strict else precompile(scratch)
        for file, status, text in pool.map(lambda pair: check(*pair, ahead), work):
            if status != 0:
                failed += 1
                print(f"{file.relative_to(REPOSITORY)}: does not compile alone\n{text}", file=sys.stderr)
    print(f"files that compile alone: {len(work) - failed} of {len(work)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0
