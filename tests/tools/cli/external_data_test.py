#!/usr/bin/env python3
"""Tests models whose tensors lie in files beside them: every command that reads models, and what each refuses."""

import os
import shutil
import struct

from cli_common import (FLOAT, INT64, Binaries, CliTest, field, main, model, node, npy, read_npy, tensor,
                        value_info, write)

WEIGHTS = [0.5, -1, 2, 1, 0.25, -0.5, 3, 1, -2, 0.1, 0.2, 0.3]
ADDED = [1, 2, 3]


def entry(key, value):
    return field(13, field(1, key) + field(2, str(value)))


def outside(name, dims, location, offset=None, length=None, dtype=FLOAT):
    """A tensor whose record says that its bytes lie in a file."""
    text = b"".join(field(1, dim) for dim in dims) + field(2, dtype) + field(8, name) + entry("location", location)
    if offset is not None:
        text += entry("offset", offset)
    if length is not None:
        text += entry("length", length)
    return text + entry("checksum", "nobody reads it") + field(14, 1)


def product(weights, constant):
    """y = reshape(x * w + c): w an initializer, c a Constant node's, the shape an initializer."""
    value = field(5, field(1, "value") + field(5, constant) + field(20, 4))
    return model([value_info("x", [1, 4])],
                 [node("MatMul", ["x", "w"], ["m"], "product"),
                  node("Constant", [], ["c"], "constant") + value,
                  node("Add", ["m", "c"], ["s"], "sum"), node("Reshape", ["s", "shape"], ["y"], "reshape")],
                 [value_info("y", [3])], [weights, tensor("shape", [1], [3], INT64)])


