#!/usr/bin/env python3
"""Tests programs whose dims callers choose before runs: `plan --dim NAME=LO..HI`.

Each size of a range must give what a program planned for that size alone gives, to the bit, in no more memory than the
greatest size takes.
"""

import unittest

import numpy

from cli_common import DIGITS, INT64, CliTest, main, model, node, npy, read_npy, tensor, value_info, write
from networks import Network

CHANNELS, HEADS, LONGEST = 16, 2, 32


def pictures():
    """A classifier of images [batch, 3, height, width]: strides, padding, pooling, a mean over the image."""
    net = Network()
    net.add("Conv", ["x", net.numbers("w1", 8, 3, 3, 3), net.numbers("b1", 8)], "c1", strides=[2, 2], pads=[1, 1, 1, 1])
    net.add("Relu", ["c1"], "r1")
    net.add("MaxPool", ["r1"], "p1", kernel_shape=[2, 2], strides=[2, 2])
    net.add("Conv", ["p1", net.numbers("w2", 8, 1, 3, 3)], "c2", pads=[1, 1, 1, 1], group=8)
    net.add("Add", ["c2", "p1"], "a2")
    net.add("Conv", ["a2", net.numbers("w3", 16, 8, 1, 1)], "c3")
    net.add("GlobalAveragePool", ["c3"], "g")
    net.add("Flatten", ["g"], "f")
    net.add("MatMul", ["f", net.numbers("fc", 16, 5)], "logits")
    net.add("Softmax", ["logits"], "y", axis=-1)
    return model([value_info("x", ["batch", 3, "height", "width"])], net.nodes,
                 [value_info("y", ["batch", 5]), value_info("a2", ["batch", 8, "h", "w"])], net.stored)


