#!/usr/bin/env python3
"""Tests the line below an error: the command, with the user's own names, that shows more."""

import shlex

from cli_common import DIGITS, CliTest, main, model, node, npy, tensor, value_info, write

SAYS = "What shows more: "


class NextLine(CliTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.program = cls.plan(DIGITS)
        cls.image = write(cls.folder / "wrong image.npy", npy("<f4", (1, 1, 7, 8), [0.0] * 56))
        cls.unknown = write(cls.folder / "unknown.onnx", model([value_info("x", (1, "n"))], [node("NoSuchOp", ["x"], ["y"])],
                                                                [value_info("y", (1, "n"))]))
        cls.large = write(cls.folder / "large model.onnx", model([value_info("x", ("n", 200))], [node("MatMul", ["x", "w"], ["y"])],
                                                                 [value_info("y", ("n", 200))],
                                                                 [tensor("w", (200, 200), [0.5] * 40000)]))

    def test_each_kind_of_error(self):
        """(words, status, the last line's command, its status)"""
        rows = (
            (["plan", self.large, "--dim", "n=50", "--board", "microbit", "-o", "never.arn"], 1,
             f"arenite fit '{self.large}' --board microbit --dim n=50", 1),
            (["plan", self.unknown, "--shape", "x=1,4", "-o", "never.arn"], 2,
             f"arenite ops {self.unknown} --shape x=1,4", 1),
            (["fit", self.unknown, "--shape", "x=1,4"], 2, f"arenite ops {self.unknown} --shape x=1,4", 1),
            (["run", self.program, "--input", self.image], 2, f"arenite inspect {self.program}", 0),
            (["run", self.program], 2, f"arenite inspect {self.program}", 0),
            (["bench", self.program, "--device", "cpu", "--input", self.image], 2, f"arenite inspect {self.program}", 0),
            # Nothing shows more of these.
            (["run", "no_such_file.arn"], 2, None, None),
            (["inspect", DIGITS], 2, None, None),
            (["plan", DIGITS, "--board", "no_such_board", "-o", "never.arn"], 2, None, None),
        )
        for words, status, line, its_status in rows:
            done = self.arenite(*words)
            self.assertEqual(done.returncode, status, (words, done.stderr))
            last = done.stderr.splitlines()[-1]
            if line is None:
                self.assertNotIn(SAYS, done.stderr)
                continue
            self.assertEqual(last, SAYS + line, words)
            shown = self.arenite(*shlex.split(line)[1:])
            self.assertEqual(shown.returncode, its_status, (line, shown.stderr))
            self.assertNotEqual(shown.stdout, "", line)

    def test_json_says_the_error_alone(self):
        words = ("run", self.program, "--json", "--input", self.image)
        done = self.arenite(*words)
        self.assertIn(f"{SAYS}arenite inspect {self.program}\n", done.stderr)
        self.assertNotIn(SAYS, self.json_of(*words[:2], "--input", self.image, status=2)["error"])


if __name__ == "__main__":
    main()
# SPDX-License-Identifier: Apache-2.0
