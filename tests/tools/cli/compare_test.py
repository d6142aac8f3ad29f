#!/usr/bin/env python3
"""Tests `arenite compare`: two programs, one on two devices, models; what differs first, what cannot be
compared."""

from cli_common import (DIGITS, CliTest, main, model, node, npy, tensor, value_info, write)
from image_files import png


def chain(middle=1.0, last=1.0):
    """x -> add -> scaled -> clipped -> y, with weights to tamper with."""
    return model(
        [value_info("x", [1, 4])],
        [node("Add", ["x", "one"], ["added"], "first"),
         node("Mul", ["added", "middle"], ["scaled"], "second"),
         node("Softmax", ["scaled"], ["soft"], "third", axis=1),
         node("Mul", ["soft", "last"], ["y"], "fourth")],
        [value_info("y", [1, 4])],
        [tensor("one", [1], [1.0]), tensor("middle", [1], [middle]), tensor("last", [1], [last])])


def branches():
    """Two products side by side, joined, and a clip that can be fused."""
    return model(
        [value_info("x", [1, 2, 4, 4])],
        [node("Mul", ["x", "two"], ["left"], "l"), node("Add", ["x", "two"], ["right"], "r"),
         node("Concat", ["left", "right"], ["joined"], "join", axis=1),
         node("Mul", ["joined", "two"], ["doubled"], "d"), node("Relu", ["doubled"], ["y"], "clip")],
        [value_info("y", [1, 4, 4, 4])], [tensor("two", [1], [2.0])])


