#!/usr/bin/env python3
"""Runs the classifier of shapes on its sample pictures and on held-back ones, on the board and on the host.

usage: shapes_test.py --build BUILD_TREE
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import numpy as np

EXAMPLE = pathlib.Path(__file__).resolve().parents[2] / "examples/shapes"
BUILD = None
RIGHT_MIN = 985  # of 1,000 held-back pictures; the README says 992
ON_BOARD = 12  # pictures of which the board's integers are compared with the host's


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False,
                          timeout=200, env=dict(os.environ, BUILD=str(BUILD)))
    if done.returncode != 0:
        raise AssertionError(f"{command}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


class Shapes(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def test_the_script_names_each_sample(self):
        samples = sorted((EXAMPLE / "pictures").glob("*.png"))
        self.assertEqual(len(samples), 4)
        for picture in samples:
            lines = run(EXAMPLE / "run.sh", picture).splitlines()
            self.assertEqual(len(lines), 4, lines)
            self.assertRegex(lines[0], rf"^ *\d+%  {picture.stem}$")
            self.assertRegex(lines[3], r"^\d+ instructions, \d+ bytes of tensors$")

    def test_integers_are_as_often_right_as_the_page_says_and_the_same_on_the_board(self):
        run(EXAMPLE / "pictures.py", "--kind", "held-back", self.folder)
        program = self.folder / "shapes.arn"
        run(BUILD / "arenite", "plan", EXAMPLE / "shapes_int8.onnx", "--io-type", "native", "--board", "host",
            "--board", "mps3-an547", "-o", program)
        images = self.folder / "images_int8.npy"
        run(BUILD / "arenite", "run", program, "--device", "cpu", "--input", images, "--output-dir", self.folder)
        shares = np.load(self.folder / "shares.npy")
        labels = np.load(self.folder / "labels.npy")
        right = int((shares.reshape(len(labels), -1).argmax(1) == labels).sum())
        self.assertGreaterEqual(right, RIGHT_MIN)
        text = run(EXAMPLE / "judge.py", self.folder / "labels.npy", self.folder / "shares.npy")
        self.assertIn(f": {right} of 1000 right", text)

        few = self.folder / "few.npy"
        np.save(few, np.load(images)[:ON_BOARD])
        run(BUILD / "arenite", "target", "run", program, "--board", "mps3-an547", "--input", few,
            "--output-dir", self.folder / "board")
        on_board = np.load(self.folder / "board" / "shares.npy")
        np.testing.assert_array_equal(on_board, shares[:ON_BOARD])

    def test_the_integer_model_follows_from_the_float_model(self):
        run(EXAMPLE / "pictures.py", "--kind", "calibration", self.folder / "calibration")
        again = self.folder / "again.onnx"
        run(BUILD / "arenite", "quantize", EXAMPLE / "shapes.onnx", "--calibration", self.folder / "calibration",
            "--scale", "1/255", "-o", again)
        self.assertEqual(again.read_bytes(), (EXAMPLE / "shapes_int8.onnx").read_bytes())


if __name__ == "__main__":
    BUILD = pathlib.Path(sys.argv.pop(sys.argv.index("--build") + 1)).resolve()
    sys.argv.remove("--build")
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
