#!/usr/bin/env python3
"""Fits a board's costs to operator cases: from a log of their clocks, and with --board from the emulator, held against models.

With --board all cases run there, which takes minutes, and the models' instructions must be predicted within LIMIT.
"""

import argparse
import json
import os
import pathlib
import pty
import subprocess
import sys
import tempfile
import tty
import unittest

options = argparse.Namespace()
# A model is judged where fitted costs know all its forms.
LIMIT = 0.10


class Calibration(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.costs = self.folder / "board.json"

    def bench(self, *words, status=0):
        done = subprocess.run([options.arenite, "target", "bench", *map(str, words)], capture_output=True, text=True,
                              timeout=2400, check=False, env={**os.environ, "ARENITE_IMAGES": options.images})
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def log(self, *lines):
        path = self.folder / "log.txt"
        path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
        return path

    def forms(self):
        return {(cost["form"], cost.get("case", "")): cost
                for cost in json.loads(self.costs.read_text(encoding="utf-8"))["costs"]["forms"]}

    def test_clocks_of_a_log(self):
        """A run of a step takes 300 ns beside it; nanoseconds are 1,000 ps. Costs that the file has of other forms stay."""
        board = json.loads((pathlib.Path(options.source) / "boards/mps2-an386/board.json").read_text(encoding="utf-8"))
        board["costs"] = {"forms": [{"form": "Abs.float32", "ps_per_unit": 7}]}
        self.costs.write_text(json.dumps(board), encoding="utf-8")
        log = self.log("arenite-cases mps2-an386 nanoseconds", "one_step 3300", "two_steps 6300",
                       "matmul_16x32_by_32x48 30300")
        done = self.bench("--board", "mps2-an386", "--calibrate", self.costs, "--ops", "--from-log", log, "--json")
        self.assertEqual(json.loads(done.stdout)["programs"], [])
        forms = self.forms()
        self.assertEqual(sorted({name for name, _ in forms}), ["Abs.float32", "MatMul.float32_fpu", "Softmax.float32"])
        cost = forms["MatMul.float32_fpu", ""]
        sizes = {"ps": 1, "ps_per_unit": 16 * 32 * 48, "ps_per_result": 16 * 48, "ps_per_line": 16,
                 "ps_per_input": 16 * 32, "ps_per_weight": 32 * 48, "ps_per_row": 1, "ps_per_byte": 16 * 48 * 4}
        predicted = sum(cost[key] * size for key, size in sizes.items() if key in cost)
        self.assertAlmostEqual(predicted / 30e6, 1, delta=0.01)

    def assert_refused(self, text, *lines):
        done = self.bench("--board", "mps2-an386", "--calibrate", self.costs, "--ops", "--from-log", self.log(*lines),
                          status=2)
        self.assertIn(text, done.stderr)
        self.assertFalse(self.costs.exists())

    def test_logs_that_are_none(self):
        first = "arenite-cases mps2-an386 instructions"
        self.assert_refused("log.txt, line 1: expected arenite-cases BOARD instructions|nanoseconds, found 'hello'", "hello")
        self.assert_refused("log.txt, line 1: expected clocks of board 'mps2-an386', found 'mine'",
                            "arenite-cases mine nanoseconds")
        self.assert_refused("log.txt, line 3: expected METHOD CLOCK, found 'two_steps 12x'", first, "one_step 7",
                            "two_steps 12x")
        self.assert_refused("log.txt, line 3: expected each method once, found 'one_step'", first, "one_step 7",
                            "one_step 8")
        self.assert_refused("line 1: expected arenite-cases", *())
        self.assert_refused("expected one of 'two_steps', which tells what a run takes beside its steps", first, "one_step 7")

    def test_options_that_do_not_go_together(self):
        for words, text in ((("--ops",), "--ops: expected --calibrate FILE with it"),
                            (("--calibrate", self.costs, "--log", "l"), "--log: it is about clocks of operator cases"),
                            (("--calibrate", self.costs), "expected a PROGRAM, or --calibrate FILE --ops, found neither"),
                            (("--calibrate", self.costs, "--ops", "--log", "l", "--from-log", "l"), "one of the two")):
            self.assertIn(text, self.bench("--board", "mps2-an386", *words, status=2).stderr)

    def test_models_by_costs_of_cases(self):
        if not options.board:
            self.skipTest("--board names none")
        models = [pathlib.Path(options.shared) / "models" / name / "model.tflite" for name in options.models]
        log = self.folder / "log.txt"
        done = self.bench("--board", options.board, "--calibrate", self.costs, "--ops", "--log", log, "--json", *models)
        for program in json.loads(done.stdout)["programs"]:
            with self.subTest(program["name"]):
                self.assertAlmostEqual(program["predicted_us"] / program["measured_us"], 1, delta=LIMIT)
        self.assertGreater(len(log.read_text(encoding="utf-8").splitlines()), 3000)
        again = self.folder / "again.json"
        self.bench("--board", options.board, "--calibrate", again, "--ops", "--from-log", log)
        self.assertEqual(again.read_text(encoding="utf-8"), self.costs.read_text(encoding="utf-8"))

    def assert_all_cases(self, log):
        lines = log.read_text(encoding="utf-8").splitlines()
        self.assertEqual(lines[0], "arenite-cases mps2-an386 nanoseconds")
        self.assertGreater(len(lines), 3000)
        forms = self.forms()
        self.assertGreater(len(forms), 200)
        self.assertGreater(forms["QuantizedConv.int8_dsp", ""]["ps_per_unit"], 0)

    def test_a_board_behind_a_command(self):
        """All cases by a process that --exec starts for each conversation."""
        if not options.lossy:
            self.skipTest("--lossy names none")
        log = self.folder / "log.txt"
        self.bench("--board", "mps2-an386", "--exec", options.lossy, "--calibrate", self.costs, "--ops", "--log", log)
        self.assert_all_cases(log)

    def test_this_machine(self):
        """All cases here, and those of machines with large memories; how long they take is no matter of a test."""
        if not options.lossy:
            self.skipTest("--lossy names none")
        digits = pathlib.Path(options.source) / "examples/digits/digits.onnx"
        done = subprocess.run([options.arenite, "bench", "--calibrate", self.costs, "--ops", "--device", "cpu", "--threads",
                               "1", digits, "--json"], capture_output=True, text=True, timeout=2400, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertGreater(json.loads(done.stdout)["programs"][0]["predicted_us"], 0)
        forms = self.forms()
        self.assertGreater(len(forms), 150)
        self.assertTrue(any("ps_per_far_byte" in cost for cost in forms.values()))

    def test_a_board_on_a_line(self):
        """All cases by a process on a pseudo-terminal, whose clock counts nanoseconds."""
        if not options.lossy:
            self.skipTest("--lossy names none")
        main, port = pty.openpty()
        self.addCleanup(os.close, port)
        tty.setraw(main)
        tty.setraw(port)
        log = self.folder / "log.txt"
        with subprocess.Popen([options.lossy], stdin=main, stdout=main) as board:
            os.close(main)
            self.bench("--board", "mps2-an386", "--port", os.ttyname(port), "--calibrate", self.costs, "--ops",
                       "--log", log)
            board.kill()
        self.assert_all_cases(log)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for option in ("arenite", "source", "images", "shared"):
        parser.add_argument(f"--{option}", required=True)
    parser.add_argument("--board", default="")
    parser.add_argument("--lossy", default="")
    parser.add_argument("--models", nargs="*", default=[])
    options, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])
# SPDX-License-Identifier: Apache-2.0
