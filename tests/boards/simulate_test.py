#!/usr/bin/env python3
"""Compares simulated boards with QEMU: integer outputs are the same bytes, and so is what moves in an arena.

Simulated forms write exactly as many bytes, and read as many: models of MLPerf Tiny exactly, others up to 5 %, since
compilers differ in what they keep in registers.
"""

import argparse
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest

options = argparse.Namespace()


def elements(path):
    """The bytes after the header of a .npy file of version 1."""
    data = pathlib.Path(path).read_bytes()
    return data[10 + struct.unpack_from("<H", data, 8)[0]:]


class SimulatedBoards(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def arenite(self, *words):
        done = subprocess.run([options.arenite, *map(str, words)], capture_output=True, text=True, timeout=600,
                              check=False, env={**os.environ, "ARENITE_IMAGES": options.images})
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def compare(self, program, board, inputs, exact):
        common = (program, "--board", board, "--input", inputs, "--count-memory", "--json", "--output-dir")
        there = self.arenite("target", "run", *common, self.folder / "there")
        here = self.arenite("run", "--simulate", *common, self.folder / "here")
        for one, other in zip(there["outputs"], here["outputs"], strict=True):
            self.assertEqual(elements(one["file"]), elements(other["file"]), one["name"])
        moved = {memory["name"]: memory for memory in here["simulation"]["memories"]}
        for memory in there["memories"]:
            one = moved[memory["name"]]
            self.assertEqual(one["written_bytes"], memory["written_bytes"], memory["name"])
            self.assertAlmostEqual(one["read_bytes"] / memory["read_bytes"], 1, delta=0 if exact else 0.05)

    def compare_on_boards(self, model, inputs, exact):
        for board in ("mps2-an386", "mps3-an547"):
            with self.subTest(board=board):
                program = self.folder / f"{board}.arn"
                self.arenite("plan", model, "--board", board, "-o", program, "--json")
                self.compare(program, board, inputs, exact)

    def test_the_digit_classifier_in_integers(self):
        digits = pathlib.Path(options.source) / "examples/digits"
        model = self.folder / "digits_int8.onnx"
        self.arenite("quantize", digits / "digits.onnx", "--calibration", digits / "calibration", "-o", model, "--json")
        image = self.folder / "image.bin"
        image.write_bytes((digits / "images.npy").read_bytes()[-256:])
        self.compare_on_boards(model, image, exact=False)

    def test_costs_fitted_to_counts_predict_them(self):
        """The steps of a run, simulated with costs that fit the emulator's counts; 1,000 ps are an instruction."""
        digits = pathlib.Path(options.source) / "examples/digits/digits.onnx"
        for name in ("mps2-an386", "mps3-an547"):
            with self.subTest(board=name):
                board = self.folder / f"{name}.json"
                fitted = self.arenite("target", "bench", digits, "--board", name, "--calibrate", board, "--json")
                one = fitted["programs"][0]
                self.assertAlmostEqual(one["predicted_us"] / one["measured_us"], 1, delta=0.05)
                counted = self.arenite("target", "bench", digits, "--board", name, "--json")["counted_instructions"]
                images = digits.parent / "images.npy"
                simulated = self.arenite("run", digits, "--simulate", "--board", board, "--input", images, "--json")
                self.assertAlmostEqual(simulated["simulation"]["predicted_us"] * 1000 / counted, 1, delta=0.1)

    def test_costs_of_the_boards_files_predict_counts(self):
        """Networks that are no part of the fit, by their plans alone; a simulated run predicts the same."""
        examples = pathlib.Path(options.source) / "examples"
        for board in ("mps2-an386", "mps3-an547"):
            for model in ("digits/digits.onnx", "keywords/keywords.onnx", "keywords/keywords_int8.onnx",
                          "shapes/shapes.onnx", "shapes/shapes_int8.onnx"):
                with self.subTest(board=board, model=model):
                    program = self.folder / "program.arn"
                    plan = self.arenite("plan", examples / model, "--board", board, "-o", program, "--json")
                    variant = plan["variants"][0]
                    predicted = variant["predicted_us"]
                    self.assertAlmostEqual(sum(step["predicted_us"] for step in variant["step_list"]), predicted)
                    counted = self.arenite("target", "bench", program, "--board", board, "--json")
                    self.assertAlmostEqual(predicted * 1000 / counted["counted_instructions"], 1, delta=0.1)
                    if model.startswith("digits"):
                        run = self.arenite("run", program, "--simulate", "--board", board, "--input",
                                           examples / "digits/images.npy", "--json")
                        self.assertAlmostEqual(run["simulation"]["predicted_us"], predicted, places=2)

    def test_models_of_mlperf_tiny(self):
        for name in ("tfl_mlperf_kws_int8", "tfl_mlperf_ad_int8"):
            folder = pathlib.Path(options.shared) / "models" / name
            if not folder.exists():
                self.skipTest("no models of MLPerf Tiny in the shared folder")
            self.compare_on_boards(folder / "model.tflite", folder / "in_0.bin", exact=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    for option in ("arenite", "source", "images", "shared"):
        parser.add_argument(f"--{option}", required=True)
    options, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])
# SPDX-License-Identifier: Apache-2.0
