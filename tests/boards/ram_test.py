#!/usr/bin/env python3
"""Runs models as firmware with a painted stack and holds what `arenite plan` says of RAM against it.

The bound is never below what was painted with arenas, Instance and .bss, and at most 5 % and 288 bytes above: a frame
that a tail call has left still counts. The stack's bound of each image itself is at most 1.3 times what was painted.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

options = argparse.Namespace()
MLPERF_TINY = [f"tfl_mlperf_{name}_{kind}" for name in ("kws", "vww", "ic_resnet8", "ad") for kind in ("int8", "fp32")]


def mlperf_models():
    found = {name: pathlib.Path(options.shared) / "models" / name for name in MLPERF_TINY}
    return {name: (path / "model.tflite", path / "in_0.bin") for name, path in found.items() if path.exists()}


class Ram(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def painted(self, program, board, inputs):
        """What `arenite target run` says of the image of the program."""
        return json.loads(self.succeed("target", "run", program, "--board", board, "--image", "embedded", "--json",
                                       "--input", inputs))

    def succeed(self, *words):
        done = subprocess.run([options.arenite, *map(str, words)], capture_output=True, text=True, timeout=600,
                              check=False, env={**os.environ, "ARENITE_IMAGES": options.images})
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def compare(self, models):
        for board in ("mps2-an386", "mps3-an547"):
            for name, (model, inputs) in models.items():
                program = self.folder / "program.arn"
                plan = json.loads(self.succeed("plan", model, "--board", board, "-o", program, "--json"))
                painted = self.painted(program, board, inputs)
                total, seen = plan["ram_total_bytes"], painted["ram_bytes"]
                ram, parts = plan["ram"][0], painted["ram"]
                print(f"{board}, {name}: {total} bytes (stack {ram['stack_bytes']}), painted {seen} "
                      f"(stack {parts['stack']}), {total / seen:.3f}; the image's bound {painted['stack_bound_bytes']}, "
                      f"{painted['stack_bound_bytes'] / parts['stack']:.3f} of the painted stack")
                self.assertFalse(ram["stack_is_assumed"])
                self.assertEqual(parts["arenas"], ram["arenas_bytes"], name)
                self.assertEqual(parts["instance"] + parts["data"] + parts["bss"],
                                 ram["instance_bytes"] + ram["bss_bytes"], name)
                self.assertGreaterEqual(ram["stack_bytes"], parts["stack"], name)
                self.assertLessEqual(total, 1.05 * seen + 288, name)
                self.assertGreaterEqual(painted["stack_bound_bytes"], parts["stack"], name)
                self.assertLessEqual(painted["stack_bound_bytes"], 1.3 * parts["stack"], name)

    def test_the_digit_classifier(self):
        digits = pathlib.Path(options.source) / "examples/digits"
        image = self.folder / "image.bin"
        image.write_bytes((digits / "images.npy").read_bytes()[-256:])
        self.compare({"digits": (digits / "digits.onnx", image)})

    def test_the_models_of_mlperf_tiny(self):
        models = mlperf_models()
        if not models:
            self.skipTest("no models of MLPerf Tiny in the shared folder")
        self.compare(models)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    for option in ("arenite", "source", "images", "shared"):
        parser.add_argument(f"--{option}", required=True)
    options, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0]] + rest)

# SPDX-License-Identifier: Apache-2.0
