#!/usr/bin/env python3
"""Tests `arenite fit`: its rows agree with what `arenite plan` says of the same boards and budgets."""

import json

from cli_common import DIGITS, SHARED, CliTest, add_model, main, write


def board(name, ram, flash=None, **cpu):
    entry = {"name": name, "cpu": {"name": "any", **cpu},
             "memories": [{"name": "ram", "base": "0x20000000", "bytes": ram}]}
    if flash is not None:
        entry["program_memories"] = [{"name": "flash", "image": "embedded", "base": "0x08000000",
                                      "bytes": flash}]
    return json.dumps(entry).encode()


class Fit(CliTest):
    def rows(self, *words, status=0):
        rows = self.json_of("fit", *words, status=status)["rows"]
        return ([row for row in rows if row["budget_bytes"] is None],
                [row for row in rows if row["budget_bytes"] is not None])

    def test_all_known_boards_and_budgets(self):
        boards, budgets = self.rows(DIGITS)
        names = [row["board"] for row in boards]
        self.assertLessEqual({"host", "mps2-an386", "mps3-an547"}, set(names))
        an386 = boards[names.index("mps2-an386")]
        self.assertEqual([row["budget_bytes"] for row in budgets], [2 ** n for n in range(20, 11, -1)])
        for row in boards + budgets:
            fits = row["budget_bytes"] is None or row["budget_bytes"] >= row["ram_total_bytes"]
            self.assertEqual(row["fits"], fits, row)
            self.assertEqual((row["short_by"], row["short"]) == (0, []), fits)
            if row["board"] == "host":  # its stack is not known
                self.assertEqual((row["stack_bytes"], row["ram_total_bytes"]), (None, None))
            else:
                self.assertEqual(row["ram_total_bytes"], row["ram_bytes"] + row["instance_bytes"] +
                                 row["bss_bytes"] + row["stack_bytes"])
                self.assertGreaterEqual(row["instance_bytes"], 300)
                self.assertGreater(row["stack_bytes"], 500)
            self.assertGreater(row["ram_bytes"], 8000)
            self.assertGreater(row["flash_bytes"], 16000)
            self.assertRegex(row["floor_step"], r"^step \d+ \(")
        plan = self.json_of("plan", DIGITS, "--board", "mps2-an386", "-o", "f.arn")
        self.assertEqual(an386["ram_bytes"], plan["arenas"][0]["peak_bytes"])
        self.assertEqual([an386[key] for key in ("ram_bytes", "ram_total_bytes", "stack_bytes")],
                         [plan["ram_bytes"], plan["ram_total_bytes"], plan["ram"][0]["stack_bytes"]])
        self.assertFalse([row for row in budgets if row["budget_bytes"] > 2 ** 13 and not row["fits"]])
        self.assertEqual(an386["floor_step"], plan["variants"][0]["total_peak_step"])
        embedded = [m for m in plan["program_memories"] if m["image"] == "embedded"]
        self.assertEqual(an386["flash_bytes"],
                         sum(m["program_bytes"] + (m["code_bytes"] or 0) for m in embedded))

    def test_what_does_not_fit_is_short_by_what_plan_says(self):
        small = write(self.folder / "small.json", board("small", "4K", "16K"))
        row, = self.rows(DIGITS, "--board", small, status=1)[0]
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
                         [True] * 4 + [False] * 5)

    def test_the_table(self):
        small = write(self.folder / "small.json", board("small", "4K", "16K"))
        done = self.arenite("fit", DIGITS, "--board", "mps3-an547", "--board", small)
        self.assertEqual(done.returncode, 1, done.stderr)  # of small, which was named
        numbers = r" +\d+" * 2 + r" +~?\d+ +\d+"  # Instance, .bss, stack, all
        self.assertRegex(done.stdout, r"board +arenas +Instance +\.bss +stack +RAM +flash +most lives at")
        self.assertRegex(done.stdout, r"\nmps3-an547 +fits +8576" + numbers + r" +~?\d+ +step 3 \(max_pool, ")
        self.assertRegex(done.stdout, r"\nsmall +short \d+ of ram, \d+ of flash, proved +\d+" + numbers + r" +\d+ +step")
        self.assertRegex(done.stdout, r"\n128K +fits +\d+" + numbers + r" +\d+ +step")
        self.assertRegex(done.stdout, r"\n4K +short \d+ of ram")
        self.assertNotIn("\nhost", done.stdout)

    def test_what_is_not_known_does_not_fit(self):
        file = write(self.folder / "unmeasured.json", board("b", "64K", "40K", toolchain="no-such"))
        words = ("fit", DIGITS, "--board", file)
        done = self.arenite(*words)
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertRegex(done.stdout, r"\nb +code not counted +9024 +360 +0 +~4096 +13480 +\d+ +step")
        self.assertIn("--assume-code BYTES", done.stdout)
        row, = self.rows(*words[1:], status=1)[0]
        self.assertEqual((row["fits"], row["unknown"], row["short"], row["stack_is_assumed"]),
                         (False, ["code"], [], True))
        row, = self.rows(*words[1:], "--assume-code", "20K")[0]
        self.assertEqual((row["fits"], row["unknown"]), (True, []))
        row, = self.rows(*words[1:], "--assume-code", "30K", status=1)[0]
        self.assertEqual((row["fits"], row["short"][0]["memory"]), (False, "flash"))
        self.assert_fails(self.arenite(*words, "--assume-code", "some"), 2, "--assume-code", "some")
        # A plan can be made, but --check is about what fits.
        done = self.arenite("plan", DIGITS, "--board", file, "-o", "u.arn")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("memory 'flash': code not counted", done.stderr)
        check = ("plan", DIGITS, "--board", file, "--check")
        self.assertEqual(self.arenite(*check).returncode, 1)
        self.assertEqual(self.arenite(*check, "--assume-code", "20K").returncode, 0)

    def test_all_of_ram_decides(self):
        roomy = write(self.folder / "roomy.json", board("b", 65536))
        arenas = self.json_of("plan", DIGITS, "--board", roomy, "-o", "a.arn")["ram_bytes"]
        own = 360 + 4096  # the Instance, and the stack where nobody measured it
        file = write(self.folder / "just.json", board("b", arenas + own))
        row, = self.rows(DIGITS, "--board", file)[0]
        self.assertEqual((row["fits"], row["ram_bytes"], row["ram_total_bytes"]), (True, arenas, arenas + own))
        file = write(self.folder / "less.json", board("b", arenas + own - 16))
        row, = self.rows(DIGITS, "--board", file, status=1)[0]
        self.assertEqual([s["memory"] for s in row["short"]], ["ram"])
        done = self.arenite("plan", DIGITS, "--board", file, "-o", "less.arn")
        self.assert_fails(done, 1, f"memory 'ram' of {arenas + own - 16} bytes is 16 bytes short",
                          f"of these, {own} are for the Instance, .bss and the stack")
        # If the board file gives these a memory of their own, arenas have theirs alone.
        for bytes_, status in ((own, 0), (own - 1, 1)):
            entry = json.loads(board("b", arenas))
            entry["memories"].append({"name": "own", "bytes": bytes_, "holds": ["stack", "bss"]})
            file = write(self.folder / "own.json", json.dumps(entry).encode())
            row, = self.rows(DIGITS, "--board", file, status=status)[0]
            self.assertEqual((row["fits"], row["ram_total_bytes"]), (status == 0, arenas + own))
        done = self.arenite("plan", DIGITS, "--board", file, "-o", "own.arn")
        self.assert_fails(done, 1, f"memory 'own' of {own - 1} bytes is 1 byte short: it is to hold Instance 360 bytes")

    def test_the_text_report_has_all_of_ram(self):
        done = self.arenite("plan", DIGITS, "--board", "mps2-an386", "-o", "r.arn", "--report", "text")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"\nRAM +arenas +Instance +\.bss +stack +total +size\n"
                         r"ssram +8576 +0 +0 +0 +8576 +\d+\nown +0 +360 +0 +\d+ +\d+ +32768\nin all +8576 +360 +0 +~?\d+ +\d+\n")

    def test_shapes_and_what_is_wrong(self):
        path = write(self.folder / "symbolic.onnx", add_model(("N", "W")))
        self.assert_fails(self.arenite("fit", path), 2, "input 'a'", "--shape a=")
        row, = self.rows(path, "--dim", "N=1", "--dim", "W=1000", "--board", "host")[0]
        self.assertTrue(row["fits"])
        self.assert_fails(self.arenite("fit", DIGITS, "--board", "nonesuch"), 2, "nonesuch")
        self.assert_fails(self.arenite("fit", self.folder / "absent.onnx"), 2, "absent.onnx")


    def test_forms_with_scratch_memory_are_left_out_where_they_do_not_fit(self):
        model = SHARED / "models/tfl_mlperf_ad_int8/model.tflite"
        if not model.exists():
            self.skipTest("no shared models")
        words = []
        for name, ram in (("roomy", 65536), ("tight", 5600)):
            path = write(self.folder / f"{name}.json", board(name, ram, features=["dsp"]))
            words += ["--board", path]
        roomy = self.json_of("plan", model, words[0], words[1], "-o", "roomy.arn")
        tight = self.json_of("plan", model, words[2], words[3], "-o", "tight.arn")
        self.assertGreater(roomy["ram_bytes"], tight["ram_bytes"])
        left_out = "forms that want scratch memory are left out: with them it does not fit"
        self.assertIn(left_out, tight["notes"])
        self.assertNotIn(left_out, roomy["notes"])

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
