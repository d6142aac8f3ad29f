#!/usr/bin/env python3
"""Checks that own_names.sh lets names of Arenite pass and catches any other."""

import pathlib
import subprocess
import tempfile
import unittest

from checks_common import TOOLCHAINS, run_check

GOOD = """
namespace arenite { int value(); int value() { return 1; } const char kText[] = "internal"; }
extern "C" int arenite_value() { return 2; }
template <typename T> T twice(T x) { return x + x; }
template int twice(int);
"""
FOREIGN = ('extern "C" int pb_read() { return 1; }', "int value() { return 1; }",
           "namespace other { int value() { return 1; } }")


class OwnNames(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def check(self, chain, *texts):
        archive = self.folder / "lib.a"
        archive.unlink(missing_ok=True)
        for index, text in enumerate(texts):
            source = self.folder / f"{index}.cc"
            source.write_text(text, encoding="utf-8")
            member = chain.compile(source, self.folder / f"{index}.o")
            subprocess.run([chain.tool("ar"), "rcs", archive, member], check=True)
        return run_check("own_names.sh", "--nm", chain.tool("nm"), archive)

    def test_own_names_pass(self):
        for chain in TOOLCHAINS:
            done = self.check(chain, GOOD)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_others_are_named(self):
        for chain in TOOLCHAINS:
            for text in FOREIGN:
                done = self.check(chain, GOOD, text)
                self.assertEqual(done.returncode, 1, text)
                self.assertRegex(done.stdout, r"^\S*lib\.a:1\.o:\S* \S+\n$")

    def test_nothing_to_check_is_an_error(self):
        self.assertEqual(run_check("own_names.sh", self.folder / "absent.a").returncode, 2)
        self.assertEqual(run_check("own_names.sh").returncode, 2)


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
