#!/usr/bin/env python3
"""Holds what firmware takes to bench/mcu_budgets.tsv, for the digits and keyword spotting; the rest is bench/mcu.py's."""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

options = argparse.Namespace()


class Budgets(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.budgets = pathlib.Path(options.source) / "bench/mcu_budgets.tsv"

    def mcu(self, *words):
        done = subprocess.run([sys.executable, pathlib.Path(options.source) / "bench/mcu.py", options.arenite, "--shared",
                               options.shared, "--optimize", "memory", *map(str, words)], capture_output=True, text=True,
                              check=False, env={**os.environ, "ARENITE_IMAGES": options.images}, timeout=600)
        print(done.stdout)
        return done

    def test_the_digits_and_keyword_spotting(self):
        done = self.mcu("--check", "--jobs", 2, "--json", self.folder / "rows.json", "digits", "tfl_mlperf_kws_int8")
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = [json.loads(line) for line in (self.folder / "rows.json").read_text(encoding="utf-8").splitlines()]
        self.assertIn(len(rows), (2, 4))  # without the shared models the digits alone
        for row in rows:
            self.assertGreaterEqual(row["stack_bound"], row["stack"])
            self.assertEqual(row["code"], sum(row["flash"].values()) - row["flash"]["program"])

    def test_a_count_above_its_budget_fails(self):
        lines = self.budgets.read_text(encoding="utf-8").splitlines(keepends=True)
        own = next(line for line in lines if line.startswith("digits\tmps2-an386\tmemory\t"))
        cells = own.split("\t")
        least = "\t".join([*cells[:4], str(int(cells[4]) - 1), *cells[5:]])
        file = self.folder / "budgets.tsv"
        for text, message in ((least, f"run {int(cells[4]):,}, budget {int(cells[4]) - 1:,}"), ("", "no budget in")):
            file.write_text(text, encoding="utf-8")
            done = self.mcu("--check", "--budgets", file, "--board", "mps2-an386", "digits")
            self.assertEqual(done.returncode, 1, done.stdout)
            self.assertIn(f"mcu: digits mps2-an386 memory: {message}", done.stderr)
        done = self.mcu("--record", "--budgets", file, "--board", "mps2-an386", "digits")
        self.assertEqual((done.returncode, file.read_text(encoding="utf-8")), (0, own), done.stderr)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    for option in ("arenite", "source", "images", "shared"):
        parser.add_argument(f"--{option}", required=True)
    options, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0]] + rest)

# SPDX-License-Identifier: Apache-2.0
