#!/usr/bin/env python3
"""What kernels/shader_words.py makes of a table, what it refuses, and which uses of its structs do not compile."""

import argparse
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TAG = "// SPDX-License-Identifier: Apache-2.0\n"
LINE = 3  # of a table's first line in the shader

TABLE = """\
use common
enum Pass = First, Second
constant rows_max = 16
struct Tensor
  uint skip, strides[2]
spec
  Op op = Sigmoid
  Pass pass
  bool fast = true
push
  uint count
  float scale  // of the result
parameters
  Tensor tensors[2]  // x, y
  int low
  Rounding rounding
  pad 1
  walk 1
"""

GLSL = """\
#include "ops.glsl"
const uint kRoundTfliteDouble = 0u;
const uint kRoundTfliteSingle = 1u;
const uint kRoundHalfEven = 2u;
const uint kRoundFloat32 = 3u;
const uint kFirst = 0u;
const uint kSecond = 1u;
const uint kRowsMax = 16u;
layout(constant_id = 0) const uint kOp = kOpSigmoid;
layout(constant_id = 1) const uint kPass = 0u;
layout(constant_id = 2) const bool kFast = true;
layout(push_constant) uniform Push {
  uint count;
  float scale;
} p;
#define PARAMETER_BINDING 2
#define PARAMETER_VECTORS 7
const uint kTensorWords = 3u;
const uint kTensorSkip = 0u;
const uint kTensorStrides = 1u;
const uint kTensors = 0u;
const uint kLow = 6u;
const uint kRounding = 7u;
#define WALK_OPERANDS 1
const uint kWalkDims = 9u;
const uint kWalk = 9u;
"""

# A use of the table's struct, in which one thing at a time goes wrong.
USE = """\
#include "kernels/shaders/probe.h"
using arenite::shaders::Unary;
Unary words(const arenite::Loops& loops, const uint32_t (&strides)[2]) {
  return {.spec = {.op = arenite::Op::kSigmoid, .pass = Unary::Pass::kFirst, .fast = false},
          .push = {.count = 1u, .scale = 2.0f},
          .parameters = {.tensors = {{.skip = 0u, .strides = strides}, {.skip = 1u, .strides = strides}},
                         .low = -1,
                         .rounding = arenite::Rounding::kHalfEven,
                         .walk = loops}};
}
static_assert(sizeof(Unary::Parameters) == 27 * 4 && Unary::kRowsMax == 16);
"""

WRONG_USES = {
    "a push word is left out": (".count = 1u, .scale = 2.0f", ".count = 1u"),
    "two push words are swapped": (".count = 1u, .scale = 2.0f", ".scale = 2.0f, .count = 1u"),
    "push words have no names and the other's place": (".count = 1u, .scale = 2.0f", "2.0f, 1u"),
    "a float stands for an integer": (".count = 1u", ".count = 1.0f"),
    "an integer stands for a float": (".scale = 2.0f", ".scale = 2u"),
    "a signed number stands for an unsigned one": (".skip = 0u", ".skip = 0"),
    "another enumeration's number": ("Unary::Pass::kFirst", "arenite::Rounding::kHalfEven"),
    "a number stands for an enumeration": ("Unary::Pass::kFirst", "0u"),
    "an element of an array is left out": (", {.skip = 1u, .strides = strides}}", "}"),
    "an array of another size": ("(&strides)[2]", "(&strides)[3]"),
    "the push words are left out": (".push = {.count = 1u, .scale = 2.0f},", ""),
}

# Each wrong table: the text that it replaces, the text in its place, and words of the refusal.
WRONG_TABLES = {
    "a word without a type": ("  uint count", "  count", ["expected a type (uint,", "found 'count'"]),
    "an unknown type": ("  int low", "  short low", ["expected a type", "found 'short'"]),
    "a name twice": ("  uint count", "  uint count, count", ["expected another name, found count a second time"]),
    "no name": ("  uint count", "  uint", ["expected names", "found ''"]),
    "a capital name": ("  uint count", "  uint Count", ["expected names", "found 'Count'"]),
    "an unknown section": ("push\n", "words\n", ["expected use, enum,", "found 'words'"]),
    "a section twice": ("parameters\n", "push\n", ["expected one section push, found a second"]),
    "a field in no section": ("use common", "  uint a\nuse common", ["expected a section before the field 'uint a'"]),
    "an include without a table": ("use common", "use plain", ["expected plain.glsl to have a table", "found none"]),
    "no include": ("use common", "use nothing", ["expected a file of kernels/glsl/include, found no nothing.glsl"]),
    "an enumeration that is not there": ("enum Pass = First, Second", "enum Pass from ops/attributes.h",
                                         ["expected 'enum class Pass : uint32_t' in ops/attributes.h, found none"]),
    "a header that is not there": ("enum Pass = First, Second", "enum Pass from ops/no.h", ["found no ops/no.h"]),
    "a limit that is not there": ("constant rows_max = 16", "constant kNone from ops/attributes.h",
                                  ["expected 'constexpr uint32_t kNone = NUMBER;'"]),
    "an unknown struct": ("push\n  uint count\n  float scale  // of the result", "push Words",
                          ["expected a struct of this table or of one that it uses, found Words"]),
    "too many push words": ("  uint count", "  uint count, many[32]", ["push: expected at most 32 words, found 34"]),
    "too many constants": ("  bool fast = true", "  bool a, b, c, d, e, f, g, h, i", ["spec: expected at most 10 words, found 11"]),
    "too many parameters": ("  int low", "  int low, many[102]", ["parameters: expected at most 128 words, found 129"]),
    "an array among the constants": ("  bool fast = true", "  bool fast[2]", ["expected single words", "found fast"]),
    "no end": ("*/", "", ["expected a line '*/' behind the table, found none"]),
}


