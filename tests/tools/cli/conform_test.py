#!/usr/bin/env python3
"""Tests `arenite conform`."""

import shutil
import unittest

from cli_common import (INT64, ONNX_CASES, CliTest, add_model, main, model, node, tensor,
                        value_info, write)


class Conform(CliTest):
    def case(self, name, onnx, inputs, outputs):
        """Writes a case folder of tensors as (dims, numbers[, type])."""
        folder = self.folder / name
        data = folder / "test_data_set_0"
        data.mkdir(parents=True, exist_ok=True)
        write(folder / "model.onnx", onnx)
        for kind, tensors in (("input", inputs), ("output", outputs)):
            for i, entry in enumerate(tensors):
                write(data / f"{kind}_{i}.pb", tensor("", *entry))
        return folder

    def adding(self, name, expected):
        return self.case(name, add_model(), [((2, 3), range(6)), ((2, 3), range(6))],
                         [((2, 3), expected)])

    def test_json_fields_and_status(self):
        good = self.adding("good", [0, 2, 4, 6, 8, 10])
        result = self.json_of("conform", good, "--device", "cpu")
        self.assertEqual((result["passed"], result["failed"], result["skipped"]), (1, 0, 0))
        case = result["cases"][0]
        self.assertEqual((case["name"], case["result"], case["why"], case["bound"]),
                         ("good", "passed", "", False))
        self.assertEqual(case["device"], "cpu")

    def test_a_wrong_output_fails(self):
        bad = self.adding("bad", [0, 2, 4, 6, 8.1, 10])
        result = self.json_of("conform", bad, "--device", "cpu", status=1)
        self.assertEqual((result["passed"], result["failed"]), (0, 1))
        why = result["cases"][0]["why"]
        for text in ("test_data_set_0", "output 'c'", "1 of 6", "element 4"):
            self.assertIn(text, why)
        done = self.arenite("conform", bad, "--device", "cpu")
        self.assertEqual(done.returncode, 1)
        self.assertIn("failed   bad: ", done.stdout)
        self.assertIn("0 passed, 1 failed, 0 skipped\n", done.stdout)

    def test_a_wrong_shape_fails(self):
        bad = self.case("flat", add_model(), [((2, 3), range(6))] * 2, [((6,), range(6))])
        self.assertIn("dims", self.json_of("conform", bad, status=1)["cases"][0]["why"])

    def test_a_folder_of_cases_runs_them_all(self):
        folder = self.folder / "many"
        for name, last in (("b", 10), ("a", 10), ("c", 11)):
            self.adding(f"many/{name}", [0, 2, 4, 6, 8, last])
        odd = model([value_info("a", [2])], [node("StringSplit", ["a"], ["b"])], [value_info("b", [2])])
        self.case("many/d", odd, [((2,), range(2))], [((2,), range(2))])
        write(folder / "notes.txt", b"no case")
        result = self.json_of("conform", folder, status=1)
        self.assertEqual([(c["name"], c["result"]) for c in result["cases"]],
                         [("a", "passed"), ("b", "passed"), ("c", "failed"), ("d", "skipped")])
        self.assertIn("StringSplit", result["cases"][3]["why"])
        self.assertEqual((result["passed"], result["failed"], result["skipped"]), (2, 1, 1))

    def test_inputs_that_decide_shapes_are_bound(self):
        onnx = model([value_info("x", [2, 3]), value_info("shape", [2], INT64)],
                     [node("Reshape", ["x", "shape"], ["y"])], [value_info("y", ["A", "B"])])
        case = self.case("reshape", onnx, [((2, 3), range(6)), ((2,), [3, 2], INT64)],
                         [((3, 2), range(6))])
        self.assertTrue(self.json_of("conform", case)["cases"][0]["bound"])
        self.assertIn("reshape (bound)", self.arenite("conform", case).stdout)

    def test_damaged_cases_fail_and_do_not_end_the_others(self):
        folder = self.folder / "damaged"
        self.adding("damaged/a", [0, 2, 4, 6, 8, 10])
        write(self.adding("damaged/b", [0] * 6) / "model.onnx", b"\xff\xff")
        write(self.adding("damaged/c", [0] * 6) / "test_data_set_0/input_1.pb", b"\xff\xff")
        (self.adding("damaged/d", [0] * 6) / "test_data_set_0/input_1.pb").unlink()
        shutil.rmtree(self.adding("damaged/e", [0] * 6) / "test_data_set_0")
        result = self.json_of("conform", folder, status=1)
        self.assertEqual([c["result"] for c in result["cases"]], ["passed"] + ["failed"] * 4)
        for case, text in zip(result["cases"][1:], ("ONNX", "input_1.pb", "b", "test_data_set_0")):
            self.assertIn(text, case["why"])

    def test_folders_without_cases(self):
        (self.folder / "empty").mkdir()
        self.assert_fails(self.arenite("conform", self.folder / "empty"), 2, "empty", "model.onnx")
        self.assert_fails(self.arenite("conform", self.folder / "absent"), 2, "absent")
        self.assert_fails(self.arenite("conform", self.adding("good", [0] * 6), "--device", "x"), 2,
                          "--device")

    @unittest.skipUnless(ONNX_CASES.is_dir(), "libonnx-testdata is not installed")
    def test_some_of_onnxs_own(self):
        names = ["test_relu", "test_maxpool_2d_ceil", "test_gemm_all_attributes",
                 "test_averagepool_2d_same_upper", "test_reshape_reordered_all_dims"]
        folders = [ONNX_CASES / "node" / name for name in names]
        for device in ("cpu", "auto"):
            result = self.json_of("conform", *folders, "--device", device)
            self.assertEqual((result["passed"], result["failed"], result["skipped"]), (5, 0, 0))
            self.assertEqual([case["bound"] for case in result["cases"]], [False] * 4 + [True])

    @unittest.skipUnless(ONNX_CASES.is_dir(), "libonnx-testdata is not installed")
    def test_wrong_cases_are_known_by_their_bytes(self):
        name = "test_cast_FLOAT_to_BFLOAT16"
        result = self.json_of("conform", ONNX_CASES / "node" / name, "--device", "cpu")
        self.assertEqual((result["passed"], result["failed"], result["wrong"]), (0, 0, 1))
        self.assertIn("rounds to nearest", result["cases"][0]["why"])
        done = self.arenite("conform", ONNX_CASES / "node" / name, "--device", "cpu")
        self.assertIn("0 passed, 0 failed, 0 skipped, 1 wrong as published\n", done.stdout)
        # The same name with other bytes is judged as any other.
        shutil.copytree(ONNX_CASES / "node" / name, self.folder / name)
        output = self.folder / name / "test_data_set_0" / "output_0.pb"
        bits = output.read_bytes()
        write(output, bits[:-1] + bytes([bits[-1] ^ 1]))
        result = self.json_of("conform", self.folder / name, "--device", "cpu", status=1)
        self.assertEqual((result["failed"], result["wrong"]), (1, 0))


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
