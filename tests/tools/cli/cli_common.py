"""What the tests of the commands share: running them, tensor files, and ONNX models made by hand."""

import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest

REPOSITORY = pathlib.Path(__file__).resolve().parents[3]
DIGITS = REPOSITORY / "examples" / "digits" / "digits.onnx"
ONNX_CASES = pathlib.Path("/usr/include/onnx/backend/test/data")
SHARED = pathlib.Path(os.environ.get("ARENITE_SHARED", REPOSITORY.parent / "shared"))
FLOAT, INT8, INT64 = 1, 3, 7
FORMATS = {"<f4": "f", "<i8": "q", "|u1": "B", "|i1": "b", "<i4": "i", "<f8": "d", "<f2": "e", "|b1": "?"}


class Binaries:
    """Set by main() from the command line: --arenite PATH --arenite-run PATH."""
    arenite = None
    arenite_run = None


def main():
    arguments = sys.argv
    for name in ("arenite", "arenite-run"):
        at = arguments.index(f"--{name}")
        setattr(Binaries, name.replace("-", "_"), str(pathlib.Path(arguments[at + 1]).resolve()))
        del arguments[at:at + 2]
    unittest.main(argv=arguments)


class CliTest(unittest.TestCase):
    """Runs commands, a process each, in a scratch folder that all tests of a class share."""

    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.scratch.name)
        cls.environment = dict(os.environ, XDG_CACHE_HOME=str(cls.folder / "cache"))
        cls.environment.pop("ARENITE_BOARDS", None)

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    @classmethod
    def execute(cls, *command, environment=None, folder=None):
        return subprocess.run([str(word) for word in command], capture_output=True, text=True,
                              check=False, timeout=300, cwd=folder or cls.folder,
                              env=dict(cls.environment, **(environment or {})))

    @classmethod
    def arenite(cls, *words, **options):
        return cls.execute(Binaries.arenite, *words, **options)

    @classmethod
    def arenite_run(cls, *words, **options):
        return cls.execute(Binaries.arenite_run, *words, **options)

    @classmethod
    def json_of(cls, *words, status=0, **options):
        """Runs a command with --json; its output must be one object and nothing else."""
        done = cls.arenite(*words, "--json", **options)
        if done.returncode != status:
            raise AssertionError(f"{words}: exit {done.returncode}\n{done.stdout}{done.stderr}")
        return json.loads(done.stdout)

    @classmethod
    def board_with_cuts(cls, cut_ps, wait_ps):
        """The path of a board file: the host, where cutting a device's commands costs so much."""
        board = json.loads((REPOSITORY / "boards" / "host" / "board.json").read_text())
        board["costs"] = {"forms": [], "cut": {"ps": cut_ps, "wait_ps": wait_ps}}
        return write(cls.folder / f"cuts_{cut_ps}_{wait_ps}.json", json.dumps(board).encode())

    @classmethod
    def plan(cls, model, *words):
        """Plans a model (a path, or the bytes of one) and returns the program's path."""
        if isinstance(model, bytes):
            model = write(cls.folder / "model.onnx", model)
        cls.planned = getattr(cls, "planned", 0) + 1
        program = cls.folder / f"{pathlib.Path(model).stem}_{cls.planned}.arn"
        done = cls.arenite("plan", model, "-o", program, *words)
        if done.returncode != 0:
            raise AssertionError(done.stderr)
        return program

    def assert_fails(self, done, status, *texts):
        """The command ended with this status, and standard error holds each of the texts."""
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        for text in texts:
            self.assertIn(text, done.stderr)

    @classmethod
    def has_vulkan(cls):
        return any(not device["problem"] for device in cls.json_of("doctor")["vulkan"])


def write(path, data):
    path.write_bytes(data)
    return path


# Tensor files.

def npy(descr, dims, numbers):
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {tuple(dims)}, }}"
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    elements = struct.pack(f"<{len(numbers)}{FORMATS[descr]}", *numbers)
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + elements


def read_npy(path):
    """(type, dims, numbers) of a version 1 file in C order."""
    data = pathlib.Path(path).read_bytes()
    size = struct.unpack_from("<H", data, 8)[0]
    header = eval(data[10:10 + size].decode(), {"__builtins__": {}})  # pylint: disable=eval-used
    assert not header["fortran_order"]
    letter = FORMATS[header["descr"]]
    elements = data[10 + size:]
    count = len(elements) // struct.calcsize(letter)
    return header["descr"], header["shape"], struct.unpack(f"<{count}{letter}", elements)


# Protocol buffers, as little of them as ONNX models take (fields of onnx.proto).

def varint(number):
    number &= (1 << 64) - 1
    encoded = b""
    while number > 127:
        encoded += bytes([number & 127 | 128])
        number >>= 7
    return encoded + bytes([number])


def field(number, value):
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    if isinstance(value, float):
        return varint(number << 3 | 5) + struct.pack("<f", value)
    data = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(data)) + data


def tensor(name, dims, numbers, dtype=FLOAT):
    letter = {FLOAT: "f", INT8: "b", INT64: "q"}[dtype]
    return (b"".join(field(1, dim) for dim in dims) + field(2, dtype) + field(8, name) +
            field(9, struct.pack(f"<{len(numbers)}{letter}", *numbers)))


def value_info(name, dims, dtype=FLOAT):
    """Dims are numbers, or strings for symbols; "" is unset."""
    shape = b""
    for dim in dims:
        entry = field(1, dim) if isinstance(dim, int) else field(2, dim) if dim else b""
        shape += field(1, entry)
    return field(1, name) + field(2, field(1, field(1, dtype) + field(2, shape)))


def attribute(name, value):
    """The bytes of a value are those of a graph."""
    if isinstance(value, bytes):
        return field(1, name) + field(6, value) + field(20, 5)
    if isinstance(value, str):
        return field(1, name) + field(4, value) + field(20, 3)
    if isinstance(value, list):
        return field(1, name) + b"".join(field(8, entry) for entry in value) + field(20, 7)
    if isinstance(value, float):
        return field(1, name) + field(2, value) + field(20, 1)
    return field(1, name) + field(3, value) + field(20, 2)


def node(op_type, inputs, outputs, name="", **attributes):
    return (b"".join(field(1, entry) for entry in inputs) +
            b"".join(field(2, entry) for entry in outputs) + field(3, name) + field(4, op_type) +
            b"".join(field(5, attribute(key, value)) for key, value in attributes.items()))


def graph_of(inputs, nodes, outputs, initializers=()):
    return (b"".join(field(1, entry) for entry in nodes) + field(2, "graph") +
            b"".join(field(5, entry) for entry in initializers) +
            b"".join(field(11, entry) for entry in inputs) +
            b"".join(field(12, entry) for entry in outputs))


def model(inputs, nodes, outputs, initializers=(), opset=13):
    graph = graph_of(inputs, nodes, outputs, initializers)
    return field(1, 8) + field(7, graph) + field(8, field(1, "") + field(2, opset))


def add_model(dims=(2, 3)):
    """a + b -> c."""
    return model([value_info("a", dims), value_info("b", dims)],
                 [node("Add", ["a", "b"], ["c"], "sum_of_both")], [value_info("c", dims)])

# SPDX-License-Identifier: Apache-2.0
