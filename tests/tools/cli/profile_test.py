#!/usr/bin/env python3
"""Tests `arenite bench`, `run --profile` and `run --trace`."""

import json

from cli_common import DIGITS, CliTest, add_model, main, npy, read_npy, write

IMAGE = npy("<f4", (1, 1, 8, 8), read_npy(DIGITS.parent / "images.npy")[2][:64])


class Profile(CliTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.program = cls.plan(DIGITS)
        cls.image = write(cls.folder / "image.npy", IMAGE)

    def assert_steps(self, report, count):
        steps = report["steps"]
        self.assertEqual(len(steps), count)
        costs = [step["median_us"] for step in steps]
        self.assertEqual(costs, sorted(costs, reverse=True))
        self.assertAlmostEqual(sum(costs), report["in_steps_us"], delta=1e-6 * sum(costs))
        self.assertAlmostEqual(report["in_steps_us"] + report["outside_us"], report["total_us"])
        self.assertAlmostEqual(sum(step["share"] for step in steps) +
                               report["outside_us"] / report["total_us"], 1)
        self.assertTrue(all(step["bytes"] > 0 for step in steps))

    def assert_times(self, report):
        for key in ("load_ms", "first_ms", "min_ms"):
            self.assertGreater(report[key], 0, key)
        self.assertLessEqual(report["min_ms"], report["median_ms"])
        self.assertLessEqual(report["median_ms"], report["p95_ms"])
        self.assertGreater(report["rss_bytes"], 1 << 20)
        self.assertGreaterEqual(report["peak_rss_bytes"], report["rss_bytes"])

    def test_bench_of_a_program_and_of_its_model(self):
        for path in (self.program, DIGITS):
            bench = self.json_of("bench", path, "--device", "cpu", "--seconds", "0.05")
            self.assertEqual((bench["device"], bench["device_name"]), ("cpu", "cpu"))
            self.assertGreaterEqual(bench["threads"], 1)
            self.assertGreaterEqual(bench["timed_runs"], 10)
            self.assertTrue(bench["made_up_inputs"])
            self.assert_times(bench)
            self.assertNotIn("load_parts_ms", bench)
            self.assert_steps(bench, 8)
            by_op = {step["op"]: step for step in bench["steps"]}
            self.assertEqual(by_op["max_pool"]["name"], "/9/MaxPool")
            self.assertEqual({step["where"] for step in bench["steps"]}, {"cpu"})
        bench = self.json_of("bench", self.program, "--device", "cpu", "--seconds", "0", "--input",
                             self.image, "--threads", "1")
        self.assertEqual((bench["made_up_inputs"], bench["timed_runs"], bench["threads"]),
                         (False, 10, 1))

    def test_bench_on_vulkan(self):
        if not self.has_vulkan():
            self.skipTest("this machine has no Vulkan device")
        bench = self.json_of("bench", self.program, "--device", "vulkan", "--seconds", "0.05")
        self.assertEqual((bench["device"], bench["fell_back"]), ("vulkan", None))
        self.assertEqual({step["where"] for step in bench["steps"]}, {"vulkan", "transfer"})
        parts = bench["load_parts_ms"]
        self.assertEqual(set(parts), {"instance", "device", "self_test", "upload", "pipelines",
                                      "commands", "other"})
        self.assertGreater(min(parts.values()), 0)
        self.assertAlmostEqual(sum(parts.values()), bench["load_ms"])
        if bench["steps"][0]["median_us"] is not None:  # the queue has a clock
            self.assert_steps(bench, 10)

    def test_bench_as_text(self):
        done = self.arenite("bench", self.program, "--device", "cpu", "--seconds", "0.05")
        self.assertEqual(done.returncode, 0, done.stderr)
        for text in ("device cpu (cpu)", "inputs made up", "load ", "first run ", "median ", "p95 ",
                     "resident memory ", "/9/MaxPool", "in 8 steps", "outside steps"):
            self.assertIn(text, done.stdout)

    def test_costs_are_fitted_and_used(self):
        board = self.folder / "here.json"
        fitted = self.json_of("bench", self.program, "--device", "cpu", "--threads", "1", "--seconds", "0.05",
                              "--calibrate", board)
        self.assertEqual((fitted["file"], len(fitted["programs"])), (str(board), 1))
        one = fitted["programs"][0]
        self.assertGreater(one["measured_us"], 0)
        self.assertGreater(one["predicted_us"], 0)
        self.assertIsNone(one["left_out_us"])
        costs = json.loads(board.read_text())["costs"]["forms"]
        self.assertEqual(len(costs), fitted["costs"])
        self.assertTrue(all(cost["form"] and cost["ps_per_unit"] >= 0 for cost in costs), costs)
        # Again: costs are replaced, and another key stays.
        board.write_text(json.dumps({**json.loads(board.read_text()), "description": "here"}))
        self.json_of("bench", self.program, "--device", "cpu", "--threads", "1", "--seconds", "0.05", "--calibrate",
                     board)
        again = json.loads(board.read_text())
        self.assertEqual((again["description"], len(again["costs"]["forms"])), ("here", len(costs)))
        # Plans read them.
        self.json_of("plan", DIGITS, "--board", board, "-o", self.folder / "calibrated.arn", "--json")
        self.assert_fails(self.arenite("bench", self.program, self.program), 2, "expected one program")
        self.assert_fails(self.arenite("bench", self.program, "--ops"), 2, "--ops: expected --calibrate FILE with it")
        self.assert_fails(self.arenite("bench"), 2, "expected a PROGRAM, or --calibrate FILE --ops, found neither")
        bad = write(self.folder / "bad.json", b"[]")
        self.assert_fails(self.arenite("bench", self.program, "--device", "cpu", "--seconds", "0.01", "--calibrate", bad),
                          2, "expected a board file")

    def test_what_cannot_be_measured_is_told(self):
        self.assert_fails(self.arenite("bench", "absent.arn"), 2, "absent.arn")
        self.assert_fails(self.arenite("bench", self.image), 2, "image.npy")
        self.assert_fails(self.arenite("bench", self.program, "--seconds", "-1"), 2, "--seconds")
        self.assert_fails(self.arenite("bench", self.program, "--seconds", "nan"), 2, "--seconds")
        self.assert_fails(self.arenite("bench", self.program, "--device", "vulkan:nonesuch"), 1,
                          "nonesuch", "--allow-fallback")
        bench = self.json_of("bench", self.program, "--device", "vulkan:nonesuch",
                             "--allow-fallback", "--seconds", "0")
        self.assertEqual(bench["device"], "cpu")
        self.assertIn("nonesuch", bench["fell_back"])

    def run_digits(self, *words):
        run = self.json_of("run", self.program, "--input", self.image, "--output-dir", "out", *words)
        return run, (self.folder / run["outputs"][0]["file"]).read_bytes()

    def test_run_profile_changes_nothing_else(self):
        devices = ["cpu"] + (["vulkan"] if self.has_vulkan() else [])
        for device in devices:
            plain, expected = self.run_digits("--device", device)
            self.assertNotIn("profile", plain)
            self.assert_times(plain)
            run, found = self.run_digits("--device", device, "--profile", "--repeat", "5")
            self.assertEqual(found, expected)
            self.assertEqual(run["steps"], plain["steps"])
            self.assertEqual(run["dispatches"], plain["dispatches"])
            self.assertEqual(run["timed_runs"], 5)
            if run["profile"]["steps"][0]["median_us"] is not None:
                self.assert_steps(run["profile"], 8 if device == "cpu" else 10)
        done = self.arenite("run", self.program, "--input", self.image, "--device", "cpu",
                            "--profile")
        self.assertIn("in 8 steps", done.stdout)
        done = self.arenite_run(self.program, "--input", self.image, "--device", "cpu", "--profile",
                                "--repeat", "3")
        self.assertEqual(done.returncode, 0, done.stderr)
        for text in ("of 3 runs", "/9/MaxPool", "in 8 steps"):
            self.assertIn(text, done.stdout)

    def test_a_program_without_names_has_steps(self):
        program = self.plan(add_model((300, 200)))
        bench = self.json_of("bench", program, "--device", "cpu", "--seconds", "0")
        self.assertEqual([(s["name"], s["op"], s["bytes"]) for s in bench["steps"]],
                         [("sum_of_both", "add", 3 * 4 * 300 * 200)])

    def trace(self, *words):
        """Lanes by name: their events, after checks that any trace must pass."""
        path = self.folder / "trace.json"
        run, _ = self.run_digits("--trace", path, "--repeat", "4", *words)
        self.assertNotIn("profile", run)
        events = json.loads(path.read_text())["traceEvents"]
        names = {e["tid"]: e["args"]["name"] for e in events if e["name"] == "thread_name"}
        lanes = {name: [] for name in names.values()}
        for event in events:
            if event["ph"] == "M":
                continue
            if event["ph"] == "C":
                self.counters = [*getattr(self, "counters", []), event]
                continue
            self.assertEqual((event["ph"], event["pid"]), ("X", 1))
            self.assertGreaterEqual(event["ts"], 0)
            self.assertGreaterEqual(event["dur"], 0)
            lanes[names[event["tid"]]].append(event)
        for name, lane in lanes.items():
            # On one lane events follow or enclose each other.
            open_ends = []
            for event in sorted(lane, key=lambda e: (e["ts"], -e["dur"])):
                while open_ends and open_ends[-1] <= event["ts"] + 1e-3:
                    open_ends.pop()
                end = event["ts"] + event["dur"]
                if open_ends:
                    self.assertLessEqual(end, open_ends[-1] + 1e-3, (name, event))
                open_ends.append(end)
        return lanes

    def test_trace_of_cpu_threads(self):
        lanes = self.trace("--device", "cpu", "--threads", "2")
        self.assertEqual(set(lanes), {"host", "CPU thread 0", "CPU thread 1"})
        count = {}
        for event in lanes["host"]:
            count[event["name"]] = count.get(event["name"], 0) + 1
        self.assertEqual(count, {"load": 1, "run": 4, "set inputs": 4, "read outputs": 4})
        pools = [e for e in lanes["CPU thread 0"] if e["name"] == "/9/MaxPool"]
        self.assertGreaterEqual(len(pools), 4)
        self.assertEqual(pools[0]["args"]["op"], "max_pool")

    def test_trace_counts_live_bytes(self):
        """At the beginning of each step, as the plan has them; the greatest is the peak of the plan."""
        self.counters = []
        lanes = self.trace("--device", "cpu", "--threads", "1")
        steps = [e["ts"] for e in lanes["CPU thread 0"]]
        variant = next(v for v in self.json_of("inspect", self.program)["methods"][0]["variants"]
                       if v["device"] == "cpu")
        live = [set() for _ in variant["step_list"]]
        for value in variant["values"]:
            if value["kind"] != "arena":
                continue
            for step in range(value["first_step"], value["last_step"] + 1):
                live[step].update(range(value["offset"], value["offset"] + value["bytes"]))
        (arena,) = {name for event in self.counters for name in event["args"]}
        self.assertEqual({event["name"] for event in self.counters}, {"live bytes"})
        self.assertGreaterEqual(len(self.counters), 4 * sum(step["where"] == "cpu" for step in variant["step_list"]))
        self.assertLessEqual({event["args"][arena] for event in self.counters}, {len(bytes_) for bytes_ in live})
        self.assertEqual(max(event["args"][arena] for event in self.counters), max(len(bytes_) for bytes_ in live))
        self.assertLessEqual(min(steps) - 1, min(event["ts"] for event in self.counters))

    def test_trace_of_a_gpu(self):
        if not self.has_vulkan():
            self.skipTest("this machine has no Vulkan device")
        lanes = self.trace("--device", "vulkan")
        gpu = [name for name in lanes if name.startswith("GPU: ")]
        if not gpu:
            self.skipTest("the queue has no clock")
        self.assertEqual(set(lanes), {"host", gpu[0]})
        self.assertEqual(len(lanes[gpu[0]]), 4 * 10)
        waits = [(e["ts"], e["ts"] + e["dur"]) for e in lanes["host"]
                 if e["name"] == "submit and wait"]
        for event in lanes[gpu[0]]:
            self.assertTrue(any(begin - 1 <= event["ts"] and event["ts"] + event["dur"] <= end + 1
                                for begin, end in waits), event)

    def test_a_trace_that_cannot_be_written(self):
        words = ("run", self.program, "--input", self.image, "--device", "cpu", "--trace")
        self.assert_fails(self.arenite(*words, "no/such/folder/t.json"), 1, "no/such/folder/t.json")
        self.assert_fails(self.arenite(*words, "/dev/full"), 1, "/dev/full")
        self.assert_fails(self.arenite(*words, "-"), 2, "--trace", "standard output")

    def test_a_trace_replaces_nothing_that_was_read(self):
        words = ("run", self.program, "--input", self.image, "--device", "cpu", "--trace")
        for source in (self.program, self.image):
            kept = source.read_bytes()
            link = self.folder / "link"
            link.unlink(missing_ok=True)
            link.symlink_to(source)
            for path in (source, link):
                self.assert_fails(self.arenite(*words, path), 2, "--trace", "the command reads this file")
            self.assertEqual(source.read_bytes(), kept)


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
