#!/usr/bin/env python3
"""Makes a wheel, installs it offline into a fresh environment, and uses it while the source tree is out of reach."""

import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile

from hidden import can_hide, words_without

options = argparse.Namespace()
SCRIPT = """
import arenite, json, numpy, pathlib
images = numpy.load("digits/images.npy")
program = arenite.plan("digits/digits.onnx", board=["host", "mps3-an547"])
program.save("python.arn")
logits = program.session(device="cpu", threads=2).run(images)["logits"]
right = (logits.reshape(len(images), -1).argmax(1) == numpy.load("digits/labels.npy")).sum()
assert right == 359, right
assert "<!DOCTYPE html>" in program.report("html")
assert "mps3-an547" in arenite.boards()
assert arenite.plan(arenite.quantize("digits/digits.onnx", images[:40]), io_type="native").methods == ["main"]
assert arenite.profile(program, device="cpu", seconds=0.01)
print(pathlib.Path(arenite.__file__).parent)
"""


class Wheel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory(prefix="wheel-")
        cls.addClassCleanup(cls.scratch.cleanup)
        cls.folder = pathlib.Path(cls.scratch.name)
        subprocess.run([options.cmake, "--build", options.build, "--target", "wheel"], check=True,
                       stdout=subprocess.DEVNULL)
        (cls.wheel,) = pathlib.Path(options.build, "wheel").glob("*.whl")
        print(f"{cls.wheel.name}: {cls.wheel.stat().st_size} bytes")
        shutil.copytree(pathlib.Path(options.source, "examples/digits"), cls.folder / "digits")
        shutil.copy(cls.wheel, cls.folder)
        cls.hides = can_hide(options.source)
        # Debian's numpy stands in for what pip would fetch.
        cls.bin = cls.folder / "environment/bin"
        cls.run_hidden("/usr/bin/python3", "-m", "venv", "--system-site-packages", "environment")
        cls.run_hidden(cls.bin / "pip", "install", "--quiet", "--no-index", "--disable-pip-version-check",
                       cls.wheel.name)

    @classmethod
    def run_hidden(cls, *words):
        words = words_without(options.source, words) if cls.hides else list(map(str, words))
        done = subprocess.run(words, cwd=cls.folder, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise AssertionError(f"{words}\n{done.stdout}\n{done.stderr}")
        return done.stdout

    def test_python(self):
        (self.folder / "script.py").write_text(SCRIPT, encoding="utf-8")
        self.assertIn(str(self.folder), self.run_hidden(self.bin / "python", "script.py"))

    def test_the_command(self):
        arenite = self.bin / "arenite"
        self.assertRegex(self.run_hidden(arenite, "--version"), r"^arenite \d")
        report = json.loads(self.run_hidden(arenite, "plan", "digits/digits.onnx", "--board", "mps3-an547", "--board",
                                            "host", "-o", "cli.arn", "--json"))
        self.assertEqual({variant["board"] for variant in report["variants"]}, {"host", "mps3-an547"})
        ran = json.loads(self.run_hidden(arenite, "run", "cli.arn", "--device", "cpu", "--input", "digits/images.npy",
                                         "--expect", "digits/logits.npy", "--json"))
        self.assertNotIn("error", ran)
        self.run_hidden(arenite, "quantize", "digits/digits.onnx", "--calibration", "digits/calibration", "-o", "q.onnx")
        self.assertIn("steps of integers", self.run_hidden(arenite, "plan", "q.onnx", "-o", "q.arn", "--report", "text"))
        self.assertIn("board host: ready", self.run_hidden(self.bin / "python", "-m", "arenite", "doctor"))

    def test_what_is_inside(self):
        with zipfile.ZipFile(self.wheel) as files:
            names = files.namelist()
            about = next(name for name in names if name.endswith("/METADATA")).rsplit("/", 1)[0]
            self.assertIn("protobuf", files.read(f"{about}/THIRD_PARTY_LICENSES").decode())
            self.assertIn(f"{about}/LICENSE", names)
            for name in names:
                self.assertFalse(str(options.source).encode() in files.read(name), f"{name} names the source tree")
        self.assertIn("arenite/py.typed", names)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for option in ("source", "build", "cmake"):
        parser.add_argument(f"--{option}", required=True)
    options, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0]] + rest)

# SPDX-License-Identifier: Apache-2.0
