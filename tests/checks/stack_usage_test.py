#!/usr/bin/env python3
"""Checks stack_usage.py on call graphs that the compilers at hand write for small programs."""

import json
import pathlib
import re
import tempfile
import unittest

from checks_common import DEVICE_RULES, TOOLCHAINS, run_check

CODE = """
extern "C" int elsewhere(int);
#define NOINLINE __attribute__((noinline))
namespace n {
NOINLINE int leaf(int x) { volatile int frame[40]; frame[x] = 1; return frame[x >> 1]; }
struct Kernel { int (*run)(int); };
NOINLINE int small(int x) { volatile char frame[100]; frame[x] = 1; return leaf(x) + frame[0]; }
template <class T>
NOINLINE T large(T x) { volatile char frame[300]; frame[x] = 1; return leaf(x) + frame[0]; }
extern const Kernel table[];
const Kernel table[] = {{small}, {large<int>}};
int direct(int x) { volatile int frame[8]; frame[0] = small(x); return frame[0]; }
int indirect(const Kernel& kernel, int x) { return kernel.run(x) + 1; }
int foreign(int x) { volatile char frame[64]; frame[0] = 1; return elsewhere(x) + frame[0]; }
NOINLINE int even(int x);
NOINLINE int odd(int x) { volatile int frame[4]; frame[0] = x; return x ? even(x - 1) + frame[0] : 0; }
NOINLINE int even(int x) { volatile int frame[4]; frame[0] = x; return x ? odd(x - 1) + frame[0] : 1; }
int grows(int x) { volatile char* p = (volatile char*)__builtin_alloca(decltype(sizeof 0)(x)); p[0] = 1; return p[x - 1]; }
struct Object { Object(int x); int a[4]; };
Object::Object(int x) { volatile int frame[10]; frame[x] = 1; a[0] = frame[1]; }
int constructs(int x) { Object object(x); return object.a[0]; }
}
"""

# A template that one file holds and another calls.
SHARED = """
template <class T> struct Shared { Shared(T x); T add(T x) const; T at; };
#ifdef HOLDS
template <class T> Shared<T>::Shared(T x) { volatile char frame[400]; frame[x] = 1; at = frame[1]; }
template <class T> T Shared<T>::add(T x) const { volatile char frame[400]; frame[x] = 1; return at + frame[0]; }
#endif
extern template struct Shared<int>;
#ifdef HOLDS
template struct Shared<int>;
#else
int calls(const Shared<int>& shared, int x) { return shared.add(x) + 1; }
int constructs(int x) { Shared<int> shared(x); return shared.at + 1; }
#endif
"""


