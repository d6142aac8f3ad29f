#!/usr/bin/env python3
"""Cross-builds the wheel for AArch64 Linux, unpacks it by pip, and runs its command in QEMU.

What it plans and quantizes has to be what this machine's command makes, byte for byte.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

options = argparse.Namespace()
EMULATOR = shutil.which("qemu-aarch64-static") or shutil.which("qemu-aarch64")
LIBRARIES = pathlib.Path("/usr/aarch64-linux-gnu")


class Wheel(unittest.TestCase):
    def run_words(self, *words):
        done = subprocess.run(list(map(str, words)), capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, f"{words}\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
        return done.stdout

    @unittest.skipUnless(EMULATOR and LIBRARIES.is_dir(), "no qemu-aarch64-static, or no compiler for AArch64 Linux")
    def test_it_does_what_this_machine_does(self):
        source, folder = pathlib.Path(options.source), pathlib.Path(options.folder)
        self.run_words(options.cmake, "-G", "Ninja", "-S", source, "-B", folder, "-DCMAKE_BUILD_TYPE=Release",
                       f"-DCMAKE_TOOLCHAIN_FILE={source}/toolchains/aarch64-linux.cmake", "-DARENITE_BUILD_TOOL=ON",
                       "-DARENITE_BUILD_TESTS=OFF", "-DARENITE_BUILD_IMAGES=OFF")
        self.run_words(options.cmake, "--build", folder, "--target", "wheel", "-j", os.cpu_count())
        (wheel,) = (folder / "wheel").glob("*.whl")
        print(f"{wheel.name}: {wheel.stat().st_size} bytes")
        platform = re.search(r"-py3-none-(manylinux_2_\d+_aarch64)\.whl$", wheel.name)[1]
        digits = source / "examples/digits"
        with tempfile.TemporaryDirectory() as scratch:
            scratch = pathlib.Path(scratch)
            # As pip on such a machine would.
            self.run_words("/usr/bin/python3", "-m", "venv", scratch / "environment")
            self.run_words(scratch / "environment/bin/pip", "install", "--quiet", "--no-index", "--no-deps", "--platform",
                           platform, "--only-binary=:all:", "--target", scratch / "site", wheel)
            there = [EMULATOR, "-L", LIBRARIES, scratch / "site/arenite/bin/arenite"]
            made = {}
            for name, tool in (("here", [options.arenite]), ("there", there)):
                program, model = scratch / f"{name}.arn", scratch / f"{name}.onnx"
                self.run_words(*tool, "plan", digits / "digits.onnx", "--board", "host", "--board", "mps2-an386",
                               "--memory-planner", "search", "-o", program)
                self.run_words(*tool, "quantize", digits / "digits.onnx", "--calibration", digits / "calibration", "-o",
                               model)
                made[name] = program.read_bytes(), model.read_bytes()
            self.assertTrue(made["here"] == made["there"], "other bytes than on this machine")
            said = self.run_words(*there, "run", scratch / "there.arn", "--device", "cpu", "--input",
                                  digits / "images.npy", "--expect", digits / "logits.npy")
            self.assertIn("logits: as in", said)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for option in ("source", "folder", "cmake", "arenite"):
        parser.add_argument(f"--{option}", required=True)
    options, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0]] + rest)

# SPDX-License-Identifier: Apache-2.0
