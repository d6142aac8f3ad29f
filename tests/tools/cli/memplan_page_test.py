#!/usr/bin/env python3
"""Runs the commands of docs/memplan.md: each prints what stands below it."""

import re
import shlex

from cli_common import REPOSITORY, CliTest, main, write

PAGE = (REPOSITORY / "docs" / "memplan.md").read_text(encoding="utf-8")
COLUMNS = REPOSITORY / "planner" / "memplan" / "csv_table.cc"


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def commands():
    """(command, what it prints) in the order of the page."""
    for block in blocks("console"):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, printed = part.partition("\n")
            yield command, printed


def lasting(text):
    """Without times, which differ, and without what `...` stands for."""
    lines = re.sub(r"\d+\.?\d*(e-\d+)? s$", "TIME", text, flags=re.MULTILINE).splitlines()
    return lines[:lines.index("...")] if "..." in lines else lines


class MemplanPage(CliTest):
    def test_every_command_prints_what_the_page_says(self):
        write(self.folder / "memories.json", blocks("json")[0].encode())
        ran = 0
        for command, printed in commands():
            words = shlex.split(command)
            if words[0] == "cat":
                path = self.folder / words[1]
                if path.exists():
                    self.assertEqual(path.read_text(), printed, command)
                else:
                    write(path, printed.encode())
                continue
            self.assertEqual(words[0], "arenite")
            done = self.arenite(*words[1:])
            expected = lasting(printed)
            found = lasting(done.stderr + done.stdout)
            self.assertEqual(found[:len(expected)], expected, command)
            ran += 1
        self.assertGreater(ran, 5)
        for line in "".join(blocks("bash")).splitlines():
            words = line.split("#")[0].split(">")[0].split()
            done = self.arenite(*words[1:])
            self.assertEqual(done.returncode, 1 if "theirs.csv" in line else 0, line)

    def test_every_column_is_on_the_page(self):
        source = COLUMNS.read_text(encoding="utf-8")
        names = re.findall(r'"(\w+)"', source[source.index("kNames = {"):source.index("our_name")])
        self.assertGreater(len(names), 20)
        for name in names:
            self.assertIn(f"`{name}`", PAGE, name)

    def test_every_field_is_on_the_page(self):
        problem = write(self.folder / "p.csv", b"id,lower,upper,size\na,0,2,9\n")
        solution = write(self.folder / "s.csv", b"id,offset\na,0\n")
        memories = write(self.folder / "m.json", b'{"memories": [{"name": "m", "bytes": 9}]}')
        for words in ((problem,), (problem, "--capacity", "5"), (problem, "--check", solution),
                      (problem, "--memories", memories, "--report", "json")):
            status = 1 if "--capacity" in words else 0
            for name in self.json_of("memplan", *words, status=status):
                self.assertIn(f"`{name}`", PAGE, name)


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
