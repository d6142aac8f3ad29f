#!/usr/bin/env python3
"""Runs examples/keywords and examples/denoiser with their files: what they hear and print is what their pages say."""

import argparse
import ctypes
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

import numpy as np

options = argparse.Namespace()


def page_of(name):
    return (pathlib.Path(options.source) / "examples" / name / "README.md").read_text(encoding="utf-8")


class Example(unittest.TestCase):
    """An example in the source tree, with an installation and a build folder of its own in the build tree."""

    def prepare(self, name, *programs):
        missing = [program for program in programs if not shutil.which(program)]
        if missing:
            self.skipTest(f"{', '.join(missing)} is absent")
        self.source = pathlib.Path(options.source) / "examples" / name
        self.folder = pathlib.Path(options.build).resolve() / "tests" / "examples" / name
        done = subprocess.run([options.cmake, "--install", options.build, "--prefix", self.folder / "prefix"],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout[-2000:] + done.stderr)

    def run_example(self, *words):
        environment = {k: v for k, v in os.environ.items() if not k.startswith("ARENITE_")}
        environment |= {"ARENITE": str(self.folder / "prefix"), "BUILD": str(self.folder / "build"),
                        "CMAKE_GENERATOR": "Ninja"}
        started = time.monotonic()
        done = subprocess.run(["./run.sh", *map(str, words)], cwd=self.source, env=environment, capture_output=True,
                              text=True, check=False)
        print(f"run.sh {words[0]} ...: {time.monotonic() - started:.1f} s\n{done.stdout}")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def number_of(self, page, row):
        """The number in a row of the page's table."""
        found = re.search(rf"^\| {row} \| ([\d,.]+) \|", page, re.MULTILINE)
        self.assertTrue(found, f"README.md: expected a row '{row}'")
        return float(found[1].replace(",", ""))


class Keywords(Example):
    def test_it_hears_each_clip(self):
        self.prepare("keywords", "arm-none-eabi-g++", "qemu-system-arm")
        clips = sorted((self.source / "clips").glob("*.wav"))
        said = self.run_example(*[f"clips/{clip.name}" for clip in clips])
        heard = re.findall(r"^clips/(\w+)\.wav\nheard: (\w+)", said, re.MULTILINE)
        self.assertEqual(len(heard), len(clips), said)
        page = page_of("keywords")
        self.assertEqual(heard, re.findall(r"^\| `(\w+)\.wav` \| (\w+)", page, re.MULTILINE))
        ram = re.search(r"bytes of RAM: (\d+) for features, (\d+) for the network", said)
        self.assertEqual(self.number_of(page, "RAM for features, bytes"), int(ram[1]))
        self.assertEqual(self.number_of(page, "RAM for the network, bytes"), int(ram[2]))
        counts = re.search(r"instructions: (\d+) a row of features, (\d+) a run of the network", said)
        for row, count in (("instructions a row of features", counts[1]),
                           ("instructions a run of the network", counts[2])):
            self.assertAlmostEqual(self.number_of(page, row) / int(count), 1, delta=0.05, msg=row)
        flash = re.search(r"^ *(\d+)\s+\d+\s+\d+.*firmware$", said, re.MULTILINE)
        self.assertAlmostEqual(self.number_of(page, "flash, bytes") / int(flash[1]), 1, delta=0.05)

    def test_features_are_log_mel_energies(self):
        """The front end's integers against the same by numpy's floats: 0.1 of a power of two where there is sound."""
        self.prepare("keywords", "c++")
        with tempfile.TemporaryDirectory() as folder:
            library = pathlib.Path(folder) / "features.so"
            subprocess.run(["c++", "-std=c++17", "-O1", "-fsanitize=undefined", "-fno-sanitize-recover=all", "-shared",
                            "-fPIC", "-o", library, self.source / "features.cc", self.source / "clip_features.cc"],
                           check=True)
            clip_features = ctypes.CDLL(str(library)).clip_features
        edges = [int(edge) for edge in re.search(
            r"kEdges\[kBands \+ 2\] = \{(.*?)\}", (self.source / "features.cc").read_text(encoding="utf-8"),
            re.DOTALL)[1].split(",")]
        heights = np.stack([np.interp(16 * np.arange(257), edges[i : i + 3], [0, 256, 0]) for i in range(32)])
        window = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(512) / 512)
        random = np.random.default_rng(0)
        clips = np.stack([random.normal(0, 3000, 16000), random.normal(0, 30, 16000), np.zeros(16000),
                          32767 * np.sign(np.sin(np.arange(16000) * 0.3)),
                          9000 * np.sin(np.arange(16000) * 0.05)]).clip(-32768, 32767).astype(np.int16)
        rows = np.zeros((len(clips), 49, 32), np.int16)
        clip_features(clips.ctypes.data_as(ctypes.c_void_p), len(clips), rows.ctypes.data_as(ctypes.c_void_p))
        for clip, found in zip(clips, rows):
            samples = np.concatenate([np.zeros(192), clip])
            for i, row in enumerate(found):
                power = np.abs(np.fft.rfft(samples[320 * i : 320 * i + 512] * window)) ** 2
                exact = np.log2(heights @ power + 2.0**18)
                difference = np.abs(row / 256 - exact)
                self.assertLess(difference[exact > 24].max(initial=0), 0.1)
                self.assertLess(difference.max(), 1.5)  # what rounding makes beside a loud tone


class Denoiser(Example):
    def test_it_takes_noise_away(self):
        self.prepare("denoiser", "c++")
        with tempfile.TemporaryDirectory() as folder:
            clean = pathlib.Path(folder) / "clean.wav"
            said = self.run_example("noisy.wav", clean, "reference.wav")
            self.assertEqual(clean.stat().st_size, (self.source / "noisy.wav").stat().st_size)
        snr = re.search(r"SNR: (-?[\d.]+) dB before, (-?[\d.]+) dB after", said)
        page = page_of("denoiser")
        self.assertAlmostEqual(float(snr[1]), 0.0, delta=0.1)
        self.assertAlmostEqual(self.number_of(page, "SNR of noisy.wav after, dB"), float(snr[2]), delta=0.1)
        if "for AArch64" in said:
            sizes = re.search(r"bytes: (\d+) of program, (\d+) of arenas and states, (\d+) of instance", said)
            self.assertEqual(self.number_of(page, "program, bytes"), int(sizes[1]))
            self.assertEqual(self.number_of(page, "RAM, bytes"), int(sizes[2]) + int(sizes[3]))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    for option in ("source", "build", "cmake"):
        parser.add_argument(f"--{option}", required=True)
    options, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0]] + rest)

# SPDX-License-Identifier: Apache-2.0
