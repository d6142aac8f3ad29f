#!/usr/bin/env python3
"""Runs the detector of shapes on its sample pictures, on the CPU and on Vulkan, and judges it on held-back ones.

usage: detector_test.py --build BUILD_TREE
"""

import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import unittest

EXAMPLE = pathlib.Path(__file__).resolve().parents[2] / "examples/detector"
BUILD = None
PRECISION_MIN = 0.96  # mean average precision; the README says 0.968
# What run.sh finds in each sample: left, top, right, bottom, in pixels.
SAMPLES = {
    "0.png": [("circle", 61, 132, 115, 184), ("cross", 102, 103, 149, 147), ("hexagon", 8, 107, 49, 148),
              ("square", 115, 24, 169, 73)],
    "1.png": [("arrow", 13, 19, 59, 51), ("circle", 64, 59, 102, 103), ("hexagon", 30, 131, 88, 182),
              ("ring", 113, 97, 190, 159)],
}
LINE = re.compile(r"(\w+) +(\d\.\d+)  from \((\d+), (\d+)\) to \((\d+), (\d+)\)")


def run(*command, **environment):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False,
                          timeout=200, env=dict(os.environ, BUILD=str(BUILD), **environment))
    if done.returncode != 0:
        raise AssertionError(f"{command}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


class Detector(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def test_the_script_finds_what_the_samples_show(self):
        for name, wanted in SAMPLES.items():
            texts = {}
            for device in ("cpu", "vulkan"):
                out = self.folder / f"{device}.png"
                texts[device] = run(EXAMPLE / "run.sh", EXAMPLE / "pictures" / name, out, DEVICE=device)
                self.assertEqual(struct.unpack(">II", out.read_bytes()[16:24]), (192, 192))
            found = sorted((m[1], *map(int, m.groups()[2:])) for m in LINE.finditer(texts["cpu"]))
            self.assertEqual([f[0] for f in found], [w[0] for w in wanted], texts["cpu"])
            for (_, *box), (_, *expected) in zip(found, wanted):
                self.assertLessEqual(max(abs(a - b) for a, b in zip(box, expected)), 2, (box, expected))
            self.assertIn(" found on cpu in ", texts["cpu"])
            # Floats of other devices round elsewhere; labels do not depend on it.
            self.assertEqual([m[1] for m in LINE.finditer(texts["vulkan"])], [m[1] for m in LINE.finditer(texts["cpu"])])

    def test_what_is_no_picture_is_told(self):
        with self.assertRaisesRegex(AssertionError, "exit 1\ndetect: .*run.sh: unknown image type"):
            run(EXAMPLE / "run.sh", EXAMPLE / "run.sh", self.folder / "out.png")

    def test_boxes_are_as_good_as_the_page_says(self):
        run(EXAMPLE / "judge.py", "--draw", self.folder)
        program = self.folder / "detector.arn"
        run(BUILD / "arenite", "plan", EXAMPLE / "detector.onnx", "--board", "host", "--weights", "fp16", "-o", program)
        run(BUILD / "arenite", "run", program, "--device", "cpu", "--input", self.folder / "images.npy",
            "--output-dir", self.folder)
        text = run(EXAMPLE / "judge.py", self.folder)
        precision = float(re.search(r"^mAP@0.5: (\d\.\d+) over 300 pictures", text, re.MULTILINE)[1])
        self.assertGreaterEqual(precision, PRECISION_MIN)


if __name__ == "__main__":
    BUILD = pathlib.Path(sys.argv.pop(sys.argv.index("--build") + 1)).resolve()
    sys.argv.remove("--build")
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
