#!/usr/bin/env python3
"""Tests floats that a GPU keeps in 16 bits: --precision, --keep-fp32, models of float16, and what stays float32."""

from cli_common import CliTest, main, model, node, npy, read_npy, tensor, value_info, write

HALF = 10  # TensorProto.FLOAT16


def weights(count, scale=0.01):
    return [scale * ((i * 7) % 23 - 11) for i in range(count)]


def chain(dims=(1, 4, 8, 8), border=0.0, longer=0):
    """Two convolutions, a pad, a pool and a sum; `longer` more convolutions before them, and behind."""
    def convolutions(name):
        return [node("Conv", [f"{name}{i}" if i else name, "v"], [f"{name}{i + 1}"], f"{name}_{i}", pads=[1, 1, 1, 1])
                for i in range(longer)]

    x, pooled = (f"x{longer}", f"pooled{longer}") if longer else ("x", "pooled")
    return model(
        [value_info("x", dims)],
        [*convolutions("x"),
         node("Conv", [x, "w", "b"], ["first"], "first", pads=[1, 1, 1, 1]),
         node("Relu", ["first"], ["rectified"], "relu"),
         node("Conv", ["rectified", "v"], ["second"], "second", pads=[1, 1, 1, 1]),
         node("Pad", ["second", "pads", "border"], ["padded"], "pad"),
         node("MaxPool", ["padded"], ["pooled"], "pool", kernel_shape=[2, 2], strides=[2, 2]),
         *convolutions("pooled"),
         node("Sigmoid", [pooled], ["squashed"], "squash"),
         node("Add", ["squashed", pooled], ["y"], "add")],
        [value_info("y", [dims[0], 4, dims[2] // 2 + 1, dims[3] // 2 + 1])],
        [tensor("w", [4, 4, 3, 3], weights(144)), tensor("b", [4], weights(4)), tensor("v", [4, 4, 3, 3], weights(144)),
         tensor("pads", [8], [0, 0, 1, 1, 0, 0, 1, 1], 7), tensor("border", [], [border])])


def variance():
    """The variance of each row by the mean of squares: a small difference of large numbers."""
    return model(
        [value_info("x", [16, 64])],
        [node("Mul", ["x", "x"], ["squares"], "square"),
         node("ReduceMean", ["squares"], ["mean_square"], "m2", axes=[1]),
         node("ReduceMean", ["x"], ["mean"], "m1", axes=[1]),
         node("Mul", ["mean", "mean"], ["squared_mean"], "sq"),
         node("Sub", ["mean_square", "squared_mean"], ["variance"], "diff"),
         node("Mul", ["x", "variance"], ["scaled"], "scale"),
         node("Relu", ["scaled"], ["rectified"], "relu"),
         node("Abs", ["rectified"], ["size"], "abs"),
         node("Sigmoid", ["size"], ["squashed"], "squash"),
         node("Add", ["squashed", "scaled"], ["y"], "add")],
        [value_info("y", [16, 64])])


class Halves(CliTest):
    def variants(self, program):
        """The Vulkan variants of a program's only method."""
        method, = self.json_of("inspect", program)["methods"]
        return [v for v in method["variants"] if v["device"] == "vulkan"]

    def device_bytes(self, variant):
        arena, = [a for a in variant["arenas"] if a["kind"] == "device"]
        return arena["bytes"]

    def shaders(self, variant):
        return [step["shader"] for step in variant["step_list"] if step["shader"]]

    def dtype(self, variant, name):
        return {v["dtype"] for v in variant["values"] if v["name"] == name}

    def compare(self, program):
        if not self.has_vulkan():
            self.skipTest("this machine has no Vulkan device")
        done = self.json_of("compare", program)
        self.assertTrue(done["agree"], done)
        return done

    def test_a_model_of_float32(self):
        """--precision fp16 halves the arena, and leaves the float32 variant for devices without 16-bit storage."""
        program = self.plan(chain((1, 4, 32, 32)), "--precision", "fp16")
        half, wide = self.variants(program)
        self.assertEqual(half["requirements"].get("storage_16bit"), 1)
        self.assertNotIn("storage_16bit", wide["requirements"])
        self.assertLessEqual(self.device_bytes(half), 0.55 * self.device_bytes(wide))
        self.assertTrue(all(shader.endswith("_half") or shader in ("cast", "move") for shader in self.shaders(half)),
                        self.shaders(half))
        self.assertFalse([shader for shader in self.shaders(wide) if shader.endswith("_half")])
        # Inputs and outputs are cast on their way, with no transfer beside.
        self.assertEqual((half["transfers"], wide["transfers"]), (0, 2))
        done = self.compare(program)
        self.assertGreater(len([v for v in done["values"] if "float16" in str(v)]), 2)

    def test_without_the_option(self):
        variant, = self.variants(self.plan(chain()))
        self.assertEqual(self.dtype(variant, "first"), set())
        self.assertFalse([shader for shader in self.shaders(variant) if shader.endswith("_half")])

    def test_a_model_of_float16(self):
        """What the model has in 16 bits stays so on a device; --precision fp32 widens it."""
        half_weights = node("Cast", ["w32"], ["w"], "narrow", to=HALF)
        network = model(
            [value_info("x", [1, 4, 16, 16], HALF)],
            [half_weights,
             node("Conv", ["x", "w"], ["first"], "first", pads=[1, 1, 1, 1]), node("Relu", ["first"], ["r"], "relu"),
             node("Conv", ["r", "w"], ["second"], "second", pads=[1, 1, 1, 1]),
             node("Sigmoid", ["second"], ["s"], "squash"), node("Abs", ["s"], ["a"], "abs"),
             node("Softmax", ["a"], ["y"], "soft", axis=3)],
            [value_info("y", [1, 4, 16, 16], HALF)],
            [tensor("w32", [4, 4, 3, 3], weights(144))])
        program = self.plan(network)
        half, wide = self.variants(program)
        self.assertLessEqual(self.device_bytes(half), 0.55 * self.device_bytes(wide))
        self.compare(program)
        only, = self.variants(self.plan(network, "--precision", "fp32"))
        self.assertEqual(self.device_bytes(only), self.device_bytes(wide))

    def test_statistics_stay_in_float32(self):
        half, _ = self.variants(self.plan(variance(), "--precision", "fp16"))
        for name in ("mean_square", "mean", "squared_mean", "variance"):
            self.assertIn("float32", self.dtype(half, name), name)
        self.assertEqual(self.dtype(half, "squares"), {"float16"})

    def test_a_constant_beyond_16_bits_keeps_its_step_in_float32(self):
        half, _ = self.variants(self.plan(chain(border=-1e6, longer=8), "--precision", "fp16"))
        pad, = [step for step in half["step_list"] if "pad" in step["nodes"] and step["where"] == "vulkan"][:1]
        self.assertEqual({half["values"][v]["dtype"] for v in pad["outputs"]}, {"float32"})

    def test_values_that_are_to_stay(self):
        half, _ = self.variants(self.plan(chain(longer=8), "--precision", "fp16", "--keep-fp32", "pooled"))
        self.assertIn("float32", self.dtype(half, "pooled"))
        network = write(self.folder / "c.onnx", chain())
        done = self.arenite("plan", network, "--precision", "fp16", "--keep-fp32", "poled", "-o", "x.arn")
        self.assert_fails(done, 2, "--keep-fp32", "poled", "did you mean", "pooled")

    def test_dims_that_callers_choose(self):
        program = self.plan(chain(("N", 4, 8, 8)), "--dim", "N=1..3", "--precision", "fp16")
        half, _ = self.variants(program)
        self.assertTrue([shader for shader in self.shaders(half) if shader.endswith("_half")])
        if not self.has_vulkan():
            self.skipTest("this machine has no Vulkan device")
        for images in (1, 2, 3):
            x = write(self.folder / "x.npy", npy("<f4", (images, 4, 8, 8), weights(256 * images, 0.1)))
            found = {}
            for device in ("cpu", "vulkan"):
                run = self.json_of("run", program, "--input", x, "--device", device, "--output-dir", device)
                found[device] = read_npy(self.folder / run["outputs"][0]["file"])
            self.assertEqual(found["cpu"][:2], found["vulkan"][:2])
            largest = max(abs(number) for number in found["cpu"][2])
            for a, b in zip(found["cpu"][2], found["vulkan"][2]):
                self.assertLessEqual(abs(a - b), 2e-2 * largest)


if __name__ == "__main__":
    main()
# SPDX-License-Identifier: Apache-2.0
