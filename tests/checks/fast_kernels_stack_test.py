#!/usr/bin/env python3
"""Checks that each kernel of portable_fallback/fast/ takes little stack, together with all that it calls.

The build itself refuses single frames beyond this (portable_fallback/CMakeLists.txt); sums over calls need the call
graph, for which all of them are compiled once more.
"""

import pathlib
import subprocess
import tempfile
import unittest

from checks_common import REPOSITORY, run_check

# A kernel and what it calls take no more: it runs on threads whose stacks belong to others. float_products_avx512 takes
# most, since it copies its tile of 14 rows by 32 columns where the columns do not follow each other.
STACK_BYTES_MAX = 4608
LISTS = f"""cmake_minimum_required(VERSION 3.25)
project(stack LANGUAGES CXX)
include({REPOSITORY}/cmake/fast_kernels.cmake)
file(GLOB sources {REPOSITORY}/portable_fallback/fast/*.cc)
# What a kernel reaches through a pointer.
set(shared {REPOSITORY}/portable_fallback/shared)
add_library(kernels OBJECT ${{sources}} ${{shared}}/activation.cc ${{shared}}/float_rows.cc ${{shared}}/integer_results.cc
            ${{shared}}/requantization.cc ${{shared}}/trigonometry.cc)
target_include_directories(kernels PRIVATE {REPOSITORY})
target_compile_options(kernels PRIVATE -std=c++20 -O3 -fno-exceptions -fno-rtti -fcallgraph-info=su)
arenite_compile_fast_kernels(kernels {REPOSITORY})
"""


class FastKernelsStack(unittest.TestCase):
    def test_the_kernels_take_little_stack(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        root = pathlib.Path(scratch.name)
        (root / "CMakeLists.txt").write_text(LISTS, encoding="utf-8")
        build = root / "build"
        for command in (["cmake", "-G", "Ninja", "-S", root, "-B", build], ["cmake", "--build", build, "-j2"]):
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        done = run_check("stack_usage.py", "--budget", STACK_BYTES_MAX, "--root", r"_kernel\.cc\]$",
                         f"@{REPOSITORY}/tools/checks/stack_rules.txt", build)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("bytes of stack below void arenite::", done.stdout)


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
