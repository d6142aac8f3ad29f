#!/usr/bin/env python3
"""The Python module: plans, loads, runs, reports; what it says when something is wrong."""

import argparse
import json
import pathlib
import sys
import tempfile
import threading
import unittest

import numpy

import arenite

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "tools" / "cli"))
from networks import DEPTH, HEADS, Decoder, total_networks  # noqa: E402 pylint: disable=wrong-import-position

options = argparse.Namespace()


def digits(name):
    return pathlib.Path(options.examples) / "digits" / name


class Python(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.program = arenite.plan(digits("digits.onnx"))
        cls.images = numpy.load(digits("images.npy"))
        cls.logits = numpy.load(digits("logits.npy"))

    def test_answers_are_right(self):
        session = self.program.session(device="cpu", threads=2)
        self.assertEqual(session.device, "cpu")
        self.assertIsNone(session.fell_back)
        one = session.run(self.images[0])["logits"]
        self.assertEqual((one.shape, one.dtype), ((1, 10), numpy.float32))
        numpy.testing.assert_allclose(one, self.logits[0].reshape(1, 10), atol=1e-4)
        many = session.run(image=self.images[:5])["logits"]
        self.assertEqual(many.shape, (5, 1, 10))
        numpy.testing.assert_array_equal(many[0], one)
        numpy.testing.assert_array_equal(session.run({"image": self.images[0]})["logits"], one)
        # An array in another order of memory is copied as it is meant.
        turned = numpy.ascontiguousarray(self.images[0].transpose()).transpose()
        numpy.testing.assert_array_equal(session.run(turned)["logits"], one)
        self.assertEqual(session.run(self.images[:0])["logits"].shape, (0, 1, 10))

    def test_arrays_have_as_many_rows_as_a_run_found(self):
        cases = pathlib.Path("/usr/include/onnx/backend/test/data/node")
        if not cases.is_dir():
            self.skipTest("ONNX's cases are not here")
        session = arenite.plan(cases / "test_nonzero_example" / "model.onnx").session(device="cpu")
        self.assertEqual([tensor.shape for tensor in session.outputs], [(2, 4), (1,)])
        flags = [numpy.array(rows, bool) for rows in ([[1, 0], [1, 1]], [[0, 0], [0, 0]], [[0, 1], [0, 0]])]
        for one in flags:
            found = session.run(one)
            numpy.testing.assert_array_equal(found["result"], numpy.nonzero(one))
            self.assertEqual(found["result.count"], [one.sum()])
        stacked = session.run(numpy.stack(flags))
        self.assertEqual(stacked["result"].shape, (3, 2, 4))
        numpy.testing.assert_array_equal(stacked["result.count"], [[3], [0], [1]])

    def test_shapes_of_arrays_choose_sizes(self):
        program = arenite.plan(digits("digits.onnx"), batch="1..8")
        for device in "cpu", "vulkan":
            with self.subTest(device=device):
                self.check_sizes(program.session(device=device, allow_fallback=True))

    def check_sizes(self, session):
        self.assertEqual(session.inputs[0].shape, (8, 1, 8, 8))
        images = self.images[:, 0]
        for batch in 3, 8, 1:
            found = session.run(images[:batch])["logits"]
            numpy.testing.assert_allclose(found, self.logits[:batch].reshape(batch, 10), atol=1e-4)
            self.assertEqual(session.outputs[0].shape, (batch, 10))
        stacked = session.run(images[:6].reshape(3, 2, 1, 8, 8))["logits"]
        numpy.testing.assert_allclose(stacked, self.logits[:6].reshape(3, 2, 10), atol=1e-4)
        session.set_shape("image", (5, 1, 8, 8))
        self.assertEqual([tensor.shape for tensor in session.outputs], [(5, 10)])
        for shape in (9, 1, 8, 8), (2, 1, 8, 7), (1, 8, 8):
            with self.assertRaises(arenite.InputError):
                session.run(numpy.zeros(shape, numpy.float32))

    def test_states_grow_from_run_to_run(self):
        decoder = Decoder(masked=True)
        program = arenite.plan(decoder.bytes, dim={"batch": 1, "len": "1..4", "past": "0..6"},
                               state={"present_k": "past_k", "present_v": "past_v"})
        session = program.session(device="cpu")
        tokens = [3, 17, 0, 5, 5, 19]

        def run(session, first, last):
            """The logits behind the last of tokens[first:last], which read those up to themselves."""
            rows, columns = numpy.arange(first, last), numpy.arange(last)
            mask = numpy.where(columns[None] > rows[:, None], -1e9, 0).astype(numpy.float32)
            given = {"token": numpy.array([tokens[first:last]]), "position": rows[None], "mask": mask[None, None]}
            found = session.run(given)
            self.assertEqual(found["present_k"].shape, (1, HEADS, last, DEPTH))
            numpy.testing.assert_allclose(found["logits"][0, -1], decoder.logits(tokens[:last]), rtol=1e-4, atol=1e-5)
            return found["logits"]

        run(session, 0, 3)  # a prompt, then a token a run
        run(session, 3, 4)
        saved = session.save_states()
        once = run(session, 4, 5)
        with self.assertRaisesRegex(arenite.InputError, "mask"):
            session.run(numpy.array([[1]]), numpy.array([[5]]), numpy.zeros((1, 1, 1, 3), numpy.float32))
        run(session, 5, 6)
        with self.assertRaisesRegex(arenite.Error, "'past', expected 0 to 6"):
            session.run(numpy.array([[1]]), numpy.array([[6]]), numpy.zeros((1, 1, 1, 7), numpy.float32))
        other = program.session(device="cpu")
        for resumed in session, other:
            resumed.load_states(saved)
            numpy.testing.assert_array_equal(run(resumed, 4, 5), once)
        session.reset_states()
        run(session, 0, 1)

    def test_a_result_is_the_callers(self):
        session = self.program.session(device="cpu")
        first = session.run(self.images[0])["logits"]
        kept = first.copy()
        session.run(self.images[1])
        numpy.testing.assert_array_equal(first, kept)

    def test_programs_are_files(self):
        self.assertEqual(self.program.methods, ["main"])
        self.assertEqual(len(bytes(self.program)), len(self.program))
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "digits.arn"
            self.program.save(path)
            for source in (path, str(path), path.read_bytes()):
                loaded = arenite.load(source)
                self.assertEqual(bytes(loaded), bytes(self.program))
            result = loaded.session(device="cpu").run(self.images[0])["logits"]
        numpy.testing.assert_array_equal(
            result, self.program.session(device="cpu").run(self.images[0])["logits"])
        with self.assertRaisesRegex(arenite.InputError, "loaded, not planned"):
            loaded.report()

    def test_options_are_those_of_the_command(self):
        model = digits("digits.onnx").read_bytes()
        program = arenite.plan(model, board=["host", "mps3-an547"], optimize="memory",
                               disable=["order", "in_place"], memory_planner="greedy_by_size")
        boards = {variant["board"] for variant in program.report("json")["variants"]}
        self.assertEqual(boards, {"host", "mps3-an547"})
        two = arenite.plan(digits("digits.onnx"), model, board="host")
        self.assertEqual(len(two.methods), 2)
        logits = two.session(method=two.methods[1], device="cpu").run(self.images[0])["logits"]
        numpy.testing.assert_allclose(logits, self.logits[0].reshape(1, 10), atol=1e-4)
        with self.assertRaisesRegex(arenite.InputError, "^shape names input 'nothing'|: shape={'nothing'"):
            arenite.plan(digits("digits.onnx"), model, shape={"nothing": (1, 2)})
        self.assertIn("mps3-an547", arenite.boards())

    def test_inputs_are_fixed_and_graphs_cut(self):
        fixed = arenite.plan(digits("digits.onnx"), fix={"image": self.images[0]}).session(device="cpu")
        self.assertEqual(fixed.inputs, [])
        numpy.testing.assert_allclose(fixed.run()["logits"], self.logits[0].reshape(1, 10), atol=1e-4)
        cut = arenite.plan(digits("digits.onnx"), outputs=["logits", "/2/Relu_output_0"]).session(device="cpu")
        self.assertEqual([output.name for output in cut.outputs], ["logits", "/2/Relu_output_0"])
        numpy.testing.assert_allclose(cut.run(self.images[0])["logits"], fixed.run()["logits"], atol=1e-4)
        with self.assertRaisesRegex(arenite.InputError, "is float64.*the input is float32"):
            arenite.plan(digits("digits.onnx"), fix={"image": self.images[0].astype(numpy.float64)})
        with self.assertRaisesRegex(arenite.InputError, "names input 'imag'"):
            arenite.plan(digits("digits.onnx"), fix={"imag": (1, 2)})

    def test_external_data_needs_a_folder(self):
        def field(number, value):
            if isinstance(value, int):
                return bytes([number << 3, value])
            data = value if isinstance(value, bytes) else value.encode()
            return bytes([number << 3 | 2, len(data)]) + data

        def info(name):
            return field(1, name) + field(2, field(1, field(1, 1) + field(2, field(1, field(1, 2)))))

        weights = (field(1, 2) + field(2, 1) + field(8, "w") +
                   field(13, field(1, "location") + field(2, "weights.bin")) + field(14, 1))
        node = field(1, "x") + field(1, "w") + field(2, "y") + field(4, "Add")
        graph = field(1, node) + field(2, "g") + field(5, weights) + field(11, info("x")) + field(12, info("y"))
        model = field(1, 8) + field(7, graph) + field(8, field(2, 13))
        with self.assertRaisesRegex(arenite.InputError, "'weights.bin'.*given as bytes has no folder"):
            arenite.plan(model)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "model.onnx"
            path.write_bytes(model)
            (path.parent / "weights.bin").write_bytes(numpy.array([1, 2], "<f4").tobytes())
            y = arenite.plan(path).session(device="cpu").run(numpy.array([3, 4], numpy.float32))["y"]
        numpy.testing.assert_array_equal(y, [4, 6])

    def test_reports(self):
        self.assertIn("host", self.program.report())
        self.assertTrue(self.program.report("html").lstrip().startswith("<!DOCTYPE html>"))
        self.assertIn("<svg", self.program.report("svg"))
        with self.assertRaisesRegex(arenite.InputError, "found 'pdf'"):
            self.program.report("pdf")

    def test_what_does_not_fit_has_a_report(self):
        board = {"name": "small", "cpu": {"name": "c"}, "memories": [
            {"name": "sram", "kind": "sram", "base": "0x20000000", "bytes": "4K"}]}
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "small.json"
            path.write_text(json.dumps(board), encoding="utf-8")
            with self.assertRaises(arenite.DoesNotFit) as caught:
                arenite.plan(digits("digits.onnx"), board=path)
        self.assertIn("sram", str(caught.exception))
        report = caught.exception.report("json")
        self.assertEqual(report["does_not_fit"][0]["memory"], "sram")

    def test_errors_name_what_is_wrong(self):
        session = self.program.session(device="cpu")
        for call, words in (
                (lambda: arenite.plan("/no/such.onnx"), "/no/such.onnx"),
                (lambda: arenite.plan(b"garbage"), "^model 0, given as bytes: not an ONNX model"),
                (lambda: arenite.plan(), "expected a model"),
                (lambda: arenite.load(b"garbage"), "^program given as bytes"),
                (lambda: arenite.load(digits("digits.onnx")), "^/.*/digits.onnx: "),
                (lambda: self.program.session(device="gpu"), "'gpu'"),
                (lambda: self.program.session(method="x"), "'x'"),
                (lambda: session.run(), "missing inputs: image"),
                (lambda: session.run(self.images[0], self.images[0]), "expected 1 inputs"),
                (lambda: session.run(picture=self.images[0]), "no input 'picture'"),
                (lambda: session.run(self.images[0].astype(numpy.float64)), "found float64"),
                (lambda: session.run(self.images[0, 0]), r"found float32\[1, 8, 8\]")):
            with self.assertRaisesRegex(arenite.InputError, words):
                call()
        with self.assertRaises(FileNotFoundError):
            arenite.load("/no/such.arn")
        with self.assertRaises(arenite.Error):
            self.program.session(device="vulkan:no such device")
        fallen = self.program.session(device="vulkan:no such device", allow_fallback=True)
        self.assertIn("no such device", fallen.fell_back)

    def test_states(self):
        """A running sum, which begins at 10, 20, 30."""
        program = arenite.load(options.state)
        session, other = program.session(), program.session()
        self.assertEqual(len(session.inputs), 1)
        ones = numpy.ones(3, numpy.float32)
        name = session.outputs[0].name
        self.assertEqual(session.run(ones)[name].tolist(), [11, 21, 31])
        self.assertEqual(session.run(numpy.stack([ones, ones]))[name].tolist(), [[12, 22, 32], [13, 23, 33]])
        saved = session.save_states()
        other.load_states(saved)
        self.assertEqual(other.run(ones)[name].tolist(), [14, 24, 34])
        other.reset_states()
        self.assertEqual(other.run(ones)[name].tolist(), [11, 21, 31])
        with self.assertRaisesRegex(arenite.InputError, "checksum"):
            other.load_states(saved[:-1])
        self.assertEqual(other.run(ones)[name].tolist(), [12, 22, 32])
        with self.assertRaisesRegex(arenite.InputError, "state={'logits': 'image'}: output 'logits' is float32"):
            arenite.plan(digits("digits.onnx"), state={"logits": "image"}, no_state=True)

    def test_methods_share_states(self):
        """One method adds to a total that another reads; each has a count of its own besides."""
        with tempfile.TemporaryDirectory() as folder:
            paths = [pathlib.Path(folder) / name for name in ("add.onnx", "scale.onnx")]
            for path, content in zip(paths, total_networks()):
                path.write_bytes(content)
            state = {"total_next": "total", "count_next": "count"}
            program = arenite.plan(*paths, state=state, share_state="total")
            with self.assertRaisesRegex(arenite.InputError, "add_1.*share no state|share no state"):
                apart = arenite.plan(*paths, state={"count_next": "count"})
                apart.session(method="scale", states_of=apart.session(method="add"))
        for device in ("cpu", "auto"):
            add = program.session(device=device, method="add")
            scale = program.session(device="cpu", method="scale", states_of=add)
            other = program.session(device=device, method="add")
            one = numpy.ones(4, numpy.float32)
            totals = []
            for run in range(1, 5):
                self.assertEqual(add.run(one * run)["count_next"].tolist(), [run])
                totals.append(run * (run + 1) / 2)
                found = scale.run(numpy.array([2], numpy.float32))
                self.assertEqual(found["y"].tolist(), [2 * totals[-1]] * 4)
                self.assertEqual(found["count_next"].tolist(), [100 * run])
            self.assertEqual(other.run(one)["total_next"].tolist(), [1] * 4)
            # Later sessions take what is there; those of a method that had none begin anew.
            late = program.session(device="cpu", method="scale", states_of=other)
            self.assertEqual(late.run(numpy.array([3], numpy.float32))["y"].tolist(), [3] * 4)
            saved = add.save_states()
            del add
            again = program.session(method="add", states_of=scale)
            self.assertEqual(again.run(one)["total_next"].tolist(), [11] * 4)
            again.load_states(saved)
            self.assertEqual(scale.run(numpy.array([1], numpy.float32))["y"].tolist(), [10] * 4)
            again.reset_states()
            found = scale.run(numpy.array([1], numpy.float32))
            self.assertEqual(found["y"].tolist(), [0] * 4)
            self.assertEqual(found["count_next"].tolist(), [600])
        with self.assertRaisesRegex(arenite.InputError, "session of this program"):
            program.session(method="add", states_of=self.program.session())
        with self.assertRaisesRegex(arenite.InputError, "share no state"):
            self.program.session(states_of=self.program.session())

    def test_sessions_in_threads(self):
        expected = self.program.session(device="cpu").run(self.images[:8])["logits"]
        wrong = []

        def work():
            session = self.program.session(device="cpu", threads=1)
            for _ in range(20):
                if not numpy.array_equal(session.run(self.images[:8])["logits"], expected):
                    wrong.append(session)

        threads = [threading.Thread(target=work) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_calls_inside_a_run_can_end_it(self):
        session = self.program.session(device="cpu", threads=1)
        expected = session.run(self.images[0])["logits"]
        calls = []
        session.set_pauses(lambda: calls.append(1), operations=1000)
        numpy.testing.assert_array_equal(session.run(self.images[0])["logits"], expected)
        self.assertGreater(len(calls), 8)
        session.set_pauses(lambda: False, operations=1000)
        with self.assertRaises(arenite.Cancelled):
            session.run(self.images[0])

        def interrupt():
            raise KeyboardInterrupt

        session.set_pauses(interrupt, operations=1000)
        with self.assertRaises(KeyboardInterrupt):
            session.run(self.images[0])
        session.set_pauses(None)
        numpy.testing.assert_array_equal(session.run(self.images[0])["logits"], expected)

    def test_a_session_in_threads(self):
        """Eight of them, 10,000 runs."""
        session = self.program.session(device="cpu", threads=1)
        expected = [session.run(image)["logits"] for image in self.images[:8]]
        wrong = []

        def work(index):
            for _ in range(1250):
                if not numpy.array_equal(session.run(self.images[index])["logits"], expected[index]):
                    wrong.append(index)

        interval = sys.getswitchinterval()
        sys.setswitchinterval(1e-6)
        threads = [threading.Thread(target=work, args=(index,)) for index in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        sys.setswitchinterval(interval)
        self.assertEqual(wrong, [])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--examples", required=True)
    parser.add_argument("--state", required=True)
    options, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0]] + rest)

# SPDX-License-Identifier: Apache-2.0
