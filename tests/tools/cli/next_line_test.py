#!/usr/bin/env python3
"""Tests the line below an error: the user's own line corrected, or the command that shows more. Each is run."""

import pathlib
import re
import shlex
import shutil
import tempfile

from cli_common import DIGITS, INT64, REPOSITORY, Binaries, CliTest, main, model, node, npy, tensor, value_info, write

SAYS = "What shows more: "
WORKS = "A line that works: "
EXAMPLE = "An example: "


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

        gather = write(cls.folder / "gather.onnx", model([value_info("x", (4, 3)), value_info("i", (2,), INT64)],
                                                          [node("Gather", ["x", "i"], ["y"])], [value_info("y", (2, 3))]))
        cls.gather = cls.plan(gather)
        cls.rows = write(cls.folder / "rows.npy", npy("<f4", (4, 3), [0.0] * 12))
        cls.index = write(cls.folder / "index.npy", npy("<i8", (2,), [1, 9]))

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
            (["plan", DIGITS, "--board", "no_such_board", "-o", "never.arn"], 2, "arenite doctor", 0),
            (["run", self.gather, "--device", "cpu", "--input", f"x={self.rows}", "--input", f"i={self.index}"], 1,
             f"arenite inspect {self.gather} --step 0", 0),
            # The message has the line.
            (["inspect", DIGITS], 2, None, None),
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


