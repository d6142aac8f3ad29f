#!/usr/bin/env python3
"""Tests tools/build with a stand-in for cmake: what a log and a terminal see, and the exit status."""

import os
import pathlib
import pty
import subprocess
import tempfile
import unittest

BUILD = pathlib.Path(__file__).resolve().parents[2] / "tools" / "build"


class Build(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.environment = dict(os.environ, PATH=f"{self.folder}:{os.environ['PATH']}")

    def stand_in(self, building):
        """`cmake --preset` does nothing, `cmake --build` runs these lines."""
        script = self.folder / "cmake"
        script.write_text(f'#!/bin/sh\necho "$*" >>{self.folder}/calls\n'
                          f'[ "$1" = --build ] || exit 0\n{building}\n')
        script.chmod(0o755)

    def build(self, *words, **options):
        return subprocess.run([BUILD, *words], env=self.environment, text=True, check=False,
                              **{"capture_output": True, **options})

    def test_a_log_has_what_went_wrong_and_little_else(self):
        self.stand_in("for i in $(seq 500); do echo \"[$i/500] Building x$i.o\"; done\n"
                      "echo 'FAILED: x.o'; echo 'x.cc:1: error: no' >&2; exit 3")
        done = self.build("host", "one", "two")
        self.assertEqual(done.returncode, 3)
        self.assertEqual(done.stdout, "FAILED: x.o\nx.cc:1: error: no\n")
        self.assertEqual((self.folder / "calls").read_text(),
                         "--preset host\n--build --preset host --target one two\n")

    def test_a_terminal_sees_all(self):
        self.stand_in("echo '[1/2] Building a.o'; echo '[2/2] Building b.o'")
        ours, theirs = pty.openpty()
        done = self.build("host", stdout=theirs, stderr=theirs, capture_output=False)
        os.close(theirs)
        shown = os.read(ours, 4096).decode()
        os.close(ours)
        self.assertEqual(done.returncode, 0)
        self.assertIn("[1/2] Building a.o", shown)

    def test_usage(self):
        for words in ([], ["--help"]):
            done = self.build(*words)
            self.assertEqual(done.returncode, 2)
            self.assertIn("usage: tools/build PRESET", done.stderr)


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
