#!/usr/bin/env python3
"""Tests `arenite run --simulate`."""

import json
from xml.etree import ElementTree

import loops_test
import states_test
from cli_common import DIGITS, CliTest, main, npy, read_npy, write

IMAGE = npy("<f4", (1, 1, 8, 8), read_npy(DIGITS.parent / "images.npy")[2][:64])
MINE = {
    "name": "mine",
    "description": "Cortex-M4 with two memories",
    "cpu": {"name": "cortex-m4", "toolchain": "cortex-m4", "features": ["dsp", "fpu"]},
    "memories": [
        {"name": "ccm", "kind": "tightly-coupled", "base": "0x10000000", "bytes": "4K", "alignment": 8},
        {"name": "sram", "kind": "sram", "base": "0x20000000", "bytes": "128K", "alignment": 8, "read_cost": 3,
         "write_cost": 2, "holds": ["arenas", "bss", "stack"]},
    ],
    "program_memories": [{"name": "rom", "kind": "flash", "image": "embedded", "base": "0x08000000", "bytes": "1M"}],
}


class Simulate(CliTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.image = write(cls.folder / "image.npy", IMAGE)
        cls.board = cls.board_file("mine.json")
        cls.program = cls.plan(DIGITS, "--board", cls.board, "--assume-code", "100000")

    @classmethod
    def board_file(cls, file_name, **changes):
        return write(cls.folder / file_name, json.dumps({**MINE, **changes}).encode())

    def simulate(self, program, board, *words):
        return self.json_of("run", program, "--simulate", "--board", board, "--input", self.image, *words)

    def test_bytes_of_each_step_in_each_memory(self):
        report = self.simulate(self.program, self.board, "--count-memory")
        simulation = report["simulation"]
        self.assertEqual((report["board"], simulation["board"]), ("mine", "mine"))
        self.assertEqual({arena["name"]: arena["memory_bytes"] for arena in simulation["arenas"]},
                         {"ccm": 4096, "sram": 131072})
        sums = {}
        for step in simulation["steps"]:
            self.assertTrue(step["form"], step)
            self.assertTrue(step["memories"], step)
            for moved in step["memories"]:
                read, written = sums.get(moved["name"], (0, 0))
                sums[moved["name"]] = (read + moved["read_bytes"], written + moved["written_bytes"])
        self.assertEqual(sums, {moved["name"]: (moved["read_bytes"], moved["written_bytes"])
                                for moved in simulation["memories"]})
        self.assertEqual(sums["rom"][1], 0)
        self.assertGreater(sums["rom"][0], 0)
        text = self.arenite("run", self.program, "--simulate", "--board", self.board, "--input", self.image,
                            "--count-memory").stdout
        for part in ("board mine, simulated", "bytes read and written in a run", "rom r, w", "/9/MaxPool (MaxPool.",
                     "  in all\n"):
            self.assertIn(part, text)

    def test_time_by_the_costs_of_the_board(self):
        forms = {step["form"] for step in self.simulate(self.program, self.board)["simulation"]["steps"]}
        costs = [{"form": form, "ps_per_unit": 1000, "ps": 2e6} for form in forms]
        board = self.board_file("measured.json", costs={"forms": costs})
        trace = self.folder / "trace.json"
        simulation = self.simulate(self.program, board, "--count-memory", "--trace", trace)["simulation"]
        times = [step["predicted_us"] for step in simulation["steps"]]
        self.assertTrue(all(us > 2 for us in times), times)
        self.assertAlmostEqual(simulation["predicted_us"], sum(times))
        events = json.loads(trace.read_text())["traceEvents"]
        steps = [event for event in events if event["ph"] == "X"]
        self.assertEqual([step["dur"] for step in steps], times)
        counted = {}
        for event in events:
            if event["ph"] == "C":
                name = event["name"].removesuffix(", bytes of a step")
                counted[name] = counted.get(name, 0) + event["args"]["read"]
        self.assertEqual(counted, {moved["name"]: moved["read_bytes"] for moved in simulation["memories"]})
        # A form without a cost.
        board = self.board_file("half.json", costs={"forms": costs[1:]})
        simulation = self.simulate(self.program, board)["simulation"]
        self.assertIsNone(simulation["predicted_us"])
        self.assertIn(None, [step["predicted_us"] for step in simulation["steps"]])

    def test_guards_alone_give_the_same_results(self):
        outputs = []
        for words in ([], ["--count-memory"], ["--repeat", "3"]):
            report = self.simulate(self.program, self.board, "--output-dir", "out", *words)
            outputs.append(read_npy(self.folder / report["outputs"][0]["file"]))
            for arena in report["simulation"]["arenas"]:
                # Scratch has up to 3 bytes more than it needs, to begin at a word.
                self.assertIn(arena["peak_bytes"] - arena["touched_bytes"], range(4))
            self.assertEqual("memories" in report["simulation"], "--count-memory" in words)
        self.assertEqual(outputs[0], outputs[1])
        self.assertEqual(outputs[0], outputs[2])

    def test_a_model_is_planned_for_the_board(self):
        for board in ("mps2-an386", "mps3-an547", "host"):
            report = self.simulate(DIGITS, board)
            self.assertEqual(report["board"], board)
            self.assertEqual(len(report["simulation"]["steps"]), report["cpu_steps"])
        here = self.json_of("run", self.plan(DIGITS), "--input", self.image, "--device", "cpu", "--output-dir", "here")
        there = self.simulate(DIGITS, "mps2-an386", "--expect", self.folder / here["outputs"][0]["file"],
                              "--tolerance", "1e-4")
        self.assertTrue(there["expected"][0]["agrees"])

    def assert_same_here_and_there(self, program, output, *words):
        """What the simulated host gives, at both levels; the CPU may round elsewhere, by its own forms."""
        numbers = []
        for extra in ((), ("--simulate",), ("--simulate", "--count-memory")):
            report = self.json_of("run", program, "--board", "host", "--device", "cpu", "--output-dir", "same", *words,
                                  *extra)
            files = {line["name"]: line["file"] for line in report["outputs"]}
            numbers.append(read_npy(self.folder / files[output]))
        self.assertEqual(numbers[1], numbers[2])
        self.assertEqual(numbers[0][:2], numbers[1][:2])
        for one, other in zip(numbers[0][2], numbers[1][2]):
            self.assertAlmostEqual(one, other, places=4)
        return numbers[1]

    def test_steps_that_are_left_out(self):
        size, trips = loops_test.SIZE, loops_test.TRIPS
        counted = write(self.folder / "counted.onnx", loops_test.halving(counted=True))
        program = self.plan(counted, "--max-trips", f"loop={trips}", "--board", "host")
        x = write(self.folder / "x.npy", npy("<f4", (size, size), loops_test.X.ravel().tolist()))
        for trips in (0, 2, loops_test.TRIPS):
            count = write(self.folder / "count.npy", npy("<i8", (), [trips]))
            self.assert_same_here_and_there(program, "y", "--input", f"x={x}", "--input", f"M={count}")

    def test_states_go_on_from_run_to_run(self):
        model = write(self.folder / "leaky.onnx", states_test.leaky())
        program = self.plan(model, "--state", "next=kept", "--board", "host")
        x = write(self.folder / "states.npy", npy("<f4", (states_test.RUNS, 1, states_test.SIZE), states_test.X))
        found = self.assert_same_here_and_there(program, "y", "--input", f"x={x}")
        self.assertEqual(found[2], states_test.expected()[0])

    def test_bytes_of_states_that_take_their_next_values(self):
        model = write(self.folder / "leaky.onnx", states_test.leaky())
        program = self.plan(model, "--state", "next=kept", "--board", self.board, "--assume-code", "100000")
        x = write(self.folder / "one_x.npy", npy("<f4", (1, states_test.SIZE), states_test.X[:states_test.SIZE]))
        page = self.folder / "states.html"
        words = ("run", program, "--simulate", "--board", self.board, "--input", f"x={x}", "--count-memory")
        simulation = self.json_of(*words, "--report", page)["simulation"]
        moved = {memory["name"]: (memory["read_bytes"], memory["written_bytes"]) for memory in simulation["states"]}
        self.assertEqual([sum(bytes) for bytes in zip(*moved.values())], [4 * states_test.SIZE] * 2)
        for place, name in enumerate(("read_bytes", "written_bytes")):
            by_steps = sum(memory[name] for step in simulation["steps"] for memory in step["memories"])
            in_all = sum(memory[name] for memory in simulation["memories"])
            self.assertEqual(in_all, by_steps + sum(bytes[place] for bytes in moved.values()))
        self.assertIn("states take their next values", page.read_text())
        self.assertIn("states take their next values", self.arenite(*words).stdout)

    def test_stacked_inputs(self):
        images = read_npy(DIGITS.parent / "images.npy")
        stack = write(self.folder / "stack.npy", npy("<f4", (3, 1, 1, 8, 8), images[2][:192]))
        report = self.json_of("run", self.program, "--simulate", "--board", self.board, "--input", stack,
                              "--count-memory")
        self.assertEqual((report["runs"], report["outputs"][0]["shape"]), (3, [3, 1, 10]))
        # The bytes are those of one run.
        alone = self.simulate(self.program, self.board, "--count-memory")["simulation"]["memories"]
        for moved, one in zip(report["simulation"]["memories"], alone):
            self.assertAlmostEqual(moved["read_bytes"] / one["read_bytes"], 1, delta=0.01)

    def test_a_page_shows_the_bytes_of_each_step(self):
        page = self.folder / "traffic.html"
        simulation = self.simulate(self.program, self.board, "--count-memory", "--report", page)["simulation"]
        text = page.read_text()
        for memory in simulation["memories"]:
            self.assertIn(f"<h2>{memory['name']}</h2>", text)
            self.assertIn(f"<p>{memory['read_bytes']} bytes read, {memory['written_bytes']} written", text)
        for step in simulation["steps"]:
            for moved in step["memories"]:
                self.assertIn(f"step {step['step']}: {step['name']} ({step['form']})\n"
                              f"read {moved['read_bytes']} bytes, written {moved['written_bytes']}", text)
        bars = sum(bool(moved["read_bytes"]) + bool(moved["written_bytes"])
                   for step in simulation["steps"] for moved in step["memories"])
        self.assertEqual(text.count("<rect "), bars)
        ElementTree.fromstring(text.replace("<!doctype html>", "").replace('<meta charset="utf-8">', "")
                               .replace('<meta name="viewport" content="width=device-width">', ""))

    def test_a_vulkan_variant_runs_within_the_boards_limits(self):
        if not self.has_vulkan():
            self.skipTest("no Vulkan here")
        limits = {"version": 1001, "workgroup_invocations": 128, "workgroup_size_x": 128, "shared_memory_bytes": 16384,
                  "storage_buffer_bytes": 134217728, "storage_buffers_per_stage": 4, "push_constant_bytes": 128,
                  "workgroup_count": 65535}
        costs = {"forms": [{"form": name, "ps_per_unit": 1, "ps": 1000} for name in
                           ("Conv.vulkan", "MaxPool.vulkan", "ReduceMean.vulkan", "MatMul.vulkan")],
                 "transfer": {"ps_per_byte": 10}}
        board = self.board_file("gpu.json", name="gpu", vulkan=limits, program_memories=[], costs=costs)
        program = self.plan(DIGITS, "--board", board)
        report = self.simulate(program, board, "--device", "vulkan")
        self.assertEqual((report["device"], report["cpu_steps"], report["dispatches_run"]), ("vulkan", 0, 8))
        self.assertTrue(report["simulation"]["device"])
        # Two transfers of 256 and 40 bytes cost 10 ps a byte; eight shaders at least 1000 ps each.
        transfers = [step["predicted_us"] for step in report["simulation"]["steps"] if step["form"] == "transfer"]
        self.assertAlmostEqual(sum(transfers), (256 + 40) * 10 / 1e6)
        self.assertGreater(report["simulation"]["predicted_us"], 8 * 1000 / 1e6)
        self.assertNotIn("memories", report["simulation"])
        self.check_bytes_of_shaders(program, board)
        less = self.board_file("less.json", name="gpu", vulkan={**limits, "shared_memory_bytes": 1024},
                               program_memories=[])
        done = self.arenite("run", program, "--simulate", "--board", less, "--device", "vulkan", "--input", self.image)
        self.assert_fails(done, 1, "maxComputeSharedMemorySize is 1024, the program needs 16384")

    def check_bytes_of_shaders(self, program, board):
        """Each step moves the elements of its operands once; weights lie in the device's constants."""
        page = self.folder / "shaders.html"
        counted = self.simulate(program, board, "--device", "vulkan", "--count-memory", "--report", page)["simulation"]
        self.assertEqual(counted["bytes_of"], "operands")
        by_op = {}
        for step in counted["steps"]:
            self.assertTrue(step["memories"], step)
            by_op.setdefault(step["op"], []).append({moved["name"]: (moved["read_bytes"], moved["written_bytes"])
                                                     for moved in step["memories"]})
        # The first convolution: a picture of 8x8 floats to 16 channels by 3x3 taps, and their biases.
        first = by_op["conv"][0]
        self.assertEqual(first.pop("device constants"), (4 * (16 * 9 + 16), 0))
        self.assertEqual(list(first.values()), [(4 * 64, 4 * 16 * 64)])
        # The largest of each 2x2 of 32 channels.
        self.assertEqual([list(moved.values()) for moved in by_op["max_pool"]], [[(4 * 32 * 64, 4 * 32 * 16)]])
        for moved in counted["memories"]:
            for key in ("read_bytes", "written_bytes"):
                self.assertEqual(moved[key], sum(one[key] for step in counted["steps"] for one in step["memories"]
                                                 if one["name"] == moved["name"]))
        self.assertIn("Bytes of operands, each element once", page.read_text())
        text = self.arenite("run", program, "--simulate", "--board", board, "--device", "vulkan", "--count-memory",
                            "--input", self.image).stdout
        self.assertIn("bytes of the operands that are read and written in a run, each element once:", text)

    def assert_refused(self, board, *texts):
        done = self.arenite("run", self.program, "--simulate", "--board", board, "--input", self.image)
        self.assert_fails(done, 2, *texts)

    def test_boards_that_are_not_the_programs(self):
        self.assert_refused("mps2-an386", "no variant for board 'mps2-an386', expected mine")
        memories = [{**memory, "bytes": "1K"} if memory["name"] == "ccm" else memory for memory in MINE["memories"]]
        self.assert_refused(self.board_file("small.json", memories=memories), "memory 'ccm' of board 'mine'",
                            "does not fit: expected at most 1024 bytes, found")
        self.assert_refused(self.board_file("other.json", memories=MINE["memories"][1:]),
                            "has an arena in memory 'ccm', which board 'mine' lacks: expected sram")
        self.assert_refused(self.board_file("none.json", memories=[]), "memories")
        self.assert_refused("no-board", "no-board")

    def test_options_that_do_not_go_together(self):
        for words, text in ((["--device", "vulkan"], "--device vulkan: board 'mine' has no \"vulkan\""),
                            (["--allow-fallback"], "--simulate --allow-fallback"),
                            (["--report", "r.html"], "expected --count-memory with it"),
                            (["--report", "-", "--count-memory"], "standard output has the result"),
                            (["--profile"], "--simulate --profile"),
                            (["--trace", "t.json"], "expected --count-memory with it"),
                            (["--threads", "2"], "--simulate --threads")):
            done = self.arenite("run", self.program, "--simulate", "--board", self.board, "--input", self.image, *words)
            self.assert_fails(done, 2, text)
        self.assert_fails(self.arenite("run", self.program, "--simulate", "--input", self.image), 2,
                          "--simulate needs a board")
        self.assert_fails(self.arenite("run", self.program, "--count-memory", "--input", self.image), 2,
                          "--count-memory is about a simulated run")
        self.assert_fails(self.arenite("run", self.program, "--batch", "2", "--input", self.image), 2,
                          "--batch 2 is about a simulated run")
        error = self.json_of("run", self.program, "--simulate", "--input", self.image, status=2)
        self.assertIn("--simulate needs a board", error["error"])


if __name__ == "__main__":
    main()
# SPDX-License-Identifier: Apache-2.0
