#!/usr/bin/env python3
"""Runs the tour of the Python module and looks at each line that it prints, and at the report that it writes.

usage: tour_test.py --build BUILD_TREE
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

EXAMPLE = pathlib.Path(__file__).resolve().parents[2] / "examples/python/tour.py"
BUILD = None
# A line each; what is measured, or follows from sizes of structures, is a number.
EXPECTED = [
    r"Program\(main: \d{5} bytes\)",
    r"host: 12288 bytes of tensors",
    r"mps3-an547: 8576 bytes of tensors",
    r"Session\(on cpu: \[Tensor\('image', float32, \(1, 1, 8, 8\)\)\] -> \[Tensor\('logits', float32, \(1, 10\)\)\]\)",
    r"359 of 360 right",
    r"a run takes \d+\.\d us on 2 threads",
    r" *\d+\.\d us +\d+\.\d %  \w+: \S.*",
    r" *\d+\.\d us +\d+\.\d %  \w+: \S.*",
    r" *\d+\.\d us +\d+\.\d %  \w+: \S.*",
    r"Quantized\(\d{5} bytes, 14 nodes on integers, 0 on floats\)",
    r"35\d of 360 right on integers",
    r"small: \d{4} bytes are missing",
    r"report: \S+/report\.html",
]


class Tour(unittest.TestCase):
    def test_what_it_prints_and_writes(self):
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / "report.html"
            done = subprocess.run([sys.executable, "-W", "error", EXAMPLE, page], capture_output=True, text=True,
                                  check=False, env=dict(os.environ, PYTHONPATH=f"{BUILD}/lib/python3/site-packages"))
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            lines = done.stdout.splitlines()
            self.assertEqual(len(lines), len(EXPECTED), done.stdout)
            for line, expected in zip(lines, EXPECTED):
                self.assertTrue(re.fullmatch(expected, line), f"{line}\nexpected: {expected}")
            shares = [float(re.search(r"([\d.]+) %", line)[1]) for line in lines[6:9]]
            self.assertEqual(shares, sorted(shares, reverse=True))
            text = page.read_text(encoding="utf-8")
            for words in ("<!DOCTYPE html>", "mps3-an547", "/2/Relu_output_0"):
                self.assertIn(words, text)


if __name__ == "__main__":
    at = sys.argv.index("--build")
    BUILD = sys.argv[at + 1]
    del sys.argv[at:at + 2]
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
