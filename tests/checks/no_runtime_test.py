#!/usr/bin/env python3
"""Compiles one planted offender for each rule of device code: no_runtime.sh has to name it."""

import pathlib
import subprocess
import tempfile
import unittest

from checks_common import DEVICE_RULES, TOOLCHAINS, run_check

OFFENDERS = pathlib.Path(__file__).resolve().parent / "offenders"

# Offender -> the kind of finding, and the rule that has to be lifted for it to compile as meant.
EXPECTED = {
    "heap": ("heap", None),
    "exception": ("exception", "-fno-exceptions"),
    "rtti": ("rtti", "-fno-rtti"),
    "guard": ("guard", "-fno-threadsafe-statics"),
    "static_constructor": ("static-constructor", None),
    "writable_global": ("writable-variable", None),
    "zeroed_global": ("writable-variable", None),
    "stdio": ("stdio", None),
    "iostream": ("stdio", None),
    "lock": ("lock", None),
    "library": ("library", None),
}


class NoRuntime(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def object_of(self, chain, name, lifted=None):
        rules = [flag for flag in DEVICE_RULES if flag != lifted]
        return chain.compile(OFFENDERS / f"{name}.cc", self.folder / f"{chain.prefix}{name}.o", *rules)

    def archive_of(self, chain, *objects):
        archive = self.folder / f"{chain.prefix}lib.a"
        archive.unlink(missing_ok=True)
        subprocess.run([chain.tool("ar"), "rcs", archive, *objects], check=True)
        return archive

    def check(self, chain, *arguments):
        return run_check("no_runtime.sh", "--nm", chain.tool("nm"), "--objdump",
                         chain.tool("objdump"), *arguments)

    def test_every_offender_is_named_here(self):
        planted = {file.stem for file in OFFENDERS.glob("*.cc")} - {"clean"}
        self.assertEqual(planted, set(EXPECTED))

    def test_clean_code_passes(self):
        for chain in TOOLCHAINS:
            with self.subTest(chain.prefix):
                done = self.check(chain, self.archive_of(chain, self.object_of(chain, "clean")))
                self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)

    def test_each_offender_is_caught(self):
        for chain in TOOLCHAINS:
            clean = self.object_of(chain, "clean")
            for name, (kind, lifted) in EXPECTED.items():
                with self.subTest(offender=name, chain=chain.prefix):
                    archive = self.archive_of(chain, clean, self.object_of(chain, name, lifted))
                    done = self.check(chain, archive)
                    self.assertEqual(done.returncode, 1, done.stdout)
                    found = [line for line in done.stdout.splitlines() if f"): {kind}: " in line]
                    self.assertTrue(found, done.stdout)
                    self.assertIn(f"lib.a({chain.prefix}{name}.o)", found[0])
                    self.assertNotIn("clean.o", done.stdout)

    def test_a_common_symbol_is_a_variable(self):
        for chain in TOOLCHAINS:
            source = self.folder / "common.c"
            source.write_text("int shared_by_all_objects;\n", encoding="utf-8")
            target = self.folder / "common.o"
            subprocess.run([chain.tool("gcc"), "-fcommon", "-c", source, "-o", target], check=True)
            done = self.check(chain, target)
            self.assertEqual(done.returncode, 1)
            self.assertIn("writable-variable: common symbol shared_by_all_objects", done.stdout)

    def test_a_name_can_be_allowed(self):
        for chain in TOOLCHAINS:
            target = self.object_of(chain, "library")
            self.assertEqual(self.check(chain, target).returncode, 1)
            self.assertEqual(self.check(chain, "--allow", "tanhf", target).returncode, 0)
            # The whole name has to match.
            self.assertEqual(self.check(chain, "--allow", "tanh", target).returncode, 1)

    def test_what_another_file_defines_is_fine(self):
        chain = TOOLCHAINS[0]
        (self.folder / "user.cc").write_text('extern "C" int helper(int);\nint use(int x) { return helper(x); }\n')
        (self.folder / "helper.cc").write_text('extern "C" int helper(int x) { return x; }\n')
        user = chain.compile(self.folder / "user.cc", self.folder / "user.o")
        helper = chain.compile(self.folder / "helper.cc", self.folder / "helper.o")
        self.assertEqual(self.check(chain, user).returncode, 1)
        self.assertEqual(self.check(chain, user, helper).returncode, 0)

    def test_unreadable_files_fail(self):
        chain = TOOLCHAINS[0]
        empty = self.folder / "empty.a"
        empty.write_bytes(b"!<arch>\n")
        text = self.folder / "text.a"
        text.write_text("not an archive\n", encoding="utf-8")
        for file in (empty, text, self.folder / "absent.a"):
            done = self.check(chain, file)
            self.assertEqual(done.returncode, 1, file)
            self.assertIn("unreadable", done.stdout)


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
