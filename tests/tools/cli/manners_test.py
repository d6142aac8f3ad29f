#!/usr/bin/env python3
"""Tests what commands say to files that nobody prepared for them: other files, damaged ones, wrong shapes."""

import os
import pty
import shlex
import struct
import subprocess
import threading
import time

from cli_common import (DIGITS, Binaries, CliTest, main, model, node, npy, value_info, write)

IMAGES = DIGITS.parent / "images.npy"


class WrongFiles(CliTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.program = cls.plan(DIGITS)
        cls.files = {
            "empty": b"",
            "text": b"a few words about nothing\n",
            "page": b"<!DOCTYPE html><html><body>404</body></html>",
            "pointer": b"version https://git-lfs.github.com/spec/v1\noid sha256:00\n",
            "image": b"\x89PNG\r\n\x1a\n" + bytes(60),
            "zeros": bytes(100),
            "zip": b"PK\x03\x04" + bytes(range(60)),
        }
        for name, data in cls.files.items():
            write(cls.folder / name, data)

    def test_a_model_in_the_programs_place_is_to_be_planned_first(self):
        for words, board in ((["inspect"], ""), (["run"], ""), (["run", "--board", "host"], "host"),
                             (["strip", "--board", "host", "-o", "x.arn"], "host")):
            done = self.arenite(*words, DIGITS)
            self.assert_fails(done, 2, "found an ONNX model; plan it first: arenite plan")
            command = shlex.split(done.stderr.strip().split("plan it first: arenite ")[1])
            self.assertEqual("--board" in command, board != "")
            planned = self.arenite(*command)
            self.assertEqual(planned.returncode, 0, planned.stderr)
            self.assertTrue((self.folder / "digits.arn").exists())
        self.assert_fails(self.arenite_run(DIGITS), 2, "plan it first: arenite plan")
        spaced = write(self.folder / "my model.onnx", DIGITS.read_bytes())
        self.assert_fails(self.arenite("run", spaced), 2, f"plan '{spaced}' -o my_model.arn")

    def test_other_files_are_named(self):
        found = {"empty": "an empty file", "text": "text", "page": "a web page",
                 "pointer": "a Git LFS pointer", "image": "a PNG image", "zeros": "nothing but zeros",
                 "zip": "a ZIP archive"}
        for name, what in found.items():
            for words in (["inspect"], ["run"], ["strip", "--board", "host", "-o", "x.arn"]):
                self.assert_fails(self.arenite(*words, name), 2,
                                  f"{name}: expected an Arenite program, found {what}")
            self.assert_fails(self.arenite_run(name), 2, f"found {what}")
            self.assert_fails(self.arenite("target", "run", "--board", "mps3-an547", name), 2,
                              f"{name}: it is no program, and planned as a model: not an ONNX model: found {what}")
            self.assert_fails(self.arenite("plan", name), 2, f"not an ONNX model: found {what}")
            if what != "text":
                self.assert_fails(self.arenite("memplan", name), 2, f"found {what}")
        self.assert_fails(self.arenite("plan", self.program), 2, "found an Arenite program")
        self.assert_fails(self.arenite("memplan", DIGITS), 2, "found an ONNX model")

    def test_shapes_that_would_do(self):
        images = IMAGES.read_bytes()
        elements = images[10 + struct.unpack_from("<H", images, 8)[0]:]
        numbers = struct.unpack(f"<{len(elements) // 4}f", elements)
        flat = write(self.folder / "flat.npy", npy("<f4", (360, 8, 8), numbers))
        one = write(self.folder / "one.npy", npy("<f8", (8, 8), numbers[:64]))
        for runner in (lambda *words: self.arenite("run", *words), self.arenite_run):
            self.assert_fails(runner(self.program, "--device", "cpu", "--input", flat), 2,
                              "numpy's .reshape(360, 1, 1, 8, 8) would do, for 360 runs")
            self.assert_fails(runner(self.program, "--device", "cpu", "--input", one), 2,
                              "numpy's .astype(numpy.float32).reshape(1, 1, 8, 8) would do")


class Inspect(CliTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.program = cls.plan(DIGITS, "--board", "host", "--board", "mps3-an547")
        cls.data = cls.program.read_bytes()

    def damaged(self, changes, length=None):
        """inspect's JSON and text of the program with bytes changed and cut to a length."""
        data = bytearray(self.data)
        for at, byte in changes.items():
            data[at] ^= byte
        path = write(self.folder / "damaged.arn", bytes(data[:length]))
        info = self.json_of("inspect", path, status=1)
        text = self.arenite("inspect", path)
        self.assertEqual(text.returncode, 1)
        for damage in info["damage"]:
            self.assertIn(f"DAMAGED: {damage['check']}, {damage['where']}: {damage['why']}\n", text.stdout)
        for command in (["run"], ["target", "run", "--board", "mps3-an547"]):
            done = self.arenite(*command, path)
            self.assertIn(done.returncode, (1, 2), done.stdout)
            self.assertIn("damaged.arn: ", done.stderr)
        return info, text.stdout

    def checks(self, *arguments):
        return [(damage["check"], damage["where"]) for damage in self.damaged(*arguments)[0]["damage"]]

    def test_a_whole_program_has_no_damage(self):
        info = self.json_of("inspect", self.program)
        self.assertEqual((info["damage"], info["readable"]), ([], True))
        self.assertNotIn("DAMAGED", self.arenite("inspect", self.program).stdout)

    def test_steps_name_their_tensors(self):
        info = self.json_of("inspect", self.program)
        text = self.arenite("inspect", self.program).stdout
        names = {value["name"] for method in info["methods"] for variant in method["variants"]
                 for value in variant["values"]} - {""}
        self.assertIn("logits", names)
        for name in names:
            self.assertIn(f"{name} [", text)

    def test_each_part_is_told(self):
        plan_at = struct.unpack_from("<I", self.data, 28)[0]
        sections = {section["kind"]: section
                    for section in self.json_of("inspect", self.program)["sections"]}
        self.assertEqual(self.checks({9: 1}), [("header checksum", "header")])
        for kind, section in sections.items():
            self.assertEqual(self.checks({section["offset"]: 1}),
                             [("section checksum", f"section {kind}")])
        self.assertEqual(self.checks({plan_at + 1: 255})[0], ("plan checksum", "plan"))
        names = sections["names"]
        self.assertNotEqual((names["offset"] + names["bytes"]) % 64, 0)
        self.assertEqual(self.checks({names["offset"] + names["bytes"]: 1})[0][0], "padding")
        self.assertEqual(self.checks({9: 1, sections["names"]["offset"]: 1}),
                         [("header checksum", "header"), ("section checksum", "section names")])

    def test_a_part_of_a_file_is_shown(self):
        info, text = self.damaged({}, len(self.data) - 10)
        self.assertEqual(info["damage"][0]["check"], "length")
        self.assertIn(f"{len(self.data)} bytes, there are {len(self.data) - 10}", text)
        self.assertEqual(info["methods"][0]["inputs"][0]["name"], "image")
        info, _ = self.damaged({}, 40)
        self.assertFalse(info["readable"])
        info, _ = self.damaged({}, 100)
        self.assertFalse(info["readable"])

    def test_what_the_loader_would_refuse_is_told(self):
        # A value's place in the plan, with checksums that hold: only the proof can tell.
        plan_at, plan_bytes = struct.unpack_from("<II", self.data, 28)
        found = set()
        for at in range(plan_at, plan_at + plan_bytes, 61):
            for damage in self.damaged({at: 64})[0]["damage"][1:]:
                found.add(damage["check"])
        self.assertIn("proof", found)
        self.assertIn("plan", found)



class HostileNames(CliTest):
    """Names come from files, and a terminal obeys what it is shown."""

    def test_control_characters_are_shown_not_sent(self):
        name = "\x1b[31mred\r\x07\n\u202e"
        hostile = model([value_info(name, [2])], [node("Relu", [name], [name + "y"], name)],
                        [value_info(name + "y", [2])])
        program = self.plan(hostile)
        one = write(self.folder / "one.bin", bytes(8))
        for words in (["run", program, "--device", "cpu", "--input", one],
                      ["run", program, "--device", "cpu", "--input", f"nonesuch={one}"],
                      ["run", program, "--method", name], ["inspect", program], ["inspect", name],
                      ["plan", "--check", self.folder / "model.onnx", "--report", "text"],
                      ["plan", "--check", self.folder / "model.onnx", "--shape", f"{name}=3"],
                      ["fit", self.folder / "model.onnx", "--board", "mps3-an547"]):
            done = self.arenite(*words)
            self.assert_harmless(done, r"\\x1b|done|fits|can be planned|relu", words)

    def assert_harmless(self, done, expected, words):
        text = done.stdout + done.stderr
        self.assertNotRegex(text, "[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", words)
        if self.folder.joinpath(words[1]).exists() or words[0] == "plan":
            self.assertNotRegex(text, r"(?m)^\\xe2", words)  # no line begins in the midst of a name
        self.assertRegex(text, expected, words)

    def test_names_in_tables_and_lists(self):
        name = "\x1b]0;owned\x07\n\u202egnp"
        program = self.plan(model([value_info(name, [2])], [node("Relu", [name], [name + "y"], name)],
                                  [value_info(name + "y", [2])]))
        one = write(self.folder / "one.bin", bytes(8))
        labels = write(self.folder / "labels.txt", "\x1b[2Jfirst\nsecond\u202e\n".encode())
        problem = write(self.folder / "problem.csv", "id,lower,upper,size\n\x1b[31ma\u202e,0,1,9\nb,0,1,9\n".encode())
        for words in (["bench", program, "--device", "cpu", "--seconds", "0"],
                      ["run", program, "--device", "cpu", "--input", one, "--profile"],
                      ["run", program, "--device", "cpu", "--input", one, "--labels", labels],
                      ["compare", program, program, "--device-a", "cpu", "--device-b", "cpu"],
                      ["memplan", problem], ["memplan", problem, "--capacity", "10"],
                      ["memplan", problem, "--report", "text"], ["ops", self.folder / "model.onnx"]):
            self.assert_harmless(self.arenite(*words), r".", words)


class ProgressLine(CliTest):
    """What is shown while work takes long, on a terminal's standard error and nowhere else."""

    def plan_a_late_model(self, errors, terminal="xterm"):
        """Plans a model that comes through a pipe after a second; standard error goes to `errors`."""
        fifo = self.folder / "late"
        if not fifo.exists():
            os.mkfifo(fifo)

        def feed():
            with fifo.open("wb") as stream:
                time.sleep(1)
                stream.write(DIGITS.read_bytes())
        feeder = threading.Thread(target=feed)
        feeder.start()
        done = subprocess.run([Binaries.arenite, "plan", fifo, "-o", "late.arn"], cwd=self.folder,
                              stdout=subprocess.PIPE, stderr=errors, check=False, text=True,
                              env=dict(self.environment, TERM=terminal))
        feeder.join()
        self.assertEqual((done.returncode, done.stdout), (0, f"late.arn: {self.size()} bytes\n"))

    def size(self):
        return (self.folder / "late.arn").stat().st_size

    def on_a_terminal(self, terminal):
        ours, theirs = pty.openpty()
        self.plan_a_late_model(theirs, terminal)
        os.close(theirs)
        shown = b""
        try:
            while part := os.read(ours, 1 << 16):  # one read may give only a part
                shown += part
        except OSError:
            pass  # nobody has the other end open, and all has been read
        finally:
            os.close(ours)
        return shown.decode()

    def test_a_terminal_shows_what_is_done_and_is_left_clean(self):
        shown = self.on_a_terminal("xterm")
        self.assertIn("\rplan: reading ", shown)
        self.assertTrue(shown.endswith("\r\x1b[K"), shown)

    def test_other_places_stay_silent(self):
        self.assertEqual(self.on_a_terminal("dumb"), "")
        with (self.folder / "errors").open("wb") as errors:
            self.plan_a_late_model(errors)
        self.assertEqual((self.folder / "errors").read_bytes(), b"")


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
