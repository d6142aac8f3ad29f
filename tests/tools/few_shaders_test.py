#!/usr/bin/env python3
# Tests arenite-run where few of the shaders are linked (ARENITE_SHADERS).
"""few_shaders_test.py EMBED_SHADERS SHADERS_DEF SPIRV_FOLDER --arenite PATH --arenite-run PATH

The arenite-run given holds shader unary alone, and what it tests devices with.
"""
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "cli"))
from cli_common import CliTest, main, model, node, npy, read_npy, value_info, write  # pylint: disable=wrong-import-position

EMBED, ROWS, SPIRV = sys.argv[1:4]
del sys.argv[1:4]
X = [3, -2, 0.5, -7, 11, 4]
VALIDATED = {"ARENITE_VK_VALIDATION": "1"}


class FewShaders(CliTest):
    def program(self, op, dims, **attributes):
        return self.plan(model([value_info("x", [2, 3])], [node(op, ["x"], ["y"], **attributes)],
                               [value_info("y", dims)]))

    def run_on_vulkan(self, program, *words):
        x = write(self.folder / "x.npy", npy("<f4", (2, 3), X))
        return self.arenite_run(program, "--input", x, "--device", "vulkan", "--output-dir", "out", *words,
                                environment=VALIDATED)

    def result(self):
        return read_npy(self.folder / "out" / "y.npy")[2]

    def setUp(self):
        if not self.has_vulkan():
            self.skipTest("this machine has no Vulkan device")

    def test_a_program_whose_shaders_are_linked_runs(self):
        done = self.run_on_vulkan(self.program("Relu", [2, 3]))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("device vulkan", done.stdout)
        self.assertIn("1 on Vulkan, 0 on CPU", done.stdout)
        self.assertEqual(self.result(), (3, 0, 0.5, 0, 11, 4))

    def test_one_that_needs_another_is_refused_by_the_shaders_name(self):
        program = self.program("ReduceMax", [2], axes=[1], keepdims=0)
        reason = "shader reduce is not linked into this build (ARENITE_SHADERS)"
        self.assert_fails(self.run_on_vulkan(program), 1, reason)
        done = self.run_on_vulkan(program, "--allow-fallback")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("device cpu", done.stdout)
        self.assertIn(reason, done.stdout)
        self.assertEqual(self.result(), (3, 11))

    def test_which_it_takes_is_what_inspect_lists(self):
        inspected = self.json_of("inspect", self.program("Relu", [2, 3]))
        steps = [step for method in inspected["methods"] for variant in method["variants"] for step in variant["step_list"]]
        self.assertEqual({step["shader"] for step in steps if step["shader"]}, {"unary"})


class Embedding(unittest.TestCase):
    def embed(self, *shaders):
        with tempfile.TemporaryDirectory() as folder:
            files = [Path(folder) / name for name in ("table.cc", "needs.cc")]
            done = subprocess.run([EMBED, ROWS, SPIRV, *files, *shaders], capture_output=True, text=True, check=False)
            return done, files[0].read_text() if files[0].exists() else ""

    def test_the_named_shaders_and_the_self_tests_are_linked(self):
        done, table = self.embed("softmax", "pool")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(set(re.findall(r'\{k\w+, \d+, .*"(\w+)"\}', table)), {"binary", "index_check", "pool", "softmax"})
        self.assertRegex(done.stdout, r"^shaders: 4 of \d+ linked, \d+ of \d+ bytes$")

    def test_a_name_that_no_shader_has(self):
        done, table = self.embed("softmax", "sofmax")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("ARENITE_SHADERS: there is no shader ['sofmax'], expected some of", done.stderr)
        self.assertEqual(table, "")


if __name__ == "__main__":
    main()
# SPDX-License-Identifier: Apache-2.0
