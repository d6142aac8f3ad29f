#!/usr/bin/env python3
"""Makes a Debian package and installs it into an empty root, with the packages that it depends on and no other.

apt chooses those packages as if nothing were installed; they are unpacked, and dpkg installs ours. In that root, where
there are no sources, no compiler and no Python, the command plans, runs, reports and quantizes.
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

options = argparse.Namespace()
FETCH = """
source "$0/tools/private_apt.sh"
private_apt_begin deb
private_apt install -y --download-only --no-install-recommends "$1" >&2
for package in "$private_apt_root"/var/cache/apt/archives/*.deb; do
  basename "$package"
  dpkg-deb -x "$package" "$2"
done
"""


class Deb(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if os.getuid() != 0 or subprocess.run(["unshare", "--mount", "true"], check=False).returncode != 0:
            raise unittest.SkipTest("a root of its own needs the rights of root")
        cls.scratch = tempfile.TemporaryDirectory(prefix="deb-")
        cls.addClassCleanup(cls.scratch.cleanup)
        cls.root = pathlib.Path(cls.scratch.name) / "root"
        cls.root.mkdir()
        subprocess.run([options.cmake, "--build", options.build, "--target", "deb"], check=True,
                       stdout=subprocess.DEVNULL)
        (cls.package,) = pathlib.Path(options.build, "package").glob("*.deb")
        print(f"{cls.package.name}: {cls.package.stat().st_size} bytes")
        fetched = subprocess.run(["bash", "-euc", FETCH, options.source, cls.package, cls.root], capture_output=True,
                                 text=True, check=False)
        if fetched.returncode != 0:
            raise unittest.SkipTest(f"apt gives no packages: {fetched.stderr[-500:]}")
        print("beside it:", " ".join(fetched.stdout.split()))
        (cls.root / "var/lib/dpkg/info").mkdir(parents=True, exist_ok=True)
        (cls.root / "var/lib/dpkg/updates").mkdir(exist_ok=True)
        (cls.root / "var/lib/dpkg/status").touch()
        # The packages beside it are unpacked, not configured: that takes a shell.
        cls.dpkg("--force-depends", "--no-triggers", "-i", str(cls.package))
        shutil.copytree(pathlib.Path(options.source, "examples/digits"), cls.root / "tmp/digits")
        (cls.root / "dev").mkdir(exist_ok=True)
        (cls.root / "dev/null").touch()

    @classmethod
    def dpkg(cls, *words):
        done = subprocess.run(["dpkg", f"--root={cls.root}", *words], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise AssertionError(f"dpkg {words}: {done.stdout}{done.stderr}")
        return done.stdout

    def arenite(self, *words):
        command = ["unshare", "--mount", "sh", "-c", 'mkdir -p "$0/proc" && mount -t proc proc "$0/proc" && '
                   'exec chroot "$0" /usr/bin/arenite "$@"', self.root, *words]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, f"{words}\n{done.stdout}\n{done.stderr}")
        return done.stdout

    def test_nothing_else_is_there(self):
        programs = sorted(path.name for path in (self.root / "usr/bin").iterdir() if path.name.startswith("arenite"))
        self.assertEqual(programs, ["arenite", "arenite-new-board", "arenite-run"])
        for absent in ("bin/sh", "usr/bin/python3", "usr/bin/g++", str(options.source).lstrip("/")):
            self.assertFalse((self.root / absent).exists(), absent)

    def test_the_command(self):
        self.arenite("plan", "/tmp/digits/digits.onnx", "--board", "host", "--board", "mps3-an547", "-o", "/tmp/d.arn")
        ran = json.loads(self.arenite("run", "/tmp/d.arn", "--device", "cpu", "--input", "/tmp/digits/images.npy",
                                      "--expect", "/tmp/digits/logits.npy", "--json"))
        self.assertNotIn("error", ran)
        self.assertIn("<!DOCTYPE html>", self.arenite("plan", "/tmp/digits/digits.onnx", "-o", "/tmp/e.arn", "--report",
                                                      "html"))
        self.arenite("quantize", "/tmp/digits/digits.onnx", "--calibration", "/tmp/digits/calibration", "-o",
                     "/tmp/q.onnx")
        self.assertIn("steps of integers", self.arenite("plan", "/tmp/q.onnx", "-o", "/tmp/q.arn", "--report", "text"))

    def test_what_dpkg_knows(self):
        self.assertEqual(self.dpkg("--verify", "arenite"), "")
        files = self.dpkg("-L", "arenite").split()
        for file in ("/usr/share/man/man1/arenite.1", "/usr/share/doc/arenite/copyright",
                     "/usr/lib/python3/dist-packages/arenite", "/usr/lib/libarenite.so.0",
                     "/usr/share/arenite/runtime/core/model.cc", "/usr/share/bash-completion/completions/arenite"):
            self.assertIn(file, files)
        self.assertTrue((self.root / "usr/lib/python3/dist-packages/arenite/__init__.py").exists())
        self.dpkg("-r", "--force-depends", "--no-triggers", "arenite")
        self.assertFalse((self.root / "usr/lib/libarenite.so.0").is_symlink())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for option in ("source", "build", "cmake"):
        parser.add_argument(f"--{option}", required=True)
    options, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0]] + rest)

# SPDX-License-Identifier: Apache-2.0
