#!/usr/bin/env python3
"""Tests what users ask of a memory plan: --constraints, --io caller, tensors tied across methods."""

import json
import re

from cli_common import (DIGITS, REPOSITORY, Binaries, CliTest, add_model, main, model, node, npy,
                        read_npy, value_info, write)

BOARD = "mps3-an547"


def tensors(plan, variant=-1):
    return {t["name"]: (t["memory"], t["offset"]) for t in plan["variants"][variant]["tensors"]}


class Constraints(CliTest):
    def file(self, *entries):
        return write(self.folder / "c.json", json.dumps({"constraints": entries}).encode())

    def plan_with(self, *entries, words=("--board", BOARD)):
        return self.json_of("plan", DIGITS, *words, "-o", "c.arn", "--constraints",
                            self.file(*entries))

    def refused(self, texts, *entries, words=("--board", BOARD)):
        self.assert_fails(self.arenite("plan", DIGITS, *words, "-o", "never.arn", "--constraints",
                                       self.file(*entries)), 2, "c.json", *texts)
        self.assertFalse((self.folder / "never.arn").exists())

    def test_the_example_of_the_documentation(self):
        text = (REPOSITORY / "docs" / "constraints.md").read_text()
        example = re.search(r"```json\n(.*?)```", text, re.S).group(1)
        path = write(self.folder / "example.json", example.encode())
        plan = self.json_of("plan", DIGITS, "--board", BOARD, "-o", "e.arn", "--constraints", path)
        where = tensors(plan)
        self.assertNotEqual(where["image"][0], "dtcm")
        self.assertEqual(where["/2/Relu_output_0"][0], "sram")
        self.assertEqual(where["logits"], ("sram2", 4096))
        memory, offset = where["image"]
        self.assertEqual(where["/16/GlobalAveragePool_output_0"], (memory, offset + 64))

    def test_a_constrained_program_computes_the_same(self):
        images = REPOSITORY / "examples" / "digits" / "images.npy"
        self.plan_with({"tensor": "logits", "memory": "ram", "offset": 6400},
                     {"tensor": "image", "memory": "ram", "offset": 64000},
                     words=("--board", "host"))
        outputs = []
        for program in ("c.arn", self.plan(DIGITS, "--board", "host")):
            done = self.arenite("run", program, "--device", "cpu", "--input", images,
                                "--output-dir", "out")
            self.assertEqual(done.returncode, 0, done.stderr)
            outputs.append((self.folder / "out" / "logits.npy").read_bytes())
        self.assertEqual(outputs[0], outputs[1])

    def test_what_is_wrong_is_said_with_its_entry(self):
        good = {"tensor": "image", "not_in": ["dtcm"]}
        for entry, texts in (
                ({"tensor": "nonesuch", "memory": "sram"}, ["constraint 2", "'nonesuch'", "inspect"]),
                ({"tensor": "image", "memory": "attic"}, ["constraint 2", "'attic'", "dtcm, sram"]),
                ({"tensor": "image", "memory": "dtcm"}, ["constraint 2", "no memory is left"]),
                ({"tensor": "image", "tie": "/2/Relu_output_0"}, ["both live at step 0"]),
                ({"tensor": "image", "memory": "sram", "offset": 3}, ["multiple of its alignment"]),
                ({"tensor": "image", "color": "red"}, ["constraint 2 (tensor 'image')", "color"]),
                ({"tensor": "image", "not_in": ["sram"], "board": "host"}, ["'host'", "not planned"]),
        ):
            self.refused(texts, good, entry)
        self.assert_fails(self.arenite("plan", DIGITS, "--constraints", "absent.json"), 2, "absent")

    def test_entries_for_one_board(self):
        plan = self.plan_with({"tensor": "image", "memory": "sram", "board": BOARD},
                            words=("--board", BOARD, "--board", "host"))
        self.assertEqual(tensors(plan, 0)["image"][0], "sram")
        self.assertEqual(tensors(plan, 2)["image"][0], "ram")
        self.refused(["'sram'", "the memories are: ram"], {"tensor": "image", "memory": "sram"},
                     words=("--board", BOARD, "--board", "host"))

    def test_tensors_of_the_caller_lie_in_no_memory(self):
        self.refused(["left to the caller"], {"tensor": "image", "memory": "sram"},
                     words=("--board", BOARD, "--io", "caller"))

    def test_memplan(self):
        problem = write(self.folder / "p.csv", b"id,lower,upper,size\na,0,2,100\nb,1,3,50\nc,3,4,60\n")
        path = self.file({"tensor": "b", "memory": "memory", "offset": 200},
                         {"tensor": "c", "tie": "b", "distance": 8})
        result = self.json_of("memplan", problem, "--constraints", path, "-o", "s.csv")
        self.assertEqual(result["height"], 268)
        rows = (self.folder / "s.csv").read_text().split()
        self.assertEqual([row.split(",")[-1] for row in rows], ["offset", "0", "200", "208"])
        path = self.file({"tensor": "x", "memory": "memory"})
        self.assert_fails(self.arenite("memplan", problem, "--constraints", path), 2, "c.json",
                          "constraint 1", "'x'")
        path = self.file({"tensor": "a", "memory": "memory", "board": "host"})
        self.assert_fails(self.arenite("memplan", problem, "--constraints", path), 2, "board")


