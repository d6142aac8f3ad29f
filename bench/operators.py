#!/usr/bin/env python3
"""Times models of one operator on this machine's CPU beside ONNX Runtime, slowest first.

usage: operators.py ARENITE [--integers] [--rounds N] [--seconds S] [--runtime DIR] [OPERATOR...]

A row an operator: the least times of all rounds, one thread each, and the ratio of ONNX Runtime's to ours: above 1 is faster
than it. With --integers the operator lies between quantizations to int8, which are counted with it. Networks behave otherwise:
there, layouts are chosen for all operators together, and most operators here are joined to others. ONNX Runtime is fetched as
cpu.py does.

Needs Debian's python3-onnx and python3-numpy, and so Debian's Python; says so where they are missing.
"""
import argparse
import sys
import tempfile
import typing
from pathlib import Path

import cpu

IMAGE = (1, 64, 56, 56)
ROWS = (1, 1024, 384)
SQUARE = (512, 512)
FLOAT, INT64, BOOL, UINT8, INT8 = 1, 7, 9, 2, 3


class Case(typing.NamedTuple):
    """A constant is a list, the dims of random floats as a tuple, "scale", "zero", or "places DIMS OF": random places below OF."""
    operator: str
    inputs: list  # dims of each, floats
    attributes: dict = {}
    constants: list = []  # behind the inputs
    output: int = FLOAT


