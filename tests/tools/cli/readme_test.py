#!/usr/bin/env python3
"""Runs the README's lines as they stand there, in a shell, and looks at what each leaves behind."""

import re

from cli_common import REPOSITORY, Binaries, CliTest, main

README = (REPOSITORY / "README.md").read_text(encoding="utf-8")


class Readme(CliTest):
    def test_the_ten_lines_run(self):
        block = next(text for text in re.findall(r"^```bash\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
                     if text.startswith("alias arenite="))
        for command in ("bench", "compare", "--report html", "--emit-cc"):
            self.assertIn(command, block)
        (self.folder / "examples").symlink_to(REPOSITORY / "examples")
        (self.folder / "build" / "host").mkdir(parents=True)
        (self.folder / "build" / "host" / "arenite").symlink_to(Binaries.arenite)
        done = self.execute("bash", "-c", "set -e; shopt -s expand_aliases\n" + block)
        self.assertEqual(done.returncode, 0, (done.stdout[-2000:], done.stderr))
        self.assertRegex(done.stdout, r"\d{3} passed, 0 failed, \d+ skipped, 5 wrong as published")
        for name in ("digits.arn", "digits-m55.arn", "firmware.arn", "out/logits.npy",
                     "out-m55/logits.npy", "firmware/digits.h", "firmware/digits.ld"):
            self.assertTrue((self.folder / name).is_file(), name)
        self.assertLess((self.folder / "digits-m55.arn").stat().st_size,
                        (self.folder / "digits.arn").stat().st_size)
        page = (self.folder / "plan.html").read_text(encoding="utf-8")
        self.assertIn("<!doctype html>", page[:100].lower())
        self.assertIn("/6/Conv", page)


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
