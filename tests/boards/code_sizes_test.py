#!/usr/bin/env python3
"""Links firmware with different forms and holds the planner's estimate of its code against what was linked."""

import argparse
import json
import pathlib
import re
import sys
import tempfile
import unittest

options = argparse.Namespace()
TOLERANCE = 0.05


def measured_boards():
    """(toolchain, a board of it) of each Cortex-M toolchain that an image build has measured."""
    found = {}
    for file in sorted(pathlib.Path(options.source).glob("boards/*/board.json")):
        board = json.loads(file.read_text(encoding="utf-8"))
        toolchain = board["cpu"].get("toolchain", "")
        if toolchain.startswith("cortex-m") and (pathlib.Path(options.images) / toolchain / "code_sizes.json").exists():
            found.setdefault(toolchain, board["name"])
    return found.items()


def models(folder):
    """{name: an ONNX file}: the digit classifier, and small models whose operators differ."""
    from cli_common import INT64, model, node, tensor, value_info, write  # pylint: disable=import-outside-toplevel

    def made(name, dims, nodes, out, initializers=()):
        return write(folder / f"{name}.onnx",
                     model([value_info("x", dims)], nodes, [value_info("y", out)], initializers))

    found = {"element": made("element", [2, 3], [
        node("Sigmoid", ["x"], ["a"]), node("Mul", ["x", "a"], ["b"]), node("Add", ["b", "x"], ["c"]),
        node("HardSigmoid", ["c"], ["d"]), node("Softmax", ["d"], ["y"], axis=1)], [2, 3])}
    found["moves"] = made("moves", [1, 4, 4], [
        node("Pad", ["x", "pads"], ["a"]), node("Concat", ["a", "a"], ["b"], axis=1),
        node("Gather", ["b", "rows"], ["y"], axis=1)], [1, 2, 6], [
            tensor("pads", [6], [0, 1, 1, 0, 0, 1], INT64), tensor("rows", [2], [3, 0], INT64)])
    found["pools"] = made("pools", [1, 2, 6, 6], [
        node("AveragePool", ["x"], ["a"], kernel_shape=[2, 2], strides=[2, 2]),
        node("BatchNormalization", ["a", "s", "s", "s", "s"], ["b"]),
        node("Relu", ["b"], ["y"])], [1, 2, 3, 3], [tensor("s", [2], [1.0, 2.0])])
    found["copy"] = made("copy", [2, 3], [node("Transpose", ["x"], ["y"], perm=[1, 0])], [3, 2])
    found["digits"] = pathlib.Path(options.source) / "examples/digits/digits.onnx"
    return found


class CodeSizes(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def linked_bytes(self, toolchain, sources):
        """Bytes of code and constants of an image, its program left out."""
        main = pathlib.Path(options.source) / "boards/bare/embedded.cc"
        elf = build_commands.image(pathlib.Path(options.images) / toolchain, sources, main, self.folder)
        # The linker script keeps the program in a section of its own.
        sections = re.findall(r"^(\.\S+)\s+(\d+)\s+\d+$", build_commands.call([options.size, "-A", elf]), re.MULTILINE)
        return sum(int(size) for name, size in sections if name in (".text", ".data"))

    def test_the_estimate_is_within_five_percent_of_the_link(self):
        for toolchain, board in measured_boards():
            for name, path in models(self.folder).items():
                sources = self.folder / f"{name}-{toolchain}"
                plan = json.loads(build_commands.call([options.arenite, "plan", path, "--board", board, "--emit-cc", sources, "--cc-name", "program",
                                        "-o", self.folder / "program.arn", "--json"]))
                memory = next(m for m in plan["program_memories"] if m["code_bytes"] is not None)
                self.assertTrue(memory["code_is_estimate"])
                linked = self.linked_bytes(toolchain, sources)
                print(f"{toolchain}, {name}: estimated {memory['code_bytes']}, linked {linked}, "
                      f"{100 * (memory['code_bytes'] / linked - 1):+.2f} %")
                self.assertLessEqual(abs(memory["code_bytes"] - linked), TOLERANCE * linked, name)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    for option in ("arenite", "source", "images", "size"):
        parser.add_argument(f"--{option}", required=True)
    options, rest = parser.parse_known_args()
    sys.path += [str(pathlib.Path(options.source) / folder) for folder in ("tests/tools/cli", "tests/boards")]
    import build_commands
    unittest.main(argv=[sys.argv[0]] + rest)

# SPDX-License-Identifier: Apache-2.0
