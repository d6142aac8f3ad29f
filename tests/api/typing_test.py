#!/usr/bin/env python3
"""Checks the types of the Python module with mypy: its own code, and what its users are told of theirs."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

PACKAGES = pathlib.Path(__file__).resolve().parents[2] / "api" / "python"
# A line that ends in a comment is one that a checker must refuse, for this reason.
USE = """
import arenite, numpy
program = arenite.plan("net.onnx", b"...", board=["host"], shape={"x": (1, 2)}, no_state=True)
text: str = program.report()
steps: int = len(program.report("json")["variants"])
wrong_text: int = program.report()  # Incompatible types
with program.session(device="cpu", threads=2) as session:
    found = session.run(numpy.zeros(3), out={"y": numpy.zeros(2)})
    session.run(["y"], {"x": [1, 2]})
    name: str = session.device
    wrong_name: int = session.device  # Incompatible types
arenite.plan("net.onnx", shape=[1, 2])  # Argument "shape"
arenite.plan("net.onnx", nonsense=1)  # Unexpected keyword argument
program.session(threads="2")  # Argument "threads"
model = arenite.quantize("net.onnx", [numpy.zeros(3)], ranges="entropy")
arenite.plan(model).save("net.arn")
first: arenite.Device = arenite.devices()[0]
median: float = arenite.profile(program, device="cpu")[0]["median_us"]
"""


class Typing(unittest.TestCase):
    @unittest.skipUnless(shutil.which("mypy"), "mypy is not here; tools/setup installs it")
    def test_types(self):
        with tempfile.TemporaryDirectory() as folder:
            use = pathlib.Path(folder) / "use.py"
            use.write_text(USE, encoding="utf-8")
            command = ["mypy", "--cache-dir", f"{folder}/cache", "--no-error-summary"]
            environment = dict(os.environ, MYPYPATH=str(PACKAGES))
            own = subprocess.run([*command, "--disallow-untyped-defs", "--warn-unused-ignores", "-p", "arenite"],
                                 capture_output=True, text=True, check=False, env=environment, cwd=folder)
            self.assertEqual((own.returncode, own.stdout, own.stderr), (0, "", ""))
            told = subprocess.run([*command, use], capture_output=True, text=True, check=False, env=environment,
                                  cwd=folder).stdout
        found = {int(line): text for line, text in re.findall(r"use\.py:(\d+): error: (.*)", told)}
        expected = {number: line.split("  # ")[1] for number, line in enumerate(USE.splitlines(), 1) if "  # " in line}
        self.assertEqual(set(found), set(expected), told)
        for number, words in expected.items():
            self.assertIn(words, found[number])


if __name__ == "__main__":
    unittest.main(argv=sys.argv)

# SPDX-License-Identifier: Apache-2.0