class WorkingLine(CliTest):
    """Lines of somebody who works in a folder with one model, its program, images and a problem of memory planning."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.program = cls.plan(DIGITS)

    def new_folder(self, model_name="my digits.onnx"):
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        shutil.copy(DIGITS, folder / model_name)
        shutil.copy(self.program, folder / "digits.arn")
        write(folder / "image.npy", npy("<f4", (1, 1, 8, 8), [0.5] * 64))
        write(folder / "problem.csv", b"id,lower,upper,size\na,0,2,4\nb,1,3,4\n")
        write(folder / "remarks.txt", b"some remarks")
        write(folder / "blocked", b"a file where a folder is wanted")
        return folder

    def execute_in(self, folder, words):
        binary = {"arenite": Binaries.arenite, "arenite-run": Binaries.arenite_run}.get(words[0], words[0])
        return self.execute(binary, *words[1:], folder=folder)

    def check(self, line, status, expected, model_name="my digits.onnx"):
        """The last line that `line` prints ends with `expected`, a line that runs."""
        folder = self.new_folder(model_name)
        done = self.execute_in(folder, shlex.split(line))
        self.assertEqual(done.returncode, status, line + "\n" + done.stderr)
        last = done.stderr.splitlines()[-1]
        self.assertTrue(last.endswith(expected), f"{line}\n{last}\nexpected {expected}")
        if expected.startswith(EXAMPLE):
            self.assertRegex(last, "^Try 'arenite[-a-z ]* --help'[.] An example: arenite", line)
            words = re.findall("'(.*)'", last)[0]
        else:
            words = expected.split(": ", 1)[1]
        shown = self.execute_in(folder, shlex.split(words))
        self.assertEqual(shown.returncode, 0, f"{line}\n{words}\n{shown.stderr}")
        self.assertNotEqual(shown.stdout, "", words)

    def test_files_that_are_not_there(self):
        for line, expected in (
                ("arenite plan 'my digit.onnx'", "arenite plan 'my digits.onnx'"),
                ("arenite plan other.onnx", "arenite plan 'my digits.onnx'"),
                ("arenite plan 'my digits'", "arenite plan 'my digits.onnx'"),
                ("arenite fit digits.onnx", "arenite fit 'my digits.onnx'"),
                ("arenite ops digits.onnx", "arenite ops 'my digits.onnx'"),
                ("arenite bench other.arn --seconds 0", "arenite bench digits.arn --seconds 0"),
                ("arenite inspect other.arn", "arenite inspect digits.arn"),
                ("arenite compare digit.arn", "arenite compare digits.arn"),
                ("arenite strip other.arn --board host -o less.arn", "arenite strip digits.arn --board host -o less.arn"),
                ("arenite run other.arn --input image.npy", "arenite run digits.arn --input image.npy"),
                ("arenite run digits.arn --input imagr.npy", "arenite run digits.arn --input image.npy"),
                ("arenite run digits.arn --input image=imagr.npy", "arenite run digits.arn --input image=image.npy"),
                ("arenite memplan problm.csv", "arenite memplan problem.csv"),
                ("arenite plan 'my digits.onnx' --board ./board.json", "arenite plan 'my digits.onnx' -o model.arn --report text"),
                ("arenite run digits.arn --labels names.txt --input image.npy",
                 "arenite run digits.arn --input image.npy --output-dir out"),
                ("arenite-run other.arn --input image.npy", "arenite-run digits.arn --input image.npy"),
                ("arenite-run digits.arn --input image=imagr.npy", "arenite-run digits.arn --input image=image.npy")):
            with self.subTest(line):
                self.check(line, 2, WORKS + expected)

    def test_files_that_nothing_here_stands_for(self):
        for line, expected in (
                ("arenite evaluate digits.arn nowhere", "arenite evaluate model.arn pictures --resize --scale 1/255"),
                ("arenite evaluate digits.arn", "arenite evaluate model.arn pictures --resize --scale 1/255"),
                ("arenite quantize 'my digits.onnx' --calibration nowhere -o q.onnx",
                 "arenite quantize model.onnx --calibration samples -o model_int8.onnx")):
            with self.subTest(line):
                self.check(line, 2, EXAMPLE + expected)

    def test_an_empty_folder(self):
        for line in ("arenite run nothing.arn", "arenite plan nothing.onnx", "arenite memplan nothing.csv", "arenite memplan",
                     "arenite compare /etc/passwd", "arenite --unknown", "arenite-run nothing.arn"):
            with self.subTest(line):
                done = self.execute_in(pathlib.Path(tempfile.mkdtemp(dir=self.folder)), shlex.split(line))
                self.assertEqual(done.returncode, 2, line)
                self.assertRegex(done.stderr.splitlines()[-1], "^Try 'arenite[-a-z ]* --help'[.] An example: arenite", line)

    def test_names_that_no_file_can_have(self):
        for line in ("arenite run " + "n" * 300 + ".arn", "arenite-run " + "n" * 300 + ".arn", "arenite plan digits.arn/net.onnx",
                     "arenite plan 'my digits.onnx' --board " + "b" * 300):
            done = self.execute_in(self.new_folder(), shlex.split(line))
            self.assertEqual(done.returncode, 2, line)
            self.assertEqual(len(done.stderr.splitlines()), 2, done.stderr)

    def test_a_program_that_was_not_planned_yet(self):
        self.check("arenite run net.arn --board host --input image.npy", 2,
                   WORKS + "arenite plan net.onnx --board host -o net.arn", "net.onnx")

    def test_files_of_another_kind(self):
        for line, expected in (
                ("arenite inspect remarks.txt", WORKS + "arenite inspect digits.arn"),
                ("arenite bench remarks.txt --seconds 0", WORKS + "arenite bench 'my digits.onnx' --seconds 0"),
                ("arenite plan remarks.txt", WORKS + "arenite plan 'my digits.onnx'"),
                ("arenite plan digits.arn", WORKS + "arenite inspect digits.arn"),
                ("arenite ops digits.arn", WORKS + "arenite inspect digits.arn"),
                ("arenite fit digits.arn", WORKS + "arenite inspect digits.arn"),
                ("arenite memplan 'my digits.onnx'", WORKS + "arenite plan 'my digits.onnx' --report text"),
                ("arenite memplan digits.arn", WORKS + "arenite inspect digits.arn"),
                ("arenite memplan remarks.txt", WORKS + "arenite memplan problem.csv -o solution.csv"),
                ("arenite inspect 'my digits.onnx'", "plan it first: arenite plan 'my digits.onnx' -o my_digits.arn"),
                ("arenite-run remarks.txt --input image.npy", WORKS + "arenite-run digits.arn --input image.npy")):
            with self.subTest(line):
                self.check(line, 2, expected)

    def test_boards_devices_and_other_names(self):
        for line, status, expected in (
                ("arenite plan 'my digits.onnx' --board mps3-an54", 2, WORKS + "arenite plan 'my digits.onnx' --board mps3-an547"),
                ("arenite fit 'my digits.onnx' --board=hst", 2, WORKS + "arenite fit 'my digits.onnx' --board=host"),
                ("arenite target bench 'my digits.onnx' --board nano", 2, SAYS + "arenite doctor"),
                ("arenite target bench digits.arn --board host", 2, SAYS + "arenite doctor"),
                ("arenite strip digits.arn --board microbit -o x.arn", 2, WORKS + "arenite strip digits.arn --board host -o x.arn"),
                ("arenite run digits.arn --board microbit --input image.npy", 2,
                 WORKS + "arenite run digits.arn --board host --input image.npy"),
                ("arenite target run digits.arn --board microbit --input image.npy", 2, SAYS + "arenite inspect digits.arn"),
                ("arenite run digits.arn --input image.npy --device gpu", 2,
                 WORKS + "arenite run digits.arn --input image.npy --device cpu"),
                ("arenite run digits.arn --device cuda --input image.npy", 2,
                 WORKS + "arenite run digits.arn --device auto --input image.npy"),
                ("arenite bench digits.arn --device vulkan:nobody --seconds 0", 1,
                 WORKS + "arenite bench digits.arn --device auto --seconds 0"),
                ("arenite run digits.arn --method mian --input image.npy", 2,
                 WORKS + "arenite run digits.arn --method main --input image.npy"),
                ("arenite run digits.arn --input imge=image.npy", 2, WORKS + "arenite run digits.arn --input image=image.npy"),
                ("arenite plan 'my digits.onnx' --shape imge=1,1,8,8", 2,
                 WORKS + "arenite plan 'my digits.onnx' --shape image=1,1,8,8"),
                ("arenite plan 'my digits.onnx' --disable ordr", 2, WORKS + "arenite plan 'my digits.onnx' --disable order"),
                ("arenite inspect digits.arn --step 999", 2, WORKS + "arenite inspect digits.arn --step 10"),
                ("arenite-run digits.arn --device cuda --input image.npy", 2,
                 WORKS + "arenite-run digits.arn --device auto --input image.npy"),
                ("arenite-run digits.arn --device vulkan:nobody --input image.npy", 1,
                 WORKS + "arenite-run digits.arn --device auto --input image.npy"),
                ("arenite-run digits.arn --board microbit --input image.npy", 2,
                 WORKS + "arenite-run digits.arn --board host --input image.npy"),
                ("arenite-run digits.arn", 2, WORKS + "arenite-run digits.arn --input image.npy --output-dir out")):
            with self.subTest(line):
                self.check(line, status, expected)

    def test_outputs_that_cannot_be_written(self):
        for line, expected in (
                ("arenite plan 'my digits.onnx' -o nowhere/net.arn", "arenite plan 'my digits.onnx' -o net.arn"),
                ("arenite plan 'my digits.onnx' -o blocked/net2.arn", "arenite plan 'my digits.onnx' -o net2.arn"),
                ("arenite plan 'my digits.onnx' --emit-cc blocked/cc", "arenite plan 'my digits.onnx' --emit-cc cc"),
                ("arenite run digits.arn --input image.npy --output-dir blocked/out",
                 "arenite run digits.arn --input image.npy --output-dir out"),
                ("arenite-run digits.arn --input image.npy --output-dir blocked/slim",
                 "arenite-run digits.arn --input image.npy --output-dir slim")):
            with self.subTest(line):
                self.check(line, 1, WORKS + expected)

    def test_usage_with_own_files(self):
        for line, expected in (
                ("arenite pln 'my digits.onnx'", "arenite plan 'my digits.onnx'"),
                ("arenite targt", "arenite help target"),
                ("arenite target runn", "arenite help target run"),
                ("arenite plan 'my digits.onnx' --reprt=text", "arenite plan 'my digits.onnx' --report=text"),
                ("arenite plan 'my digits.onnx' --report jsn", "arenite plan 'my digits.onnx' --report json"),
                ("arenite plan 'my digits.onnx' --weights fp8", "arenite plan 'my digits.onnx' -o model.arn --report text"),
                ("arenite memplan problem.csv --algorithm serch", "arenite memplan problem.csv --algorithm search"),
                ("arenite inspect", "arenite inspect digits.arn"),
                ("arenite run", "arenite run digits.arn --input image.npy --output-dir out"),
                ("arenite run digits.arn --inpt image.npy", "arenite run digits.arn --input image.npy"),
                ("arenite inspect digits.arn --step x", "arenite inspect digits.arn"),
                ("arenite-run", "arenite-run digits.arn --input image.npy --output-dir out"),
                ("arenite-run digits.arn --inptu image.npy", "arenite-run digits.arn --input image.npy")):
            with self.subTest(line):
                self.check(line, 2, WORKS + expected)

    def test_new_board(self):
        tool = shlex.quote(str(REPOSITORY / "tools" / "new_board"))
        for line, expected in (
                (f"{tool} My_Board --folder mine", "my-board --like mps3-an547 --folder mine"),
                (f"{tool} other --like mps2-an38 --folder other", "other --like mps2-an386 --folder other"),
                (f"{tool} third --folder blocked", "third --like mps3-an547 --folder ./blocked-2")):
            with self.subTest(line):
                self.check(line, 2, f"{WORKS}{tool} {expected}")


if __name__ == "__main__":
    main()
# SPDX-License-Identifier: Apache-2.0
