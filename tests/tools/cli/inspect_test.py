#!/usr/bin/env python3
"""Tests what `arenite inspect` shows people: steps that fit a terminal, and one step by itself."""
import fcntl
import os
import pty
import struct
import subprocess
import termios

from cli_common import DIGITS, Binaries, CliTest, main, model, node, value_info


class Inspect(CliTest):
    def on_terminal(self, columns, *words):
        """The lines that the command prints to a terminal of so many columns."""
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
        with subprocess.Popen([Binaries.arenite, *map(str, words)], stdout=slave, stderr=subprocess.DEVNULL,
                              cwd=self.folder, env=self.environment) as child:
            os.close(slave)
            text = b""
            while True:
                try:
                    data = os.read(master, 65536)
                except OSError:  # the other end is closed
                    break
                if not data:
                    break
                text += data
        os.close(master)
        self.assertEqual(child.returncode, 0)
        return text.decode().replace("\r\n", "\n").splitlines()

    def test_steps_fit_a_terminal(self):
        name = "/model/a_long_name_of_a_block/" * 6 + "the_end_that_tells"
        program = self.plan(model([value_info("x", [2, 3])], [node("Relu", ["x"], ["r"], name),
                                                             node("Exp", ["r"], ["y"], "exp")],
                                  [value_info("y", [2, 3])]), "--board", "mps3-an547")
        for columns in (80, 100, 132):
            lines = self.on_terminal(columns, "inspect", program)
            begin = next(i for i, line in enumerate(lines) if line.split()[:2] == ["step", "on"])
            table = lines[begin:]
            self.assertEqual(len(table), 3)
            self.assertLessEqual(max(map(len, table)), columns)
            self.assertRegex(table[1], r"^ +0 cpu +clip +\[6\] +24  /mod.*\.\.\..*that_tells$")
            self.assertRegex(table[2], r"^ +1 cpu +\w+ +\[6\] +24  exp$")
        # A pipe gets whole lines.
        self.assertIn(name, self.arenite("inspect", program).stdout)

    def test_one_step(self):
        program = self.plan(DIGITS, "--board", "mps3-an547")
        (variant,) = self.json_of("inspect", program)["methods"][0]["variants"]
        for index, step in enumerate(variant["step_list"]):
            text = self.arenite("inspect", program, "--step", index).stdout
            self.assertIn("method main, variant for board mps3-an547 on cpu\n", text)
            self.assertIn(f"  step {index}: {step['op']} on {step['where']}\n", text)
            for name in step["nodes"]:
                self.assertIn(f"    node {name}\n", text)
            self.assertEqual(text.count("\n    writes "), len(step["outputs"]))
            self.assertEqual(text.count("\n    reads "), len(step["inputs"]))
            self.assertIn("\n    attributes " + (" ".join(map(str, step["attributes"])) or "none") + "\n", text)
        count = len(variant["step_list"])
        self.assert_fails(self.arenite("inspect", program, "--step", count), 2,
                          f"--step: expected a step below {count}, found {count}")
        both = self.plan(DIGITS, "--board", "mps3-an547", "--board", "mps2-an386")
        self.assertEqual(self.arenite("inspect", both, "--step", 1).stdout.count("\n  step 1: "), 2)


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
