#!/usr/bin/env python3
"""Runs `arenite target run` and the embedded images in QEMU, and compares with the host."""

import argparse
import contextlib
import json
import os
import pathlib
import pty
import re
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import tty
import unittest

from few_digits import FEW, few_digits

options = argparse.Namespace()


def run(*words, environment=None):
    """Exit status, standard output and standard error of an arenite command."""
    done = subprocess.run([options.arenite, *map(str, words)], capture_output=True, text=True,
                          check=False, env={**os.environ, **(environment or {})}, timeout=600)
    return done.returncode, done.stdout, done.stderr


def elements(path):
    """The bytes after the header of a .npy file of version 1."""
    data = pathlib.Path(path).read_bytes()
    return data[10 + struct.unpack_from("<H", data, 8)[0]:]


def floats(data):
    return [value[0] for value in struct.iter_unpack("<f", data)]


BOARD_OF_LINES = "mps2-an386"  # what options.lossy says it is


class TargetRun(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.digits = pathlib.Path(options.source) / "examples/digits"
        self.few = few_digits(self.folder, self.digits / "images.npy")

    def plan(self, *words):
        program = self.folder / "program.arn"
        status, _, errors = run("plan", *words, "-o", program)
        self.assertEqual(status, 0, errors)
        return program

    def target(self, program, *words, board="mps3-an547"):
        status, text, errors = run("target", "run", "--board", board, program, "--output-dir",
                                   self.folder / "target", *words, "--json")
        self.assertEqual(status, 0, errors)
        return json.loads(text)

    def test_digits_agree_with_the_host(self):
        boards = ("host", "mps3-an547", "mps2-an386")
        # A plan for few bytes is one for references on the host; forms of the boards round elsewhere.
        program = self.plan(self.digits / "digits.onnx", "--optimize", "memory", *(f"--board={b}" for b in boards))
        images = f"image={self.digits / 'images.npy'}"
        status, text, errors = run("run", program, "--device", "cpu", "--input", images,
                                   "--output-dir", self.folder / "host", "--json")
        self.assertEqual(status, 0, errors)
        expected = floats(elements(json.loads(text)["outputs"][0]["file"]))
        largest = max(map(abs, expected))
        for board in boards[1:]:
            report = self.target(program, "--input", images, board=board)
            found = floats(elements(report["outputs"][0]["file"]))
            self.assertEqual(len(found), len(expected), board)
            self.assertLess(max(abs(a - b) for a, b in zip(found, expected)), 1e-5 * largest, board)
            self.assertEqual(report["outputs"][0]["shape"][0], 360)
            self.assertEqual(report["instructions_by"], "counter")
            self.assertGreater(report["instructions_per_run"], 100_000)
            for key in ("load_instructions", "stack_bytes", "text_bytes", "bss_bytes"):
                self.assertGreater(report[key], 0, key)
            print(f"{board}: {report['instructions_per_run']} instructions an image, "
                  f"{report['stack_bytes']} bytes of stack")

    def test_the_best_classes_are_those_of_the_host(self):
        program = self.plan(self.digits / "digits.onnx", "--optimize", "memory", "--board=host", "--board=mps3-an547")
        names = self.folder / "names.txt"
        names.write_text("".join(f"digit {d}\n" for d in range(10)))
        words = ("--input", self.few, "--labels", names, "--top", "2")
        status, text, errors = run("run", program, "--device", "cpu", *words, "--json")
        self.assertEqual(status, 0, errors)
        labels = [[c["label"] for c in row["classes"]] for row in json.loads(text)["top"]]
        self.assertEqual(len(labels), FEW)
        found = self.target(program, *words)["top"]
        self.assertEqual([[c["label"] for c in row["classes"]] for row in found], labels)
        self.assertEqual([row["run"] for row in found], list(range(FEW)))
        status, text, errors = run("target", "run", "--board", "mps3-an547", program, *words)
        self.assertEqual(status, 0, errors)
        self.assertIn("top of logits, run 0\n", text)
        self.assertIn(f"  {labels[0][0]} (", text)
        names.write_text("one\ntwo\n")
        status, _, errors = run("target", "run", "--board", "mps3-an547", program, *words)
        self.assertEqual(status, 2)
        self.assertIn("it holds 2 labels, output 'logits' has 10 classes", errors)

    def test_a_program_frozen_at_format_2_runs(self):
        program = pathlib.Path(options.source) / "tests/frozen/format2/digits.arn"
        expected = floats(elements(self.digits / "logits.npy"))[:10 * FEW]
        largest = max(map(abs, expected))
        for board in ("mps3-an547", "mps2-an386"):
            report = self.target(program, "--input", self.few, board=board)
            found = floats(elements(report["outputs"][0]["file"]))
            self.assertEqual(len(found), len(expected))
            self.assertLess(max(abs(a - b) for a, b in zip(found, expected)), 1e-4 * largest, board)

    def test_the_emulators_command_is_shown_on_request(self):
        program = self.plan(self.digits / "digits.onnx", "--board=mps3-an547")
        command = ("target", "run", "--board", "mps3-an547", program, "--input", self.few)
        status, text, errors = run(*command)
        self.assertEqual((status, errors), (0, ""))
        self.assertNotIn("qemu-system-arm", text)
        for option in ("-v", "--verbose"):
            status, text, errors = run(*command, option)
            self.assertEqual(status, 0, errors)
            self.assertIn("\nstarted as: qemu-system-arm ", text)

    def test_profile_tells_the_instructions_of_each_step(self):
        program = self.plan(self.digits / "digits.onnx", "--board=mps3-an547", "--board=mps2-an386")
        images = f"image={self.few}"
        for board in ("mps3-an547", "mps2-an386"):
            plain = self.target(program, "--input", images, board=board)
            expected = elements(plain["outputs"][0]["file"])
            self.assertEqual(plain["steps"], 9)
            report = self.target(program, "--input", images, "--profile", board=board)
            self.assertEqual(elements(report["outputs"][0]["file"]), expected)
            steps = report["steps"]
            self.assertEqual(len(steps), 8)  # but for the view
            self.assertEqual([s["instructions"] for s in steps],
                             sorted((s["instructions"] for s in steps), reverse=True))
            self.assertIn("/9/MaxPool", [s["name"] for s in steps])
            # Its product of one row is a convolution of one pixel.
            self.assertEqual({s["op"] for s in steps}, {"conv", "max_pool", "reduce_mean"})
            whole = sum(s["instructions"] for s in steps) + report["outside_instructions"]
            self.assertLessEqual(abs(whole - report["instructions_per_run"]), len(steps) + 1)
            # Marking the steps is all that was added.
            added = report["instructions_per_run"] - plain["instructions_per_run"]
            self.assertTrue(0 < added <= 20 * len(steps), added)
            print(f"{board}: marking a step takes {added / len(steps):.0f} instructions")

    def test_calls_inside_steps_come_in_time(self):
        operations = 10_000
        most = 22  # instructions an operation, for depthwise convolutions of float (docs/firmware.md)
        program = self.plan(self.digits / "digits.onnx", "--board=mps3-an547", "--board=mps2-an386")
        images = f"image={self.few}"
        for board in ("mps3-an547", "mps2-an386"):
            plain = self.target(program, "--input", images, board=board)
            expected = elements(plain["outputs"][0]["file"])
            report = self.target(program, "--input", images, "--pause-operations", operations, board=board)
            self.assertEqual(elements(report["outputs"][0]["file"]), expected)
            self.assertLessEqual(report["greatest_gap_instructions"], most * operations)
            self.assertGreaterEqual(report["pauses"] * report["greatest_gap_instructions"], plain["instructions"] // 2)
            self.assertLessEqual(report["instructions"], 1.02 * plain["instructions"])
            print(f"{board}: {report['pauses']} calls, at most {report['greatest_gap_instructions']} instructions apart, "
                  f"for {report['instructions'] / plain['instructions'] - 1:.2%}")
        status, _, errors = run("target", "run", program, "--board", "mps2-an386", "--input", images, "--pause-operations", 0)
        self.assertEqual(status, 2)
        self.assertIn("--pause-operations", errors)

    def on_a_line(self, *words, board=BOARD_OF_LINES):
        """The outputs over a line to a board that is a process; plain code stands in for its forms."""
        program = self.plan(self.digits / "digits.onnx", "--board", board, "--forms", "any")
        report = self.target(program, "--input", self.few, *words, board=board)
        self.assertGreater(report["ns_per_run"], 0)
        self.assertNotIn("instructions", report)
        return elements(report["outputs"][0]["file"]), report

    def test_lines_to_a_board(self):
        expected, report = self.on_a_line("--exec", f"{options.lossy} --board {BOARD_OF_LINES}")
        self.assertEqual(report["line"]["sent_again"], 0)
        got, report = self.on_a_line("--exec", f"{options.lossy} --seed 2 --damage 0.1", "--timeout", "4")
        self.assertEqual(got, expected)
        self.assertGreater(report["line"]["sent_again"], 0)
        # A serial port, twice: a board goes on behind a conversation, and behind one that was cut.
        main, port = pty.openpty()
        self.addCleanup(os.close, port)
        tty.setraw(main)
        tty.setraw(port)
        with subprocess.Popen([options.lossy], stdin=main, stdout=main) as board:
            os.close(main)
            for _ in range(2):
                got, _ = self.on_a_line("--port", os.ttyname(port), "--baud", "921600")
                self.assertEqual(got, expected)
                os.write(port, b"ARNH\x10\0\0\0\x20\0\0\0")
            board.kill()
        # A connection.
        with socket.create_server(("127.0.0.1", 0)) as server:
            def serve():
                connection, _ = server.accept()
                with connection, subprocess.Popen([options.lossy], stdin=connection, stdout=connection):
                    pass
            thread = threading.Thread(target=serve)
            thread.start()
            got, _ = self.on_a_line("--port", f"tcp:127.0.0.1:{server.getsockname()[1]}")
            self.assertEqual(got, expected)
            thread.join()

    def test_a_board_that_is_reset(self):
        """A board on a serial port hangs in a test; reset by a command it goes on with the next."""
        folder = self.folder / "model"
        folder.mkdir()
        program = self.plan(self.digits / "digits.onnx", "--board", BOARD_OF_LINES, "--forms", "any")
        program.rename(folder / "model.arn")
        images, logits = (elements(self.digits / name) for name in ("images.npy", "logits.npy"))
        for i in range(4):
            data = folder / f"test_data_set_{i}"
            data.mkdir()
            (data / "input_0.bin").write_bytes(images[256 * i:256 * (i + 1)])
            (data / "output_0.bin").write_bytes(logits[40 * i:40 * (i + 1)])
        main, port = pty.openpty()
        self.addCleanup(os.close, port)
        self.addCleanup(os.close, main)
        tty.setraw(main)
        tty.setraw(port)
        running = []

        def start(*words):
            running.append(subprocess.Popen([options.lossy, *words], stdin=main, stdout=main))

        def power_cycle(server):
            with contextlib.suppress(OSError):  # the server is closed at the end
                while True:
                    server.accept()[0].close()
                    running[-1].kill()
                    running[-1].wait()
                    start()
        # The probe that resets the board is somebody who waits for a connection.
        with socket.create_server(("127.0.0.1", 0)) as server:
            threading.Thread(target=power_cycle, args=(server,), daemon=True).start()
            reset = f"{sys.executable} -c 'import socket; socket.create_connection((\"127.0.0.1\", {server.getsockname()[1]}))'"
            words = ("target", "test", "--board", BOARD_OF_LINES, folder, "--port", os.ttyname(port),
                     "--timeout", "2", "--reset")
            # In the middle of a test, and before the first.
            for at, failed in (("14", 1), ("0", 0)):
                start("--trouble", "hang", "--at", at)
                status, text, errors = run(*words, reset)
                self.assertEqual(len(re.findall("^ok", text, re.M)), 4 - failed, (at, text, errors))
                self.assertEqual(status, failed, errors)
                running[-1].kill()
                running[-1].wait()
            status, text, _ = run(*words, "echo no probe; exit 3")
            self.assertEqual(status, 1)
            self.assertIn("--reset 'echo no probe; exit 3': expected status 0, found 3; it said: no probe", text)
        status, _, errors = run("target", "test", "--board", BOARD_OF_LINES, folder, "--reset", "true")
        self.assertEqual(status, 2)
        self.assertIn("--reset is about a board on a line", errors)

    def test_a_line_that_leads_nowhere(self):
        program = self.plan(self.digits / "digits.onnx", "--board", BOARD_OF_LINES)
        command = ("target", "run", "--board", BOARD_OF_LINES, program, "--input", self.few)
        for words, status, text in ((("--port", "/nowhere"), 1, "/nowhere: cannot be opened"),
                                    (("--port", "/dev/null"), 1, "is no serial port"),
                                    (("--port", "tcp:nowhere"), 2, "expected tcp:HOST:PORT"),
                                    (("--port", "tcp:127.0.0.1:1"), 1, "cannot be connected to"),
                                    (("--port", "/dev/null", "--exec", "cat"), 2, "--exec"),
                                    (("--exec", "sleep 100", "--timeout", "0.5"), 1,
                                     "expected an answer to HELLO within 0.500 s, found silence"),
                                    (("--exec", "cat /dev/urandom", "--timeout", "0.5"), 1, "bytes that are no frame"),
                                    (("--exec", "echo out of order; exit 5"), 1, "it said: out of order"),
                                    (("--exec", "cat", "--profile"), 2, "--profile"),
                                    (("--exec", "cat", "--image", "embedded"), 2, "harness"),
                                    (("--timeout", "0"), 2, "expected seconds")):
            got, _, errors = run(*command, *words)
            self.assertEqual(got, status, (words, errors))
            self.assertIn(text, errors)

    def test_what_a_line_s_command_starts_ends_with_it(self):
        """Whether the command gives up, is killed itself, or all processes of its name are told to end."""
        program = self.plan(self.digits / "digits.onnx", "--board", BOARD_OF_LINES)
        told = self.folder / "told"
        command = ("target", "run", "--board", BOARD_OF_LINES, program, "--input", self.few,
                   "--exec", f"sleep 600 & echo $! >{told}.part; mv {told}.part {told}; wait")

        def runs(pid):
            try:
                state = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="ascii")
            except FileNotFoundError:
                return False
            return state.rsplit(")", 1)[1].split()[0] != "Z"

        def ends(pid):
            end = time.monotonic() + 20
            while runs(pid):
                if time.monotonic() > end:
                    os.kill(pid, signal.SIGKILL)
                    return False
                time.sleep(0.02)
            return True

        status, _, errors = run(*command, "--timeout", "0.5")
        self.assertEqual(status, 1, errors)
        self.assertTrue(ends(int(told.read_text())))
        def end_all():
            for folder in pathlib.Path("/proc").glob("[0-9]*"):
                try:
                    if str(told).encode() in (folder / "cmdline").read_bytes():
                        os.kill(int(folder.name), signal.SIGTERM)
                except (FileNotFoundError, ProcessLookupError):
                    pass

        for end in (subprocess.Popen.kill, lambda arenite: end_all()):
            told.unlink()
            with subprocess.Popen([options.arenite, *map(str, command)], stderr=subprocess.DEVNULL) as arenite:
                while not told.exists():
                    self.assertIsNone(arenite.poll())
                    time.sleep(0.02)
                end(arenite)
            self.assertTrue(ends(int(told.read_text())))

    def test_an_image_that_is_half_there(self):
        program = self.plan(self.digits / "digits.onnx", "--board", "mps2-an386")
        image = "cortex-m4/boards/mps2-an386/harness.elf"
        whole = bytearray((pathlib.Path(options.images) / image).read_bytes())
        half = self.folder / image
        half.parent.mkdir(parents=True)
        command = ("target", "run", "--board", "mps2-an386", program, "--input", self.few, "--timeout", "20")
        half.write_bytes(whole[:300000])
        status, _, errors = run(*command, environment={"ARENITE_IMAGES": str(self.folder)})
        self.assertEqual(status, 1)
        self.assertIn("ends before what it announces", errors)
        # The code behind its first part was never written.
        first = struct.unpack_from("<I", whole, struct.unpack_from("<I", whole, 28)[0] + 4)[0]
        whole[first + 4000:first + 200000] = b"\xff" * 196000
        half.write_bytes(whole)
        status, _, errors = run(*command, environment={"ARENITE_IMAGES": str(self.folder)})
        self.assertEqual(status, 1)
        self.assertRegex(errors, r"the board stopped at [A-Z]+ \(qemu-system-arm ended")
        self.assertRegex(errors, r"CFSR 0x[0-9a-f]{8}, HFSR 0x40000000\), at PC 0x[0-9a-f]{8} in ")

    def test_what_is_expected_of_a_board(self):
        data = self.digits
        program = self.plan(data / "digits.onnx", "--board", "mps2-an386")
        words = ("target", "test", "--board", "mps2-an386", program, "--input", data / "images.npy",
                 "--expect", data / "logits.npy")
        status, text, errors = run(*words)
        self.assertEqual((status, errors), (0, ""))
        self.assertEqual(text, f"TAP version 14\n1..1\nok 1 - {program} main --expect\n")
        status, text, _ = run(*words, "--tolerance", "0")
        self.assertEqual(status, 1)
        self.assertRegex(text, r"not ok 1 - .*\n  ---\n  message: \".*elements differ.*\"\n  \.\.\.\n$")
        status, text, _ = run(*words, "--json")
        report = json.loads(text)
        self.assertEqual((status, report["passed"], report["failed"]), (0, 1, 0))
        self.assertGreater(report["tests"][0]["instructions"], 1000)
        # A folder of a model with its inputs and outputs, and one where they are wrong.
        folder = self.folder / "digit"
        folder.mkdir()
        (folder / "model.onnx").write_bytes((data / "digits.onnx").read_bytes())
        (folder / "in_0.bin").write_bytes(elements(data / "images.npy")[:256])
        (folder / "out_0.bin").write_bytes(elements(data / "logits.npy")[:40])
        second = folder / "test_data_set_0"
        second.mkdir()
        (second / "input_0.bin").write_bytes(elements(data / "images.npy")[:256])
        (second / "output_0.bin").write_bytes(elements(data / "logits.npy")[40:80])
        status, text, _ = run("target", "test", "--board", "mps2-an386", folder)
        self.assertEqual(status, 1)
        self.assertRegex(text, r"\nok 1 - .*digit\nnot ok 2 - .*test_data_set_0\n")
        for words, text in (((program,), "nothing is expected of it"), ((), "expected a PROGRAM, or --ops, found neither"),
                            (("--ops", "--input", "x.npy"), "--input and --expect are about one program, found 0")):
            status, _, errors = run("target", "test", "--board", "mps2-an386", *words)
            self.assertEqual(status, 2)
            self.assertIn(text, errors)

    def test_a_bench_of_a_board(self):
        program = self.plan(self.digits / "digits.onnx", "--board", "mps2-an386")
        words = ("target", "bench", "--board", "mps2-an386", program)
        status, text, errors = run(*words, "--profile", "--repeat", 2, "--json")
        self.assertEqual((status, errors), (0, ""))
        report = json.loads(text)
        self.assertEqual((report["runs"], report["made_up_inputs"], report["cycles_by"]), (2, True, "estimate"))
        self.assertLess(abs(report["median_instructions"] - report["counted_instructions"]), 200)
        self.assertLessEqual(report["min_instructions"], report["max_instructions"])
        self.assertEqual(len(report["steps"]), 8)
        status, text, errors = run(*words)
        self.assertEqual((status, errors), (0, ""))
        self.assertRegex(text, r"\nload +\d+\nmin +\d+\nmedian +\d+\nmax +\d+\n")

    def test_a_board_whose_counter_counts_no_steps(self):
        board = pathlib.Path(options.source) / "boards/mps3-an547/board.json"
        old = self.folder / "old.json"
        old.write_text(board.read_text(encoding="utf-8").replace("{steps}", ""), encoding="utf-8")
        program = self.plan(self.digits / "digits.onnx", "--board", "mps3-an547")
        words = ("target", "run", "--board", old, program, "--input", self.few)
        status, _, errors = run(*words, "--profile")
        self.assertEqual(status, 2)
        self.assertIn("{steps}", errors)
        self.assertEqual(run(*words)[0], 0)

    def test_a_program_for_the_boards_own_forms(self):
        model = pathlib.Path(options.shared) / "models/tfl_mlperf_ad_int8"
        if not model.is_dir():
            self.skipTest("the shared models are absent")
        for board in ("mps2-an386", "mps3-an547"):
            program = self.plan(model / "model.tflite", "--board", board, "--forms", "exact")
            for image in ("harness", "embedded"):
                report = self.target(program, "--input", model / "in_0.bin", "--image", image, board=board)
                self.assertEqual(elements(report["outputs"][0]["file"]), (model / "out_0.bin").read_bytes(), board)

    def test_inputs_and_outputs_of_the_caller(self):
        images = f"image={self.few}"
        found = []
        for io in ("planned", "caller"):
            program = self.plan(self.digits / "digits.onnx", "--board=mps3-an547", "--io", io)
            report = self.target(program, "--input", images)
            found.append((elements(report["outputs"][0]["file"]),
                          [arena["name"] for arena in report["arenas"]]))
        self.assertEqual(found[0][0], found[1][0])
        self.assertEqual(found[1][1], ["dtcm", "input 0", "output 0"])

    def test_a_model_that_spills_is_right(self):
        model = pathlib.Path(options.shared) / "models/onnx_ultraface_rfb320"
        if not model.is_dir():
            self.skipTest("the shared models are absent")
        program = self.plan(model / "model.onnx", "--board", "mps3-an547")
        report = self.target(program, "--input", model / "in_0.bin")
        self.assertGreaterEqual(sum(arena["peak_bytes"] > 0 for arena in report["arenas"]), 2)
        for index, output in enumerate(report["outputs"]):
            got = floats(elements(output["file"]))
            expected = floats((model / f"out_{index}.bin").read_bytes())
            self.assertEqual(len(got), len(expected))
            worst = max(abs(a - b) for a, b in zip(got, expected))
            self.assertLessEqual(worst, 1e-4 * max(map(abs, expected)))

    def test_both_methods_of_a_program(self):
        copy = self.folder / "again.onnx"
        copy.write_bytes((self.digits / "digits.onnx").read_bytes())
        program = self.plan(self.digits / "digits.onnx", copy, "--board", "mps3-an547")
        image = self.folder / "image.bin"
        image.write_bytes(elements(self.digits / "images.npy")[:256])
        outputs = [elements(self.target(program, "--method", method, "--input",
                                        image)["outputs"][0]["file"])
                   for method in ("digits", "again")]
        self.assertEqual(outputs[0], outputs[1])
        status, _, errors = run("target", "run", "--board", "mps3-an547", program, "--method", "x")
        self.assertEqual(status, 2)
        self.assertRegex(errors, "digits.*again")

    def test_what_cannot_be_run_is_told(self):
        program = self.plan(self.digits / "digits.onnx")  # for the host
        for board, status, words in (("nowhere", 2, "mps3-an547"), ("host", 2, "no emulator"),
                                     ("mps3-an547", 2, "planned for host")):
            got, _, errors = run("target", "run", "--board", board, program)
            self.assertEqual(got, status, errors)
            self.assertIn(words, errors)
        program = self.plan(self.digits / "digits.onnx", "--board", "mps3-an547")
        command = ("target", "run", "--board", "mps3-an547", program)
        got, _, errors = run(*command)
        self.assertEqual(got, 2)
        self.assertIn("missing --input", errors)
        command += ("--input", self.digits / "images.npy")
        got, _, errors = run(*command, environment={"ARENITE_IMAGES": "/nowhere"})
        self.assertEqual(got, 1)
        self.assertIn("harness image", errors)
        got, _, errors = run(*command, environment={"PATH": "/nowhere"})
        self.assertEqual(got, 1)
        self.assertIn("qemu-system-arm: cannot be started", errors)

    def test_embedded_images_agree_with_the_host(self):
        images = elements(self.digits / "images.npy")
        expected = None
        for toolchain, board in (("cortex-m55", "mps3-an547"), ("cortex-m4", "mps2-an386")):
            elf = pathlib.Path(options.images) / toolchain / "boards" / board / "digits.elf"
            file = pathlib.Path(options.source) / "boards" / board / "board.json"
            words = json.loads(file.read_text(encoding="utf-8"))["emulator"]["command"]
            count = 3
            sent = b"".join(b"r" + images[256 * i:256 * (i + 1)] for i in range(count)) + b"q"
            done = subprocess.run([w.replace("{elf}", str(elf)) for w in words], input=sent,
                                  capture_output=True, timeout=300, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            none = struct.pack("<3I", 0, 0xFFFFFFFF, 0xFFFFFFFF)
            self.assertEqual(done.stdout[:12], none)
            answers = done.stdout[16:]  # behind the bytes of stack
            self.assertEqual(len(answers), count * 56)
            logits = b"".join(answers[56 * i + 16:56 * (i + 1)] for i in range(count))
            if expected is None:
                expected = floats(elements(self.digits / "logits.npy"))[:10 * count]
            worst = max(abs(a - b) for a, b in zip(floats(logits), expected))
            self.assertLessEqual(worst, 1e-5 * max(map(abs, expected)))

    def test_the_image_of_one_program(self):
        images = f"image={self.few}"
        for board in ("mps3-an547", "mps2-an386"):
            program = self.plan(self.digits / "digits.onnx", "--board", board)
            harness = self.target(program, "--input", images, board=board)
            outputs = elements(harness["outputs"][0]["file"])
            report = self.target(program, "--input", images, "--image", "embedded", board=board)
            self.assertEqual(elements(report["outputs"][0]["file"]), outputs, board)
            self.assertEqual((harness["image"], report["image"]), ("harness", "embedded"))
            # The harness takes a few instructions more around each call.
            for key in ("load_instructions", "instructions_per_run"):
                self.assertLess(abs(harness[key] - report[key]), 0.05 * report[key], key)
            self.assert_parts(report)
            self.assertEqual("cycles_by" in report, board == "mps2-an386")
            if board == "mps2-an386":
                self.assertTrue(1 < report["cycles_per_run"] / report["instructions_per_run"] < 2.5)
                self.assertTrue(1 < report["load_cycles"] / report["load_instructions"] < 2.5)
            image = pathlib.Path(report["elf"])
            built = image.stat().st_mtime_ns
            trusted = self.target(program, "--input", images, "--image", "embedded", "--without-verifier", board=board)
            self.assertEqual(elements(trusted["outputs"][0]["file"]), outputs, board)
            self.assert_parts(trusted)
            self.assertLess(trusted["code_bytes"], report["code_bytes"])
            # Wherever the code lies.
            for key in ("instructions_per_run", "cycles_per_run"):
                self.assertEqual(trusted.get(key), report.get(key), key)
            self.assertLess(trusted["load_instructions"], report["load_instructions"])
            # What is built is kept.
            again = self.target(program, "--input", images, "--image", "embedded", board=board)
            self.assertEqual((again["elf"], image.stat().st_mtime_ns), (report["elf"], built))
            self.assertEqual(again["instructions"], report["instructions"])
            # Of a program for several boards the image holds that for this one.
            program = self.plan(self.digits / "digits.onnx", "--board", "host", "--board", board)
            part = self.target(program, "--input", images, "--image", "embedded", board=board)
            self.assertLess(part["flash"]["program"], program.stat().st_size - 1024)
            print(f"{board}: code {report['code_bytes']} bytes, {trusted['code_bytes']} without the verifier; RAM "
                  f"{report['ram_bytes']}, with the stack's bound {report['ram_bound_bytes']}")

    def assert_parts(self, report):
        flash, ram = report["flash"], report["ram"]
        for part in ("program", "kernels", "runtime", "tables", "startup", "libc"):
            self.assertGreater(flash[part], 0, part)
        self.assertEqual(report["code_bytes"], sum(flash.values()) - flash["program"])
        # Paddings and the alignment of sections come on top.
        self.assertLess(abs(report["text_bytes"] + report["data_bytes"] - sum(flash.values())), 64)
        self.assertEqual(ram["arenas"], sum(arena["peak_bytes"] for arena in report["arenas"]))
        self.assertLess(abs(ram["instance"] + ram["lent"] + report["board_ram_bytes"] - report["bss_bytes"]), 64)
        self.assertEqual(ram["stack"], max(report["load_stack_bytes"], report["run_stack_bytes"]))
        self.assertEqual(report["ram_bytes"], sum(ram.values()))
        self.assertLessEqual(report["ram"]["stack"], report["stack_bound_bytes"])
        self.assertEqual(report["ram_bound_bytes"] - report["ram_bytes"], report["stack_bound_bytes"] - ram["stack"])
        self.assertEqual(report["stack_chain"][0]["bytes"], report["stack_bound_bytes"])

    def test_the_image_of_a_model_and_its_text(self):
        status, text, errors = run("target", "run", self.digits / "digits.onnx", "--board", "mps2-an386", "--image",
                                   "embedded", "--input", self.few)
        self.assertEqual((status, errors), (0, ""))
        self.assertRegex(text, r"\nflash: program \d+ \+ kernels \d+ \+ contracts \d+ \+ runtime \d+ \+ tables \d+ "
                               r"\+ startup \d+ \+ libc \d+; code \d+ bytes in all\n"
                               r"RAM: arenas \d+ \+ instance \d+ \+ stack \d+ = \d+ bytes; with the stack's bound")

    def test_what_has_no_image_of_its_own(self):
        copy = self.folder / "again.onnx"
        copy.write_bytes((self.digits / "digits.onnx").read_bytes())
        two = self.plan(self.digits / "digits.onnx", copy, "--board", "mps2-an386")
        words = ("target", "run", "--board", "mps2-an386", "--input", self.few)
        status, _, errors = run(*words, two, "--method", "again", "--image", "embedded")
        self.assertEqual(status, 2)
        self.assertIn("runs one method, found 2", errors)
        program = self.plan(self.digits / "digits.onnx", "--board", "mps2-an386")
        for option in ("--profile", "--count-memory"):
            status, _, errors = run(*words, program, "--image", "embedded", option)
            self.assertEqual(status, 2)
            self.assertIn(f"use {option} with --image harness", errors)
        status, _, errors = run(*words, program, "--without-verifier")
        self.assertEqual(status, 2)
        self.assertIn("give --image embedded too", errors)
        status, _, errors = run(*words, program, "--image", "embedded", environment={"ARENITE_IMAGES": "/nowhere"})
        self.assertEqual(status, 1)
        self.assertIn("expected /nowhere/cortex-m4/boards/mps2-an386/embedded_link.json", errors)
        status, _, errors = run(*words, program, "--image", "embedded", environment={"ARENITE_QEMU_PLUGIN": "/nowhere"})
        self.assertEqual(status, 2)
        self.assertIn("no counter", errors)

    def test_inputs_of_an_image_come_over_the_stream_or_from_the_store(self):
        program = self.plan(self.digits / "digits.onnx", "--board", "mps2-an386", "--io", "caller")
        all_images = elements(self.target(program, "--input", self.digits / "images.npy", "--image", "embedded",
                                          board="mps2-an386")["outputs"][0]["file"])
        one = self.folder / "one.bin"
        one.write_bytes(elements(self.digits / "images.npy")[:256])
        report = self.target(program, "--input", one, "--image", "embedded", board="mps2-an386")
        self.assertEqual(elements(report["outputs"][0]["file"]), all_images[:40])
        self.assertGreater(report["ram"]["lent"], 256)

    def test_text_of_the_runtime_is_within_its_budget(self):
        image = pathlib.Path(options.images) / "cortex-m4/boards/mps2-an386/digits.map"
        done = subprocess.run(
            [sys.executable, pathlib.Path(options.source) / "tools/checks/map_budget.py", image,
             "--category", r"program=\.program|program\.cc", "--category", r"start-up=start\.dir",
             "--category", r"contracts=libarenite_ops\.a|contract\.cc",
             "--category", r"forms=libarenite_portable\.a",
             "--category", r"libgcc=libgcc\.a", "--category", r"libc=libc_nano\.a",
             "--budget", "other=10240"], capture_output=True, text=True, check=False)
        print(done.stdout)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout, re.compile(r"^ +\d+  other$", re.MULTILINE))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    for option in ("arenite", "lossy", "source", "images", "shared"):
        parser.add_argument(f"--{option}", required=True)
    options, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0]] + rest)

# SPDX-License-Identifier: Apache-2.0