def attention():
    """A block of attention over [batch, len, channels]: positions cut from a table, heads, concatenation along len."""
    net = Network()
    zero, one, two = net.ints("zero", 0), net.ints("one", 1), net.ints("two", 2)
    net.add("Shape", ["x"], "shape")
    net.add("Slice", ["shape", one, two, zero], "length")
    net.add("Slice", [net.numbers("positions", 64, CHANNELS, scale=1), zero, "length", zero], "here")
    net.add("Add", ["x", "here"], "h")
    split = net.ints("split", 0, 0, HEADS, CHANNELS // HEADS)
    for letter, perm in ("q", [0, 2, 1, 3]), ("k", [0, 2, 3, 1]), ("v", [0, 2, 1, 3]):
        net.add("MatMul", ["h", net.numbers("w" + letter, CHANNELS, CHANNELS)], letter + "0")
        net.add("Reshape", [letter + "0", split], letter + "1")
        net.add("Transpose", [letter + "1"], letter, perm=perm)
    net.add("MatMul", ["q", "k"], "scores")
    net.add("Softmax", ["scores"], "shares", axis=-1)
    net.add("MatMul", ["shares", "v"], "mixed")
    net.add("Transpose", ["mixed"], "rows", perm=[0, 2, 1, 3])
    net.add("Reshape", ["rows", net.ints("join", 0, 0, CHANNELS)], "joined")
    net.add("MatMul", ["joined", net.numbers("wo", CHANNELS, CHANNELS)], "out")
    net.add("Add", ["out", "h"], "r")
    net.add("Concat", ["r", "x"], "both", axis=1)
    net.add("ReduceMean", ["r"], "mean", axes=[1], keepdims=0)
    return model([value_info("x", ["batch", "len", CHANNELS])], net.nodes,
                 [value_info("both", ["batch", "twice", CHANNELS]), value_info("mean", ["batch", CHANNELS])], net.stored)


class Sizes(CliTest):
    def plan_for(self, network, *words, **dims):
        """The path of a program with these dims: numbers or text."""
        given = [word for name, dim in dims.items() for word in ("--dim", f"{name}={dim}")]
        return self.plan(network, "--board", "host", *given, *words)

    def outputs(self, program, x, names, device="cpu"):
        """The files of the outputs; validation layers, where there are some, say nothing."""
        file = write(self.folder / "x.npy", npy("<f4", x.shape, x.ravel().tolist()))
        run = self.json_of("run", program, "--device", device, "--input", f"x={file}", "--output-dir",
                           self.folder / "out", environment=self.validation())
        self.assertEqual((run["device"], run["fell_back"], run["validation_messages"]), (device, None, 0))
        return [read_npy(self.folder / "out" / (name + ".npy")) for name in names]

    def validation(self):
        """The environment in which messages of validation layers are counted."""
        if not hasattr(Sizes, "has_validation"):
            shown = self.json_of("run", self.plan(DIGITS), "--input", self.digit(), "--device", "auto",
                                 environment={"ARENITE_VK_VALIDATION": "1"})
            Sizes.has_validation = shown["device"] == "vulkan"
        return {"ARENITE_VK_VALIDATION": "1"} if Sizes.has_validation else {}

    def digit(self):
        return write(self.folder / "digit.npy", npy("<f4", (1, 1, 8, 8), [0.0] * 64))

    def expect_same(self, network, names, dims_of, ranges, sizes, *words, exact=True, device="cpu"):
        """Runs a program of ranges at each of some sizes, and programs that are planned for these alone."""
        bound = self.plan_for(network, *words, **ranges)
        random = numpy.random.default_rng(3)
        for size in sizes:
            x = random.standard_normal(dims_of(size)).astype(numpy.float32)
            alone = self.plan_for(network, *words, **dict(zip(ranges, size)))
            for found, wanted, output in zip(self.outputs(bound, x, names, device),
                                             self.outputs(alone, x, names, device), names):
                self.assertEqual(found[:2], wanted[:2], f"{size} {output}")
                if exact:
                    self.assertEqual(found, wanted, f"{size} {output}")
                numpy.testing.assert_allclose(found[2], wanted[2], rtol=1e-4, atol=1e-4, err_msg=f"{size} {output}")

    def test_a_classifier_takes_any_batch_and_size_of_image(self):
        # Those of one size copy planes to pixels.
        for words, exact in (["--disable", "input_copies"], True), ([], False):
            self.expect_same(pictures(), ["y", "a2"], lambda s: (s[0], 3, s[1], s[2]),
                             {"batch": "1..4", "height": "12..40", "width": "16..24"},
                             [(1, 12, 16), (4, 40, 24), (2, 13, 17), (3, 33, 18), (1, 40, 23)], *words, exact=exact)

    def test_attention_takes_any_length(self):
        ranges = {"batch": "1..3", "len": f"1..{LONGEST}"}
        sizes = [(1, 1), (3, 32), (2, 7), (1, 31), (3, 2)]
        for words, exact in (["--disable", "fuse_attention"], True), ([], False):
            self.expect_same(attention(), ["both", "mean"], lambda s: (s[0], s[1], CHANNELS), ranges, sizes, *words,
                             exact=exact)

    def need_vulkan(self):
        if not self.has_vulkan():
            self.skipTest("this machine has no Vulkan device")

    def test_a_device_takes_any_batch_and_size_of_image(self):
        self.need_vulkan()
        self.expect_same(pictures(), ["y", "a2"], lambda s: (s[0], 3, s[1], s[2]),
                         {"batch": "1..4", "height": "12..40", "width": "16..24"},
                         [(1, 12, 16), (4, 40, 24), (2, 13, 17), (3, 33, 18), (1, 40, 23)], exact=False,
                         device="vulkan")

    def test_a_device_takes_any_length(self):
        self.need_vulkan()
        ranges = {"batch": "1..3", "len": f"1..{LONGEST}"}
        for words in ["--disable", "fuse_attention"], []:
            self.expect_same(attention(), ["both", "mean"], lambda s: (s[0], s[1], CHANNELS), ranges,
                             [(1, 1), (3, 32), (2, 7), (1, 31), (3, 2)], *words, exact=False, device="vulkan")

    def test_steps_of_the_cpu_lie_between_those_of_a_device(self):
        self.need_vulkan()
        mixed = model([value_info("x", ["n", 3, 3])],
                      [node("Relu", ["x"], ["r"]), node("Det", ["r"], ["d"]), node("Mul", ["d", "d"], ["e"]),
                       node("Concat", ["d", "e"], ["both"], axis=0), node("Exp", ["both"], ["y"])],
                      [value_info("y", ["twice"]), value_info("r", ["n", 3, 3])])
        variant = self.json_of("inspect", self.plan_for(mixed, n="1..50"))["methods"][0]["variants"][0]
        self.assertEqual((variant["vulkan_steps"], variant["cpu_steps"]), (4, 1))
        self.expect_same(mixed, ["y", "r"], lambda s: (s[0], 3, 3), {"n": "1..50"}, [(1,), (50,), (13,)], exact=False,
                         device="vulkan")

    def test_parts_of_any_size_share_words(self):
        self.need_vulkan()
        bools = model([value_info("x", ["n"])],
                      [node("Greater", ["x", "zero"], ["a"]), node("Less", ["x", "zero"], ["b"]),
                       node("Concat", ["a", "b", "a"], ["c"], axis=0), node("Not", ["c"], ["d"]),
                       node("Cast", ["d"], ["y"], to=1)],
                      [value_info("y", ["m"])], [tensor("zero", [1], [0.0])])
        self.expect_same(bools, ["y"], lambda s: s, {"n": "1..256"}, [(256,), (1,), (5,), (255,), (64,)], device="vulkan")

    def test_a_device_is_compared_and_measured_at_a_size(self):
        self.need_vulkan()
        program = self.plan_for(attention(), batch="1..3", len="1..9")
        x = numpy.random.default_rng(4).standard_normal((2, 5, CHANNELS)).astype(numpy.float32)
        file = write(self.folder / "x.npy", npy("<f4", x.shape, x.ravel().tolist()))
        compared = self.json_of("compare", program, program, "--device-b", "vulkan", "--input", f"x={file}")
        self.assertEqual(compared["b"]["device"], "vulkan")
        self.assertFalse(compared["b"]["race"])
        self.assertTrue(compared["values"])
        done = self.arenite("bench", program, "--device", "vulkan", "--input", f"x={file}", "--seconds", "0")
        self.assertEqual(done.returncode, 0, done.stderr)
        done = self.arenite("run", program, "--device", "vulkan", "--input", f"x={file}", "--profile", "--repeat", "2")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_batch_of_a_model_that_says_1(self):
        net = Network()
        net.add("Conv", ["x", net.numbers("w", 4, 2, 3, 3)], "c")
        net.add("Reshape", ["c", net.ints("row", 1, 4 * 16)], "f")  # as exporters write it for one sample
        net.add("MatMul", ["f", net.numbers("m", 64, 3)], "y")
        one = model([value_info("x", [1, 2, 6, 6])], net.nodes, [value_info("y", [1, 3])], net.stored)
        samples = numpy.random.default_rng(1).standard_normal((3, 2, 6, 6)).astype(numpy.float32)
        alone = self.plan(one, "--board", "host")
        wanted = [self.outputs(alone, samples[i:i + 1], ["y"])[0][2] for i in range(3)]
        found = self.outputs(self.plan(one, "--board", "host", "--batch", "1..4"), samples, ["y"])[0]
        self.assertEqual(found[1], (3, 3))
        numpy.testing.assert_allclose(numpy.reshape(found[2], (3, 3)), wanted, rtol=1e-5, atol=1e-5)
        two = write(self.folder / "two.onnx", model([value_info("x", [2, 3])], [node("Relu", ["x"], ["y"])],
                                                    [value_info("y", [2, 3])]))
        done = self.arenite("plan", two, "--batch", "1..4", "-o", self.folder / "no.arn")
        self.assert_fails(done, 2, "--batch 4", "leading dimension")

    def test_samples_may_be_stacked_at_any_size(self):
        bound = self.plan_for(attention(), "--disable", "fuse_attention", batch="1..2", len="1..9")
        x = numpy.random.default_rng(2).standard_normal((3, 2, 5, CHANNELS)).astype(numpy.float32)
        each = [self.outputs(bound, sample, ["mean"])[0][2] for sample in x]
        stack = self.outputs(bound, x, ["mean"])[0]
        self.assertEqual(stack[1], (3, 2, CHANNELS))
        self.assertEqual(stack[2], tuple(number for sample in each for number in sample))

    def test_sizes_beside_a_range_are_methods_of_their_own(self):
        program = self.plan_for(attention(), batch=1, len="1|2..9")
        names = [method["name"] for method in self.json_of("inspect", program)["methods"]]
        self.assertEqual(names, ["main[len=1]", "main[len=2..9]"])
        for length in 1, 2, 9:
            x = numpy.ones((1, length, CHANNELS), numpy.float32)
            self.assertEqual(self.outputs(program, x, ["both"])[0][1], (1, 2 * length, CHANNELS))

    def test_what_is_no_size_of_the_range_is_named(self):
        program = self.plan_for(attention(), batch="2..3", len="4..9")
        for shape in (1, 5, CHANNELS), (2, 10, CHANNELS), (2, 3, CHANNELS), (2, 5, CHANNELS + 1), (5, CHANNELS):
            x = numpy.zeros(shape, numpy.float32)
            file = write(self.folder / "bad.npy", npy("<f4", x.shape, x.ravel().tolist()))
            self.assert_fails(self.arenite("run", program, "--input", f"x={file}"), 2, f"[2..3,4..9,{CHANNELS}]")
        shown = self.json_of("inspect", program)["methods"][0]["symbols"]
        self.assertEqual([(symbol["name"], symbol["least"], symbol["most"]) for symbol in shown],
                         [("batch", 2, 3), ("len", 4, 9)])

    def test_two_inputs_share_a_size(self):
        both = model([value_info("a", ["n", 3]), value_info("b", ["n", 3])], [node("Mul", ["a", "b"], ["c"])],
                     [value_info("c", ["n", 3])])
        program = self.plan_for(both, n="1..6")
        files = [write(self.folder / f"{name}.npy", npy("<f4", (rows, 3), [2.0] * 3 * rows))
                 for name, rows in (("a", 4), ("b", 4), ("other", 5))]
        done = self.arenite("run", program, "--input", f"a={files[0]}", "--input", f"b={files[1]}", "--output-dir",
                            self.folder / "out")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(read_npy(self.folder / "out" / "c.npy"), ("<f4", (4, 3), (4.0,) * 12))
        done = self.arenite("run", program, "--input", f"a={files[0]}", "--input", f"b={files[2]}")
        self.assert_fails(done, 2, "'b'", "dimension 0 is n", "which is 4 in input 'a'", "found 5")

    def test_what_follows_from_a_size_in_no_way_is_refused(self):
        net = Network()
        net.add("Shape", ["x"], "shape")
        net.stored.append(tensor("first", [], [0], INT64))
        net.add("Gather", ["shape", "first"], "rows", axis=0)
        net.add("Cast", ["rows"], "number", to=1)
        net.add("Div", ["x", "number"], "y")  # by a constant that is computed from the size
        divided = model([value_info("x", ["n", 3])], net.nodes, [value_info("y", ["n", 3])], net.stored)
        done = self.arenite("plan", write(self.folder / "divided.onnx", divided), "--dim", "n=2..9", "-o",
                            self.folder / "no.arn")
        self.assert_fails(done, 2, "n=", "constant", "--dim 'NAME=")

    def test_memory_is_that_of_the_most(self):
        for network, ranges, most in (
                (pictures(), {"batch": "1..4", "height": "12..40", "width": "16..24"}, (4, 40, 24)),
                (attention(), {"batch": "1..3", "len": f"1..{LONGEST}"}, (3, LONGEST))):
            bytes_of = []
            for dims in ranges, dict(zip(ranges, most)):
                program = self.plan_for(network, "--optimize", "speed", **dims)
                variant = self.json_of("inspect", program)["methods"][0]["variants"][-1]
                bytes_of.append(sum(arena["bytes"] for arena in variant["arenas"]))
            self.assertLessEqual(bytes_of[0], 1.1 * bytes_of[1])

    def test_options_that_are_no_range(self):
        path = write(self.folder / "attention.onnx", attention())
        for dim, text in (("len=4..2", "from the least up"), ("len=1..x", "whole number"),
                          ("len=1..4|3", "in common"), ("len=2|2", "twice")):
            done = self.arenite("plan", path, "--dim", "batch=1", "--dim", dim, "-o", self.folder / "no.arn")
            self.assert_fails(done, 2, "--dim " + dim, text)
        done = self.arenite("bench", path, "--dim", "batch=1", "--dim", "len=1..4")
        self.assert_fails(done, 2, "--dim len", "1..4", "`arenite plan` alone")


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
