"""Networks that several tests plan, with seeded weights."""

import numpy

from cli_common import INT64, model, node, tensor, value_info

WORDS, CHANNELS, HEADS = 20, 16, 2
DEPTH = CHANNELS // HEADS


class Network:
    """Nodes, and constants with seeded numbers."""

    def __init__(self):
        self.random = numpy.random.default_rng(11)
        self.nodes, self.stored = [], []

    def add(self, op, inputs, output, **attributes):
        self.nodes.append(node(op, inputs, [output] if isinstance(output, str) else output, **attributes))
        return output

    def numbers(self, name, *dims, scale=0.3):
        values = (self.random.standard_normal(dims) * scale).astype(numpy.float32)
        self.stored.append(tensor(name, dims, values.ravel().tolist()))
        return name

    def ints(self, name, *values):
        self.stored.append(tensor(name, [len(values)], list(values), INT64))
        return name


class Decoder:
    """A block of attention over a cache of keys and values, and the words that may follow.

    Masked by an input, or by what a model computes from the length of its cache, like the positions then.
    """

    def __init__(self, masked=False, computed=False):
        net = Network()
        self.weights = {}

        def numbers(name, *dims, scale=0.3):
            state = net.random.bit_generator.state
            self.weights[name] = (net.random.standard_normal(dims) * scale).astype(numpy.float32)
            net.random.bit_generator.state = state
            return net.numbers(name, *dims, scale=scale)

        net.add("Gather", [numbers("words", WORDS, CHANNELS, scale=1), "token"], "e")
        numbers("positions", 32, CHANNELS, scale=1)
        if computed:
            zero, one, two, three = (net.ints(f"n{i}", i) for i in range(4))
            net.add("Shape", ["past_k"], "past_shape")
            net.add("Slice", ["past_shape", two, three, zero], "past_len")
            net.add("Shape", ["token"], "token_shape")
            net.add("Slice", ["token_shape", one, two, zero], "len")
            net.add("Add", ["past_len", "len"], "all_len")
            net.add("Slice", ["positions", "past_len", "all_len", zero], "p")
            later = numpy.arange(32)[None] > numpy.arange(32)[:, None]
            net.stored.append(tensor("later", [1, 1, 32, 32], numpy.where(later, -1e9, 0.0).ravel().tolist()))
            net.add("Slice", ["later", "past_len", "all_len", two], "rows_of_mask")
            net.add("Slice", ["rows_of_mask", zero, "all_len", three], "mask")
        else:
            net.add("Gather", ["positions", "position"], "p")
        net.add("Add", ["e", "p"], "h")
        split = net.ints("split", 0, 0, HEADS, DEPTH)
        for letter in "qkv":
            net.add("MatMul", ["h", numbers("w" + letter, CHANNELS, CHANNELS)], letter + "0")
            net.add("Reshape", [letter + "0", split], letter + "1")
            net.add("Transpose", [letter + "1"], letter, perm=[0, 2, 1, 3])
        net.add("Concat", ["past_k", "k"], "present_k", axis=2)
        net.add("Concat", ["past_v", "v"], "present_v", axis=2)
        net.add("Transpose", ["present_k"], "kt", perm=[0, 1, 3, 2])
        net.add("MatMul", ["q", "kt"], "scores")
        if masked or computed:
            net.add("Add", ["scores", "mask"], "masked")
        net.add("Softmax", ["masked" if masked or computed else "scores"], "shares", axis=-1)
        net.add("MatMul", ["shares", "present_v"], "mixed")
        net.add("Transpose", ["mixed"], "rows", perm=[0, 2, 1, 3])
        net.add("Reshape", ["rows", net.ints("join", 0, 0, CHANNELS)], "joined")
        net.add("MatMul", ["joined", numbers("wo", CHANNELS, CHANNELS)], "out")
        net.add("Add", ["out", "h"], "r")
        net.add("MatMul", ["r", numbers("head", CHANNELS, WORDS)], "logits")
        cache = ["batch", HEADS, "past", DEPTH]
        inputs = [value_info("token", ["batch", "len"], INT64), value_info("past_k", cache),
                  value_info("past_v", cache)]
        if not computed:
            inputs.append(value_info("position", ["batch", "len"], INT64))
        if masked:
            inputs.append(value_info("mask", ["batch", 1, "len", "past + len"]))
        present = ["batch", HEADS, "all", DEPTH]
        self.bytes = model(inputs, net.nodes, [value_info("logits", ["batch", "len", WORDS]),
                                               value_info("present_k", present), value_info("present_v", present)],
                           net.stored)

    def logits(self, tokens):
        """Of the last token, from all of them at once."""
        w = {name: values.astype(numpy.float64) for name, values in self.weights.items()}
        h = w["words"][tokens] + w["positions"][:len(tokens)]
        q, k, v = (numpy.reshape(h @ w["w" + letter], (-1, HEADS, DEPTH)).transpose(1, 0, 2) for letter in "qkv")
        scores = q[:, -1:] @ k.transpose(0, 2, 1)
        shares = numpy.exp(scores - scores.max(axis=-1, keepdims=True))
        shares /= shares.sum(axis=-1, keepdims=True)
        out = (shares @ v).reshape(CHANNELS) @ w["wo"] + h[-1]
        return out @ w["head"]


def total_networks():
    """Two networks, as bytes: one adds x to what both call total, the other scales it. Each counts its own runs, the
    second by hundreds."""
    dims = [4]
    count = [value_info("count", [1])], [value_info("count_next", [1])]
    add = model([value_info("x", dims), value_info("total", dims), *count[0]],
                [node("Add", ["total", "x"], ["total_next"], "add"), node("Add", ["count", "one"], ["count_next"], "up")],
                [value_info("total_next", dims), *count[1]], [tensor("one", [1], [1.0])])
    scale = model([value_info("by", [1]), value_info("total", dims), *count[0]],
                  [node("Mul", ["total", "by"], ["y"], "mul"), node("Add", ["count", "step"], ["count_next"], "up")],
                  [value_info("y", dims), *count[1]], [tensor("step", [1], [100.0])])
    return add, scale

# SPDX-License-Identifier: Apache-2.0
