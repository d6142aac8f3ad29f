#!/usr/bin/env python3
"""Tests what `arenite run` says of its outputs: --expect holds them against files, --labels names the
best classes."""

import math
import unittest

from cli_common import (INT64, SHARED, CliTest, main, model, node, npy, read_npy, tensor, value_info, write)

NAN, INFINITY = math.nan, math.inf


def same(dims, dtype=1):
    """x -> y, the same elements."""
    return model([value_info("x", dims, dtype)], [node("Flatten", ["x"], ["y"], axis=1)],
                 [value_info("y", dims, dtype)])


def two_outputs(first, second):
    return model([value_info("x", [1, 1])],
                 [node("Mul", ["x", "a"], ["first"]), node("Mul", ["x", "b"], ["second"])],
                 [value_info("first", first), value_info("second", second)],
                 [tensor("a", first, [1.0] * math.prod(first)),
                  tensor("b", second, [2.0] * math.prod(second))])


class ExpectTest(CliTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.program = cls.plan(same([1, 4]))

    def file(self, numbers, name="e.npy", dims=None, descr="<f4"):
        return write(self.folder / name, npy(descr, dims or (1, len(numbers)), numbers))

    def compare(self, found, expected, *words, descr="<f4", program=None):
        x = self.file(found, "x.npy", descr=descr)
        e = self.file(expected, "e.npy", descr=descr)
        return self.arenite("run", program or self.program, "--input", x, "--expect", e, "--device",
                            "cpu", *words)

    def assert_agrees(self, *arguments, **options):
        done = self.compare(*arguments, **options)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("y: as in ", done.stdout)

    def assert_differs(self, *arguments, texts=(), **options):
        done = self.compare(*arguments, **options)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        for text in ("y: not as in ", "e.npy") + tuple(texts):
            self.assertIn(text, done.stdout)


class Expect(ExpectTest):
    def test_tolerance_is_relative_to_the_greatest_expected(self):
        self.assert_agrees([1, 2, 3, 1000], [1, 2, 3, 1000], "--tolerance", "0")
        self.assert_agrees([1.05, 2, 3, 1000], [1, 2, 3, 1000])  # 1e-4 of 1000
        self.assert_differs([1.15, 2, 3, 1000], [1, 2, 3, 1000])
        self.assert_agrees([1.15, 2, 3, 1000], [1, 2, 3, 1000], "--tolerance", "1e-3")
        # A large number that was found is no measure.
        self.assert_differs([1, 2, 3, 1e6], [1, 2, 3, 1000], "--tolerance", "0.5")
        # Beside zeros alone nothing but zeros is right.
        self.assert_differs([1e-30, 0, 0, 0], [0, 0, 0, 0], "--tolerance", "1")
        self.assert_agrees([-0.0, 0, 0, 0], [0, 0, 0, 0], "--tolerance", "0")

    def test_first_and_worst_are_named(self):
        self.assert_differs([1, 2.5, 8, 4], [1, 2, 3, 4], texts=(
            "2 of 4 elements differ by more than 0.0004", "first at [0,1] expected 2, found 2.5",
            "worst at [0,2] expected 3, found 8", "max abs 5", "max rel 1.25"))
        done = self.json_of("run", self.program, "--input", self.file([1, 2.5, 8, 4], "x.npy"),
                            "--expect", self.file([1, 2, 3, 4]), "--tolerance", "0.2", status=1)
        (line,) = done["expected"]
        self.assertEqual((line["output"], line["agrees"], line["elements"], line["beyond"]),
                         ("y", False, 4, 1))
        self.assertEqual((line["max_abs"], line["max_rel"], line["allowed"]), (5, 1.25, 0.8))
        self.assertEqual(line["first"], {"index": [0, 2], "expected": 3, "found": 8})
        self.assertEqual(line["worst"], line["first"])
        self.assertIn("1 of 4", line["why"])
        self.assertEqual(done["outputs"][0]["name"], "y")

    def test_not_a_number_and_infinity(self):
        self.assert_agrees([NAN, INFINITY, -INFINITY, 4], [NAN, INFINITY, -INFINITY, 4])
        for found, expected in ((NAN, 1), (1, NAN), (INFINITY, 1), (1, -INFINITY),
                                (INFINITY, -INFINITY), (NAN, INFINITY)):
            self.assert_differs([1, found, 3, 5], [1, expected, 3, 4], "--tolerance", "1", texts=(
                "1 of 4 elements", "(1 in being NaN or infinite)", "first at [0,1]",
                "worst at [0,1]", "max abs 1"))
        # Infinities do not widen what is allowed.
        self.assert_differs([INFINITY, 1, 1, 1], [INFINITY, 1, 1, 2])

    def test_integers(self):
        program = self.plan(same([1, 4], INT64))
        numbers = [1, 2, 3, 1 << 60]
        options = {"descr": "<i8", "program": program}
        self.assert_agrees(numbers, numbers, **options)
        self.assert_differs([1, 2, 4, 1 << 60], numbers, texts=("expected 3, found 4",), **options)
        # More digits than a double has.
        self.assert_differs([1, 2, 3, (1 << 60) + 1], numbers, texts=(
            f"expected {1 << 60}, found {(1 << 60) + 1}", "max abs 1,"), **options)
        self.assert_agrees([1, 2, 4, 100], [1, 2, 3, 100], "--tolerance", "0.01", **options)
        self.assert_differs([1, 2, 5, 100], [1, 2, 3, 100], "--tolerance", "0.01", **options)

    def test_steps_are_those_of_integers(self):
        program = self.plan(same([1, 4], INT64))
        options = {"descr": "<i8", "program": program}
        self.assert_agrees([1, 3, 3, 1000], [1, 2, 3, 1001], "--tolerance", "1step", **options)
        self.assert_differs([1, 4, 3, 1000], [1, 2, 3, 1000], "--tolerance", "1step",
                            texts=("1 of 4 elements differ by more than 1", "max abs 2"), **options)
        self.assert_agrees([1, 4, 3, 1000], [1, 2, 3, 1000], "--tolerance", "2steps", **options)
        self.assert_fails(self.compare([1, 2, 3, 4], [1, 2, 3, 4], "--tolerance", "1step"), 2,
                          "--tolerance 1step: output 'y' is float32, and steps are those of integers")
        self.assert_fails(self.compare([1, 2, 3, 4], [1, 2, 3, 4], "--tolerance", "1.5steps"), 2, "whole steps")

    @unittest.skipUnless((SHARED / "models" / "tfl_hello_world_int8").is_dir(), "no real models here")
    def test_a_tensors_own_name_does_too(self):
        folder = SHARED / "models" / "tfl_hello_world_int8"
        program = self.plan(folder / "model.tflite")
        method = self.json_of("inspect", program)["methods"][0]
        names = (method["outputs"][0]["name"], "StatefulPartitionedCall:0")
        self.assertNotEqual(*names)
        for name in names:
            done = self.arenite("run", program, "--device", "cpu", "--input", folder / "in_0.bin", "--expect",
                                f"{name}={folder / 'out_0.bin'}", "--tolerance", "1step")
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_type_and_shape(self):
        x = self.file([1, 2, 3, 4], "x.npy")
        run = ("run", self.program, "--input", x, "--device", "cpu", "--expect")
        for data, text in ((npy("<f4", (4,), range(4)), "expected float32[4]"),
                           (npy("<f4", (1, 5), range(5)), "expected float32[1,5]"),
                           (npy("<f8", (1, 4), range(4)), "expected float64[1,4]"),
                           (npy("<i4", (1, 4), range(4)), "expected int32[1,4]")):
            done = self.arenite(*run, write(self.folder / "e.npy", data))
            self.assertEqual(done.returncode, 1)
            self.assertIn(f"y: not as in {self.folder}/e.npy: {text}, found float32[1,4]", done.stdout)

    def test_files(self):
        x = self.file([1, 2, 3, 4], "x.npy")
        run = ("run", self.program, "--input", x, "--device", "cpu")
        raw = write(self.folder / "e.bin", x.read_bytes()[-16:])
        proto = write(self.folder / "e.pb", tensor("any", (1, 4), [1, 2, 3, 4]))
        for path in (x, raw, proto):
            for named in (str(path), f"y={path}"):
                self.assertEqual(self.arenite(*run, "--expect", named).returncode, 0)
        for words, text in ((("--expect", "none.npy"), "none.npy"),
                            (("--expect", f"z={x}"), "has no such output, expected y"),
                            (("--expect", x, "--expect", raw), "'y' is given twice"),
                            (("--expect", write(self.folder / "short.bin", b"1234")), "16 bytes"),
                            (("--expect", x, "--tolerance", "-1"), "--tolerance"),
                            (("--expect", x, "--tolerance", "nan"), "--tolerance"),
                            (("--tolerance", "1"), "--expect")):
            self.assert_fails(self.arenite(*run, *words), 2, text)

    def test_several_outputs(self):
        program = self.plan(two_outputs([1, 2], [1, 3]))
        x = self.file([3.0], "x.npy")
        run = ("run", program, "--input", x, "--device", "cpu")
        first, second = self.file([3.0, 3.0], "first.npy"), self.file([6.0, 6.0, 7.0], "second.npy")
        self.assert_fails(self.arenite(*run, "--expect", first), 2, "NAME=FILE", "2 outputs")
        self.assertEqual(self.arenite(*run, "--expect", f"first={first}").returncode, 0)
        lines = self.json_of(*run, "--expect", f"second={second}", "--expect", f"first={first}",
                             status=1)["expected"]
        self.assertEqual([(line["output"], line["agrees"]) for line in lines],
                         [("second", False), ("first", True)])

    def test_stacks(self):
        x = self.file(range(12), "x.npy", (3, 1, 4))
        e = self.file([*range(11), 12], "e.npy", (3, 1, 4))
        run = ("run", self.program, "--input", x, "--device", "cpu", "--expect")
        self.assertEqual(self.arenite(*run, x).returncode, 0)
        raw = write(self.folder / "e.bin", x.read_bytes()[-48:])
        self.assertEqual(self.arenite(*run, raw).returncode, 0)
        done = self.arenite(*run, e)
        self.assertEqual(done.returncode, 1)
        self.assertIn("first at [2,0,3] expected 12, found 11", done.stdout)
        one = self.file(range(4), "one.npy", (1, 1, 4))
        raw = write(self.folder / "e.bin", one.read_bytes()[-16:])
        self.assertEqual(self.arenite("run", self.program, "--input", one, "--expect",
                                      raw).returncode, 0)


class Labels(ExpectTest):
    def labels(self, text="zero\none\ntwo\nthree\n", name="names.txt"):
        return write(self.folder / name, text.encode())

    def top(self, scores, *words, program=None, dims=None):
        x = self.file(scores, "x.npy", dims)
        return self.json_of("run", program or self.program, "--input", x, "--device", "cpu",
                            "--labels", self.labels(), *words)["top"]

    def test_best_classes(self):
        self.assertEqual(self.top([0.5, 3, -1, 2], "--top", "2"), [
            {"output": "y", "run": 0, "row": 0, "classes": [
                {"class": 1, "label": "one", "score": 3}, {"class": 3, "label": "three", "score": 2}]}])
        # All there are; the first of equal ones first; NaN last.
        classes = self.top([2, NAN, 2, 7])[0]["classes"]
        self.assertEqual([one["class"] for one in classes], [3, 0, 2, 1])
        self.assertIsNone(classes[3]["score"])
        done = self.arenite("run", self.program, "--input", self.file([0.5, 3, -1, 2], "x.npy"),
                            "--labels", self.labels(), "--top", "1")
        self.assertIn("top of y\n           3  one (1)\n", done.stdout)

    def test_files_of_labels(self):
        x = self.file([0, 1, 2, 3], "x.npy")
        for text in ("a\nb\nc\nd", "a\r\nb\r\nc\r\nd\r\n", "a\nb\nc\nd\n\n\n"):
            classes = self.json_of("run", self.program, "--input", x, "--labels",
                                   self.labels(text))["top"][0]["classes"]
            self.assertEqual([one["label"] for one in classes], ["d", "c", "b", "a"])
        # Empty lines between are classes without a name; bytes that are no UTF-8 stay JSON.
        path = write(self.folder / "odd.txt", b"a\n\n\xff\xfe\nd\n")
        classes = self.json_of("run", self.program, "--input", x, "--labels", path)["top"][0]["classes"]
        self.assertEqual([one["label"] for one in classes][2:], ["", "a"])
        for text, why in (("a\nb\n", "2 labels, output 'y' has 4 classes"), ("", "no label")):
            self.assert_fails(self.arenite("run", self.program, "--input", x, "--labels",
                                           self.labels(text)), 2, "names.txt", why)
        for words, why in ((("--labels", "none.txt"), "none.txt"), (("--top", "3"), "--labels"),
                           (("--labels", self.labels(), "--top", "0"), "--top"),
                           (("--labels", f"z={self.labels()}"), "no such output")):
            self.assert_fails(self.arenite("run", self.program, "--input", x, *words), 2, why)

    def test_stacks(self):
        top = self.top([0, 1, 2, 3, 3, 2, 1, 0], "--top", "1", dims=(2, 1, 4))
        self.assertEqual([(row["run"], row["row"], row["classes"][0]["label"]) for row in top],
                         [(0, 0, "three"), (1, 0, "zero")])
        done = self.arenite("run", self.program, "--input", self.folder / "x.npy", "--labels",
                            self.labels(), "--top", "1")
        self.assertIn("top of y, run 1\n", done.stdout)

    def test_rows(self):
        program = self.plan(same([2, 4]))
        top = self.top([0, 1, 2, 3, 3, 2, 1, 0], "--top", "1", program=program, dims=(2, 4))
        self.assertEqual([(row["run"], row["row"], row["classes"][0]["label"]) for row in top],
                         [(0, 0, "three"), (0, 1, "zero")])
        spatial = self.plan(model([value_info("x", [1, 4, 1, 1])], [node("Relu", ["x"], ["y"])],
                                  [value_info("y", [1, 4, 1, 1])]))
        top = self.top([0, 9, 2, 3], "--top", "1", program=spatial, dims=(1, 4, 1, 1))
        self.assertEqual(top[0]["classes"][0]["label"], "one")

    def test_several_outputs(self):
        x = self.file([3.0], "x.npy")
        program = self.plan(two_outputs([1, 4], [1, 3]))
        run = ("run", program, "--input", x, "--device", "cpu", "--labels")
        self.assertEqual(self.json_of(*run, self.labels())["top"][0]["output"], "first")
        self.assertEqual(self.json_of(*run, f"second={self.labels('a;b;c'.replace(';', chr(10)))}")
                         ["top"][0]["output"], "second")
        self.assert_fails(self.arenite(*run, self.labels("a\nb\n")), 2, "2 labels", "first has 4",
                          "second has 3")
        program = self.plan(two_outputs([1, 4], [2, 4]))
        self.assert_fails(self.arenite("run", program, "--input", x, "--labels", self.labels()), 2,
                          "OUTPUT=FILE", "first has 4, second has 4")


class Both(ExpectTest):
    def test_outputs_are_written_also_where_they_are_not_as_expected(self):
        self.assert_differs([1, 2, 3, 4], [4, 3, 2, 1], "--output-dir", "both")
        self.assertEqual(read_npy(self.folder / "both" / "y.npy")[2], (1, 2, 3, 4))


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