class ExternalData(CliTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.data = (b"\xff" + struct.pack("<12f", *WEIGHTS) + b"\xff\xff" + struct.pack("<3f", *ADDED))
        cls.inside = write(cls.folder / "inside.onnx",
                           product(tensor("w", [4, 3], WEIGHTS), tensor("c", [3], ADDED)))
        cls.folder_of_model = cls.folder / "exported"
        cls.folder_of_model.mkdir()
        write(cls.folder_of_model / "model.onnx.data", cls.data)
        cls.outside = write(cls.folder_of_model / "model.onnx",
                            product(outside("w", [4, 3], "model.onnx.data", 1, 48),
                                    outside("c", [3], "model.onnx.data", 51, 12)))
        write(cls.folder / "x.npy", npy("<f4", (1, 4), [1, 2, 3, 4]))

    def saying(self, location, **place):
        """A model whose record says that its weights lie there."""
        return write(self.folder_of_model / "other.onnx",
                     product(outside("w", [4, 3], location, **place), tensor("c", [3], ADDED)))

    def assert_refused(self, path, *texts):
        self.assert_fails(self.arenite("plan", path, "-o", "refused.arn"), 2, "initializer 'w'", *texts)

    def test_the_data_is_not_written_over(self):
        data = self.folder_of_model / "model.onnx.data"
        (self.folder / "calibration").mkdir()
        write(self.folder / "calibration" / "x.npy", npy("<f4", (1, 4), [1, 2, 3, 4]))
        for words in (["plan", self.outside], ["quantize", self.outside, "--calibration", "calibration"]):
            done = self.arenite(*words, "-o", data)
            self.assert_fails(done, 2, "-o ", "model.onnx.data: the command reads this file")
            self.assertEqual(data.read_bytes(), self.data)

    def test_it_is_the_model_with_its_data_inside(self):
        def bytes_of(path):
            return self.plan(path, "--board", "host").read_bytes()

        self.assertEqual(bytes_of(self.outside), bytes_of(self.inside))
        self.json_of("run", self.plan(self.outside), "--device", "cpu", "--input", "x.npy", "--output-dir", "out")
        expected = [sum(x * WEIGHTS[3 * i + j] for i, x in enumerate([1, 2, 3, 4])) + ADDED[j] for j in range(3)]
        for one, other in zip(read_npy(self.folder / "out" / "y.npy")[2], expected):
            self.assertAlmostEqual(one, other, places=5)

    def test_every_command_reads_it(self):
        for words in (("fit", self.outside, "--board", "mps3-an547"), ("ops", self.outside),
                      ("bench", self.outside, "--device", "cpu", "--seconds", "0"),
                      ("compare", self.outside, self.inside, "--device-b", "cpu")):
            done = self.arenite(*words)
            self.assertEqual(done.returncode, 0, (words, done.stdout + done.stderr))
        # By a name without a folder.
        done = self.execute("bash", "-c", f"cd {self.folder_of_model} && {Binaries.arenite} plan model.onnx -o x.arn")
        self.assertEqual(done.returncode, 0, done.stderr)


    def test_a_quantized_model_has_its_data_inside(self):
        samples = self.folder / "samples"
        samples.mkdir()
        write(samples / "x.npy", npy("<f4", (32, 1, 4), [i % 7 - 3 for i in range(128)]))
        for name, source in (("a", self.inside), ("b", self.outside)):
            done = self.arenite("quantize", source, "--calibration", samples, "-o", f"{name}.onnx")
            self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((self.folder / "a.onnx").read_bytes(), (self.folder / "b.onnx").read_bytes())

    def test_conform_reads_it(self):
        case = self.folder / "case"
        (case / "test_data_set_0").mkdir(parents=True)
        shutil.copy(self.outside, case / "model.onnx")
        shutil.copy(self.folder_of_model / "model.onnx.data", case)
        write(case / "test_data_set_0" / "input_0.pb", tensor("", [1, 4], [0, 0, 0, 0]))
        write(case / "test_data_set_0" / "output_0.pb", tensor("", [3], ADDED))
        self.assertEqual(self.json_of("conform", case, "--device", "cpu")["passed"], 1)

    def test_a_missing_file_is_named(self):
        for command in (("plan", "-o", "x.arn"), ("fit", "--board", "host"), ("ops",), ("bench",)):
            done = self.arenite(command[0], self.saying("gone.bin"), *command[1:])
            self.assert_fails(done, 2, "initializer 'w': external data in file 'gone.bin': cannot be "
                              "read: No such file or directory; expected it in the model's folder")

    def test_nothing_outside_of_the_folder_is_read(self):
        write(self.folder / "secret.bin", self.data)
        (self.folder_of_model / "link.bin").symlink_to("../secret.bin")
        (self.folder_of_model / "up").symlink_to("..")
        self.assert_refused(self.saying("../secret.bin"), "found \"..\" in it")
        self.assert_refused(self.saying(str(self.folder_of_model / "model.onnx.data")), "found an absolute one")
        self.assert_refused(self.saying("link.bin"), "found a link that leaves it")
        self.assert_refused(self.saying("up/secret.bin"), "found a link that leaves it")

    def test_places_are_checked(self):
        name = "model.onnx.data"
        self.assert_refused(self.saying(name, offset=20, length=48), "expected 48 bytes at offset 20, found a file of 63")
        self.assert_refused(self.saying(name, offset=2**64 - 8, length=48), "found a file of 63 bytes")
        self.assert_refused(self.saying(name, offset=0, length=44), "holds 44 bytes", "[4, 3] of float32 ask for 48")
        self.assert_refused(self.saying(name, offset="1x"), "offset: expected a number of bytes, found '1x'")
        self.assertEqual(self.arenite("plan", self.saying(name, offset=1), "-o", "x.arn").returncode, 0)

    def test_a_pipe_does_not_hang(self):
        os.mkfifo(self.folder_of_model / "pipe")
        self.assert_refused(self.saying("pipe"), "expected a regular file")

    def test_what_comes_through_a_pipe_has_no_folder(self):
        done = self.execute("bash", "-c", f"{Binaries.arenite} plan <(cat {self.outside}) -o x.arn")
        self.assert_fails(done, 2, "its data lies in the file 'model.onnx.data'", "has no folder to find it in")


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