class Methods(CliTest):
    """x -> relu -> relu -> state, and state, u -> sum of both: state keeps its address."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.encoder = write(cls.folder / "encoder.onnx", model(
            [value_info("x", [64])], [node("Sigmoid", ["x"], ["h"]), node("Softmax", ["h"], ["state"])],
            [value_info("state", [64])]))
        cls.helper = write(cls.folder / "helper.onnx", model(
            [value_info("q", [512])], [node("Softmax", ["q"], ["r"])], [value_info("r", [512])]))
        cls.decoder = write(cls.folder / "decoder.onnx", model(
            [value_info("state", [64]), value_info("u", [64])],
            [node("Add", ["state", "u"], ["y"]), node("Softmax", ["y"], ["z"])],
            [value_info("z", [64])]))

    def plan_with(self, *entries, status=0):
        path = write(self.folder / "m.json", json.dumps({"constraints": entries}).encode())
        return self.json_of("plan", self.encoder, self.helper, self.decoder, "--board", BOARD, "-o",
                            "m.arn", "--constraints", path, status=status)

    def test_arenas_are_shared(self):
        plan = self.plan_with()
        peaks = [v["arenas"][0]["peak_bytes"] for v in plan["variants"]]
        self.assertEqual(plan["shared_arenas"], [{"board": BOARD, "device": "cpu", "name": "dtcm",
                                                  "peak_bytes": max(peaks)}])
        self.assertNotIn("shared_arenas",
                         self.json_of("plan", DIGITS, "--board", BOARD, "-o", "d.arn"))

    def test_a_tied_tensor_keeps_its_address_and_its_bytes(self):
        plan = self.plan_with({"tensor": "decoder:state", "tie": "encoder:state"})
        places = [tensors(plan, v) for v in range(3)]
        memory, offset = places[0]["state"]
        self.assertEqual(places[2]["state"], (memory, offset))
        between = [t for t in plan["variants"][1]["tensors"] if t["memory"] == memory]
        self.assertTrue(between)
        for tensor in between:
            self.assertTrue(tensor["offset"] + tensor["bytes"] <= offset or
                            offset + 256 <= tensor["offset"], tensor)
        self.assertEqual(self.arenite("inspect", "m.arn").returncode, 0)

    def test_a_tied_program_computes_the_same(self):
        x = npy("<f4", [64], [i / 64 for i in range(64)])
        write(self.folder / "x.npy", x)
        results = []
        for entries in ((), ({"tensor": "decoder:state", "tie": "encoder:state"},)):
            path = write(self.folder / "h.json", json.dumps({"constraints": entries}).encode())
            done = self.arenite("plan", self.encoder, self.helper, self.decoder, "--board", "host",
                                "-o", "h.arn", "--constraints", path)
            self.assertEqual(done.returncode, 0, done.stderr)
            done = self.arenite("run", "h.arn", "--method", "decoder", "--device", "cpu", "--input",
                                "state=x.npy", "--input", "u=x.npy", "--output-dir", "m")
            self.assertEqual(done.returncode, 0, done.stderr)
            results.append((self.folder / "m" / "z.npy").read_bytes())
        self.assertEqual(results[0], results[1])

    def test_names(self):
        self.assertIn("METHOD:TENSOR",
                      self.plan_with({"tensor": "state", "memory": "sram"}, status=2)["error"])
        plan = self.plan_with({"tensor": "u", "memory": "sram"})
        self.assertEqual(tensors(plan, 2)["u"][0], "sram")
        self.assertIn("no tensor", self.plan_with({"tensor": "helper:state", "memory": "sram"},
                                                status=2)["error"])


class CallerIo(CliTest):
    def test_inputs_and_outputs_take_no_arena_bytes(self):
        x = write(self.folder / "x.npy", npy("<f4", [2, 3], [1, 2, 3, 4, 5, 6]))
        path = write(self.folder / "add.onnx", add_model())
        plan = self.json_of("plan", path, "--io", "caller", "--board", "host", "-o", "io.arn")
        cpu = plan["variants"][-1]
        self.assertEqual((cpu["io"], cpu["arenas"]), ("caller", []))
        self.assertEqual([(a["name"], a["bytes"]) for a in cpu["caller_arenas"]],
                         [("input 0", 24), ("input 1", 24), ("output 0", 24)])
        vulkan = plan["variants"][0]
        self.assertEqual((vulkan["device"], vulkan["io"]), ("vulkan", "planned"))
        for binary in (Binaries.arenite, Binaries.arenite_run):
            words = ["run"] if binary == Binaries.arenite else []
            done = self.execute(binary, *words, "io.arn", "--device", "cpu", "--input", f"a={x}",
                                "--input", f"b={x}", "--output-dir", "o")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(read_npy(self.folder / "o" / "c.npy")[2], (2, 4, 6, 8, 10, 12))

    def test_the_digits_program_computes_the_same(self):
        images = REPOSITORY / "examples" / "digits" / "images.npy"
        outputs = []
        for io in ("planned", "caller"):
            program = self.plan(DIGITS, "--board", "host", "--io", io)
            for device in ("cpu", "auto"):
                done = self.arenite("run", program, "--device", device, "--input", images,
                                    "--output-dir", "d")
                self.assertEqual(done.returncode, 0, done.stderr)
                outputs.append((self.folder / "d" / "logits.npy").read_bytes())
        self.assertEqual(outputs[0], outputs[2])
        self.assertEqual(outputs[1], outputs[3])

    def test_emitted_source_leaves_them_to_the_firmware(self):
        done = self.arenite("plan", DIGITS, "--board", BOARD, "--io", "caller", "--emit-cc", "cc",
                            "-o", "cc.arn")
        self.assertEqual(done.returncode, 0, done.stderr)
        header = (self.folder / "cc" / "digits.h").read_text()
        self.assertIn("inputs::image::kBytes, true, false}", header)
        self.assertIn("outputs::logits::kBytes, true, false}", header)
        self.assertIn("kArenaDtcmBytes", header)

    def test_unknown_words(self):
        self.assertEqual(self.arenite("plan", DIGITS, "--io", "mine").returncode, 2)


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
