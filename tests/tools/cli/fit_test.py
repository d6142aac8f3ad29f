#!/usr/bin/env python3
"""Tests `arenite fit`: its rows agree with what `arenite plan` says of the same boards and budgets."""

import json

from cli_common import DIGITS, CliTest, add_model, main, write


def board(name, ram, flash=None):
    entry = {"name": name, "cpu": {"name": "any"},
             "memories": [{"name": "ram", "base": "0x20000000", "bytes": ram}]}
    if flash is not None:
        entry["program_memories"] = [{"name": "flash", "image": "embedded", "base": "0x08000000",
                                      "bytes": flash}]
    return json.dumps(entry).encode()


class Fit(CliTest):
    def rows(self, *words):
        rows = self.json_of("fit", *words)["rows"]
        return ([row for row in rows if row["budget_bytes"] is None],
                [row for row in rows if row["budget_bytes"] is not None])

    def test_all_known_boards_and_budgets(self):
        boards, budgets = self.rows(DIGITS)
        self.assertEqual([row["board"] for row in boards], ["host", "mps2-an386", "mps3-an547"])
        self.assertEqual([row["budget_bytes"] for row in budgets], [2 ** n for n in range(20, 13, -1)])
        for row in boards + budgets:
            self.assertTrue(row["fits"], row)
            self.assertEqual((row["short_by"], row["short"]), (0, []))
            self.assertGreater(row["ram_bytes"], 8000)
            self.assertGreater(row["flash_bytes"], 16000)
            self.assertRegex(row["floor_step"], r"^step \d+ \(")
        plan = self.json_of("plan", DIGITS, "--board", "mps2-an386", "-o", "f.arn")
        self.assertEqual(boards[1]["ram_bytes"], plan["arenas"][0]["peak_bytes"])
        self.assertEqual(boards[1]["floor_step"], plan["variants"][0]["total_peak_step"])
        embedded = [m for m in plan["program_memories"] if m["image"] == "embedded"]
        self.assertEqual(boards[1]["flash_bytes"],
                         sum(m["program_bytes"] + (m["code_bytes"] or 0) for m in embedded))

    def test_what_does_not_fit_is_short_by_what_plan_says(self):
        small = write(self.folder / "small.json", board("small", "4K", "16K"))
        row, = self.rows(DIGITS, "--board", small)[0]
        misfit = self.json_of("plan", DIGITS, "--board", small, "-o", "f.arn", status=1)
        self.assertFalse(row["fits"])
        self.assertEqual(row["short_by"], misfit["does_not_fit"][0]["short_by"])
        self.assertEqual([(s["memory"], s["short_by"], s["impossible"]) for s in row["short"]],
                         [(s["memory"], s["short_by"], s["impossible"]) for s in misfit["does_not_fit"]])
        self.assertEqual([s["memory"] for s in row["short"]], ["ram", "flash"])
        self.assertEqual(row["flash_bytes"], misfit["bytes"])

    def test_budgets_agree_with_boards_of_their_size(self):
        # 3 tensors of 40,000 bytes, of which two may share.
        path = write(self.folder / "wide.onnx", add_model((1, 10000)))
        for row in self.rows(path, "--board", "host")[1]:
            bytes_ = row["budget_bytes"]
            file = write(self.folder / "budget.json", board("b", bytes_))
            done = self.arenite("plan", path, "--board", file, "-o", "f.arn", "--json")
            self.assertEqual(done.returncode, 0 if row["fits"] else 1, row)
            if not row["fits"]:
                short, = json.loads(done.stdout)["does_not_fit"]
                self.assertEqual((row["short_by"], row["short"][0]["impossible"]),
                                 (short["short_by"], short["impossible"]), bytes_)
        self.assertEqual([row["fits"] for row in self.rows(path, "--board", "host")[1]],
                         [True, True, True, True, False, False, False])

    def test_the_table(self):
        small = write(self.folder / "small.json", board("small", "4K", "16K"))
        done = self.arenite("fit", DIGITS, "--board", "mps3-an547", "--board", small)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"\nmps3-an547 +fits +9024 +~?\d+ +step 2 \(conv, ")
        self.assertRegex(done.stdout, r"\nsmall +short \d+ of ram, \d+ of flash, proved +\d+ +\d+ +step")
        self.assertRegex(done.stdout, r"\n128K +fits +\d+ +\d+ +step")
        self.assertNotIn("\nhost", done.stdout)

    def test_shapes_and_what_is_wrong(self):
        path = write(self.folder / "symbolic.onnx", add_model(("N", "W")))
        self.assert_fails(self.arenite("fit", path), 2, "input 'a'", "--shape a=")
        row, = self.rows(path, "--dim", "N=1", "--dim", "W=1000", "--board", "host")[0]
        self.assertTrue(row["fits"])
        self.assert_fails(self.arenite("fit", DIGITS, "--board", "nonesuch"), 2, "nonesuch")
        self.assert_fails(self.arenite("fit", self.folder / "absent.onnx"), 2, "absent.onnx")


    def test_a_known_board_that_is_wrong_is_left_out(self):
        for name, text in (("good", board("good", "1M")), ("bad", b"{")):
            (self.folder / "boards" / name).mkdir(parents=True, exist_ok=True)
            write(self.folder / "boards" / name / "board.json", text)
        environment = {"ARENITE_BOARDS": str(self.folder / "boards")}
        done = self.arenite("fit", DIGITS, environment=environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("note: board bad is left out", done.stderr)
        self.assertIn("\ngood ", done.stdout)
        self.assert_fails(self.arenite("fit", DIGITS, "--board", "bad", environment=environment), 2, "bad")


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