DOUBLED = [(0,), [1.0, 1.0, 2.0, 2.0]]
NEAREST = {"mode": "nearest", "coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}
CASES = {
    "relu": Case("Relu", [IMAGE]), "sigmoid": Case("Sigmoid", [IMAGE]), "tanh": Case("Tanh", [IMAGE]),
    "exp": Case("Exp", [IMAGE]), "erf": Case("Erf", [IMAGE]), "sqrt": Case("Sqrt", [IMAGE]),
    "hard_swish": Case("HardSwish", [IMAGE]), "leaky_relu": Case("LeakyRelu", [IMAGE]),
    "add": Case("Add", [IMAGE, IMAGE]), "mul": Case("Mul", [IMAGE, IMAGE]), "div": Case("Div", [IMAGE, IMAGE]),
    "max": Case("Max", [IMAGE, IMAGE]), "mul_channels": Case("Mul", [IMAGE, (1, 64, 1, 1)]),
    "prelu": Case("PRelu", [IMAGE], {}, [(64, 1, 1)]),
    "equal": Case("Equal", [IMAGE, IMAGE], output=BOOL), "greater": Case("Greater", [IMAGE, IMAGE], output=BOOL),
    "is_nan": Case("IsNaN", [IMAGE], output=BOOL), "cast_uint8": Case("Cast", [IMAGE], {"to": UINT8}, output=UINT8),
    "softmax_rows": Case("Softmax", [(8, 128, 197)], {"axis": -1}),
    "softmax_channels": Case("Softmax", [(1, 21, 128, 128)], {"axis": 1}),
    "layer_normalization": Case("LayerNormalization", [(1, 197, 384)], {}, [(384,), (384,)]),
    "mean_image": Case("ReduceMean", [IMAGE], {"axes": [2, 3]}), "mean_channels": Case("ReduceMean", [IMAGE], {"axes": [1]}),
    "mean_rows": Case("ReduceMean", [ROWS], {"axes": [2]}), "sum_rows": Case("ReduceSum", [ROWS], {}, [[2]]),
    "max_image": Case("ReduceMax", [IMAGE], {"axes": [2, 3]}), "global_average": Case("GlobalAveragePool", [IMAGE]),
    "max_pool3": Case("MaxPool", [IMAGE], {"kernel_shape": [3, 3], "strides": [2, 2], "pads": [1] * 4}),
    "max_pool5": Case("MaxPool", [IMAGE], {"kernel_shape": [5, 5], "pads": [2] * 4}),
    "average_pool3": Case("AveragePool", [IMAGE], {"kernel_shape": [3, 3], "pads": [1] * 4}),
    "transpose": Case("Transpose", [IMAGE], {"perm": [0, 2, 3, 1]}), "concat": Case("Concat", [IMAGE, IMAGE], {"axis": 1}),
    "resize_nearest": Case("Resize", [IMAGE], NEAREST, DOUBLED), "resize_linear": Case("Resize", [IMAGE], {"mode": "linear"}, DOUBLED),
    "gather": Case("Gather", [(1000, 384)], {"axis": 0}, ["places 512 1000"]),
    "gather_elements": Case("GatherElements", [SQUARE], {"axis": 1}, ["places 512x512 512"]),
    "scatter_elements": Case("ScatterElements", [SQUARE], {"axis": 1}, ["places 512x128 512", (512, 128)]),
    "top_k_rows": Case("TopK", [SQUARE], {}, [[5]]), "top_k": Case("TopK", [(1, 20000)], {}, [[100]]),
    "nonzero": Case("NonZero", [(256, 256)], output=INT64),
    "quantize": Case("QuantizeLinear", [IMAGE], {}, ["scale", "zero"], INT8),
    "dynamic_quantize": Case("DynamicQuantizeLinear", [IMAGE], output=UINT8),
    "dynamic_product": Case("MatMulInteger", [(197, 384)]), "dynamic_product16": Case("MatMulInteger", [(16, 768)]),
}


def outputs_of(operator):
    return {"TopK": ["result", "places"], "DynamicQuantizeLinear": ["result", "scale", "zero"]}.get(operator, ["result"])


class Model:
    def __init__(self, onnx, numpy):
        self.onnx, self.numpy, self.random = onnx, numpy, numpy.random.default_rng(1)
        self.nodes, self.constants = [], []

    def constant(self, value):
        numpy = self.numpy
        if isinstance(value, tuple):
            value = self.random.standard_normal(value).astype(numpy.float32)
        elif isinstance(value, str) and value.startswith("places"):
            dims, of = value.split()[1:]
            value = self.random.integers(0, int(of), tuple(map(int, dims.split("x"))))
        elif isinstance(value, str):
            value = {"scale": numpy.float32(0.05), "zero": numpy.int8(3)}[value]
        elif isinstance(value, list):
            value = numpy.array(value, numpy.float32 if isinstance(value[0], float) else numpy.int64)
        self.constants.append(self.onnx.numpy_helper.from_array(numpy.asarray(value), f"constant{len(self.constants)}"))
        return self.constants[-1].name

    def node(self, operator, inputs, outputs, **attributes):
        self.nodes.append(self.onnx.helper.make_node(operator, inputs, outputs, **attributes))

    def quantized(self, name):
        scale, zero = self.constant("scale"), self.constant("zero")
        self.node("QuantizeLinear", [name, scale, zero], [name + "_int8"])
        self.node("DequantizeLinear", [name + "_int8", scale, zero], [name + "_number"])
        return name + "_number"

    def add(self, case, integers):
        names = [f"x{i}" for i in range(len(case.inputs))]
        last = "result"
        if case.operator == "MatMulInteger":  # of an input that is quantized by its range, as most are
            depth = case.inputs[0][-1]
            weights = self.constant(self.random.integers(0, 256, (depth, 4 * depth)).astype(self.numpy.uint8))
            self.node("DynamicQuantizeLinear", names, ["bytes", "scale", "zero"])
            self.node(case.operator, ["bytes", weights, "zero", self.constant(self.numpy.uint8(128))], ["sums"])
            self.node("Cast", ["sums"], ["numbers"], to=FLOAT)
            self.node("Mul", ["numbers", "scale"], [last])
        else:
            if integers:
                names = [self.quantized(name) for name in names]
            self.node(case.operator, names + [self.constant(value) for value in case.constants], outputs_of(case.operator),
                      **case.attributes)
            if integers:
                last = self.quantized(last)
        # One element: ONNX Runtime allocates outputs anew in each run, which can take longer than the operator.
        if case.operator == "NonZero":  # how many are there, a run decides
            self.node("Identity", [last], ["y"])
            return
        self.node("Reshape", [last, self.constant([-1])], ["row"])
        self.node("Slice", ["row", self.constant([0]), self.constant([1])], ["y"])

    def save(self, file, case):
        info = self.onnx.helper.make_tensor_value_info
        inputs = [info(f"x{i}", FLOAT, dims) for i, dims in enumerate(case.inputs)]
        graph = self.onnx.helper.make_graph(self.nodes, "operator", inputs, [info("y", case.output, None)], self.constants)
        model = self.onnx.helper.make_model(graph, opset_imports=[self.onnx.helper.make_opsetid("", 17)])
        model.ir_version = 8
        self.onnx.save(self.onnx.shape_inference.infer_shapes(model), str(file))


def write_model(onnx, numpy, folder, name, integers):
    """The model as cpu.py's functions take it."""
    case = CASES[name]
    model = Model(onnx, numpy)
    model.add(case, integers)
    file = folder / f"{name}.onnx"
    model.save(file, case)
    inputs = []
    for i, dims in enumerate(case.inputs):
        numbers = folder / f"{name}_{i}.bin"
        model.random.standard_normal(dims).astype(numpy.float32).tofile(numbers)
        inputs.append({"name": f"x{i}", "dtype": "float32", "shape": list(dims), "file": str(numbers)})
    return {"name": name, "file": file, "inputs": inputs}


def measure(arenite, module, model, folder, rounds, seconds):
    """The least times in ms: ONNX Runtime's and ours."""
    program = cpu.plan(arenite, model, folder)
    theirs, ours = [], []
    for _ in range(rounds):
        theirs.append(cpu.time_runtime(module, model, 1, seconds)["min_ms"])
        ours.append(cpu.time_arenite(arenite, program, model, 1, seconds)["min_ms"])
    return min(theirs), min(ours)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("arenite", type=Path)
    parser.add_argument("operators", nargs="*", metavar="OPERATOR", help=f"of {', '.join(CASES)} (default: all)")
    parser.add_argument("--integers", action="store_true")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=0.2)
    parser.add_argument("--runtime", type=Path, default=cpu.ROOT / "build" / "onnxruntime")
    options = parser.parse_intermixed_args()
    unknown = [name for name in options.operators if name not in CASES]
    if unknown:
        parser.error(f"no operator {unknown[0]!r}; there are {', '.join(CASES)}")
    try:
        import numpy
        import onnx.numpy_helper
    except ImportError as error:
        print(f"{error}: install python3-onnx and python3-numpy, and run this with /usr/bin/python3", file=sys.stderr)
        return 1
    module = cpu.fetch_runtime(options.runtime.resolve())
    rows, refused = [], False
    with tempfile.TemporaryDirectory() as folder:
        for name in options.operators or CASES:
            if options.integers and CASES[name].output != FLOAT:
                continue
            model = write_model(onnx, numpy, Path(folder), name, options.integers)
            try:
                rows.append((name, *measure(options.arenite.resolve(), module, model, Path(folder), options.rounds, options.seconds)))
            except RuntimeError as error:
                print(f"{name}: {error}")
                refused = True
    print(f"{'operator':20} {'ORT':>8} {'ours':>8} {'ORT / ours':>11}")
    for name, theirs, ours in sorted(rows, key=lambda row: row[1] / row[2]):
        print(f"{name:20} {theirs:8.4f} {ours:8.4f} {theirs / ours:11.2f}")
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main())
# SPDX-License-Identifier: Apache-2.0
