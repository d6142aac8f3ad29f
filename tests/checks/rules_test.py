#!/usr/bin/env python3
"""Checks that includes.py and style.py pass good files and catch what is planted in them."""

import json
import pathlib
import subprocess
import tempfile
import unittest

from checks_common import run_check

TAG = "// SPDX-License-Identifier: Apache-2.0\n"
GOOD = "// Adds numbers.\n#include \"core/status.h\"\n" + TAG
OPS = ("// The operators.\nARENITE_OP(1, add, Add, binary, Number)\nARENITE_OP(2, reshape, Reshape, view, Any)\n"
       "ARENITE_OP(3, softmax, Softmax, own, Float32)\n" + TAG)
FORMS = ("// The forms.\nARENITE_FORM(Add, 1, integers, Integer, kNone, \"reference/binary.cc\")\n"
         "ARENITE_FORM(Add, 0, float32, Float, kNone, \"reference/binary.cc\")\n"
         "ARENITE_FORM(Softmax, 0, any, Any, kNone, \"reference/softmax.cc\")\n" + TAG)
NAMES = ("// The imported operators.\nARENITE_ONNX(Add, binary(context, context.op()), becomes(kAdd))\n"
         "ARENITE_ONNX_OWN(Softmax, softmax, becomes(kSoftmax))\n" + TAG)
PRESETS = json.dumps({kind: [{"name": "host"}, {"name": "cortex-m4"}]
                      for kind in ("configurePresets", "buildPresets", "workflowPresets")})
HALVES = ["ops/binary.cc", "portable_fallback/reference/binary.cc", "kernels/dispatch/binary.cc",
          "kernels/glsl/binary.comp", "tests/ops/binary_cases.cc", "ops/view.cc",
          "ops/softmax.cc", "portable_fallback/reference/softmax.cc", "tests/ops/softmax_cases.cc",
          "planner/import/onnx/operators/softmax.cc"]


