#!/usr/bin/env python3
"""Makes a board with tools/new_board in a copy of the tree, builds its harness and runs a model on it.

What the tree's own images are made of is not compiled again: objects of the same commands are taken from there."""

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


def commands(build, source):
    """{object: its command, whatever folders the trees lie in}"""
    found = {}
    for entry in json.loads((build / "compile_commands.json").read_text(encoding="utf-8")):
        words = entry["command"].replace(str(build), "BUILD").replace(str(source), "SOURCE").split()
        compiler = next(i for i, word in enumerate(words) if "arm-none-eabi" in word)
        found[words[words.index("-o") + 1]] = words[compiler:]
    return found


def take_objects(folder, build, tree, images, source):
    """Puts into a folder the objects of `images` that `build` would make by the same commands; how many of all."""
    ours, theirs = commands(build, tree), commands(images, source)
    same = [name for name, words in ours.items() if theirs.get(name) == words and (images / name).is_file()]
    for name in same:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        for file in (images / name).parent.glob(pathlib.Path(name).stem + ".*"):
            shutil.copy(file, (folder / name).parent)
    return len(same), len(ours)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for option in ("arenite", "source", "images", "nanopb", "cmake"):
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
        build, objects = images / "cortex-m55", pathlib.Path(scratch) / "objects"
        launcher = f"{pathlib.Path(__file__).parent / 'compiled_before.sh'};{objects}"
        call(options.cmake, "--preset", "cortex-m55", "-B", build, "-D", f"ARENITE_NANOPB_DIR={options.nanopb}",
             *(word for language in ("C", "CXX") for word in ("-D", f"CMAKE_{language}_COMPILER_LAUNCHER={launcher}")),
             cwd=tree)
        taken, all_objects = take_objects(objects, build, tree, pathlib.Path(options.images) / "cortex-m55",
                                          options.source)
        print(f"{taken} of {all_objects} objects are those of the tree's images")
        call(options.cmake, "--build", build, "--target", f"{NAME}-harness")
        # The call graphs that the worst-case stack comes from are there, however often this was compiled before.
        call(tree / "tools/checks/device_report.sh", build)
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
        predicted = json.loads(call(options.arenite, "run", "--simulate", "--board", NAME, program, "--input",
                                    digits / "images.npy", "--json", env=environment))["simulation"]["predicted_us"]
        if abs(predicted * 1000 / report["instructions_per_run"] - 1) > 0.1:
            sys.exit(f"the costs of the copied board predict {predicted} us, expected {report['instructions_per_run']} ns")
        again = subprocess.run([tree / "tools/new_board", NAME], capture_output=True, check=False)
        if again.returncode != 2:
            sys.exit("a board that exists was made again")
        print(f"{NAME}: {report['runs']} runs, {report['instructions_per_run']} instructions each")


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
