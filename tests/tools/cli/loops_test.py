#!/usr/bin/env python3
"""Tests loops that runs end early on a device: what is submitted, what plans and programs tell of it."""

import unittest

import numpy

from cli_common import (INT64, CliTest, field, graph_of, main, model, node, npy, read_npy, tensor, value_info,
                        write)

BOOL, SIZE, TRIPS = 9, 32, 16
X = numpy.random.default_rng(2).standard_normal((SIZE, SIZE)).astype(numpy.float32)
WEIGHTS = (numpy.random.default_rng(3).standard_normal((SIZE, SIZE)) / 2 / numpy.sqrt(SIZE)).astype(numpy.float32)


def halving(counted=False, rows=SIZE):
    """y = x w w ..., while there is a number above 0.5, or, counted, as often as M says."""
    nodes = [node("MatMul", ["before", "w"], ["next"], "step")]
    if counted:
        nodes.append(node("Identity", ["go"], ["goes_on"], "hand_on"))
    else:
        nodes += [node("ReduceMax", ["next"], ["most"], "most", keepdims=0),
                  node("Greater", ["most", "half"], ["goes_on"], "compare")]
    body = graph_of([value_info("trip", [], INT64), value_info("go", [], BOOL), value_info("before", [rows, SIZE])],
                    nodes, [value_info("goes_on", [], BOOL), value_info("next", [rows, SIZE])],
                    [tensor("w", [SIZE, SIZE], WEIGHTS.ravel().tolist()), tensor("half", [], [0.5])])
    count = [value_info("M", [], INT64)] if counted else []
    yes = field(2, BOOL) + field(8, "yes") + field(9, b"\x01")
    operands = ["M", "", "x"] if counted else ["", "yes", "x"]
    return model([value_info("x", [rows, SIZE])] + count, [node("Loop", operands, ["y"], "loop", body=body)],
                 [value_info("y", [rows, SIZE])], [yes])


class Loops(CliTest):
    def run_on_vulkan(self, program, trips, *words, rows=SIZE):
        if not self.has_vulkan():
            self.skipTest("there is no Vulkan here")
        x = write(self.folder / "rows.npy", npy("<f4", (rows, SIZE), X[:rows].ravel().tolist()))
        report = self.json_of("run", program, "--device", "vulkan", "--input", f"x={x}", "--output-dir",
                              self.folder / "out", *words)
        expected = X[:rows].astype(numpy.float64)
        for _ in range(trips):
            expected = expected @ WEIGHTS
        found = numpy.array(read_npy(self.folder / "out" / "y.npy")[2]).reshape(rows, SIZE)
        numpy.testing.assert_allclose(found, expected, atol=1e-4)
        return report

    @staticmethod
    def trips(rows=SIZE):
        y, trips = X[:rows].astype(numpy.float64), 0
        while trips == 0 or y.max() > 0.5:
            y, trips = y @ WEIGHTS, trips + 1
        return trips

    def test_data_end_it(self):
        trips = self.trips()
        self.assertIn(trips, range(2, 6))
        path = write(self.folder / "halving.onnx", halving())
        whole, cut = (self.plan(path, "--max-trips", f"loop={TRIPS}", "--board", self.board_with_cuts(ps, ps))
                      for ps in (1e15, 0))
        report = self.run_on_vulkan(whole, trips)
        # The CPU looks at the end whether another trip would follow.
        self.assertEqual((report["submissions"], report["dispatches_run"]), (2, report["dispatches"]))
        report = self.run_on_vulkan(cut, trips)
        self.assertEqual(report["dispatches"] - report["dispatches_run"], 3 * (TRIPS - trips))
        self.assertLessEqual(report["submissions"], trips + 5)

    def test_rows_that_callers_choose(self):
        path = write(self.folder / "rows.onnx", halving(rows="n"))
        program = self.plan(path, "--max-trips", f"loop={TRIPS}", "--dim", f"n=1..{SIZE}", "--board",
                            self.board_with_cuts(0, 0))
        for rows in (1, 7, SIZE, 3):
            trips = self.trips(rows)
            report = self.run_on_vulkan(program, trips, rows=rows)
            self.assertEqual(report["dispatches"] - report["dispatches_run"], 3 * (TRIPS - trips))

    def test_plans_and_programs_say_so(self):
        path = write(self.folder / "halving.onnx", halving())
        words = ("--max-trips", f"loop={TRIPS}", "--board", self.board_with_cuts(0, 0), "-o", self.folder / "m.arn")
        plan = self.json_of("plan", path, *words)["variants"][0]
        # The first trip is always made, and nobody asks whether another follows the last.
        self.assertEqual((plan["guarded_stretches"], plan["condition_transfers"]), (TRIPS - 1, TRIPS - 1))
        self.assertIn("15 of ", self.arenite("plan", path, *words, "--report", "text").stdout)
        steps = self.json_of("inspect", self.folder / "m.arn")["methods"][0]["variants"][0]["step_list"]
        self.assertGreaterEqual(len([step for step in steps if step["begins_stretch"]]), 2 * (TRIPS - 1))
        self.assertIn("(begins a stretch)", self.arenite("inspect", self.folder / "m.arn").stdout)

    def test_the_caller_counts(self):
        path = write(self.folder / "counted.onnx", halving(counted=True))
        program = self.plan(path, "--max-trips", f"loop={TRIPS}", "--board", self.board_with_cuts(0, 0))
        for trips in (0, 2, TRIPS):
            count = write(self.folder / "count.npy", npy("<i8", (), [trips]))
            report = self.run_on_vulkan(program, trips, "--input", f"M={count}")
            self.assertEqual(report["submissions"], 2)
            self.assertEqual(report["dispatches"] - report["dispatches_run"], TRIPS - trips)


if __name__ == "__main__":
    main()
# SPDX-License-Identifier: Apache-2.0
