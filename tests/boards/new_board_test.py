#!/usr/bin/env python3
"""Makes a board with tools/new_board in a copy of the tree, builds its harness and runs a model on it."""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

NAME = "my-board"
PARTS = ("CMakeLists.txt", "CMakePresets.json", "boards", "cmake", "core", "examples", "include",
         "ops", "portable_fallback", "schema", "tests/boards", "toolchains", "tools")


def call(*words, **more):
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, check=False, **more)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for option in ("arenite", "source", "nanopb", "cmake"):
        parser.add_argument(f"--{option}", required=True)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        tree = pathlib.Path(scratch) / "tree"
        for part in PARTS:
            source, to = pathlib.Path(options.source) / part, tree / part
            to.parent.mkdir(parents=True, exist_ok=True)
            if source.is_dir():
                shutil.copytree(source, to)
            else:
                shutil.copy(source, to)
        print(call(tree / "tools/new_board", NAME), end="")
        images = pathlib.Path(scratch) / "images"
        call(options.cmake, "--preset", "cortex-m55", "-B", images / "cortex-m55",
             "-D", f"ARENITE_NANOPB_DIR={options.nanopb}", cwd=tree)
        call(options.cmake, "--build", images / "cortex-m55", "--target", f"{NAME}-harness")
        # The call graphs that the worst-case stack comes from are there, however often this was compiled before.
        call(tree / "tools/checks/device_report.sh", images / "cortex-m55")
        environment = {**os.environ, "ARENITE_BOARDS": str(tree / "boards"),
                       "ARENITE_IMAGES": str(images)}
        digits = tree / "examples/digits"
        program = pathlib.Path(scratch) / "digits.arn"
        call(options.arenite, "plan", digits / "digits.onnx", "--board", NAME, "-o", program,
             env=environment)
        report = json.loads(call(options.arenite, "target", "run", "--board", NAME, program,
                                 "--input", digits / "images.npy", "--json", env=environment))
        if report["board"] != NAME or report["runs"] < 100:
            sys.exit(f"unexpected report: {report}")
        again = subprocess.run([tree / "tools/new_board", NAME], capture_output=True, check=False)
        if again.returncode != 2:
            sys.exit("a board that exists was made again")
        print(f"{NAME}: {report['runs']} runs, {report['instructions_per_run']} instructions each")


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