class Rules(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self.scratch.cleanup)
        self.root = pathlib.Path(self.scratch.name)
        subprocess.run(["git", "init", "-q", self.root], check=True)
        self.write("schema/ops.def", OPS)
        self.write("schema/forms.def", FORMS)
        self.write("toolchains/cortex-m4.cmake", "# Compiles for a Cortex-M4.\n# SPDX-License-Identifier: Apache-2.0\n")
        self.write("CMakePresets.json", PRESETS)
        self.write("planner/import/onnx/operators/names.def", NAMES)
        for half in HALVES:
            self.write(half, "// A half of an operator.\n" + TAG)
        self.write("core/status.h", "// What went wrong.\n" + TAG)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def check(self, script):
        subprocess.run(["git", "-C", self.root, "add", "-A"], check=True)
        return run_check(script, self.root)

    def assert_passes(self, script):
        done = self.check(script)
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)

    def assert_caught(self, script, *texts):
        done = self.check(script)
        self.assertEqual(done.returncode, 1, done.stderr)
        for text in texts:
            self.assertIn(text, done.stdout)

    def test_a_good_tree_passes(self):
        for folder in ("core", "ops", "portable_fallback", "kernels", "vk", "planner", "tools"):
            self.write(f"{folder}/sum.cc", GOOD)
        self.assert_passes("includes.py")
        self.assert_passes("style.py")

    def test_toolchains_and_presets_that_differ(self):
        self.write("CMakePresets.json", PRESETS.replace("cortex-m4", "cortex-m0", 1))
        self.assert_caught("style.py", "configurePresets has cortex-m0, which is no toolchains/*.cmake",
                           "configurePresets lacks toolchains/cortex-m4.cmake")

    def test_includes_against_the_arrows(self):
        for folder, target in (("core", "portable_fallback"), ("core", "ops"), ("core", "planner"),
                               ("ops", "portable_fallback"), ("vk", "planner"),
                               ("portable_fallback", "kernels"), ("planner", "vk"),
                               ("planner", "tools"), ("boards/host", "planner"),
                               ("tools/run", "planner"), ("tools/io", "planner")):
            name = f"{folder}/wrong.cc"
            self.write(name, f"// Wrong.\n  #  include \"{target}/x.h\"\n" + TAG)
            self.assert_caught("includes.py", f"{name}: includes {target}/")
            (self.root / name).unlink()
        self.assert_passes("includes.py")

    def test_includes_against_the_arrows_inside_the_planner(self):
        for folder, target in (("graph", "passes"), ("passes/integers", "passes"), ("steps/lower", "place"),
                               ("place", "report"), ("import/onnx/operators", "import/onnx")):
            name = f"planner/{folder}/wrong.cc"
            self.write(name, f"// Wrong.\n#include \"planner/{target}/x.h\"\n" + TAG)
            self.assert_caught("includes.py", f"{name}: includes planner/{target}, which planner/{folder} must not")
            (self.root / name).unlink()
        self.write("planner/passes/right.cc", "// Right.\n#include \"planner/passes/integers/x.h\"\n" + TAG)
        self.write("planner/steps/right.cc", "// Right.\n#include \"planner/options.h\"\n" + TAG)
        self.assert_passes("includes.py")
        self.write("planner/attic/x.cc", "// New.\n#include \"planner/graph/graph.h\"\n" + TAG)
        self.assert_caught("includes.py", "planner/attic/x.cc: is in planner/attic, which")

    def test_files_without_introduction_or_license(self):
        for name, text in (("core/a.cc", "#include <cstdint>\n" + TAG), ("core/b.h", "\n\nint x;\n" + TAG),
                           ("tools/run.py", "import sys\n# SPDX-License-Identifier: Apache-2.0\n"),
                           ("core/CMakeLists.txt", "add_library(x)\n# SPDX-License-Identifier: Apache-2.0\n"),
                           ("tools/do_it", "#!/bin/sh\necho\n# SPDX-License-Identifier: Apache-2.0\n")):
            self.write(name, text)
            self.assert_caught("style.py", f"{name}: the first line does not say")
            (self.root / name).unlink()
        self.write("core/c.cc", "// What it is for.\nint x;\n")
        self.assert_caught("style.py", "core/c.cc: the last line is not the license tag")

    def test_output_that_nobody_checks(self):
        for line in ("std::printf(\"x\");", "  std::cout << x;", "std::ofstream file(path);",
                     "std::fwrite(p, 1, n, stdout);"):
            for folder in ("tools/arenite", "planner/report"):
                self.write(f"{folder}/print.cc", f"// Prints.\n{line}\n" + TAG)
                self.assert_caught("style.py", f"{folder}/print.cc:2: prints or writes unchecked")
        self.write("tools/arenite/print.cc", "// Prints.\nprint(\"x\");\nstd::fprintf(stderr, \"x\");\n"
                   "// std::printf(\n" + TAG)
        (self.root / "planner/report/print.cc").unlink()
        self.assert_passes("style.py")

    def test_shebang_and_shader_version_come_first(self):
        self.write("tools/x.py", "#!/usr/bin/env python3\n\"\"\"What it does.\"\"\"\n# " + TAG[3:])
        self.write("kernels/glsl/x.comp", "#version 450\n// What it computes.\n" + TAG)
        self.assert_passes("style.py")

    def test_operators_have_all_their_halves(self):
        for half in HALVES:
            text = (self.root / half).read_text(encoding="utf-8")
            (self.root / half).unlink()
            self.assert_caught("style.py", f"has no {half}")
            self.write(half, text)
        self.write("schema/ops.def", OPS.replace("(2, reshape", "(1, reshape"))
        self.assert_caught("style.py", "number 1 is given to add and reshape")

    def test_forms_have_a_number_a_name_and_a_file(self):
        for right, wrong, text in (("Add, 1,", "Add, 0,", "number 0 is given to two forms of Add"),
                                   ("integers,", "float32,", "Add.float32 is the name of two forms"),
                                   ("reference/softmax.cc", "fast/softmax.cc",
                                    "Softmax.any has no portable_fallback/fast/softmax.cc"),
                                   ("Softmax, 0,", "Softmax, 8,", "Softmax has no reference form"),
                                   ("Any, kNone", "Any , kNone", "1 of 3 rows are not written")):
            self.write("schema/forms.def", FORMS.replace(right, wrong))
            self.assert_caught("style.py", text)
        self.write("schema/forms.def", FORMS)
        self.assert_passes("style.py")

    def test_operators_named_by_the_planner(self):
        text = "// Looks at nodes.\nbool pads = node.op == Op::kPad;\n" + TAG
        self.write("planner/place/wrong.cc", text)
        self.assert_caught("style.py", "planner/place/wrong.cc:2: names operator Pad")
        self.write("planner/place/wrong.cc", "// Copies.\nnode.op = Op::kCopy;  // not Op::kPad\n" + TAG)
        for right in ("planner/import/onnx/operators/softmax.cc", "planner/graph/op_facts.cc",
                      "planner/passes/fuse_padding.cc", "planner/passes/integers/moves.cc", "core/verify.cc"):
            self.write(right, text)
        self.assert_passes("style.py")

    def test_dispatch_rows_are_found_by_their_names(self):
        rows = "// Rows.\nstd::span<const DispatchRow> {}_rows(Op) {{ return kRows; }}\n" + TAG
        self.write("kernels/dispatch/softmax.cc", rows.format("softmax"))
        self.assert_passes("style.py")
        self.write("kernels/dispatch/softmax.cc", rows.format("soft_max"))
        self.assert_caught("style.py", "softmax.cc: has the rows of soft_max")
        self.write("kernels/dispatch/softmax.cc", "// A half of an operator.\n" + TAG)
        self.write("kernels/dispatch/soft_max.cc", rows.format("soft_max"))
        self.assert_caught("style.py", "soft_max.cc: has the rows of soft_max")


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
