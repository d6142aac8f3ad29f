#!/usr/bin/env python3
"""Tests what shells are told: `arenite complete`, and bash's function over it."""

import re
import shutil
import subprocess

from cli_common import DIGITS, REPOSITORY, Binaries, CliTest, main

SHELL = REPOSITORY / "tools" / "shell"


class Completion(CliTest):
    def complete(self, *words):
        done = self.arenite("complete", *words)
        self.assertEqual((done.returncode, done.stderr), (0, ""), words)
        return [line.split("\t")[0] for line in done.stdout.splitlines()]

    def test_commands(self):
        listed = re.findall(r"^  (\w+)", self.arenite("help").stdout.split("Options:")[0], re.MULTILINE)
        self.assertEqual(self.complete(""), list(dict.fromkeys(listed)))
        self.assertEqual(self.complete("in"), ["inspect"])
        self.assertEqual(self.complete("target", ""), ["run", "test", "bench"])
        self.assertEqual(self.complete("help", "target", "b"), ["bench"])
        self.assertEqual(self.complete("nonsense", ""), [])

    def test_every_option_of_every_command(self):
        for command in re.findall(r"^  (\w+(?: (?:run|test|bench))?) ", self.arenite("help").stdout, re.MULTILINE):
            if command == "help":
                continue
            page = self.arenite("help", *command.split()).stdout
            shown = set(re.findall(r"^  (?:-\w, )?(--[\w-]+)", page, re.MULTILINE))
            self.assertEqual(set(self.complete(*command.split(), "--")), shown, command)

    def test_values(self):
        self.assertEqual(self.complete("plan", "net.onnx", "--report", ""), ["text", "json", "svg", "html"])
        self.assertEqual(self.complete("plan", "--board", "mps3"), ["mps3-an547"])
        self.assertEqual(self.complete("run", "net.arn", "--device", "c"), ["cpu"])
        self.assertEqual(self.complete("plan", "--optimize", ""), ["speed", "memory"])
        self.assertEqual(self.complete("compare", "a.arn", "--device-b", "v"), ["vulkan"])
        for files in (["plan", ""], ["plan", "--constraints", ""], ["plan", "-o", ""], ["run", "net.arn", "x"]):
            self.assertEqual(self.complete(*files), [], files)

    def test_algorithms_are_those_that_a_wrong_name_lists(self):
        for words in (["memplan", "problem.csv", "--algorithm"], ["plan", "net.onnx", "--memory-planner"]):
            listed = re.search(r" expected (.*), found", self.arenite(*words, "nonesuch").stderr)[1]
            self.assertEqual(self.complete(*words, ""), re.split(", | or ", listed))
            self.assertEqual(self.complete(*words, "greedy_b"), ["greedy_by_size"])

    def test_passes_are_those_that_a_wrong_name_lists(self):
        passes = self.complete("plan", "--disable", "")
        done = self.arenite("plan", DIGITS, "--disable", "nonesuch", "-o", "never.arn")
        self.assertEqual(done.returncode, 2)
        listed = done.stderr.split(" expected ")[1]
        self.assertEqual(passes, re.findall(r"\w+_?\w*", listed.replace(" or ", " "))[:len(passes)])
        self.assertIn("in_place", passes)
        self.assertIn("fuse_attention", passes)

    def test_each_word_comes_with_what_it_means(self):
        for line in self.arenite("complete", "plan", "--").stdout.splitlines():
            self.assertRegex(line, r"^--[\w-]+\t\S")

    def bash(self, *words):
        script = ('source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _arenite; '
                  'printf "%s\\n" "${COMPREPLY[@]}"')
        done = subprocess.run(["bash", "-c", script, "bash", SHELL / "arenite.bash", Binaries.arenite, *words],
                              capture_output=True, text=True, check=True)
        return done.stdout.split()

    def test_bash(self):
        self.assertEqual(self.bash("pl"), ["plan"])
        self.assertEqual(self.bash("plan", "--board", "mps3"), ["mps3-an547"])
        self.assertEqual(self.bash("plan", "no/such/fil"), [])
        for shell in ("bash", "zsh", "fish"):
            if shutil.which(shell):
                subprocess.run([shell, "-n", SHELL / f"arenite.{shell}"], check=True)


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
