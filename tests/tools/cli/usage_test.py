#!/usr/bin/env python3
"""Tests usage: help, unknown words, options that do not exist yet, and exit status 2."""

import re
import tempfile

from cli_common import DIGITS, CliTest, main, write

COMMANDS = [["plan"], ["fit"], ["run"], ["bench"], ["inspect"], ["strip"], ["conform"], ["quantize"], ["evaluate"],
            ["memplan"], ["target"], ["target", "run"], ["target", "test"], ["target", "bench"], ["doctor"]]
# Options of later versions are not half here.
ABSENT_OPTIONS = {
    "plan": ["--io-layout", "--dump-after"],
    "conform": ["--calibrate"],
    "doctor": ["--emit-board"],
}


class Usage(CliTest):
    def test_help_lists_every_command_and_no_other(self):
        done = self.arenite("--help")
        self.assertEqual(done.returncode, 0, done.stderr)
        for command in COMMANDS:
            self.assertIn(f"\n  {command[0]} ", done.stdout)

    def test_each_command_has_help_without_what_does_not_exist(self):
        for command in COMMANDS:
            done = self.arenite(*command, "--help")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("Usage: arenite " + " ".join(command), done.stdout)
            words = done.stdout.replace(",", " ").replace(":", " ").split()
            absent = set(sum(ABSENT_OPTIONS.values(), []))
            if "bench" in command:
                absent -= {"--calibrate"}
            for option in absent:
                self.assertNotIn(option, words, command)

    def test_each_command_has_examples_that_name_it(self):
        for command in COMMANDS:
            page = self.arenite(*command, "--help").stdout
            examples = page.split("\nExamples:\n")[1].splitlines()
            for example in examples:
                self.assertTrue(example.startswith("  arenite " + " ".join(command) + " ") or
                                example == "  arenite " + " ".join(command), example)
            self.assertLessEqual(max(len(line) for line in page.splitlines()), 100, page)

    def test_help_is_a_command_too(self):
        self.assertEqual(self.arenite("help").stdout, self.arenite("--help").stdout)
        for command in COMMANDS:
            done = self.arenite("help", *command)
            self.assertEqual((done.returncode, done.stdout),
                             (0, self.arenite(*command, "--help").stdout))
        self.assert_fails(self.arenite("help", "pln"), 2, "did you mean 'plan'?")

    def test_what_was_meant_is_suggested(self):
        for words, meant in ((["pln"], "plan"), (["Run"], "run"), (["inspekt", "x.arn"], "inspect"),
                             (["target", "rum"], "target run"), (["doctro"], "doctor"),
                             (["plan", DIGITS, "--bord", "host"], "--board"),
                             (["plan", DIGITS, "--memory-planer=search"], "--memory-planner"),
                             (["plan", DIGITS, "-json"], "--json"),
                             (["plan", DIGITS, "--report", "jsom"], "json"),
                             (["plan", DIGITS, "--io", "planed"], "planned"),
                             (["plan", DIGITS, "--memory-planner", "serch"], "search"),
                             (["plan", DIGITS, "--disable", "ordr"], "order"),
                             (["plan", DIGITS, "--board", "mps3-an574"], "mps3-an547"),
                             (["run", "x.arn", "--thread", "2"], "--threads"),
                             (["memplan", "x.csv", "--algorithm", "greedy-by-size"], "greedy_by_size")):
            self.assert_fails(self.arenite(*words), 2, f"did you mean '{meant}'?")

    def test_usage_errors_say_where_help_is(self):
        self.assert_fails(self.arenite("pln"), 2, "Try 'arenite --help'.")
        self.assert_fails(self.arenite("run", "x.arn", "--threads", "many"), 2,
                          "--threads: expected auto or a whole number from 1 to 1024, found 'many'",
                          "Try 'arenite run --help'.")
        self.assert_fails(self.arenite("strip", "x.arn", "--board"), 2, "expected a value")
        self.assert_fails(self.arenite("plan", "x", "-o", "a", "-o", "b"), 2, "expected once")

    def test_alone_it_says_what_to_try_next(self):
        done = self.arenite()
        self.assert_fails(done, 2, "Usage: arenite COMMAND", "What to try next:\n", "  arenite bench model.onnx ")
        write(self.folder / "my net.onnx", DIGITS.read_bytes())
        self.assert_fails(self.arenite(), 2, "  arenite fit 'my net.onnx' ")
        (self.folder / "my net.onnx").unlink()

    def test_usage_errors_end_with_an_example(self):
        """The first of the command, whose own page has it: it works where its files are."""
        for command in COMMANDS:
            if command == ["target"]:
                continue
            empty = tempfile.mkdtemp(dir=self.folder)  # without files to be named
            last = self.arenite(*command, "--no-such-option", folder=empty).stderr.splitlines()[-1]
            line = re.split(" A line that works: | An example: ", last)[1]
            self.assertTrue(line.startswith("arenite " + " ".join(command)), last)
            self.assertIn(f"\nExamples:\n  {line}\n", self.arenite(*command, "--help").stdout)

    def test_usage_errors_are_one_json_object_too(self):
        for words in (["pln"], [], ["plan"], ["plan", "--bord"], ["run", "x.arn", "--threads", "0"],
                      ["target"], ["target", "rum"], ["help", "pln"], ["inspect", "a", "b"]):
            self.assertNotIn("\n", self.json_of(*words, status=2)["error"].strip())

    def test_absent_options_and_commands_are_bad_usage(self):
        for command, options in ABSENT_OPTIONS.items():
            for option in options:
                for words in ([option], [option, "x"], [f"{option}=x"]):
                    done = self.arenite(command, DIGITS, *words)
                    self.assertEqual(done.returncode, 2, (command, words, done.stderr))
                    self.assertNotEqual(done.stderr, "")
        for command in ("test", "bench"):
            self.assertEqual(self.arenite("target", command, "--board", "host").returncode, 2)
        for report in ("pdf", "yaml"):
            self.assert_fails(self.arenite("plan", DIGITS, "--report", report), 2, "--report")

    def test_what_is_missing_is_bad_usage(self):
        for words in ([], ["plan"], ["run"], ["inspect"], ["strip", "x.arn"], ["conform"],
                      ["strip", "x.arn", "--board", "host"], ["memplan"], ["target"],
                      ["target", "run"], ["target", "run", "x.arn"], ["nonesuch"], ["run", "a", "b"],
                      ["plan", DIGITS, "--memory-planner", "magic"],
                      ["plan", DIGITS, "--fallback", "perhaps"],
                      ["run", "x.arn", "--threads", "0"], ["run", "x.arn", "--threads", "-1"],
                      ["run", "x.arn", "--repeat", "0"], ["run", "x.arn", "--repeat", "many"],
                      ["memplan", "x.csv", "--capacity", "-1"]):
            done = self.arenite(*words)
            self.assertEqual(done.returncode, 2, (words, done.stdout, done.stderr))

    def test_version(self):
        done = self.arenite("--version")
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stdout, r"^arenite \d+\.\d+\.\d+( \([0-9a-f]+(-modified)?\))?\n$")

    def test_files_that_are_not_there_or_not_what_they_should_be(self):
        nothing = write(self.folder / "empty.arn", b"")
        text = write(self.folder / "text.arn", b"this is no program, whatever its name says" * 9)
        for command in (["run"], ["inspect"], ["strip", "--board", "host", "-o", "out.arn"],
                        ["target", "run", "--board", "mps3-an547"]):
            for program in (self.folder / "absent.arn", nothing, text, self.folder):
                done = self.arenite(*command, program)
                self.assert_fails(done, 2, str(program))
                self.assertEqual(done.stdout, "")
        for model in (self.folder / "absent.onnx", nothing, text, self.folder):
            self.assert_fails(self.arenite("plan", model), 2, model.stem)

    def test_errors_are_one_json_object_too(self):
        for words in (["plan", "absent.onnx"], ["run", "absent.arn"], ["inspect", "absent.arn"],
                      ["conform", "absent"], ["memplan", "absent.csv"]):
            self.assertIn("absent", self.json_of(*words, status=2)["error"])

    def test_the_slim_runner(self):
        done = self.arenite_run("--help")
        self.assertEqual(done.returncode, 0)
        self.assertIn("usage: arenite-run PROGRAM.arn", done.stdout)
        for words in ([], ["x.arn", "y.arn"], ["x.arn", "--trace", "f"], ["x.arn", "--device"],
                      ["x.arn", "--threads", "0"], ["x.arn", "--repeat", "1x"], ["x.arn", "-j"],
                      ["x.arn", "--device", "gpu"], ["absent.arn"]):
            done = self.arenite_run(*words)
            self.assertEqual(done.returncode, 2, (words, done.stderr))
            self.assertTrue(done.stderr.startswith("arenite-run: "), done.stderr)
        for words, meant in ((["x.arn", "--thread", "2"], "--threads"), (["--inptu=a"], "--input"),
                             (["x.arn", "-repeat", "2"], "--repeat"), (["--versoin"], "--version")):
            self.assert_fails(self.arenite_run(*words), 2, f"did you mean '{meant}'?")
        self.assertRegex(self.arenite_run("--version").stdout, r"^arenite-run \d+\.\d+\.\d+( |\n)")


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
