#!/usr/bin/env python3
"""Tests `arenite quantize`, and what integer models take and give."""
import json
import struct

from cli_common import DIGITS, SHARED, CliTest, add_model, main, model, node, npy, read_npy, tensor, value_info, write
from image_files import png

DIGITS_SAMPLES = DIGITS.parent / "calibration"


def two_inputs():
    """y = a * w + b, with a relu."""
    return model([value_info("a", [1, 4]), value_info("b", [1, 3])],
                 [node("MatMul", ["a", "w"], ["m"], "product"), node("Add", ["m", "b"], ["s"], "sum"),
                  node("Relu", ["s"], ["y"], "relu")],
                 [value_info("y", [1, 3])],
                 [tensor("w", [4, 3], [0.5, -1, 2, 1, 0.25, -0.5, 3, 1, -2, 0.1, 0.2, 0.3])])


class Quantize(CliTest):
    def test_digits(self):
        report = self.json_of("quantize", DIGITS, "--calibration", DIGITS_SAMPLES, "-o", "digits_int8.onnx")
        self.assertEqual((report["samples"], report["float_nodes"]), (64, []))
        self.assertLess(report["bytes"], 20917)
        (output,) = report["outputs"]
        self.assertGreater(output["sqnr_db"], 25)
        self.assertEqual((output["name"], output["samples"]), ("logits", 16))
        self.assertGreaterEqual(output["same_top"], 15)
        convolutions = [t for t in report["tensors"] if t["op"] in ("Conv", "Relu")]
        self.assertEqual(len(convolutions), 5)
        self.assertTrue(all(t["zero_point"] == -128 and t["sqnr_db"] > 20 for t in convolutions))
        for ranges in ("percentile", "entropy"):
            other = self.json_of("quantize", DIGITS, "--calibration", DIGITS_SAMPLES, "-o", f"{ranges}.onnx",
                                 "--ranges", ranges)
            self.assertGreater(other["outputs"][0]["sqnr_db"], 15)
            self.assertNotEqual(json.dumps(other["tensors"]), json.dumps(report["tensors"]))
        text = self.arenite("quantize", DIGITS, "--calibration", DIGITS_SAMPLES, "-o", "again.onnx")
        self.assertEqual((text.returncode, text.stderr), (0, ""))
        self.assertIn("ranges by 64 samples", text.stdout)
        self.assertEqual((self.folder / "again.onnx").read_bytes(), (self.folder / "digits_int8.onnx").read_bytes())

    def test_native_inputs_and_outputs(self):
        self.json_of("quantize", DIGITS, "--calibration", DIGITS_SAMPLES, "-o", "digits_int8.onnx")
        floats = self.plan(self.folder / "digits_int8.onnx")
        native = self.plan(self.folder / "digits_int8.onnx", "--io-type", "native")
        method = self.json_of("inspect", native)["methods"][0]
        (image,), (logits,) = method["inputs"], method["outputs"]
        self.assertEqual((image["dtype"], logits["dtype"]), ("int8", "int8"))
        _, dims, pixels = read_npy(DIGITS_SAMPLES / "images.npy")
        scale, zero = image["quantisation"]["scale"], image["quantisation"]["zero_point"]
        integers = [max(-128, min(127, round(p / scale) + zero)) for p in pixels[:64]]
        write(self.folder / "float.npy", npy("<f4", dims[1:], pixels[:64]))
        write(self.folder / "int8.npy", npy("|i1", dims[1:], integers))
        self.json_of("run", floats, "--device", "cpu", "--input", "image=float.npy", "--output-dir", "f")
        self.json_of("run", native, "--device", "cpu", "--input", "image=int8.npy", "--output-dir", "n")
        numbers = read_npy(self.folder / "f" / "logits.npy")[2]
        found = read_npy(self.folder / "n" / "logits.npy")[2]
        scale, zero = logits["quantisation"]["scale"], logits["quantisation"]["zero_point"]
        as_float32 = [struct.unpack("<f", struct.pack("<f", (q - zero) * scale))[0] for q in found]
        for one, other in zip(as_float32, numbers):
            self.assertAlmostEqual(one, other, delta=1e-6 * abs(one))
        # A model of floats has no integers to give.
        self.json_of("plan", DIGITS, "--io-type", "native", "-o", "plain.arn")

    def test_samples_of_several_inputs(self):
        write(self.folder / "two.onnx", two_inputs())
        for sample in range(2):
            folder = self.folder / "samples" / f"{sample}"
            folder.mkdir(parents=True, exist_ok=True)
            write(folder / "a.npy", npy("<f4", [1, 4], [sample - 1, 1, 0.5, -0.25]))
            write(folder / "input_1.npy", npy("<f4", [1, 3], [0.5, sample, -1]))
        done = self.arenite("quantize", "two.onnx", "--calibration", "samples", "-o", "two_int8.onnx")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("has 2 samples; ranges seen in fewer than 32 are often too narrow", done.stderr)
        self.assertIn("output y:", done.stdout)
        (self.folder / "samples" / "1" / "a.npy").unlink()
        self.refused("no file for input 'a'", "two.onnx", "samples")
        write(self.folder / "samples" / "1" / "c.npy", npy("<f4", [1], [0]))
        self.refused("no input of the model is called so, expected 'a', 'b'", "two.onnx", "samples")
        (self.folder / "flat").mkdir()
        write(self.folder / "flat" / "a.npy", npy("<f4", [1, 4], [0, 0, 0, 0]))
        self.refused("expected a folder with a file for each", "two.onnx", "flat")

    def refused(self, text, model_file, samples, *words):
        done = self.arenite("quantize", model_file, "--calibration", samples, "-o", "none.onnx", *words)
        self.assert_fails(done, 2, text)
        self.assertFalse((self.folder / "none.onnx").exists())

    def test_refusals(self):
        (self.folder / "empty").mkdir()
        self.refused("is empty, expected samples", DIGITS, "empty")
        self.refused("nowhere: expected a folder", DIGITS, "nowhere")
        (self.folder / "narrow").mkdir()
        write(self.folder / "narrow" / "0.npy", npy("<f4", [1, 1, 8, 7], [0] * 56))
        self.refused("expected float32[1,1,8,8] for input 'image', found float32[1,1,8,7]", DIGITS, "narrow")
        self.refused("no sample is one (.png, .jpg)", DIGITS, DIGITS_SAMPLES, "--mean", "3")
        self.refused("expected a number above 50", DIGITS, DIGITS_SAMPLES, "--percentile", "20")
        write(self.folder / "add.onnx", add_model())
        self.refused("expected a folder with a file for each", "add.onnx", DIGITS_SAMPLES)
        write(self.folder / "model.tflite", b"\x1c\x00\x00\x00TFL3" + bytes(64))
        self.refused("is a TensorFlow Lite model", "model.tflite", DIGITS_SAMPLES)
        self.json_of("quantize", DIGITS, "--calibration", DIGITS_SAMPLES, "-o", "digits_int8.onnx")
        self.refused("is quantized already", "digits_int8.onnx", DIGITS_SAMPLES)

    def test_what_is_no_sample_is_skipped(self):
        photos = self.folder / "photos"
        (photos / "__MACOSX").mkdir(parents=True)
        write(photos / "__MACOSX" / "notes.txt", b"")
        write(photos / "images.npy", (DIGITS_SAMPLES / "images.npy").read_bytes())
        for name in ("Thumbs.db", "desktop.ini", "labels.txt"):
            write(photos / name, b"\xd0\xcf\x11\xe0")
        done = self.arenite("quantize", DIGITS, "--calibration", photos, "-o", "skipped.onnx")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(f"note: {photos}: skipped what is no sample: Thumbs.db, __MACOSX, desktop.ini, labels.txt\n",
                      done.stderr)
        self.assertIn("ranges by 64 samples", done.stdout)
        # Beside the inputs of one sample too; a sample that is damaged is still an error.
        pair = self.folder / "pairs" / "0"
        pair.mkdir(parents=True)
        write(self.folder / "pair.onnx", two_inputs())
        write(pair / "a.npy", npy("<f4", [1, 4], range(4)))
        write(pair / "b.npy", npy("<f4", [1, 3], range(3)))
        write(pair / "Thumbs.db", b"\xd0\xcf\x11\xe0")
        done = self.arenite("quantize", "pair.onnx", "--calibration", "pairs", "-o", "pair_int8.onnx")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("skipped what is no sample: 0/Thumbs.db", done.stderr)
        write(photos / "broken.npy", b"\x93NUMPY")
        self.refused("broken.npy", DIGITS, photos)
        (self.folder / "junk").mkdir()
        write(self.folder / "junk" / "Thumbs.db", b"")
        self.refused("junk: has no sample, expected samples: .npy, .pb, .bin or images; found Thumbs.db", DIGITS,
                     "junk")

    def test_photographs_may_keep_their_aspect_ratio(self):
        (self.folder / "wide").mkdir()
        write(self.folder / "wide" / "0.png", png(16, 8, 1, range(128)))
        self.refused("--resize, --letterbox or --center-crop scales it", DIGITS, "wide")
        for words in (["--resize"], ["--letterbox", "0"], ["--center-crop"]):
            self.json_of("quantize", DIGITS, "--calibration", "wide", "-o", "wide.onnx", "--scale", "1/255", *words)

    def test_a_real_model(self):
        folder = SHARED / "models" / "onnx_mnist8"
        if not folder.exists():
            self.skipTest("no real models here")
        (self.folder / "mnist").mkdir()
        write(self.folder / "mnist" / "0.bin", (folder / "in_0.bin").read_bytes())
        report = self.json_of("quantize", folder / "model.onnx", "--calibration", "mnist", "-o", "mnist_int8.onnx")
        self.assertEqual(report["outputs"][0]["same_top"], 1)


if __name__ == "__main__":
    main()
# SPDX-License-Identifier: Apache-2.0