class StackUsage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.folders = []
        for chain in TOOLCHAINS:
            folder = pathlib.Path(cls.scratch.name) / (chain.prefix or "host")
            folder.mkdir()
            (folder / "code.cc").write_text(CODE, encoding="utf-8")
            chain.compile(folder / "code.cc", folder / "code.o", *DEVICE_RULES, "-Os",
                          "-fstack-usage", "-fcallgraph-info=su")
            cls.folders.append(folder)

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def run_on(self, folder, *arguments):
        return run_check("stack_usage.py", *arguments, folder)

    def own_frame(self, folder, function):
        """Bytes of one function's own frame by the compiler's other report."""
        pattern = rf"^\S+:\d+:\d+:.*\b{function}\(.*?\t(\d+)\t"
        report = next(folder.glob("*.su")).read_text(encoding="utf-8")
        return int(re.search(pattern, report, re.MULTILINE)[1])

    def stack_of(self, folder, *arguments):
        done = self.run_on(folder, "--json", *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)["roots"][0]

    def test_sums_the_deepest_chain(self):
        for folder in self.folders:
            frames = [self.own_frame(folder, name) for name in ("direct", "small", "leaf")]
            result = self.stack_of(folder, "--root", r"n::direct\(")
            self.assertEqual(result["stack_bytes"], sum(frames))
            self.assertEqual([link["bytes"] for link in result["chain"]],
                             [sum(frames), sum(frames[1:]), frames[2]])

    def test_pointer_call_takes_the_worst_of_what_it_reaches(self):
        for folder in self.folders:
            done = self.run_on(folder, "--root", r"n::indirect\(")
            self.assertEqual(done.returncode, 2)
            self.assertIn("calls through a pointer", done.stderr)
            result = self.stack_of(folder, "--root", r"n::indirect\(",
                                   "--indirect", r"n::indirect=>n::(small|large)\(")
            frames = [self.own_frame(folder, name) for name in ("indirect", "large", "leaf")]
            self.assertEqual(result["stack_bytes"], sum(frames))
            # A pattern of letters alone might match the scratch folder's random name.
            none = self.run_on(folder, "--root", r"n::indirect\(", "--indirect", r"n::indirect=>n::none\(")
            self.assertEqual(none.returncode, 2)
            self.assertIn(r"no function matches 'n::none\('", none.stderr)

    def test_undefined_function_needs_an_assumption(self):
        for folder in self.folders:
            done = self.run_on(folder, "--root", r"n::foreign\(")
            self.assertEqual(done.returncode, 2)
            self.assertIn("elsewhere", done.stderr)
            result = self.stack_of(folder, "--root", r"n::foreign\(", "--assume", "elsewhere=>24")
            self.assertEqual(result["stack_bytes"], self.own_frame(folder, "foreign") + 24)

    def test_recursion_needs_a_bound(self):
        for folder in self.folders:
            done = self.run_on(folder, "--root", r"n::odd\(")
            self.assertEqual(done.returncode, 2)
            self.assertIn("recursion without a bound", done.stderr)
            result = self.stack_of(folder, "--root", r"n::odd\(", "--recursion", r"n::even\(=>3")
            both = self.own_frame(folder, "odd") + self.own_frame(folder, "even")
            self.assertEqual(result["stack_bytes"], 3 * both)

    def test_frame_without_a_bound_is_an_error(self):
        for folder in self.folders:
            done = self.run_on(folder, "--root", r"n::grows\(")
            self.assertEqual(done.returncode, 2)
            self.assertRegex(done.stderr, r"n::grows\(int\).*frame of unbounded size")

    def test_constructor_is_found_under_its_other_name(self):
        for folder in self.folders:
            result = self.stack_of(folder, "--root", r"n::constructs\(")
            frames = [self.own_frame(folder, name) for name in ("constructs", "Object")]
            self.assertEqual(result["stack_bytes"], sum(frames))

    def test_a_template_of_another_file_is_found(self):
        for chain in TOOLCHAINS:
            with tempfile.TemporaryDirectory() as scratch:
                folder = pathlib.Path(scratch)
                for name, flag in (("holds", "-DHOLDS"), ("calls", "-DCALLS")):
                    (folder / f"{name}.cc").write_text(SHARED, encoding="utf-8")
                    chain.compile(folder / f"{name}.cc", folder / f"{name}.o", *DEVICE_RULES, "-Os", flag,
                                  "-fstack-usage", "-fcallgraph-info=su")
                for root in (r"^int calls\(", r"^int constructs\("):
                    self.assertGreaterEqual(self.stack_of(folder, "--root", root)["stack_bytes"], 256)

    def test_rules_come_from_a_file(self):
        for folder in self.folders:
            with tempfile.NamedTemporaryFile("w", suffix=".txt") as rules:
                rules.write("# what it reaches\n--indirect=n::indirect=>n::small\\(\n\n--assume=.=>8\n")
                rules.flush()
                result = self.stack_of(folder, "--root", r"n::indirect\(", f"@{rules.name}")
            frames = [self.own_frame(folder, name) for name in ("indirect", "small", "leaf")]
            self.assertEqual(result["stack_bytes"], sum(frames))

    def test_budget(self):
        for folder in self.folders:
            root = ["--root", r"n::leaf\("]
            frame = self.own_frame(folder, "leaf")
            self.assertEqual(self.run_on(folder, *root, "--budget", frame).returncode, 0)
            done = self.run_on(folder, *root, "--budget", frame - 1)
            self.assertEqual(done.returncode, 1)
            self.assertIn(f"{frame} bytes, budget {frame - 1}", done.stderr)

    def test_nothing_to_sum_is_an_error(self):
        done = self.run_on(self.folders[0], "--root", "absent")
        self.assertEqual(done.returncode, 2)
        self.assertIn("no function matches --root 'absent'", done.stderr)
        with tempfile.TemporaryDirectory() as empty:
            self.assertEqual(self.run_on(empty, "--root", "x").returncode, 2)


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
