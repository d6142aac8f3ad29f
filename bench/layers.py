#!/usr/bin/env python3
"""Counts or times networks of one layer of 8-bit integers, whose tensors lie in planes or in pixels.

usage: layers.py ARENITE [--board NAME]... [--optimize memory|speed]... [LAYER...]

A row a layer, board and setting of `plan --optimize`: instructions a result in QEMU, on the board `host` nanoseconds a result on
one thread. In planes the channels of a pixel are apart, as ONNX has them; in pixels they are neighbors, and two transposes are
counted with the layer. A network is a DequantizeLinear, the layer and a QuantizeLinear, all of int8.

Needs Debian's python3-onnx and python3-numpy, and so Debian's Python; says so where they are missing.
"""
import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

# {layer: (operator, input channels, its width and height, output channels, attributes)}.
LAYERS = {
    "conv1_64_16": ("Conv", 64, 16, 16, {"kernel_shape": [1, 1]}),
    "conv1_64_1": ("Conv", 64, 16, 1, {"kernel_shape": [1, 1]}),
    "conv3_3_16": ("Conv", 3, 32, 16, {"kernel_shape": [3, 3], "strides": [2, 2], "pads": [1] * 4}),
    "conv3_16_16": ("Conv", 16, 16, 16, {"kernel_shape": [3, 3], "pads": [1] * 4}),
    "conv7_3_64": ("Conv", 3, 64, 64, {"kernel_shape": [7, 7], "strides": [2, 2], "pads": [3] * 4}),
    "depthwise3": ("Conv", 16, 16, 16, {"kernel_shape": [3, 3], "pads": [1] * 4, "group": 16}),
    "depthwise5": ("Conv", 16, 16, 16, {"kernel_shape": [5, 5], "strides": [2, 2], "pads": [2] * 4, "group": 16}),
    "groups4": ("Conv", 16, 16, 16, {"kernel_shape": [3, 3], "pads": [1] * 4, "group": 4}),
    "transposed2": ("ConvTranspose", 16, 8, 8, {"kernel_shape": [2, 2], "strides": [2, 2]}),
    "average2": ("AveragePool", 16, 16, 16, {"kernel_shape": [2, 2], "strides": [2, 2]}),
    "average3": ("AveragePool", 64, 32, 64, {"kernel_shape": [3, 3]}),
    "max2": ("MaxPool", 16, 16, 16, {"kernel_shape": [2, 2], "strides": [2, 2]}),
}


def sides(operator, side, attributes):
    """Width and height of the results."""
    kernel, stride = attributes["kernel_shape"][0], attributes.get("strides", [1])[0]
    pads = 2 * attributes.get("pads", [0])[0]
    return (side - 1) * stride + kernel - pads if operator == "ConvTranspose" else (side + pads - kernel) // stride + 1


def write_model(onnx, numpy, file, layer, in_pixels):
    """Returns how many results it has."""
    operator, channels, side, outputs, attributes = LAYERS[layer]
    random = numpy.random.default_rng(1)
    make, tensor = onnx.helper.make_node, onnx.numpy_helper.from_array
    constants = {"scale": numpy.float32(0.05), "to": numpy.float32(0.07), "zero": numpy.int8(3)}
    nodes, numbers = [make("DequantizeLinear", ["planes", "scale", "zero"], ["numbers"])], ["numbers"]
    if not operator.endswith("Pool"):
        transposed = operator == "ConvTranspose"
        group = attributes.get("group", 1)
        shape = (channels, outputs) if transposed else (outputs, channels // group)
        constants |= {"weights": random.integers(-127, 128, shape + tuple(attributes["kernel_shape"])).astype(numpy.int8),
                      "scales": numpy.full(outputs, 0.01, numpy.float32), "zeros": numpy.zeros(outputs, numpy.int8)}
        nodes.append(make("DequantizeLinear", ["weights", "scales", "zeros"], ["filters"], axis=1 if transposed else 0))
        numbers.append("filters")
    nodes += [make(operator, numbers, ["sums"], **attributes), make("QuantizeLinear", ["sums", "to", "zero"], ["results"])]
    out = sides(operator, side, attributes)
    shapes = [1, channels, side, side], [1, outputs, out, out]
    if in_pixels:
        nodes.insert(0, make("Transpose", ["x"], ["planes"], perm=[0, 3, 1, 2]))
        nodes.append(make("Transpose", ["results"], ["y"], perm=[0, 2, 3, 1]))
        shapes = [[n, h, w, c] for n, c, h, w in shapes]
    else:
        nodes[0].input[0], nodes[-1].output[0] = "x", "y"
    infos = [onnx.helper.make_tensor_value_info(name, onnx.TensorProto.INT8, shape) for name, shape in zip("xy", shapes)]
    graph = onnx.helper.make_graph(nodes, layer, infos[:1], infos[1:],
                                   [tensor(numpy.asarray(value), name) for name, value in constants.items()])
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 13)])
    model.ir_version = 8
    onnx.save(model, str(file))
    return outputs * out * out


def run(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"layers: {' '.join(map(str, words[:3]))}: {done.stderr.strip()}")
    return done.stdout


def measure(arenite, model, board, optimize):
    """Instructions of a run; of the host the nanoseconds of the fastest."""
    program = model.with_suffix(".arn")
    run(arenite, "plan", model, "--board", board, "--optimize", optimize, "-o", program)
    if board == "host":
        words = ("bench", program, "--device", "cpu", "--threads", 1, "--seconds", 0.5, "--json")
        return json.loads(run(arenite, *words))["min_ms"] * 1e6
    return json.loads(run(arenite, "target", "bench", program, "--board", board, "--json"))["counted_instructions"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("arenite", type=Path)
    parser.add_argument("layers", nargs="*", metavar="LAYER", help=f"of {', '.join(LAYERS)} (default: all)")
    parser.add_argument("--board", action="append", metavar="NAME", help="(default: mps2-an386, mps3-an547)")
    parser.add_argument("--optimize", action="append", choices=("memory", "speed"), help="(default: both)")
    options = parser.parse_intermixed_args()
    unknown = [layer for layer in options.layers if layer not in LAYERS]
    if unknown:
        parser.error(f"no layer {unknown[0]!r}; there are {', '.join(LAYERS)}")
    try:
        import numpy
        import onnx.numpy_helper
    except ImportError as error:
        print(f"{error}: install python3-onnx and python3-numpy, and run this with /usr/bin/python3", file=sys.stderr)
        return 1
    boards, settings = options.board or ["mps2-an386", "mps3-an547"], options.optimize or ["memory", "speed"]
    print(f"{'layer':12} {'board':11} {'optimize':8} {'planes':>8} {'pixels':>8}")
    with tempfile.TemporaryDirectory() as work:
        for layer in options.layers or LAYERS:
            model = Path(work) / "model.onnx"
            for board in boards:
                for setting in settings:
                    cells = []
                    for in_pixels in (False, True):
                        results = write_model(onnx, numpy, model, layer, in_pixels)
                        cells.append(measure(options.arenite, model, board, setting) / results)
                    print(f"{layer:12} {board:11} {setting:8} {cells[0]:8.1f} {cells[1]:8.1f}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
# SPDX-License-Identifier: Apache-2.0