class ShaderWords(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        (self.folder / "glsl/include").mkdir(parents=True)
        (self.folder / "rows.def").write_text("ARENITE_SHADER(0, probe, Unary, 2)\n", encoding="utf-8")
        (self.folder / "glsl/include/common.glsl").write_text(
            "// Common.\n/* words\nenum Rounding from ops/attributes.h as Round\n*/\n" + TAG, encoding="utf-8")
        (self.folder / "glsl/include/plain.glsl").write_text("// Plain.\n" + TAG, encoding="utf-8")
        self.headers = self.folder / "include/kernels/shaders"

    def generate(self, table):
        text = f"// A probe.\n/* words\n{table}*/\n#version 450\n" + TAG if isinstance(table, str) else table[0]
        (self.folder / "glsl/probe.comp").write_text(text, encoding="utf-8")
        return subprocess.run([sys.executable, ROOT / "kernels/shader_words.py", self.folder / "rows.def",
                               self.folder / "glsl", ROOT, self.folder / "out", self.headers],
                              capture_output=True, text=True, check=False)

    def compiles(self, source):
        done = subprocess.run([ARGUMENTS.compiler, "-std=c++20", "-fsyntax-only", "-x", "c++", f"-I{ROOT}",
                               f"-I{self.folder / 'include'}", "-"], input=source, capture_output=True, text=True,
                              check=False)
        return done.returncode == 0, done.stderr

    def test_glsl_has_the_places_that_the_table_gives(self):
        done = self.generate(TABLE)
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = (self.folder / "out/probe.words.glsl").read_text(encoding="utf-8").split("\n", 1)[1]
        self.assertEqual(lines, GLSL + TAG)

    def test_what_did_not_change_is_not_written_again(self):
        self.generate(TABLE)
        before = (self.headers / "probe.h").stat().st_mtime_ns
        self.generate(TABLE)
        self.assertEqual((self.headers / "probe.h").stat().st_mtime_ns, before)

    def test_wrong_uses_do_not_compile(self):
        self.assertEqual(self.generate(TABLE).returncode, 0)
        right, errors = self.compiles(USE)
        self.assertTrue(right, errors)
        for what, (old, new) in WRONG_USES.items():
            self.assertEqual(USE.count(old), 1, what)
            self.assertFalse(self.compiles(USE.replace(old, new))[0], what)

    def test_passes_with_blocks_of_their_own_have_one_size(self):
        blocks = "struct A\n  uint a, b\nstruct B\n  uint c\n{}parameters A\nparameters B\n"
        done = self.generate(blocks.format("  pad 1\n"))
        self.assertEqual(done.returncode, 0, done.stderr)
        header = (self.headers / "probe.h").read_text(encoding="utf-8")
        self.assertIn("kParameterWords = 4;", header)
        done = self.generate(blocks.format(""))
        self.assertIn("parameters: expected 2 words as the first block has, found 1", done.stderr)

    def test_wrong_tables_are_refused_with_their_places(self):
        for what, (old, new, texts) in WRONG_TABLES.items():
            text = f"// A probe.\n/* words\n{TABLE}*/\n#version 450\n" + TAG
            self.assertIn(old, text, what)
            done = self.generate([text.replace(old, new, 1)])
            self.assertEqual(done.returncode, 1, what)
            self.assertRegex(done.stderr, r"^shader_words: kernels/glsl/probe.comp:\d+: ", what)
            for expected in texts:
                self.assertIn(expected, done.stderr, what)
        self.assertIn(f"probe.comp:{LINE}:", self.generate("what\n").stderr)
        done = self.generate(["// A probe.\n#version 450\n" + TAG])
        self.assertIn("kernels/glsl/probe.comp: expected a table of words", done.stderr)


if __name__ == "__main__":
    PARSER = argparse.ArgumentParser()
    PARSER.add_argument("--compiler", default="c++")
    ARGUMENTS, REST = PARSER.parse_known_args()
    unittest.main(argv=sys.argv[:1] + REST)

# SPDX-License-Identifier: Apache-2.0
