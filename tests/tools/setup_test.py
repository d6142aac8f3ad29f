#!/usr/bin/env python3
"""Checks tools/setup and tools/get_nanopb with stand-ins for dpkg and apt."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
SETUP = REPOSITORY / "tools" / "setup"
GET_NANOPB = REPOSITORY / "tools" / "get_nanopb"
NANOPB_FILES = ("pb.h pb_common.h pb_common.c pb_decode.h pb_decode.c pb_encode.h pb_encode.c "
                "LICENSE.txt").split()


class Scripts(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.log = self.folder / "apt.log"
        self.log.touch()
        self.stand_in("dpkg-query", 'for p; do [ "$p" = cmake ] || [ "$p" = ninja-build ] || '
                      'echo "installed $p"; done')
        self.stand_in("apt-get", f'echo "$@" >>{self.log}')
        self.stand_in("id", 'case $1 in -u) echo 0 ;; *) echo root ;; esac')

    def stand_in(self, name, body):
        file = self.folder / name
        file.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
        file.chmod(0o755)

    def run_script(self, *command, faked=True):
        environment = dict(os.environ)
        if faked:
            environment["PATH"] = f"{self.folder}:{environment['PATH']}"
        return subprocess.run([str(word) for word in command], capture_output=True, text=True,
                              env=environment, check=False)

    def test_list_names_every_package_once_and_by_group(self):
        names = self.run_script(SETUP, "--list").stdout.split()
        self.assertEqual(len(names), len(set(names)))
        for name in ("g++", "cmake", "qemu-system-arm", "libgtest-dev"):
            self.assertIn(name, names)
        # Recommended by one of ours, 313 MB, and never linked.
        self.assertNotIn("libstdc++-arm-none-eabi-newlib", names)
        cross = self.run_script(SETUP, "--list", "cross").stdout.split()
        self.assertTrue(set(cross) < set(names))
        self.assertIn("gcc-arm-none-eabi", cross)

    def test_table_gives_a_license_and_a_reason_for_each(self):
        rows = self.run_script(SETUP, "--table").stdout.splitlines()[2:]
        self.assertEqual(len(rows), len(self.run_script(SETUP, "--list").stdout.split()) +
                         len(self.run_script(SETUP, "--list", "browser", "fresh", "bench").stdout.split()))
        for row in rows:
            cells = [cell.strip() for cell in row.strip("|").split("|")]
            self.assertEqual(len(cells), 4, row)
            self.assertTrue(all(cells), row)

    def test_a_browser_has_to_be_asked_for(self):
        self.assertNotIn("chromium", self.run_script(SETUP, "--list").stdout.split())
        names = self.run_script(SETUP, "--list", "tests", "browser").stdout.split()
        self.assertLess({"chromium", "libgtest-dev"}, set(names))

    def test_check_names_what_is_missing(self):
        done = self.run_script(SETUP, "--check")
        self.assertEqual(done.returncode, 1)
        self.assertIn("missing: cmake ninja-build ", done.stderr)
        self.assertEqual(self.run_script(SETUP, "--check", "vulkan").returncode, 0)
        self.assertEqual(self.log.read_text(), "")

    def test_installs_only_what_is_missing_and_nothing_recommended(self):
        done = self.run_script(SETUP)
        self.assertEqual(done.returncode, 0, done.stderr)
        install = self.log.read_text().splitlines()[-1]
        self.assertRegex(install, r"install --no-install-recommends cmake ninja-build$")

    def test_is_quiet_and_asks_once_when_nothing_is_missing(self):
        asked = self.folder / "asked"
        self.stand_in("dpkg-query", f'echo >>{asked}; for p; do echo "installed $p"; done')
        done = self.run_script(SETUP)
        self.assertEqual(asked.read_text(), "\n")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        self.assertEqual(self.log.read_text(), "")

    def test_failed_installation_is_an_error(self):
        self.stand_in("apt-get", 'echo "E: no such archive" >&2; exit 100')
        done = self.run_script(SETUP)
        self.assertEqual(done.returncode, 1)
        self.assertIn("no such archive", done.stderr)
        self.assertIn("could not install: cmake ninja-build", done.stderr)

    def test_bad_usage(self):
        self.assertEqual(self.run_script(SETUP, "--nonsense").returncode, 2)
        done = self.run_script(SETUP, "--list", "nonsense")
        self.assertEqual(done.returncode, 1)
        self.assertIn("no group 'nonsense'; there are: build vulkan", done.stderr)

    def test_nanopb_is_not_fetched_twice(self):
        dest = self.folder / "nanopb"
        dest.mkdir()
        for name in NANOPB_FILES:
            (dest / name).write_text("content\n", encoding="utf-8")
        done = self.run_script(GET_NANOPB, dest)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        self.assertEqual(self.log.read_text(), "")

    def test_nanopb_out_of_reach_is_explained(self):
        self.stand_in("apt-get", "exit 100")
        dest = self.folder / "out-of-reach"
        done = self.run_script(GET_NANOPB, dest)
        self.assertEqual(done.returncode, 1)
        self.assertIn("cannot fetch Debian's source package 'nanopb'", done.stderr)
        for name in NANOPB_FILES:
            self.assertIn(name, done.stderr)
        self.assertFalse(dest.exists())
        self.assertEqual(self.run_script(GET_NANOPB).returncode, 2)

    def test_scripts_name_no_host(self):
        for name in ("setup", "get_nanopb", "private_apt.sh"):
            text = (REPOSITORY / "tools" / name).read_text(encoding="utf-8")
            self.assertIsNone(re.search(r"https?://", text), name)


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
