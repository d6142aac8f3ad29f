#!/usr/bin/env python3
"""Tests a voice detector as such are exported: the sample rate chooses a network at run time, the LSTM's state is kept.

The networks have the parts of Silero's detectors (a short-time Fourier transform as a convolution, convolutions, two
LSTMs, a sigmoid), seeded weights, and a reference in numpy.
"""

import unittest

import numpy

from cli_common import (INT64, CliTest, Binaries, graph_of, main, model, node, npy, read_npy, tensor, value_info, write)

SAMPLES, WINDOW, HOP, UNITS, RUNS = 256, 64, 32, 16, 7
BINS = WINDOW // 2 + 1
RATES = (16000, 8000)


class Network:
    """One sample rate's: as ONNX nodes, and computed here."""

    def __init__(self, seed):
        random = numpy.random.default_rng(seed)

        def weights(*dims):
            return (random.standard_normal(dims) * 2 / numpy.sqrt(numpy.prod(dims[1:]))).astype(numpy.float32)

        angles = 2 * numpy.pi * numpy.outer(numpy.arange(BINS), numpy.arange(WINDOW)) / WINDOW
        window = numpy.hanning(WINDOW + 1)[:-1]
        basis = numpy.concatenate([numpy.cos(angles), -numpy.sin(angles)]) * window
        self.weights = {
            "basis": basis.astype(numpy.float32)[:, None, :], "conv1": weights(24, BINS, 3), "bias1": weights(24),
            "conv2": weights(UNITS, 24, 3), "bias2": weights(UNITS), "conv3": weights(1, UNITS, 1), "bias3": weights(1)}
        for layer in (0, 1):
            self.weights |= {f"W{layer}": weights(1, 4 * UNITS, UNITS), f"R{layer}": weights(1, 4 * UNITS, UNITS),
                             f"B{layer}": weights(1, 8 * UNITS)}

    def graph(self, opset):
        """Reads x, h and c of the graph around it; y, hn and cn are its outputs."""
        stored = [tensor(name, value.shape, value.ravel().tolist()) for name, value in self.weights.items()]
        stored.append(tensor("pads", [4], [0, WINDOW // 2, 0, WINDOW // 2], INT64))
        nodes = []

        def add(op_type, inputs, output, **attributes):
            outputs = [output] if isinstance(output, str) else output
            nodes.append(node(op_type, inputs, outputs, "", **attributes))
            return outputs[0]

        def ints(name, numbers):
            stored.append(tensor(name, [len(numbers)], numbers, INT64))
            return name

        def with_axes(op_type, data, output, axes, since=13, **attributes):
            """Axes are an attribute before some opset, an operand from then on."""
            if opset < since:
                return add(op_type, [data], output, axes=axes, **attributes)
            return add(op_type, [data, ints(output + ".axes", axes)], output, **attributes)

        def part(data, output, axis, begin, end):
            return add("Slice", [data] + [ints(f"{output}.{what}", [number]) for what, number in
                                          (("begin", begin), ("end", end), ("axis", axis))], output)

        padded = add("Pad", ["x", "pads"], "padded", mode="reflect")
        wave = with_axes("Unsqueeze", padded, "wave", [1])
        add("Conv", [wave, "basis"], "transform", strides=[HOP])
        parts = [part("transform", name, 1, k * BINS, (k + 1) * BINS) for k, name in enumerate(("real", "imaginary"))]
        squares = [add("Mul", [name, name], name + ".squared") for name in parts]
        add("Add", squares, "power")
        add("Sqrt", ["power"], "magnitude")
        add("Conv", ["magnitude", "conv1", "bias1"], "c1", pads=[1, 1])
        add("Relu", ["c1"], "r1")
        add("Conv", ["r1", "conv2", "bias2"], "c2", pads=[1, 1], strides=[2])
        add("Relu", ["c2"], "r2")
        sequence = add("Transpose", ["r2"], "sequence", perm=[2, 0, 1])
        for layer in (0, 1):
            states = [part(name, f"{name}_before{layer}", 0, layer, layer + 1) for name in ("h", "c")]
            add("LSTM", [sequence, f"W{layer}", f"R{layer}", f"B{layer}", "", *states],
                [f"Y{layer}", f"hn{layer}", f"cn{layer}"], hidden_size=UNITS)
            sequence = with_axes("Squeeze", f"Y{layer}", f"out{layer}", [1])
        for name in ("hn", "cn"):
            add("Concat", [name + "0", name + "1"], name, axis=0)
        add("Relu", [sequence], "r3")
        add("Transpose", ["r3"], "channels", perm=[1, 2, 0])
        add("Conv", ["channels", "conv3", "bias3"], "c3")
        add("Sigmoid", ["c3"], "probabilities")
        with_axes("ReduceMean", "probabilities", "y", [2], since=18, keepdims=0)
        return graph_of([], nodes, [value_info("y", [1, 1]), value_info("hn", [2, 1, UNITS]),
                                    value_info("cn", [2, 1, UNITS])], stored)

    def run(self, x, h, c):
        """y and the next h and c, in doubles."""
        w = {name: value.astype(numpy.float64) for name, value in self.weights.items()}
        padded = numpy.pad(x.astype(numpy.float64), WINDOW // 2, mode="reflect")
        frames = [padded[at:at + WINDOW] for at in range(0, len(padded) - WINDOW + 1, HOP)]
        transform = numpy.stack([w["basis"][:, 0] @ frame for frame in frames], axis=1)
        magnitude = numpy.sqrt(transform[:BINS] ** 2 + transform[BINS:] ** 2)

        def conv(data, filters, bias, stride):
            wide = numpy.pad(data, ((0, 0), (1, 1)))
            places = range(0, data.shape[1], stride)
            return numpy.stack([numpy.tensordot(filters, wide[:, at:at + 3], 2) + bias for at in places], axis=1)

        r1 = numpy.maximum(conv(magnitude, w["conv1"], w["bias1"], 1), 0)
        sequence = numpy.maximum(conv(r1, w["conv2"], w["bias2"], 2), 0).T
        h, c = h.copy(), c.copy()
        for layer in (0, 1):
            biases = w[f"B{layer}"][0, :4 * UNITS] + w[f"B{layer}"][0, 4 * UNITS:]
            outputs = []
            for step in sequence:
                gates = w[f"W{layer}"][0] @ step + w[f"R{layer}"][0] @ h[layer] + biases
                i, o, f, g = numpy.split(gates, 4)
                i, o, f = (1 / (1 + numpy.exp(-gate)) for gate in (i, o, f))
                c[layer] = f * c[layer] + i * numpy.tanh(g)
                h[layer] = o * numpy.tanh(c[layer])
                outputs.append(h[layer].copy())
            sequence = numpy.stack(outputs)
        sums = numpy.maximum(sequence, 0) @ w["conv3"][0, :, 0] + w["bias3"]
        return (1 / (1 + numpy.exp(-sums))).mean(), h, c


NETWORKS = {rate: Network(rate) for rate in RATES}


def detector(opset):
    """As exported: h and c go in and come out, and the rate is an input."""
    dims = [2, 1, UNITS]
    return model([value_info("x", [1, SAMPLES]), value_info("sr", [], INT64), value_info("h", dims),
                  value_info("c", dims)],
                 [node("Equal", ["sr", "fast"], ["is_fast"], "compare"),
                  node("If", ["is_fast"], ["y", "hn", "cn"], "by_rate",
                       then_branch=NETWORKS[RATES[0]].graph(opset), else_branch=NETWORKS[RATES[1]].graph(opset))],
                 [value_info("y", [1, 1]), value_info("hn", dims), value_info("cn", dims)],
                 [tensor("fast", [], [RATES[0]], INT64)], opset=opset)


class Voice(CliTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        noise = numpy.random.default_rng(1).standard_normal((RUNS, 1, SAMPLES)).astype(numpy.float32)
        cls.chunks = noise * numpy.linspace(0.1, 1, RUNS, dtype=numpy.float32)[:, None, None]
        cls.x = write(cls.folder / "x.npy", npy("<f4", cls.chunks.shape, cls.chunks.ravel().tolist()))

    def expected(self, rates):
        h = c = numpy.zeros((2, UNITS))
        probabilities = []
        for chunk, rate in zip(self.chunks, rates):
            y, h, c = NETWORKS[rate].run(chunk[0], h, c)
            probabilities.append(y)
        return probabilities

    def check(self, program, rates, *words):
        sr = write(self.folder / "sr.npy", npy("<i8", (RUNS,), rates))
        done = self.arenite("run", program, "--input", f"x={self.x}", "--input", f"sr={sr}", "--output-dir",
                            self.folder / "out", *words)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        found = read_npy(self.folder / "out" / "y.npy")[2]
        numpy.testing.assert_allclose(found, self.expected(rates), atol=1e-5)

    def plan_kept(self, opset, *words):
        path = write(self.folder / f"voice{opset}.onnx", detector(opset))
        return self.plan(path, "--state", "hn=h", "--state", "cn=c", *words)

    def test_the_rate_may_change_from_run_to_run(self):
        for opset in (11, 13, 15, 16, 18):
            program = self.plan_kept(opset)
            self.check(program, [RATES[0]] * RUNS, "--device", "cpu")
            self.check(program, [RATES[1]] * RUNS, "--device", "cpu")
            self.check(program, [RATES[run % 2] for run in range(RUNS)], "--device", "cpu")

    def test_on_vulkan(self):
        if not self.has_vulkan():
            self.skipTest("there is no Vulkan here")
        self.check(self.plan_kept(16), [RATES[run % 2] for run in range(RUNS)], "--device", "vulkan")

    def test_vulkan_is_not_given_the_other_network(self):
        if not self.has_vulkan():
            self.skipTest("there is no Vulkan here")
        cut, whole = self.plan_kept(16), self.plan_kept(16, "--board", self.board_with_cuts(1e15, 1e15))
        for rate in RATES:
            reports = [self.json_of("run", program, "--device", "vulkan", "--profile", *self.one_chunk(rate))
                       for program in (whole, cut)]
            self.assertEqual(reports[1]["submissions"], 1)
            self.assertEqual([report["dispatches"] for report in reports], [reports[0]["dispatches"]] * 2)
            self.assertEqual(reports[0]["dispatches_run"], reports[0]["dispatches"])
            # Of what is left, the choices between results and little else is not one network's.
            self.assertLess(reports[1]["dispatches_run"], 0.6 * reports[1]["dispatches"])
            left_out = [step for step in reports[1]["profile"]["steps"] if step["median_us"] == 0]
            self.assertIn("lstm", [step["op"] for step in left_out])
        plan = self.json_of("plan", write(self.folder / "voice.onnx", detector(16)), "--state", "hn=h", "--state",
                            "cn=c", "-o", self.folder / "m.arn")["variants"][0]
        # Each network in one stretch or in two: the order of steps is one of few bytes.
        self.assertIn(plan["guarded_stretches"], (2, 4))
        self.assertEqual(plan["condition_transfers"], 0)

    def one_chunk(self, rate):
        x = write(self.folder / "chunk.npy", npy("<f4", (1, SAMPLES), self.chunks[0].ravel().tolist()))
        sr = write(self.folder / "rate.npy", npy("<i8", (), [rate]))
        return ["--input", f"x={x}", "--input", f"sr={sr}"]

    def test_values_of_the_network_that_is_not_chosen_are_not_compared(self):
        if not self.has_vulkan():
            self.skipTest("there is no Vulkan here")
        program = self.plan_kept(16)
        for rate in RATES:
            done = self.arenite("compare", program, "--device-a", "cpu", "--device-b", "vulkan", *self.one_chunk(rate))
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertIn("none differs more than is tolerable", done.stdout)

    def test_steps_that_are_left_out_take_no_time(self):
        report = self.json_of("run", self.plan_kept(16), "--device", "cpu", "--profile", *self.one_chunk(RATES[1]))
        times = [step["median_us"] for step in report["profile"]["steps"] if step["op"] == "lstm"]
        self.assertEqual(len(times), 4)
        self.assertEqual(times.count(0), 2)

    def test_for_a_microcontroller(self):
        """One network's values share the bytes of the other's, which wants x, and gives what is chosen from."""
        both, one = (self.json_of("plan", write(self.folder / "voice.onnx", detector(16)), "--board", "mps2-an386",
                                  "--state", "hn=h", "--state", "cn=c", *words, "-o", self.folder / "m.arn")
                     for words in ((), ("--fix", f"sr={RATES[0]}")))
        peaks = [plan["variants"][-1]["memories"][0]["peak_bytes"] for plan in (both, one)]
        self.assertLessEqual(peaks[0], peaks[1] + 4 * (SAMPLES + 2 * 2 * UNITS) + 64)

    def test_inspect_names_the_condition(self):
        program = self.plan_kept(16)
        steps = self.json_of("inspect", program)["methods"][0]["variants"][-1]["step_list"]
        for holds in (True, False):
            conditional = [step for step in steps
                           if holds in [condition["holds"] for condition in step["conditions"]]]
            self.assertGreater(len(conditional), 10)
        text = self.arenite("inspect", program).stdout
        self.assertIn(" if ", text)
        self.assertIn(" unless ", text)

    def test_the_slim_runner(self):
        program = self.plan_kept(16)
        sr = write(self.folder / "one.npy", npy("<i8", (RUNS,), [RATES[0]] * RUNS))
        done = self.execute(Binaries.arenite_run, program, "--input", f"x={self.x}", "--input", f"sr={sr}")
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    main()
# SPDX-License-Identifier: Apache-2.0
