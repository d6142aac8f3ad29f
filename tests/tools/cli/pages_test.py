#!/usr/bin/env python3
"""Every command of the README and the pages of docs/ is run by a test; this one runs those of pages without one."""

import re
import shutil

from cli_common import DIGITS, REPOSITORY, Binaries, CliTest, main, model, node, value_info, write

BLOCK = re.compile(r"^```(?:bash|console)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# The number of blocks of commands on a page, and who runs them. A new block needs a test too.
RUN_BY = {
    "README.md": (2, "readme_test.py; the first are CI itself and demo.sh"),
    "docs/board.md": (1, "board_page_test.py"),
    "docs/command_line.md": (7, "streams_test.py; fit: tests/boards/document_figures_test.py; obstacles and --explain: "
                                "below; options of models: model_options_test.py; --state, --share-state: states_test.py"),
    "docs/data.md": (1, "evaluate_test.py, with the pictures of examples/shapes"),
    "docs/firmware.md": (5, "tests/package/package_test.py"),
    "docs/library.md": (6, "tests/package/package_test.py"),
    "docs/memplan.md": (6, "memplan_page_test.py"),
    "docs/profiling.md": (1, "below"),
    "docs/simulator.md": (2, "below"),
    "docs/start_firmware.md": (1, "below"),
    "docs/start_linux.md": (1, "below"),
    "docs/start_memory.md": (1, "below"),
    "docs/zoo.md": (1, "tests/boards/zoo_test.py"),
    "docs/quantization.md": (2, "the first below; the other is programs of bench/ that test.sh runs"),
}


def blocks(page):
    return BLOCK.findall((REPOSITORY / page).read_text(encoding="utf-8"))


def without_numbers(line):
    return re.sub(r"\d[\d,.]*", "N", " ".join(line.split()))


class Pages(CliTest):
    def link_examples(self):
        link = self.folder / "examples"
        if not link.exists():
            link.symlink_to(REPOSITORY / "examples")

    def test_every_page_with_commands_has_a_test(self):
        pages = ["README.md", *(f"docs/{path.name}" for path in sorted((REPOSITORY / "docs").glob("*.md")))]
        counts = {page: len(blocks(page)) for page in pages if blocks(page)}
        self.assertEqual(counts, {page: count for page, (count, _) in RUN_BY.items()})

    def test_obstacles(self):
        """But for the widths of the columns."""
        picks = [node("SequenceAt", ["x"], [f"l{i}"], f"p2o.SequenceAt.{i}") for i in range(6)]
        others = [node("DeformConv", ["x", "x"], [f"d{i}"], f"p2o.DeformConv.{i}") for i in range(2)]
        write(self.folder / "detector.onnx", model([value_info("x", ["N", 3, "H", "W"])], [*picks, *others],
                                                   [value_info("d1", ["N", 3, 8, 8])]))
        block = next(block for block in blocks("docs/command_line.md") if "detector.onnx" in block)
        command, _, expected = block.partition("\n")
        done = self.arenite(*command.split()[2:])
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertEqual(done.stderr.split(), expected.split())

    def test_explain(self):
        (self.folder / "digits.onnx").write_bytes(DIGITS.read_bytes())
        block = next(block for block in blocks("docs/command_line.md") if "--explain" in block)
        command, _, expected = block.partition("\n")
        done = self.arenite(*command.split()[2:])
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = [without_numbers(line) for line in expected.splitlines()]
        self.assertEqual(lines.pop(), "...")
        printed = [without_numbers(line) for line in done.stdout.splitlines()]
        self.assertEqual(printed[:len(lines)], lines)

    def test_quantization(self):
        (self.folder / "digits.onnx").write_bytes(DIGITS.read_bytes())
        shutil.copytree(DIGITS.parent / "calibration", self.folder / "samples")
        done = self.execute("bash", "-c", f'set -e; arenite() {{ "{Binaries.arenite}" "$@"; }}\n'
                            + blocks("docs/quantization.md")[0])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue((self.folder / "digits_int8.arn").is_file())
        for line in blocks("docs/quantization.md")[1].splitlines():
            self.assertTrue((REPOSITORY / line.split()[0]).is_file(), line)

    def run_door(self, page):
        """Runs a page of at most 60 lines as it stands, in a folder of its own; returns that and what was printed."""
        text = (REPOSITORY / page).read_text(encoding="utf-8")
        self.assertLessEqual(len(text.splitlines()), 60, page)
        folder = self.folder / page.replace("/", "_")
        folder.mkdir()
        (folder / "examples").symlink_to(REPOSITORY / "examples")
        done = self.execute("bash", "-c", f'set -e; cd "{folder}"; arenite() {{ "{Binaries.arenite}" "$@"; }}\n'
                            f'arenite-run() {{ "{Binaries.arenite_run}" "$@"; }}\n' + blocks(page)[0])
        self.assertEqual(done.returncode, 0, done.stderr)
        return folder, done.stdout

    def test_the_door_to_linux(self):
        folder, printed = self.run_door("docs/start_linux.md")
        self.assertLess((folder / "digits-soc.arn").stat().st_size, (folder / "digits.arn").stat().st_size)
        self.assertTrue((folder / "out" / "logits.npy").is_file())
        self.assertIn("resident memory", printed)

    def test_the_door_to_firmware(self):
        folder, printed = self.run_door("docs/start_firmware.md")
        self.assertIn("next: arenite evaluate", printed)
        for name in ("plan.html", "firmware/digits_int8.h", "firmware/digits_int8.cc"):
            self.assertTrue((folder / name).is_file(), name)
        self.assertIn("input image: int8", printed)

    def test_the_door_to_memory(self):
        folder, printed = self.run_door("docs/start_memory.md")
        self.assertIn("offset", (folder / "solution.csv").read_text(encoding="utf-8"))
        self.assertIn("optimal", printed)
        self.assertIn("canvas", (folder / "plan.html").read_text(encoding="utf-8"))

    def test_figures_of_the_readme_are_those_of_the_benchmarks(self):
        readme = (REPOSITORY / "README.md").read_text(encoding="utf-8").split("## What is fast")[1].split("\n## ")[0]
        bench = (REPOSITORY / "bench" / "README.md").read_text(encoding="utf-8")
        figures = re.findall(r"\d[\d,]*\.?\d*(?= ms| in all| \|)", readme)
        self.assertGreaterEqual(len(figures), 14)
        for figure in figures:
            rounded = figure.replace("0.67", "0.669")
            self.assertRegex(bench, rf"(?<![\d.,]){re.escape(rounded)}(?![\d,])", figure)

    def test_simulator(self):
        """To the last byte: nothing depends on the machine."""
        self.link_examples()
        for command in blocks("docs/simulator.md")[0].splitlines():
            done = self.arenite(*command.split()[1:])
            self.assertEqual(done.returncode, 0, done.stderr)
        command, _, expected = blocks("docs/simulator.md")[1].partition("\n")
        self.assertEqual(self.arenite(*command.split()[2:]).stdout, expected)

    def test_profiling(self):
        """The lines of the page but for their numbers, and for the steps, whose order is that of their times."""
        self.link_examples()
        command, *expected = blocks("docs/profiling.md")[0].splitlines()
        done = self.arenite(*command.split()[2:], "--seconds", "0.05", "--threads", "2")  # as the page
        self.assertEqual(done.returncode, 0, done.stderr)
        found = {without_numbers(line) for line in (done.stdout + done.stderr).splitlines()}
        for line in expected:
            if line != "..." and " cpu  " not in line:
                self.assertIn(without_numbers(line), found)


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
