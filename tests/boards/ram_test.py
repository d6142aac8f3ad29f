#!/usr/bin/env python3
"""Runs models as firmware with a painted stack and holds what `arenite plan` says of RAM against it.

The bound is never below what was painted with arenas, Instance and .bss, and at most 5 % and 256 bytes above.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

options = argparse.Namespace()
BOARDS = {"cortex-m4": "mps2-an386", "cortex-m55": "mps3-an547"}
MLPERF_TINY = [f"tfl_mlperf_{name}_{kind}" for name in ("kws", "vww", "ic_resnet8", "ad") for kind in ("int8", "fp32")]


def mlperf_models():
    found = {name: pathlib.Path(options.shared) / "models" / name / "model.tflite" for name in MLPERF_TINY}
    return {name: path for name, path in found.items() if path.exists()}


class Ram(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def image(self, toolchain, sources):
        """Links firmware that paints its stack; the path, and the sections of its link map."""
        main, link_map = pathlib.Path(options.source) / "tests/boards/painted.cc", sources / "image.map"
        elf = build_commands.image(pathlib.Path(options.images) / toolchain, sources, main, sources,
                                   f"-Wl,-Map={link_map}")
        return elf, map_budget.read_map(link_map)[0]

    def painted(self, toolchain, sources):
        """Bytes of RAM that the image was seen to take: {"stack", "variables", "arenas"}."""
        elf, sections = self.image(toolchain, sources)
        board = json.loads((pathlib.Path(options.source) / "boards" / BOARDS[toolchain] / "board.json").read_text("utf-8"))
        words = [word.format(elf=elf) for word in board["emulator"]["command"]]
        done = subprocess.run(words, capture_output=True, text=True, timeout=600, check=False, stdin=subprocess.DEVNULL)
        stacks = re.findall(r"^(?:load|run) (\d+)\r?$", done.stdout, re.MULTILINE)
        self.assertEqual((done.returncode, len(stacks)), (0, 2), done.stdout + done.stderr)
        writable = [s for s in sections if s.output and re.match(r"\.(data|bss|arena_\w+)$", s.output) and s.owner]
        arenas = sum(s.bytes for s in writable if s.output.startswith(".arena_"))
        # Start-up's own variables are the board's.
        variables = sum(s.bytes for s in writable if not s.output.startswith(".arena_") and "start.dir" not in s.owner)
        return {"stack": max(map(int, stacks)), "variables": variables, "arenas": arenas}

    def compare(self, models):
        for toolchain, board in BOARDS.items():
            for name, path in models.items():
                sources = self.folder / f"{name}-{toolchain}"
                plan = json.loads(build_commands.call(
                    [options.arenite, "plan", path, "--board", board, "--emit-cc", sources, "--cc-name", "program",
                     "-o", self.folder / "program.arn", "--json"]))
                painted = self.painted(toolchain, sources)
                total, seen = plan["ram_total_bytes"], sum(painted.values())
                ram, = plan["ram"]
                print(f"{toolchain}, {name}: {total} bytes (stack {ram['stack_bytes']}), painted {seen} "
                      f"(stack {painted['stack']}), {total / seen:.3f}")
                self.assertFalse(ram["stack_is_assumed"])
                self.assertEqual(painted["arenas"], ram["arenas_bytes"], name)
                self.assertEqual(painted["variables"], ram["instance_bytes"] + ram["bss_bytes"], name)
                self.assertGreaterEqual(ram["stack_bytes"], painted["stack"], name)
                self.assertLessEqual(total, 1.05 * seen + 256, name)

    def test_the_digit_classifier(self):
        self.compare({"digits": pathlib.Path(options.source) / "examples/digits/digits.onnx"})

    def test_the_models_of_mlperf_tiny(self):
        models = mlperf_models()
        if not models:
            self.skipTest("no models of MLPerf Tiny in the shared folder")
        self.compare(models)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    for option in ("arenite", "source", "images", "shared"):
        parser.add_argument(f"--{option}", required=True)
    options, rest = parser.parse_known_args()
    sys.path += [str(pathlib.Path(options.source) / folder) for folder in ("tests/boards", "tools/checks")]
    import build_commands
    import map_budget
    unittest.main(argv=[sys.argv[0]] + rest)

# SPDX-License-Identifier: Apache-2.0
