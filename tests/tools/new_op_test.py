#!/usr/bin/env python3
"""Makes operators in a copy of the tree, one of its own and one of each family: counts what is edited; they keep the
rules, build, and pass their own cases on the CPU; with --vulkan also on Vulkan, and random ones."""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
NAME = "scaffolded_copy"
FAMILIES = ("unary", "binary", "reduce")
TESTS = ["tests/ops/ops_test"]
if "--vulkan" in sys.argv:
    sys.argv.remove("--vulkan")
    TESTS += ["tests/kernels/ops_vulkan_test", "tests/kernels/kernels_random_test"]


class NewOp(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.tree = pathlib.Path(cls.scratch.name) / "tree"
        listed = subprocess.run(["git", "-C", REPOSITORY, "ls-files", "-z", "--cached", "--others",
                                 "--exclude-standard"], capture_output=True,
                                check=True).stdout.decode().split("\0")
        for name in listed:
            if name and (REPOSITORY / name).is_file():
                (cls.tree / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(REPOSITORY / name, cls.tree / name)
        subprocess.run(["git", "init", "-q", cls.tree], check=True)

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def make(self, *words):
        return subprocess.run([self.tree / "tools/new_op", *words], capture_output=True, text=True,
                              check=False)

    def snapshot(self):
        return {path: path.read_bytes() for path in self.tree.rglob("*")
                if path.is_file() and ".git" not in path.parts}

    def run_here(self, *command):
        done = subprocess.run([str(word) for word in command], cwd=self.tree, text=True, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual(done.returncode, 0, done.stdout[-6000:])
        return done.stdout

    def commit(self):
        subprocess.run(["git", "-C", self.tree, "add", "-A"], check=True)
        subprocess.run(["git", "-C", self.tree, "-c", "user.name=test", "-c", "user.email=test@localhost",
                        "commit", "-q", "--no-verify", "-m", "A tree"], check=True)

    def edited(self):
        """What differs from the last commit: {path: lines added}, and the paths that are new."""
        self.run_here("git", "add", "-A")
        counts = [line.split("\t") for line in self.run_here("git", "diff", "--cached", "--numstat").splitlines()]
        for _, taken, path in counts:
            self.assertEqual(taken, "0", path)
        new = self.run_here("git", "diff", "--cached", "--name-only", "--diff-filter=A").split()
        return {path: int(added) for added, _, path in counts}, new

    @staticmethod
    def to_fill_in(printed):
        """The places that the tool asks to be filled in."""
        return [line.split()[0] for line in printed.splitlines() if line.startswith("  ")]

    def test_1_bad_names_change_nothing(self):
        before = self.snapshot()
        for words, text in (([], "usage"), (["Upper"], "snake_case"), (["two words"], "snake_case"),
                            (["conv"], "conv"), (["relu"], "Relu"), (["other", "Conv"], "conv"),
                            (["windows"], "exists"), (["other", "lower"], "CamelCase"),
                            (["a", "B", "C"], "usage"), (["../x"], "snake_case"),
                            (["x", "--family"], "usage"), (["x", "--family", "own"], "family"),
                            (["sigmoid", "--family", "unary"], "sigmoid"),
                            (["x", "--types", "Float31"], "Float32"), (["pool"], "shaders.def")):
            done = self.make(*words)
            self.assertEqual(done.returncode, 2, words)
            self.assertIn(text, done.stderr)
        self.assertEqual(self.snapshot(), before)

    def test_2_operators_keep_the_rules(self):
        self.commit()
        done = self.make(NAME)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("ScaffoldedCopy", done.stdout)
        self.assertEqual(self.make(NAME).returncode, 2)  # once only
        places, new = self.edited()
        by_hand = self.to_fill_in(done.stdout)
        rows = {path: lines for path, lines in places.items() if path not in by_hand}
        print(f"an operator of its own: {len(by_hand)} files to fill in, a row by the tool in {len(rows)}")
        self.assertLessEqual(len(by_hand), 6, by_hand)
        self.assertEqual(sorted(by_hand), sorted(new))
        for path in rows:
            self.assertIn(path, done.stdout)
            self.assertLessEqual(rows[path], 2, path)
        for family in FAMILIES:
            self.commit()
            done = self.make(f"scaffolded_{family}", "--family", family)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(self.make(f"scaffolded_{family}", "--family", family).returncode, 2)
            places, new = self.edited()
            print(f"a member of family {family}: {len(places)} files, {sum(places.values())} lines")
            self.assertEqual(new, [])
            self.assertLessEqual(len(places), 6, places)
            self.assertLess(sum(places.values()), 25, places)
            for path in places:
                self.assertIn(path, done.stdout)
            self.assertLessEqual(set(self.to_fill_in(done.stdout)), set(places))
        self.run_here("python3", "tools/checks/style.py")
        self.run_here("python3", "tools/checks/includes.py")
        sources = self.run_here("git", "ls-files", "*.h", "*.cc").split()
        if shutil.which("clang-format"):
            self.run_here("clang-format", "--dry-run", "--Werror", *sources)

    def test_3_they_build_and_pass_their_cases(self):
        dependencies = REPOSITORY / "build" / "deps"
        if dependencies.is_dir():
            (self.tree / "build").mkdir(exist_ok=True)
            (self.tree / "build" / "deps").symlink_to(dependencies)
        # Clang takes half of GCC's time.
        compilers = ["-DCMAKE_C_COMPILER=clang", "-DCMAKE_CXX_COMPILER=clang++"] if shutil.which("clang++") else []
        self.run_here("cmake", "-S", ".", "-B", "build/new-op", "-G", "Ninja", *compilers,
                      "-DCMAKE_BUILD_TYPE=", "-DCMAKE_CXX_FLAGS=-O0", "-DARENITE_UNITY=OFF")
        # The parts of the planner that know single operators.
        operators = "planner/import/onnx/operators/CMakeFiles/arenite_onnx_operators.dir"
        self.run_here("cmake", "--build", "build/new-op", "--target", f"{operators}/{NAME}.cc.o",
                      f"{operators}/ops.cc.o", *(pathlib.Path(test).name for test in TESTS))
        members = [f"scaffolded_{family}" for family in FAMILIES]
        for test in TESTS:
            for name in (NAME, *members):
                output = self.run_here(f"build/new-op/{test}", f"--gtest_filter=*/{name}*")
                self.assertNotIn("0 tests from 0 test suites ran", output)
        table = self.run_here("build/new-op/tests/ops/ops_test", "--gtest_filter=ReferenceTable.*")
        self.assertIn("PASSED", table)


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
