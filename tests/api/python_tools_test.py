#!/usr/bin/env python3
"""What the Python module has beyond planning and running: quantizing, measuring, devices, callers' arrays, its words."""

import argparse
import inspect
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import warnings

import numpy

import arenite
from arenite._errors import python_words

options = argparse.Namespace()


def digits(name):
    return pathlib.Path(options.examples) / "digits" / name


class Tools(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.program = arenite.plan(digits("digits.onnx"))
        cls.images = numpy.load(digits("images.npy"))
        cls.labels = numpy.load(digits("labels.npy"))

    def right(self, model):
        logits = arenite.plan(model).session(device="cpu").run(self.images)["logits"]
        return (logits.reshape(len(self.labels), -1).argmax(axis=1) == self.labels).sum()

    def test_quantized_models_are_planned(self):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            quantized = arenite.quantize(digits("digits.onnx"), digits("calibration"), ranges="entropy")
        self.assertEqual(caught, [])
        self.assertGreaterEqual(self.right(quantized), 355)
        self.assertEqual(quantized.report["bytes"], len(quantized))
        self.assertRegex(repr(quantized), r"^Quantized\(\d+ bytes, \d+ nodes on integers, 0 on floats\)$")
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "q.onnx"
            quantized.save(path)
            self.assertEqual(path.read_bytes(), bytes(quantized))
            self.assertGreaterEqual(self.right(path), 355)

    def test_samples_may_be_arrays(self):
        model = digits("digits.onnx").read_bytes()
        stack = arenite.quantize(model, self.images[:40])
        for samples in (list(self.images[:40]), [{"image": image} for image in self.images[:40]],
                        (image for image in self.images[:40])):
            self.assertEqual(bytes(arenite.quantize(model, samples)), bytes(stack))
        with self.assertWarnsRegex(UserWarning, "^warning: calibration: has 3 samples"):
            arenite.quantize(model, self.images[:3])
        for samples, words in ((self.images[:3, 0], "^calibration/samples.npy: expected float32"), (b"x", "found bytes"),
                               ("/no/such/folder", "/no/such/folder: expected a folder"),
                               ([{"picture": self.images[0]}], "calibration/000000/picture.npy: no input")):
            with self.assertRaisesRegex(arenite.InputError, words):
                arenite.quantize(model, samples)
        with self.assertRaisesRegex(arenite.InputError, "^percentile: expected a number above 50"):
            arenite.quantize(model, self.images[:40], ranges="percentile", percentile=3)

    def test_bench_and_profile(self):
        told = arenite.bench(self.program, device="cpu", threads=1, seconds=0.01, inputs={"image": self.images[0]})
        self.assertEqual((told["device"], told["threads"], told["made_up_inputs"]), ("cpu", 1, False))
        self.assertGreaterEqual(told["timed_runs"], 10)
        self.assertLessEqual(told["min_ms"], told["median_ms"])
        steps = arenite.profile(digits("digits.onnx"), device="cpu", seconds=0.01)
        self.assertEqual({step["op"] for step in steps} & {"conv", "matmul"}, {"conv", "matmul"})
        self.assertEqual([step["median_us"] for step in steps], sorted((step["median_us"] for step in steps), reverse=True))
        for call, words in ((lambda: arenite.bench(b"garbage"), "^model 0, given as bytes"),
                            (lambda: arenite.bench(self.program, threads=9999), "^threads: expected auto or"),
                            (lambda: arenite.bench(self.program, batch=2), "batch")):
            with self.assertRaisesRegex((arenite.InputError, TypeError), words):
                call()

    def test_devices(self):
        found = arenite.devices()
        self.assertEqual(found[0].name, "cpu")
        for device in found:
            if device.problem is None:
                session = self.program.session(device=device.name, allow_fallback=True)
                self.assertEqual(session.run(self.images[0])["logits"].shape, (1, 10))

    def test_several_models_and_bytes(self):
        path, content = digits("digits.onnx"), digits("digits.onnx").read_bytes()
        self.assertEqual(bytes(arenite.plan([path, content])), bytes(arenite.plan(path, content)))
        self.assertEqual(arenite.plan(str(path), path).methods, ["digits", "digits_2"])
        self.assertEqual(len(arenite.plan(bytearray(content)).methods), 1)
        with self.assertRaisesRegex(TypeError, "model 0: expected a path or bytes, found int"):
            arenite.plan(3)
        with self.assertRaisesRegex(TypeError, "nonsense"):
            arenite.plan(path, nonsense=1)

    def test_results_in_callers_arrays(self):
        session = self.program.session(device="cpu")
        expected = session.run(self.images[:3])["logits"]
        one, many = numpy.empty((1, 10), numpy.float32), numpy.zeros((10, 1, 3), numpy.float32).transpose(2, 1, 0)
        self.assertIs(session.run(self.images[0], out={"logits": one})["logits"], one)
        numpy.testing.assert_array_equal(one, expected[0])
        for out in (many, [many], (many,)):
            many[...] = 0
            self.assertIs(session.run(self.images[:3], out=out)["logits"], many)
            numpy.testing.assert_array_equal(many, expected)
        frozen = one.copy()
        frozen.flags.writeable = False
        for out, words in ((many, r"expected an array of float32\[1, 10\] for output 'logits', found float32\[3, 1, 10\]"),
                           (one.astype(numpy.float64), "found float64"), ([one, one], "expected 1 arrays, found 2"),
                           ({"logit": one}, "no output 'logit'"), ({"logits": [0] * 10}, "found list"),
                           (frozen, "cannot be written")):
            with self.assertRaisesRegex(arenite.InputError, words):
                session.run(self.images[0], out=out)
        for out, words in ((one, r"expected 3 rows for output 'logits', found \[1, 10\]"),
                           (numpy.empty((3, 10), numpy.float32), r"expected an array of float32\[1, 10\].*float32\[10\]")):
            with self.assertRaisesRegex(arenite.InputError, words):
                session.run(self.images[:3], out=out)
        numpy.testing.assert_array_equal(one, expected[0])

    def test_lists_of_numbers_and_of_names(self):
        session = self.program.session(device="cpu")
        expected = session.run(self.images[0])["logits"]
        numpy.testing.assert_array_equal(session.run(self.images[0].tolist())["logits"], expected)
        numpy.testing.assert_array_equal(session.run(numpy.zeros((1, 1, 8, 8), numpy.float32))["logits"],
                                         session.run([[[[0] * 8] * 8]])["logits"])
        for names in (["logits"], None, ("logits",)):
            found = session.run(names, {"image": self.images[0]})
            self.assertIsInstance(found, list)
            numpy.testing.assert_array_equal(found[0], expected)
        for call, words in ((lambda: session.run(["logit"], {"image": self.images[0]}), "no output 'logit'"),
                            (lambda: session.run([[["a"] * 8] * 8]), "expected numbers, found <U1 from list"),
                            (lambda: session.run([1.5]), r"found float32\[1\]")):
            with self.assertRaisesRegex(arenite.InputError, words):
                call()
        integers = arenite.plan(arenite.quantize(digits("digits.onnx"), self.images[:40]), io_type="native")
        session = integers.session(device="cpu")
        self.assertEqual(session.inputs[0].dtype, numpy.int8)
        session.run(numpy.full((1, 1, 8, 8), -128).tolist())
        for number in (128, 1.5):
            with self.assertRaisesRegex(arenite.InputError, "int8 does not hold all numbers"):
                session.run(numpy.full((1, 1, 8, 8), number).tolist())

    def test_sessions_close(self):
        with self.program.session(device="cpu") as session:
            kept = session.run(self.images[0])["logits"]
        self.assertEqual(kept.shape, (1, 10))
        for call in (lambda: session.run(self.images[0]), lambda: session.device, session.save_states):
            with self.assertRaisesRegex(arenite.Error, "closed"):
                call()
        session.close()
        with arenite.Session(self.program, "cpu") as again:
            numpy.testing.assert_array_equal(again.run(self.images[0])["logits"], kept)

    def test_objects_say_what_they_are(self):
        self.assertRegex(repr(self.program), r"^Program\(main: \d+ bytes\)$")
        session = self.program.session(device="cpu")
        self.assertEqual(repr(session), "Session(on cpu: [Tensor('image', float32, (1, 1, 8, 8))] -> "
                                        "[Tensor('logits', float32, (1, 10))])")
        self.assertEqual(arenite.InputError.__module__, "arenite")

    def test_messages_are_in_the_words_of_python(self):
        for text, words in (
                ("give it with --shape x=...", "give it with shape={'x': ...}"),
                ("--shape x=1,2: expected", "shape={'x': (1, 2)}: expected"),
                ("or --dim past=31;", "or dim={'past': 31};"), ("--max-trips loop=4.", "max_trips={'loop': 4}."),
                ("--optimize memory has", "optimize='memory' has"), ("--io caller: no", "io='caller': no"),
                ("--no-state keeps", "no_state=True keeps"), ("by --threads 4", "by threads=4"),
                ("--input x:1,2", "inputs x:1,2"), ("--share-state 'x'", "share_state 'x'"),
                ("with --frobnicate it", "with --frobnicate it"), ("(--mean 128 moves", "(mean=128 moves"),
                ("cmake --workflow --preset x", "cmake --workflow --preset x")):
            self.assertEqual(python_words(text, {}), words)

    def test_no_message_of_a_bad_call_names_an_option(self):
        model = digits("digits.onnx")
        for name, value in (("shape", {"x": (1, 2)}), ("shape", {"image": (1, 2, "a")}), ("dim", {"n": "x..y"}),
                            ("batch", "x"), ("fix", {"x": 1}), ("outputs", ["nothing"]), ("max_trips", {"l": 2}),
                            ("state", {"a": "b"}), ("share_state", "a"), ("memory_planner", "serch"),
                            ("fallback", "x"), ("optimize", "x"), ("constraints", "/no/such.json"), ("io", "x"),
                            ("constants", "x"), ("forms", "x"), ("weights", "x"), ("io_type", "x"), ("disable", "ordr"),
                            ("assume_code", "x"), ("image", "x"), ("board", "mps3-an574")):
            with self.subTest(name=name), self.assertRaises(arenite.InputError) as caught:
                arenite.plan(model, **{name: value})
            self.assertNotIn("--", str(caught.exception), name)
            if name not in ("constraints", "disable", "board"):
                self.assertIn(name, str(caught.exception))

    def test_signatures_are_those_of_the_commands(self):
        writes = {"output", "emit_cc", "cc_name", "cc_data", "separate_constants", "signature_bytes", "check", "explain",
                  "report", "timings", "before", "json", "help", "calibrate"}
        for command, function, others in (("plan", arenite.plan, {"models"}), ("quantize", arenite.quantize, {"model"})):
            listed = subprocess.run([options.arenite, "complete", command, "--"], capture_output=True, text=True,
                                    check=True).stdout
            names = {name.replace("-", "_") for name in re.findall(r"^--([\w-]+)", listed, re.MULTILINE)} - writes
            self.assertEqual(set(inspect.signature(function).parameters) - others, names, command)
        for kind in filter(inspect.isclass, (getattr(arenite, name) for name in arenite.__all__)):
            for name, function in inspect.getmembers(kind, inspect.isfunction):
                if not name.startswith("_"):
                    self.assertIn("return", function.__annotations__, f"{kind.__name__}.{name}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    for option in ("examples", "arenite"):
        parser.add_argument(f"--{option}", required=True)
    options, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0]] + rest)

# SPDX-License-Identifier: Apache-2.0
