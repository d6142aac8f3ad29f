#!/usr/bin/env python3
"""Tests the version that builds write: the commit of now, none without git, no new file without news."""

import pathlib
import shutil
import subprocess
import tempfile
import unittest

SUPPORT = pathlib.Path(__file__).resolve().parents[2] / "support"


class Version(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self.scratch.cleanup)
        self.source = pathlib.Path(self.scratch.name).resolve() / "source"
        (self.source / "support").mkdir(parents=True)
        shutil.copy(SUPPORT / "commit.txt", self.source / "support")
        self.out = self.source.parent / "version.cc"

    def version(self, source=None):
        subprocess.run(["cmake", "-D", f"SOURCE_DIR={source or self.source}", "-D", "VERSION=1.2.3",
                        "-D", f"OUT={self.out}", "-P", SUPPORT / "write_version.cmake"], check=True)
        return self.out.read_text().split('"')[3]

    def git(self, *words, folder=None):
        who = ["-c", "user.name=somebody", "-c", "user.email=somebody@example.com"]
        return subprocess.run(["git", *who, *words], cwd=folder or self.source, check=True,
                              capture_output=True, text=True).stdout.strip()

    def commit(self, text):
        (self.source / "file").write_text(text)
        self.git("add", "-A")
        self.git("commit", "-q", "-m", text)
        return self.git("rev-parse", "HEAD")[:10]

    def test_without_git_there_is_no_commit(self):
        self.assertEqual(self.version(), "1.2.3")

    def test_an_archive_says_its_commit(self):
        (self.source / "support" / "commit.txt").write_text("0123abcd\n")
        self.assertEqual(self.version(), "1.2.3 (0123abcd)")

    def test_the_commit_is_that_of_now(self):
        self.git("init", "-q")
        for text in ("one", "two"):
            commit = self.commit(text)
            self.assertEqual(self.version(), f"1.2.3 ({commit})")
        (self.source / "file").write_text("three")
        self.assertEqual(self.version(), f"1.2.3 ({commit}-modified)")

    def test_a_copy_in_anothers_repository_is_not_at_his_commit(self):
        self.git("init", "-q")
        self.commit("one")
        vendored = self.source / "vendored"
        shutil.copytree(self.source / "support", vendored / "support")
        self.assertEqual(self.version(vendored), "1.2.3")

    def test_no_news_change_no_file(self):
        self.version()
        before = self.out.stat().st_mtime_ns
        self.version()
        self.assertEqual(self.out.stat().st_mtime_ns, before)


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
