#!/usr/bin/env python3
"""Tests `arenite ops`, and that docs/ops.md is what it prints."""
from pathlib import Path

from cli_common import DIGITS, CliTest, main, model, node, value_info, write

DOCUMENT = Path(__file__).resolve().parents[3] / "docs" / "ops.md"


class Ops(CliTest):
    def test_all_are_listed_with_types(self):
        operators = {op["name"]: op for op in self.json_of("ops")["operators"]}
        self.assertEqual(operators["LSTM"]["becomes"], ["lstm"])
        self.assertEqual((operators["LSTM"]["cpu"], operators["LSTM"]["gpu"]), (["float32"], ["float32"]))
        self.assertIn("int32", operators["Add"]["gpu"])
        self.assertEqual(operators["Gemm"]["becomes"], ["matmul"])
        self.assertFalse(operators["SequenceAt"]["supported"])
        self.assertIn("Concat, Split and Slice", operators["SequenceAt"]["instead"])
        self.assertTrue(operators["Loop"]["supported"])
        self.assertEqual(operators["tflite.CONV_2D"]["becomes"], ["conv"])
        self.assertEqual(operators["tflite.TFLite_Detection_PostProcess"]["gpu"], [])
        self.assertEqual(operators["tflite.SCATTER_ND"]["instead"], "those that 'arenite ops' lists")
        self.assertEqual([name for name, op in operators.items() if not op["supported"] and not op["instead"]], [])
        self.assertEqual(len(operators), len(self.json_of("ops")["operators"]), "each has a name of its own")
        text = self.arenite("ops")
        self.assertEqual(text.returncode, 0)
        self.assertIn("Relu: CPU numbers; GPU float32, uint8, int8, uint16, int16, int32\n", text.stdout)
        self.assertIn("SequenceAt: sequences are out of scope; instead: Concat, Split and Slice",
                      text.stdout)

    def test_those_of_a_model(self):
        report = self.json_of("ops", DIGITS)
        self.assertTrue(all(op["supported"] for op in report["operators"]))
        self.assertEqual({op["name"]: op["count"] for op in report["operators"]}["Conv"], 5)
        write(self.folder / "odd.onnx", model([value_info("x", [2])], [
            node("Relu", ["x"], ["a"]), node("Unheard", ["a"], ["b"]), node("SequenceAt", ["b"], ["y"])],
            [value_info("y", [2])]))
        odd = {op["name"]: op for op in self.json_of("ops", "odd.onnx", status=1)["operators"]}
        self.assertEqual([name for name, op in odd.items() if op["supported"]], ["Relu"])
        self.assertEqual(odd["Unheard"]["why"], "operator is not supported")
        self.assertTrue(odd["Unheard"]["instead"])

    def test_the_document_is_what_is_printed(self):
        self.assertEqual(DOCUMENT.read_text(encoding="utf-8"), self.arenite("ops", "--markdown").stdout,
                         "docs/ops.md is out of date: arenite ops --markdown > docs/ops.md")
        self.assert_fails(self.arenite("ops", "--markdown", "--json"), 2, "--markdown")


if __name__ == "__main__":
    main()
# SPDX-License-Identifier: Apache-2.0
