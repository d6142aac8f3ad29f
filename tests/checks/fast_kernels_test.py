#!/usr/bin/env python3
"""Checks that fast_kernels.py holds the walls around fast kernels, and that CMake compiles them with their flags."""

import pathlib
import platform
import subprocess
import tempfile
import unittest

from checks_common import HOST, REPOSITORY, run_check

KERNEL = """// Adds numbers.
#include "portable_fallback/fast/sum_kernel.h"
extern "C" void sum_kernel(const SumArguments& a) {
  for (unsigned i = 0; i < a.count; ++i) a.y[i] += a.x[i];
}
"""
HEADER = "// What the kernel is given.\nstruct SumArguments { const float* x; float* y; unsigned count; };\n"
FORMS = ('ARENITE_FORM(Add, 8, wide, Float, kAvx2 | kFma, "forms/sum.cc")\n'
         'ARENITE_FORM(Add, 0, float32, Float, kNone, "reference/binary.cc")\n')
LISTS = f"""cmake_minimum_required(VERSION 3.25)
project(walls LANGUAGES CXX)
include({REPOSITORY}/cmake/fast_kernels.cmake)
add_library(kernels STATIC other.cc portable_fallback/fast/sum_kernel.cc)
target_include_directories(kernels PRIVATE ${{CMAKE_SOURCE_DIR}})
arenite_compile_fast_kernels(kernels ${{CMAKE_SOURCE_DIR}})
"""


class FastKernels(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = pathlib.Path(scratch.name)
        self.write("portable_fallback/fast/sum_kernel.h", HEADER)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def archive(self, kernel):
        """The kernel, and a file outside of the folder that may hold weak symbols."""
        objects = []
        for name, text in (("portable_fallback/fast/sum_kernel.cc", kernel),
                           ("other.cc", "inline int two() { return 2; }\nint (*other)() = two;\n")):
            source = self.write(name, text)
            objects.append(HOST.compile(source, self.root / (source.name + ".o"), "-I", str(self.root)))
        subprocess.run(["ar", "rcs", self.root / "kernels.a", *objects], check=True)
        return self.root / "kernels.a"

    def check(self, archive):
        done = run_check("fast_kernels.py", self.root, "nm", archive)
        return done.returncode, done.stdout

    def test_a_kernel_of_its_own_passes(self):
        self.assertEqual(self.check(self.archive(KERNEL)), (0, ""))

    def test_weak_symbols_are_caught(self):
        for planted in ("inline float twice(float x) { return x + x; }\nfloat (*taken)(float) = twice;\n",
                        "template <typename T> T once(T x) { return x; }\ntemplate float once(float);\n",
                        "extern \"C\" [[gnu::weak]] int shared() { return 1; }\n",
                        "inline int seen = 3;\nint* at = &seen;\n"):
            status, said = self.check(self.archive(KERNEL + planted))
            self.assertEqual(status, 1, planted)
            self.assertIn("portable_fallback/fast/sum_kernel.cc: its object holds the weak symbol", said)

    def test_headers_of_other_folders_are_caught(self):
        self.write("core/types.h", "// Types.\n")
        status, said = self.check(self.archive('#include "core/types.h"\n' + KERNEL))
        self.assertEqual((status, said), (1, "portable_fallback/fast/sum_kernel.cc: includes core/types.h; expected "
                                             "headers of portable_fallback/fast/ and core/access.h alone\n"))

    def test_a_kernel_that_is_not_compiled_is_caught(self):
        archive = self.archive(KERNEL)
        self.write("portable_fallback/fast/new_kernel.cc", KERNEL)
        self.assertEqual(self.check(archive),
                         (1, "portable_fallback/fast/new_kernel.cc: not compiled into the archive\n"))

    def configure(self, forms):
        self.write("schema/forms.def", forms)
        self.write("CMakeLists.txt", LISTS)
        self.write("other.cc", "#ifdef __AVX2__\n#error flags of a kernel\n#endif\n")
        self.write("portable_fallback/fast/sum_kernel.cc",
                   "#if !defined(__AVX2__) || !defined(__FMA__)\n#error its flags\n#endif\n" + KERNEL)
        return subprocess.run(["cmake", "-G", "Ninja", "-S", self.root, "-B", self.root / "build"],
                              capture_output=True, text=True, check=False)

    @unittest.skipUnless(platform.machine() == "x86_64", "the flags are an x86-64's")
    def test_a_kernel_alone_is_compiled_for_what_its_row_needs(self):
        done = self.configure(FORMS)
        self.assertEqual(done.returncode, 0, done.stderr)
        done = subprocess.run(["cmake", "--build", self.root / "build"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_rows_that_cannot_be_compiled_are_refused(self):
        for forms, text in ((FORMS.replace("forms/sum.cc", "forms/other.cc"), "whose file is sum.cc"),
                            (FORMS.replace("kFma", "kRvv"), "no flags are known for the CPU feature Rvv")):
            done = self.configure(forms)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(text, " ".join(done.stderr.split()))


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
