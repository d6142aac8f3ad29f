#!/usr/bin/env python3
"""What docs/firmware.md and docs/command_line.md say in figures of the digits is what is measured today."""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

options = argparse.Namespace()
# core_size.sh's names for the rows of the table.
ROWS = {"kernels": ("kernels",), "contracts of operators": ("contracts",), "the runtime": ("runtime",),
        "start-up of the board, the program's tables": ("startup", "tables"), "libc, libgcc": ("libc", "libgcc"),
        "in all": ("total",)}
TINY = {"name": "tiny", "cpu": {"name": "cortex-m4", "toolchain": "cortex-m4"},
        "memories": [{"name": "sram", "kind": "sram", "bytes": "8K"}],
        "program_memories": [{"name": "flash", "kind": "flash", "image": "embedded", "base": "0x08000000",
                              "bytes": "32K"}]}


def page(name):
    return (pathlib.Path(options.source) / "docs" / name).read_text(encoding="utf-8")


class DocumentFigures(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.digits = pathlib.Path(options.source) / "examples/digits"

    def succeed(self, *words, statuses=(0,)):
        done = subprocess.run(list(map(str, words)), capture_output=True, text=True, check=False, cwd=self.folder,
                              env={**os.environ, "ARENITE_IMAGES": options.images})
        self.assertIn(done.returncode, statuses, done.stdout + done.stderr)
        return done.stdout

    def sizes(self, image):
        link_map = pathlib.Path(options.images) / f"cortex-m4/boards/mps2-an386/{image}.map"
        printed = self.succeed(pathlib.Path(options.source) / "tools/checks/core_size.sh", link_map)
        parts = {name: int(size) for size, name in re.findall(r"^ *(\d+)  (\w+)$", printed, re.MULTILINE)}
        return {row: sum(parts[name] for name in names) for row, names in ROWS.items()}

    def test_the_code_of_an_image(self):
        with_verifier, without = self.sizes("digits"), self.sizes("digits-trusted")
        for row in ROWS:
            self.assertIn(f"\n| {row} | {with_verifier[row]:,} | {without[row]:,} |\n", page("firmware.md"))

    def test_loading(self):
        program = self.folder / "digits.arn"
        self.succeed(options.arenite, "plan", self.digits / "digits.onnx", "--board", "mps2-an386", "-o", program)
        report = json.loads(self.succeed(options.arenite, "target", "run", "--board", "mps2-an386", program,
                                         "--input", self.digits / "images.npy", "--json"))
        said = re.search(r"^Loading takes about ([\d,]+) instructions", page("firmware.md"), re.MULTILINE)
        # The board's timer counts them in steps of 40.
        self.assertAlmostEqual(int(said[1].replace(",", "")), report["load_instructions"], delta=200)

    def test_what_fits(self):
        (self.folder / "digits.onnx").write_bytes((self.digits / "digits.onnx").read_bytes())
        (self.folder / "tiny.json").write_text(json.dumps(TINY), encoding="utf-8")
        command = "fit digits.onnx --board mps2-an386 --board ./tiny.json"
        block = re.search(rf"^\$ arenite {re.escape(command)}\n(.*?)^\.\.\.\n```$", page("command_line.md"),
                          re.MULTILINE | re.DOTALL)[1]
        printed = self.succeed(options.arenite, *command.split(), statuses=(0, 1))
        self.assertEqual(printed[:len(block)], block)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    for option in ("arenite", "source", "images"):
        parser.add_argument(f"--{option}", required=True)
    options, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0]] + rest)

# SPDX-License-Identifier: Apache-2.0