class Compare(CliTest):
    def compare(self, *words, status=0):
        return self.json_of("compare", *words, status=status)

    def names(self, comparison):
        return [value["value"] for value in comparison["values"]]

    def test_a_program_agrees_with_itself(self):
        program = self.plan(chain())
        done = self.compare(program, program)
        self.assertTrue(done["agree"])
        self.assertIsNone(done["first_difference"])
        self.assertEqual(self.names(done), ["added", "scaled", "soft", "y"])
        self.assertTrue(all(value["max_abs"] == 0 for value in done["values"]))
        self.assertEqual((done["a"]["device"], done["b"]["device"]), ("cpu", "cpu"))
        self.assertEqual((done["inputs"], done["not_compared"]), ("made up", []))
        self.assertEqual([output["name"] for output in done["outputs"]], ["y"])
        # Made-up inputs are the same ones.
        self.assertEqual(done, self.compare(program, program))

    def test_the_first_difference_is_named(self):
        a, b = self.plan(chain()), self.plan(chain(middle=1.5))
        x = write(self.folder / "x.npy", npy("<f4", (1, 4), (1, 2, 3, 4)))
        done = self.compare(a, b, "--input", x, status=1)
        self.assertFalse(done["agree"])
        self.assertEqual([value["agrees"] for value in done["values"]], [True, False, False, False])
        first = done["first_difference"]
        self.assertEqual((first["name"], first["step_a"], first["step_b"]),
                         ("scaled", "step 1 (second)", "step 1 (second)"))
        self.assertEqual((first["max_abs"], first["max_rel"], first["beyond"]), (2.5, 0.5, 4))
        self.assertEqual(first["worst"], {"index": [0, 3], "expected": 5, "found": 7.5})
        text = self.arenite("compare", a, b, "--input", x)
        self.assertEqual(text.returncode, 1)
        self.assertIn("first difference: scaled, written by step 1 (second) in A, step 1 (second) in B:"
                      " 4 of 4 elements differ", text.stdout)
        self.assertRegex(text.stdout, r"(?m)^\*\s+2.5\s+0.5  scaled float32\[1,4\], step 1 \(second\)$")
        self.assertRegex(text.stdout, r"(?m)^output y: \d of 4 elements differ")
        # All within a tolerance wide enough.
        self.assertTrue(self.compare(a, b, "--input", x, "--tolerance", "1")["agree"])

    def test_steps_may_differ_where_outputs_agree(self):
        a, b = self.plan(chain(1.0, 0.0)), self.plan(chain(2.0, 0.0))
        done = self.compare(a, b)
        self.assertTrue(done["agree"])
        self.assertEqual(done["first_difference"]["name"], "scaled")

    def test_plans_with_other_options(self):
        whole = self.plan(branches())
        for words, only in ((("--disable", "fuse_activation"), {"doubled"}),
                            (("--disable", "concat_in_place"), {"left", "right"}),
                            (("--disable", "in_place", "--disable", "order"), set()),
                            (("--memory-planner", "naive", "--io", "caller"), set())):
            other = self.plan(branches(), *words)
            done = self.compare(whole, other)
            self.assertTrue(done["agree"], words)
            self.assertIsNone(done["first_difference"])
            self.assertLessEqual({"joined", "y"}, set(self.names(done)))
            self.assertTrue(all(value["max_abs"] == 0 for value in done["values"]))
            self.assertEqual({one["value"] for one in done["not_compared"]
                              if one["why"].startswith("only B")}, only)

    def test_models_are_planned(self):
        path = write(self.folder / "chain.onnx", chain())
        program = self.plan(chain())
        for words in ((path, path), (program, path), (path, program)):
            self.assertEqual(self.names(self.compare(*words)), ["added", "scaled", "soft", "y"])
        nothing = write(self.folder / "nothing.txt", b"no model")
        self.assert_fails(self.arenite("compare", nothing, program), 2, "nothing.txt", "no program")
        self.assert_fails(self.arenite("compare", "absent.arn", program), 2, "absent.arn")

    def test_what_is_no_pair(self):
        program = self.plan(chain())
        digits = self.plan(DIGITS)
        self.assert_fails(self.arenite("compare", program, digits), 2, "same inputs",
                          "x float32[1,4]", "image float32[1,1,8,8]")
        renamed = self.plan(model([value_info("x", [1, 4])], [node("Relu", ["x"], ["z"])],
                                  [value_info("z", [1, 4])]))
        self.assert_fails(self.arenite("compare", program, renamed), 2, "same outputs",
                          "y float32[1,4]", "z float32[1,4]")
        stack = write(self.folder / "stack.npy", npy("<f4", (2, 1, 4), range(8)))
        self.assert_fails(self.arenite("compare", program, program, "--input", stack), 2, "runs once")
        self.assert_fails(self.arenite("compare", program, program, "--method", "other"), 2, "other")
        self.assert_fails(self.arenite("compare", program, program, "--device-b", "gpu"), 2, "gpu")
        self.assert_fails(self.arenite("compare", program, program, "--tolerance", "-1"), 2,
                          "--tolerance")
        # If a named device is missing, nothing else is compared in its place.
        done = self.arenite("compare", program, program, "--device-b", "vulkan:no such device")
        self.assert_fails(done, 1, "no such device")

    def test_inputs_and_outputs_in_another_order(self):
        def subtract(names, outputs):
            return model([value_info(name, [1, 2]) for name in names],
                         [node("Div", ["a", "b"], ["p"]), node("Mul", ["a", "b"], ["q"])],
                         [value_info(name, [1, 2]) for name in outputs])
        one, other = self.plan(subtract("ab", "pq")), self.plan(subtract("ba", "qp"))
        a = write(self.folder / "a.npy", npy("<f4", (1, 2), (3, 5)))
        b = write(self.folder / "b.npy", npy("<f4", (1, 2), (4, 7)))
        for words in ((), ("--input", f"a={a}", "--input", f"b={b}")):
            self.assertTrue(self.compare(one, other, "--tolerance", "0", *words)["agree"])

    def test_image_inputs(self):
        program = self.plan(model([value_info("x", [1, 3, 2, 2])], [node("Relu", ["x"], ["y"])],
                                  [value_info("y", [1, 3, 2, 2])]))
        image = write(self.folder / "i.png", png(2, 2, 3, range(12)))
        self.assertEqual(self.compare(program, program, "--input", image, "--scale", "1/255")["inputs"],
                         "given")


class OnVulkan(CliTest):
    def setUp(self):
        if not self.has_vulkan():
            self.skipTest("no Vulkan device")

    def test_one_program_on_two_devices(self):
        for words in ((DIGITS,), (self.plan(DIGITS),), (DIGITS, DIGITS, "--device-b", "vulkan"),
                      (DIGITS, DIGITS, "--device-a", "vulkan")):
            done = self.json_of("compare", *words)
            self.assertTrue(done["agree"])
            self.assertIn("vulkan", (done["a"]["device"], done["b"]["device"]))
            self.assertIn("cpu", (done["a"]["device"], done["b"]["device"]))
            self.assertEqual(done["not_compared"], [])
            self.assertEqual(len(done["values"]), 8)
            self.assertTrue(all(value["agrees"] for value in done["values"]))
            self.assertFalse(done["a"]["race"] or done["b"]["race"])
            self.assertEqual(done["values"][-1]["name"], "logits")

    def test_a_difference_on_the_device_is_found(self):
        a, b = self.plan(chain()), self.plan(chain(middle=1.5))
        for words in ((a, b, "--device-b", "vulkan"), (b, a, "--device-a", "vulkan")):
            done = self.json_of("compare", *words, status=1)
            self.assertEqual([value["agrees"] for value in done["values"]],
                             [True, False, False, False])
            self.assertIn("(second)", done["first_difference"]["step_b"])


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
