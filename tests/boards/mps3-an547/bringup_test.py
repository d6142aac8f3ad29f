#!/usr/bin/env python3
"""Runs the bring-up image of the MPS3 AN547 in QEMU and checks all that it reports."""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

SUCCESS = 7
FAULT = 99
TIMEOUT_S = 120

options = argparse.Namespace()


def symbols():
    """Name -> address of every symbol of the image."""
    text = subprocess.run([options.nm, options.elf], capture_output=True, text=True, check=True)
    rows = (line.split() for line in text.stdout.splitlines())
    return {row[2]: int(row[0], 16) for row in rows if len(row) == 3}


def board():
    return json.loads(pathlib.Path(options.board).read_text(encoding="utf-8"))


def run(command, plugin_arguments=None, folder=None):
    """Sends one command line over the serial port; returns (exit status, text, plugin's counts)."""
    with tempfile.TemporaryDirectory() as scratch:
        counts = pathlib.Path(scratch) / "counts.json"
        emulator = [word.replace("{elf}", options.elf) for word in board()["emulator"]["command"]]
        if plugin_arguments is not None:
            emulator += ["-plugin", ",".join([options.plugin, f"out={counts}"] + plugin_arguments)]
        done = subprocess.run(emulator, input=command + "\n", capture_output=True, text=True,
                              cwd=folder or scratch, timeout=TIMEOUT_S, check=False)
        counted = json.loads(counts.read_text()) if counts.exists() else None
        return done.returncode, done.stdout, counted


def measured(text):
    return int(re.search(r"^counted (\d+)$", text, re.MULTILINE).group(1))


class BringUp(unittest.TestCase):
    def test_console_start_up_and_memories(self):
        status, text, _ = run("memories please")
        self.assertEqual(status, SUCCESS, text)
        self.assertIn("bringup: hello\nstart-up ok\n", text)
        self.assertIn("echo emories please\n", text)
        names = [m["name"] for m in board()["memories"] if "holds" not in m] + ["store"]
        self.assertEqual(re.findall(r"^(\w+) ok$", text, re.MULTILINE), names)

    def test_unknown_command_fails(self):
        status, _, _ = run("z")
        self.assertEqual(status, 1)

    def test_clock_counts_instructions_and_repeats(self):
        texts = [run("c")[1] for _ in range(2)]
        self.assertEqual(measured(texts[0]), measured(texts[1]))
        # Two instructions a trip, a million trips, and reading the clock.
        self.assertTrue(2_000_000 <= measured(texts[0]) < 2_000_100, texts[0])
        stack = int(re.search(r"^stack (\d+)$", texts[0], re.MULTILINE).group(1))
        self.assertTrue(64 < stack < 1024, texts[0])

    def test_clock_survives_the_wrap_of_its_timer(self):
        _, text, _ = run("w")
        self.assertTrue(540_000_000 <= measured(text) < 540_000_200, text)

    def bounds(self):
        at = symbols()
        return [f"begin={at['measure_begin']:#x}", f"end={at['measure_end']:#x}"]

    def test_plugin_counts_exactly(self):
        counts = [run("c", self.bounds())[2] for _ in range(2)]
        self.assertEqual(counts[0]["counted"], counts[1]["counted"])
        # Only the call's and the loop's own handful of instructions come on top.
        self.assertTrue(2_000_000 < counts[0]["counted"] < 2_000_010, counts)
        self.assertEqual(counts[0]["intervals"], 1)
        self.assertFalse(counts[0]["unfinished"])
        self.assertGreater(counts[0]["total"], counts[0]["counted"])

    def test_plugin_counts_bytes_of_each_memory(self):
        memories = ["memory=sram:0x11000000:0x200000", "memory=ddr:0x70000000:0x8000000"]
        _, _, counts = run("t", self.bounds() + memories)
        self.assertEqual(counts["memories"], [
            {"name": "sram", "read_bytes": 256, "written_bytes": 128},
            {"name": "ddr", "read_bytes": 0, "written_bytes": 0}])

    def test_plugin_says_what_it_does_not_understand(self):
        for arguments in (["begin=1"], ["begn=1", "end=2"], ["memory=sram:1"], ["end=xyz"]):
            status, _, counts = run("c", arguments)
            self.assertEqual(status, 1, arguments)
            self.assertIsNone(counts)

    def test_host_files(self):
        with tempfile.TemporaryDirectory() as folder:
            content = bytes(range(100, 164))
            (pathlib.Path(folder) / "bringup_in.bin").write_bytes(content)
            self.assertEqual(run("h", folder=folder)[0], SUCCESS)
            self.assertEqual((pathlib.Path(folder) / "bringup_out.bin").read_bytes(), content)
        self.assertEqual(run("h")[0], 1)

    def test_faults_are_reported(self):
        status, text, _ = run("f")
        self.assertEqual(status, FAULT, text)
        self.assertRegex(text, r"fault: pc 0x1000[0-9a-f]{4} .* bfar 0xf0000000 ")

    def test_stack_overflow_is_a_fault(self):
        status, text, _ = run("s")
        self.assertEqual(status, FAULT, text)
        self.assertIn("fault: stack overflow:", text)

    def test_board_file_agrees_with_the_linker_script(self):
        at = symbols()
        for memory in board()["memories"] + board()["program_memories"]:
            name = memory["name"]
            self.assertEqual(int(memory["base"], 0), at[f"__{name}_base"], name)
            self.assertEqual(memory["bytes"], at[f"__{name}_bytes"], name)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    for option in ("elf", "board", "plugin", "nm"):
        parser.add_argument(f"--{option}", required=True)
    options, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0]] + rest)

# SPDX-License-Identifier: Apache-2.0
