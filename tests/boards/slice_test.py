#!/usr/bin/env python3
"""Builds the code of a few models alone for a board, and runs each model as its firmware in the board's emulator.

The tree holds the runtime and only the contracts and forms that these models need (ARENITE_ONLY_FOR), a tenth of a
tree of images; what firmware answers is compared with this machine's answer to the same program: integers bit by bit,
floats to 1e-6 of the largest, since forms for an FPU round a product and a sum once. A model that does not fit the
board is left out; the first always fits.
"""

import argparse
import array
import json
import os
import pathlib
import subprocess
import sys

from few_digits import few_digits


def call(*words, good=(0,), **more):
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, check=False, **more)
    if done.returncode not in good:
        sys.exit(f"{' '.join(map(str, words))}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done


def inputs_of(model, folder):
    """The words for a model's own inputs; of the digits a few, whose file is written into the folder."""
    images = [few_digits(folder, file) for file in model.parent.glob("images.npy")]
    return ("--input", *sorted(model.parent.glob("in_*.bin")), *images)


def agree(first, second):
    """Whether two .npy files hold the same integers, or floats that differ by rounding."""
    start = 10 + int.from_bytes(first[8:10], "little")
    if b"'<f4'" not in first[:start]:
        return first == second
    mine, its = (array.array("f", data[start:]) for data in (first, second))
    return first[:start] == second[:start] and max(abs(a - b) for a, b in zip(mine, its)) <= 1e-6 * max(map(abs, mine))


class Slice:
    def __init__(self, options):
        self.options = options
        source = pathlib.Path(options.source)
        self.board = json.loads((source / "boards" / options.board / "board.json").read_text(encoding="utf-8"))
        self.toolchain = self.board["cpu"]["toolchain"]
        self.images = pathlib.Path(options.images)
        self.build = self.images / self.toolchain
        shared = pathlib.Path(options.shared) / "models"
        self.models = [source / "examples/digits/digits.onnx",
                       *(shared / name / "model.tflite" for name in options.models if (shared / name).is_dir())]

    def plan(self):
        """{model: the folder of its program}, of the models that fit."""
        planned = {}
        for model in self.models:
            folder = self.build / "programs" / model.parent.name
            folder.mkdir(parents=True, exist_ok=True)
            done = call(self.options.arenite, "plan", model, "--board", self.options.board, "-o", folder / "program.arn",
                        "--emit-cc", folder, "--cc-name", "program", good=(0, 1))
            if done.returncode == 0:
                planned[model] = folder
            elif not planned:
                sys.exit(f"{model} does not fit {self.options.board}: {done.stderr}")
        return planned

    def configure_and_build(self, folders):
        only = ";".join(str(folder / "program.sources") for folder in folders)
        call(self.options.cmake, "--preset", self.toolchain, "-B", self.build, "-D", f"ARENITE_ONLY_FOR={only}",
             "-D", f"ARENITE_NANOPB_DIR={self.options.nanopb}", cwd=self.options.source)
        call(self.options.cmake, "--build", self.build)

    def compare(self, model, folder):
        """Runs the program here and there."""
        program, out = folder / "program.arn", folder / "out"
        inputs = inputs_of(model, folder)
        here = json.loads(call(self.options.arenite, "run", program, "--board", self.options.board, "--simulate", "--json",
                               "--output-dir", out, *inputs).stdout)
        there = json.loads(call(self.options.arenite, "target", "run", program, "--board", self.options.board,
                                "--image", "embedded", "--json", *inputs, "--output-dir", folder / "there",
                                env={**os.environ, "ARENITE_IMAGES": str(self.images)}).stdout)
        for mine, its in zip(here["outputs"], there["outputs"], strict=True):
            if not agree(pathlib.Path(mine["file"]).read_bytes(), pathlib.Path(its["file"]).read_bytes()):
                sys.exit(f"{model} on {self.options.board}: output {mine['name']} differs from this machine's")
        print(f"{self.options.board}: {model.parent.name}: {there['runs']} runs agree, {there['instructions_per_run']} "
              f"instructions each, {there['ram_bytes']} bytes of RAM, {there['code_bytes']} of code")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for option in ("arenite", "source", "images", "shared", "nanopb", "cmake", "board"):
        parser.add_argument(f"--{option}", required=True)
    parser.add_argument("models", nargs="*", help="folders of SHARED/models")
    part = Slice(parser.parse_args())
    planned = part.plan()
    part.configure_and_build(planned.values())
    for model, folder in planned.items():
        part.compare(model, folder)


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
