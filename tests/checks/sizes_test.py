#!/usr/bin/env python3
"""Checks map_budget.py, core_size.sh and size_report.py on a small Cortex-M4 image that is linked here."""

import json
import pathlib
import subprocess
import tempfile
import unittest

from checks_common import ARM, DEVICE_RULES, run_check

SOURCES = {
    "start": """
        long long divide(long long, long long);
        extern const char words[];
        int counter = 5;
        int zeroed[100];
        extern "C" void start() {
          for (;;) counter += int(divide(counter, zeroed[3])) + words[counter & 3];
        }
        extern "C" void unused() { counter = 1; }
        """,
    "kernel_divide": """
        extern const char words[];
        const char words[] = "a constant string of the kernel";
        long long divide(long long a, long long b);
        long long divide(long long a, long long b) { return a / b; }
        """,
}


@unittest.skipUnless(ARM.present, "no arm-none-eabi-g++")
class Sizes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        folder = pathlib.Path(cls.scratch.name)
        objects = []
        for name, code in SOURCES.items():
            (folder / f"{name}.cc").write_text(code, encoding="utf-8")
            objects.append(ARM.compile(folder / f"{name}.cc", folder / f"{name}.o", *DEVICE_RULES))
        cls.archive = folder / "libkernels.a"
        subprocess.run([ARM.tool("ar"), "rcs", cls.archive, objects[1]], check=True)
        cls.elf, cls.map = folder / "image.elf", folder / "image.map"
        subprocess.run([ARM.tool("g++"), *ARM.flags, "-nostdlib", objects[0], cls.archive, "-lgcc",
                        "-Wl,--gc-sections,--entry=start", "-Wl,-z,noexecstack",
                        f"-Wl,-Map={cls.map}", "-o", cls.elf], check=True)

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def section_bytes(self, *names):
        text = subprocess.run([ARM.tool("objdump"), "-h", self.elf], capture_output=True, text=True,
                              check=True).stdout
        rows = [line.split() for line in text.splitlines()]
        return sum(int(row[2], 16) for row in rows if len(row) == 7 and row[1] in names)

    CATEGORIES = ["--category", r"kernel=libkernels\.a", "--category", r"libgcc=libgcc\.a"]

    def test_map_splits_text_over_categories(self):
        done = run_check("map_budget.py", self.map, *self.CATEGORIES, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        result = json.loads(done.stdout)
        self.assertEqual(result["total"], self.section_bytes(".text", ".rodata"))
        self.assertGreater(result["categories"]["libgcc"], 100)
        self.assertGreater(result["categories"]["kernel"], len("a constant string of the kernel"))
        self.assertGreater(result["categories"]["other"], 0)
        self.assertEqual(sum(result["categories"].values()), result["total"])

    def test_dropped_sections_do_not_count(self):
        done = run_check("map_budget.py", self.map, "--category", "unused=unused", "--json")
        self.assertEqual(json.loads(done.stdout)["categories"]["unused"], 0)

    def test_budget_holds_or_fails(self):
        done = run_check("map_budget.py", self.map, *self.CATEGORIES, "--json")
        other = json.loads(done.stdout)["categories"]["other"]
        fits = run_check("map_budget.py", self.map, *self.CATEGORIES, "--budget", f"other={other}")
        self.assertEqual(fits.returncode, 0, fits.stderr)
        over = run_check("map_budget.py", self.map, *self.CATEGORIES, "--budget", f"other={other - 1}")
        self.assertEqual(over.returncode, 1)
        self.assertIn(f"other: {other} bytes, budget {other - 1}", over.stderr)
        unknown = run_check("map_budget.py", self.map, "--budget", "kernle=5")
        self.assertEqual(unknown.returncode, 2)

    def test_runtime_keeps_its_budget(self):
        done = run_check("map_budget.py", self.map, "--category", "libgcc=libgcc", "--json")
        runtime = json.loads(done.stdout)["categories"]["other"]
        fits = run_check("core_size.sh", self.map, runtime)
        self.assertEqual(fits.returncode, 0, fits.stderr)
        self.assertRegex(fits.stdout, rf"(?m)^ *{runtime}  runtime$")
        over = run_check("core_size.sh", self.map, runtime - 1)
        self.assertEqual(over.returncode, 1)
        self.assertIn(f"runtime: {runtime} bytes, budget {runtime - 1}", over.stderr)

    def test_a_map_that_does_not_add_up_is_refused(self):
        text = self.map.read_text(encoding="utf-8")
        lines = text.splitlines(keepends=True)
        place = next(i for i, line in enumerate(lines) if line.startswith(" .text.") and "start.o" in
                     line + lines[i + 1] and i > text[:text.index("Linker script")].count("\n"))
        broken = pathlib.Path(self.scratch.name) / "broken.map"
        del lines[place:place + (1 if "start.o" in lines[place] else 2)]
        broken.write_text("".join(lines), encoding="utf-8")
        done = run_check("map_budget.py", broken)
        self.assertEqual(done.returncode, 2)
        self.assertIn("add up to", done.stderr)
        broken.write_text("nothing\n", encoding="utf-8")
        self.assertEqual(run_check("map_budget.py", broken).returncode, 2)

    def test_size_report(self):
        done = run_check("size_report.py", "--size", ARM.tool("size"), "--json", self.elf, self.archive)
        self.assertEqual(done.returncode, 0, done.stderr)
        image, archive = json.loads(done.stdout)["files"]
        self.assertEqual(image["data_bytes"], self.section_bytes(".data"))
        self.assertEqual(image["bss_bytes"], self.section_bytes(".bss"))
        self.assertEqual(image["bss_bytes"], 400)
        self.assertGreater(archive["text_bytes"], len("a constant string of the kernel"))
        table = run_check("size_report.py", "--size", ARM.tool("size"), self.elf)
        self.assertRegex(table.stdout, rf"{image['text_bytes']} +4 +400  image\.elf\n")

    def test_size_report_of_an_unreadable_file(self):
        done = run_check("size_report.py", "--size", ARM.tool("size"), self.map)
        self.assertEqual(done.returncode, 2)
        self.assertIn("image.map", done.stderr)


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
