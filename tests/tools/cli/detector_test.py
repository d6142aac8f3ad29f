#!/usr/bin/env python3
"""Tests detectors with their suppression inside: how many boxes there are is known when they have run.

The networks have what exported detectors have behind their backbone (decoded boxes, scores of classes, NonMaxSuppression, and
Gathers by its results; or a NonZero over a threshold), seeded weights, and a reference in numpy.
"""

import unittest

import numpy

from cli_common import (INT64, CliTest, Binaries, main, model, node, npy, read_npy, tensor, value_info, write)

SIDE, STRIDE, CLASSES, MOST = 24, 4, 3, 8
CELLS = (SIDE // STRIDE) ** 2
OVERLAP, SCORE = 0.4, 0.75
WEIGHTS = (numpy.random.default_rng(5).standard_normal((4 + CLASSES, 3, STRIDE, STRIDE)) / 4).astype(numpy.float32)
COLUMNS = numpy.tile(numpy.arange(SIDE // STRIDE), SIDE // STRIDE)
CENTERS = numpy.stack([COLUMNS, numpy.repeat(numpy.arange(SIDE // STRIDE), SIDE // STRIDE)], 1).astype(numpy.float32)


def floats(name, value):
    value = numpy.asarray(value, numpy.float32)
    return tensor(name, value.shape, value.ravel().tolist())


def ints(name, numbers):
    return tensor(name, [len(numbers)], numbers, INT64)


def head():
    """Boxes [1, n, 4] (center, size) and scores [1, n, classes] of image [1, 3, side, side]: nodes and constants."""
    return [node("Conv", ["image", "weights"], ["map"], "head", strides=[STRIDE, STRIDE]),
            node("Reshape", ["map", "flat"], ["rows"]),
            node("Transpose", ["rows"], ["cells"], perm=[0, 2, 1]),
            node("Split", ["cells", "parts"], ["moves", "sizes", "logits"], axis=2),
            node("Add", ["moves", "centers"], ["at"]),
            node("Exp", ["sizes"], ["extent"]),
            node("Concat", ["at", "extent"], ["boxes"], axis=2),
            node("Sigmoid", ["logits"], ["scores"])], [
                floats("weights", WEIGHTS), ints("flat", [1, 4 + CLASSES, CELLS]), ints("parts", [2, 2, CLASSES]),
                floats("centers", CENTERS[None])]


def suppressing():
    """detections [k, 6]: center, size, score, class."""
    nodes, stored = head()
    nodes += [node("Transpose", ["scores"], ["by_class"], perm=[0, 2, 1]),
              node("NonMaxSuppression", ["boxes", "by_class", "most", "overlap", "score"], ["selected"], "suppress",
                   center_point_box=1),
              node("Gather", ["selected", "one"], ["label"], axis=1),
              node("Gather", ["selected", "two"], ["cell"], axis=1),
              node("Squeeze", ["boxes", "zero"], ["own"]),
              node("Squeeze", ["cell", "one"], ["row"]),
              node("Gather", ["own", "row"], ["kept"], axis=0),
              node("GatherND", ["by_class", "selected"], ["value"]),
              node("Unsqueeze", ["value", "one"], ["values"]),
              node("Cast", ["label"], ["labels"], to=1),
              node("Concat", ["kept", "values", "labels"], ["detections"], axis=1)]
    stored += [ints("most", [MOST]), floats("overlap", [OVERLAP]), floats("score", [SCORE]), ints("zero", [0]),
               ints("one", [1]), ints("two", [2])]
    return model([value_info("image", [1, 3, SIDE, SIDE])], nodes, [value_info("detections", ["k", 6])], stored)


def filtering():
    """Of the cells whose best score is above a threshold the boxes, their number, mean, and least center."""
    nodes, stored = head()
    nodes += [node("ReduceMax", ["scores"], ["best"], axes=[0, 2], keepdims=0),
              node("Greater", ["best", "score"], ["good"]),
              node("NonZero", ["good"], ["places"], "find"),
              node("Transpose", ["places"], ["tuples"], perm=[1, 0]),
              node("Squeeze", ["boxes", "zero"], ["own"]),
              node("GatherND", ["own", "tuples"], ["found"]),
              node("Shape", ["found"], ["shape"]),
              node("ReduceMean", ["found"], ["mean"], axes=[0], keepdims=0),
              node("ReduceMin", ["found"], ["least"], axes=[0], keepdims=0),
              node("Sub", ["found", "mean"], ["moved"])]
    stored += [floats("score", [SCORE]), ints("zero", [0])]
    return model([value_info("image", [1, 3, SIDE, SIDE])], nodes,
                 [value_info("found", ["k", 4]), value_info("shape", [2], INT64), value_info("mean", [4]),
                  value_info("least", [4]), value_info("moved", ["k", 4])], stored)


def boxes_and_scores(image):
    blocks = image.reshape(3, SIDE // STRIDE, STRIDE, SIDE // STRIDE, STRIDE).astype(numpy.float64)
    rows = numpy.einsum("ockl,cykxl->yxo", WEIGHTS.astype(numpy.float64), blocks).reshape(CELLS, -1)
    boxes = numpy.concatenate([rows[:, :2] + CENTERS, numpy.exp(rows[:, 2:4])], 1)
    return boxes, 1 / (1 + numpy.exp(-rows[:, 4:]))


def overlap(a, b):
    low = numpy.maximum(a[:2] - a[2:] / 2, b[:2] - b[2:] / 2)
    high = numpy.minimum(a[:2] + a[2:] / 2, b[:2] + b[2:] / 2)
    common = numpy.prod(numpy.maximum(high - low, 0))
    return common / (numpy.prod(a[2:]) + numpy.prod(b[2:]) - common)


def detections_of(image):
    boxes, scores = boxes_and_scores(image)
    found = []
    for label in range(CLASSES):
        kept = []
        for cell in numpy.argsort(-scores[:, label], kind="stable"):
            if scores[cell, label] <= SCORE or len(kept) == MOST:
                break
            if all(overlap(boxes[cell], boxes[other]) <= OVERLAP for other in kept):
                kept.append(cell)
        found += [[*boxes[cell], scores[cell, label], label] for cell in kept]
    return numpy.array(found).reshape(-1, 6)


def found_in(image):
    boxes, scores = boxes_and_scores(image)
    return boxes[scores.max(1) > SCORE]


class Detector(CliTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        random = numpy.random.default_rng(2)
        # From an image without anything to one with much.
        cls.images = [(random.standard_normal((1, 3, SIDE, SIDE)) * size).astype(numpy.float32)
                      for size in (0, 0.3, 0.6, 1.5)]
        cls.inputs = [write(cls.folder / f"image{i}.npy", npy("<f4", image.shape, image.ravel().tolist()))
                      for i, image in enumerate(cls.images)]
        cls.detector = write(cls.folder / "detector.onnx", suppressing())
        cls.filter = write(cls.folder / "filter.onnx", filtering())

    def outputs(self, program, image, *words, command=("run",)):
        done = self.arenite(*command, program, "--input", f"image={image}", "--output-dir", self.folder / "out", *words)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return {path.stem: read_npy(path)[1:] for path in (self.folder / "out").glob("*.npy")}

    def check_detections(self, outputs, image):
        expected = detections_of(image[0])
        shape, found = outputs["detections"]
        self.assertEqual(tuple(shape), expected.shape)
        self.assertEqual(list(outputs["selected.count"][1]), [len(expected)])
        numpy.testing.assert_allclose(numpy.array(found).reshape(expected.shape), expected, atol=1e-4)

    def devices(self):
        return ["cpu", "vulkan"] if self.has_vulkan() else ["cpu"]

    def test_detections(self):
        counts = [len(detections_of(image[0])) for image in self.images]
        self.assertEqual(counts[0], 0)
        self.assertGreater(len(set(counts)), 2)
        program = self.plan(self.detector)
        for device in self.devices():
            for image, path in zip(self.images, self.inputs):
                self.check_detections(self.outputs(program, path, "--device", device), image)

    def test_what_is_found_above_a_threshold(self):
        program = self.plan(self.filter)
        for device in self.devices():
            for image, path in list(zip(self.images, self.inputs))[1:]:
                outputs = self.outputs(program, path, "--device", device)
                expected = found_in(image[0])
                self.assertGreater(len(expected), 1)
                self.assertLess(len(expected), CELLS)
                for name, wanted in (("found", expected), ("shape", expected.shape), ("mean", expected.mean(0)),
                                     ("least", expected.min(0)), ("moved", expected - expected.mean(0))):
                    shape, found = outputs[name]
                    self.assertEqual(tuple(shape), numpy.shape(wanted), name)
                    numpy.testing.assert_allclose(numpy.array(found).reshape(numpy.shape(wanted)), wanted, atol=1e-4)

    def test_on_a_microcontroller(self):
        program = self.plan(self.detector, "--board", "mps2-an386")
        for image, path in list(zip(self.images, self.inputs))[::3]:
            outputs = self.outputs(program, path, "--board", "mps2-an386", command=("target", "run"))
            self.check_detections(outputs, image)

    def test_several_images_keep_all_rows(self):
        """As many rows for each, so that they can be stacked; the counts say which of them hold results."""
        stack = numpy.stack(self.images)
        path = write(self.folder / "stack.npy", npy("<f4", stack.shape, stack.ravel().tolist()))
        outputs = self.outputs(self.plan(self.detector), path, "--device", "cpu")
        shape, found = outputs["detections"]
        self.assertEqual(tuple(shape), (len(self.images), CLASSES * MOST, 6))
        found = numpy.array(found).reshape(shape)
        for rows, count, image in zip(found, outputs["selected.count"][1], self.images):
            expected = detections_of(image[0])
            self.assertEqual(count, len(expected))
            numpy.testing.assert_allclose(rows[:count], expected, atol=1e-4)

    def test_the_slim_runner(self):
        expected = len(detections_of(self.images[3][0]))
        done = self.execute(Binaries.arenite_run, self.plan(self.detector), "--input", f"image={self.inputs[3]}",
                            "--device", "cpu")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(f"detections float32[{expected},6]", done.stdout)

    def test_what_is_said_of_it(self):
        done = self.arenite("plan", self.detector, "-o", self.folder / "said.arn")
        self.assertIn(f"output 'detections': of dim 0 up to {CLASSES * MOST} hold results; output 'selected.count' says how",
                      done.stdout + done.stderr)
        method = self.json_of("inspect", self.folder / "said.arn")["methods"][0]
        self.assertEqual(method["outputs"][0]["counted_dims"], [{"axis": 0, "count": 1}])
        self.assertIn("so many results as output 1 says", self.arenite("inspect", self.folder / "said.arn").stdout)
        done = self.arenite("strip", self.folder / "said.arn", "--board", "host", "-o", self.folder / "stripped.arn")
        self.assertEqual(done.returncode, 0, done.stderr)
        method = self.json_of("inspect", self.folder / "stripped.arn")["methods"][0]
        self.assertEqual(method["outputs"][0]["counted_dims"], [{"axis": 0, "count": 1}])

    def test_what_would_mix_rows_is_refused_by_name(self):
        def plan(*nodes, stored=()):
            graph = model([value_info("x", [4, 3])],
                          [node("NonZero", ["x"], ["places"], "find"), *nodes], [value_info("y", [])], stored)
            return self.arenite("plan", write(self.folder / "mixed.onnx", graph), "-o", self.folder / "mixed.arn")

        for nodes, stored, texts in (
                ([node("Concat", ["places", "places"], ["y"], "join", axis=1)], [],
                 ["'join'", "depends on the data of each run", "would mix"]),
                ([node("Softmax", ["numbers"], ["y"], "share", axis=1),
                  node("Cast", ["places"], ["numbers"], to=1)][::-1], [], ["'share'", "would mix"]),
                ([node("Reshape", ["places", "six"], ["y"], "cut")], [ints("six", [6, -1])], ["'cut'", "0..12"]),
                ([node("CumSum", ["places", "last"], ["y"], "sum", reverse=1)], [tensor("last", [], [1], INT64)],
                 ["'sum'", "would mix"])):
            self.assert_fails(plan(*nodes, stored=stored), 2, *texts)


if __name__ == "__main__":
    main()
# SPDX-License-Identifier: Apache-2.0
