#!/usr/bin/env python3
"""Builds libarenite and threads.cc with ThreadSanitizer, and runs eight threads on it.

The build is kept in FOLDER, so that a second test builds what has changed.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import unittest

options = argparse.Namespace()
FLAGS = ["-O1", "-g1", "-fsanitize=thread"]


def run(*words, **more):
    return subprocess.run(list(map(str, words)), capture_output=True, text=True, check=False, **more)


class Threads(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = pathlib.Path(options.folder)
        for words in ([options.cmake, "-G", "Ninja", "-S", options.source, "-B", folder, "-DARENITE_BUILD_TOOL=OFF",
                       "-DARENITE_BUILD_TESTS=OFF", "-DARENITE_BUILD_IMAGES=OFF", "-DARENITE_INSTALL=OFF",
                       "-DCMAKE_BUILD_TYPE=RelWithDebInfo", "-DCMAKE_CXX_FLAGS=-fsanitize=thread",
                       "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 -g1 -DNDEBUG"],
                      [options.cmake, "--build", folder, "--target", "arenite_static", "-j", os.cpu_count()],
                      ["c++", "-std=c++20", *FLAGS, f"-I{options.source}", f"{options.source}/tests/api/threads.cc", "-o",
                       folder / "threads", folder / "lib/libarenite.a", "-lpthread", "-ldl"]):
            done = run(*words)
            if done.returncode != 0:
                raise AssertionError(f"{words}\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
        cls.program = folder / "threads"

    def threads(self, *words):
        # Its shadow memory does not go with all of the addresses that a kernel chooses.
        return run("setarch", "--addr-no-randomize", self.program, *words)

    def test_no_race_and_no_wrong_answer(self):
        for program, runs in ((options.program, 10000), (options.batches, 1000)):
            done = self.threads(program, runs)
            self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
            self.assertIn(f"8 threads, {runs} runs in each way, 0 wrong", done.stdout)
            print(done.stdout, end="")

    def test_a_race_is_noticed(self):
        done = self.threads(options.program, 1000, "race")
        self.assertIn("WARNING: ThreadSanitizer: data race", done.stderr)
        self.assertNotEqual(done.returncode, 0)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for option in ("source", "folder", "cmake", "program", "batches"):
        parser.add_argument(f"--{option}", required=True)
    options, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0]] + rest)

# SPDX-License-Identifier: Apache-2.0
