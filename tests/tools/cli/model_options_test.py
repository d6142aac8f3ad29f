#!/usr/bin/env python3
"""Tests --shape, --dim, --fix, --outputs and --max-trips, which every command that reads a model takes alike."""

from cli_common import (FLOAT, INT64, REPOSITORY, CliTest, add_model, field, graph_of, main, model, node, npy, read_npy,
                        tensor, value_info, write)

BOOL = 9


def by_rate(rate="rate"):
    """y = -x where the rate is 16000, else relu(x): as voice detectors choose their network."""
    def branch(op):
        return graph_of([], [node(op, ["x"], ["inner"])], [value_info("inner", [1, 4])])

    return model([value_info("x", [1, 4]), value_info(rate, [], INT64)],
                 [node("Equal", [rate, "sixteen"], ["fast"], "compare"),
                  node("If", ["fast"], ["y"], "choice", then_branch=branch("Neg"), else_branch=branch("Relu"))],
                 [value_info("y", [1, 4])], [tensor("sixteen", [], [16000], INT64)])


def detector(image="x", dims=(1, 4)):
    """Boxes and scores, and what cannot be planned behind their suppression."""
    return model([value_info(image, dims), value_info("most", [], INT64)],
                 [node("Relu", [image], ["boxes"], "b"), node("Neg", [image], ["scores"], "s"),
                  node("NonZero", ["scores"], ["found"], "find"), node("Add", ["found", "most"], ["more"]),
                  node("Concat", ["more", "more"], ["kept"], "join", axis=1)],
                 [value_info("kept", ["n", 3], INT64)])


def product(dims):
    """A matrix product with constant weights: something to quantize."""
    return model([value_info("x", dims)], [node("MatMul", ["x", "w"], ["y"], "product")],
                 [value_info("y", [*dims[:-1], 2])], [tensor("w", [4, 2], [1, -1, 2, 0.5, 1, 0, -2, 3])])


class EveryCommand(CliTest):
    """One set of options, wherever a model is read."""

    def commands(self, path):
        samples = self.folder / "samples"
        samples.mkdir(exist_ok=True)
        write(samples / "a.npy", npy("<f4", (1, 5, 4), [n / 10 for n in range(20)]))
        return (["plan", path, "-o", "x.arn"], ["plan", "--check", path], ["fit", path, "--board", "host"],
                ["ops", path], ["bench", path, "--device", "cpu", "--seconds", "0"],
                ["compare", path, path, "--device-b", "cpu"],
                ["quantize", path, "--calibration", samples, "-o", "x_int8.onnx"])

    def test_shape_and_dim(self):
        path = write(self.folder / "open.onnx", product([1, "seq", 4]))
        for command in self.commands(path):
            self.assert_fails(self.arenite(*command), 2, "input 'x'", "--shape x=")
            for words in (["--shape", "x=1,5,4"], ["--dim", "seq=5"]):
                done = self.arenite(*command, *words)
                self.assertEqual(done.returncode, 0, f"{command} {done.stderr}")

    def test_fix_and_outputs(self):
        nodes = [node("MatMul", ["x", "w"], ["y"], "product"), node("Expand", ["y", "dims"], ["z"], "expand"),
                 node("Unheard", ["z"], ["end"], "unheard")]
        path = write(self.folder / "both.onnx", model(
            [value_info("x", [1, 5, 4]), value_info("dims", [3], INT64)], nodes, [value_info("end", [1, 5, 2])],
            [tensor("w", [4, 2], [1, -1, 2, 0.5, 1, 0, -2, 3])]))
        for command in self.commands(path):
            done = self.arenite(*command)
            self.assertNotEqual(done.returncode, 0, command)
            self.assertIn("--fix dims=...", done.stdout + done.stderr)
            done = self.arenite(*command, "--fix", "dims=1,5,2", "--outputs", "z")
            self.assertEqual(done.returncode, 0, f"{command} {done.stderr}")

    def test_a_program_takes_none(self):
        program = self.plan(add_model())
        for command in ("bench", "compare"):
            for words in (["--shape", "a=2,3"], ["--dim", "N=1"], ["--fix", "a=1"], ["--outputs", "c"]):
                self.assert_fails(self.arenite(command, program, *words), 2, " ".join(words),
                                  program.name, "is a program, planned already")
        for command in (["plan"], ["fit"], ["ops"], ["quantize", "--calibration", ".", "-o", "q.onnx"]):
            self.assert_fails(self.arenite(*command, program, "--dim", "N=1"), 2, "found an Arenite program")
        # If there is a model beside the program, options are about the model.
        path = write(self.folder / "add.onnx", add_model((2, "W")))
        done = self.arenite("compare", path, program, "--dim", "W=3", "--device-a", "cpu")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_of_several_models_each_takes_its_own(self):
        first = write(self.folder / "one.onnx", product([1, "seq", 4]))
        second = write(self.folder / "two.onnx", by_rate())
        words = ["plan", first, second, "-o", "both.arn", "--dim", "seq=2", "--outputs", "y"]
        self.assertEqual(self.arenite(*words, "--fix", "rate=16000").returncode, 0)
        for bad, text in ((["--fix", "speed=1"], "--fix names input 'speed', which no model has"),
                          (["--outputs", "q"], "--outputs names value 'q', which no model has")):
            self.assert_fails(self.arenite(*words, "--fix", "rate=16000", *bad), 2, text)

    def test_the_lines_of_the_manual_run(self):
        manual = (REPOSITORY / "docs" / "command_line.md").read_text(encoding="utf-8")
        lines = manual.split("## What a model leaves open")[1].split("```bash\n")[1].split("```")[0]
        write(self.folder / "decoder.onnx", add_model((1, "past", 8)))
        write(self.folder / "voice.onnx", by_rate("sr"))
        write(self.folder / "detector.onnx", detector("image", ("N", 3, 320, 320)))
        for line in lines.splitlines():
            done = self.arenite(*line.split()[1:])
            self.assertEqual(done.returncode, 0, f"{line}: {done.stderr}")

    def test_options_without_a_model(self):
        self.assert_fails(self.arenite("ops", "--dim", "N=1"), 2, "--dim N=1 is about a model")


def doubled():
    """y = x, doubled as often as the run says."""
    body = graph_of([value_info("trip", [], INT64), value_info("go", [], BOOL), value_info("before", [1, 4])],
                    [node("Add", ["before", "before"], ["after"], "add")],
                    [value_info("go", [], BOOL), value_info("after", [1, 4])])
    return model([value_info("x", [1, 4]), value_info("times", [], INT64)],
                 [node("Loop", ["times", "", "x"], ["y"], "doubling", body=body)], [value_info("y", [1, 4])])


def averaged():
    """y = the softmax of x over seq, and x w: sizes change both what is computed and how much."""
    return model([value_info("x", ["batch", "seq", 4])],
                 [node("MatMul", ["x", "w"], ["p"], "project"), node("Softmax", ["p"], ["y"], "weigh", axis=1)],
                 [value_info("y", ["batch", "seq", 2])], [tensor("w", [4, 2], [1, 2, 3, 4, -1, 0, 0.5, -2])])


class Sizes(CliTest):
    """Dims of several sizes: a method for each, chosen by the inputs of a run."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.model = write(cls.folder / "averaged.onnx", averaged())
        cls.program = cls.plan(cls.model, "--dim", "seq=3|5", "--dim", "batch=1")

    def output_of(self, program, dims, *words):
        numbers = [float((7 * i) % 11 - 5) / 4 for i in range(dims[-3] * dims[-2] * 4)]
        x = write(self.folder / "x.npy", npy("<f4", dims, numbers * (dims[0] if len(dims) == 4 else 1)))
        done = self.arenite("run", program, "--input", x, "--output-dir", "out", *words)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return read_npy(self.folder / "out" / "y.npy")[1:]

    def test_each_size_is_what_it_would_be_alone(self):
        for device in ("cpu", "vulkan") if self.has_vulkan() else ("cpu",):
            for seq in (3, 5):
                alone = self.plan(self.model, "--dim", f"seq={seq}", "--dim", "batch=1")
                for words in ((), ("--method", "main"), ("--method", f"main[seq={seq}]")):
                    found = self.output_of(self.program, (1, seq, 4), "--device", device, *words)
                    self.assertEqual(found, self.output_of(alone, (1, seq, 4), "--device", device))
        stacked = self.output_of(self.program, (2, 1, 5, 4), "--device", "cpu")
        self.assertEqual(stacked[0], (2, 1, 5, 2))

    def test_the_methods_share_weights_and_memory(self):
        methods = self.json_of("inspect", self.program)["methods"]
        self.assertEqual([method["name"] for method in methods], ["main[seq=3]", "main[seq=5]"])
        self.assertEqual(self.json_of("inspect", self.program)["constants"], 1)

    def test_the_slim_runner_chooses_too(self):
        x = write(self.folder / "five.npy", npy("<f4", (1, 5, 4), [1.0] * 20))
        done = self.arenite_run(self.program, "--input", x)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("[1,5,2]", done.stdout)

    def test_every_combination_is_planned(self):
        program = self.plan(self.model, "--dim", "seq=3|5", "--dim", "batch=1|2")
        names = [method["name"] for method in self.json_of("inspect", program)["methods"]]
        self.assertEqual(names, ["main[batch=1,seq=3]", "main[batch=1,seq=5]", "main[batch=2,seq=3]",
                                 "main[batch=2,seq=5]"])
        self.assertEqual(self.output_of(program, (2, 3, 4))[0], (2, 3, 2))

    def test_what_is_wrong_is_named(self):
        x = write(self.folder / "four.npy", npy("<f4", (1, 4, 4), [1.0] * 16))
        self.assert_fails(self.arenite("run", self.program, "--input", x), 2, "no size that was planned takes these inputs",
                          "main[seq=5]: expected float32[1,5,4] for 'x', found float32[1,4,4]")
        self.assert_fails(self.arenite("plan", self.model, "--dim", "seq=3|3"), 2, "3 is listed twice")
        self.assert_fails(self.arenite("plan", self.model, "--dim", "seq=3|"), 2, "expected a whole number")
        many = "|".join(str(size) for size in range(1, 10))
        self.assert_fails(self.arenite("plan", self.model, "--dim", f"seq={many}", "--dim", f"batch={many}"), 2,
                          "at most 64 combinations")
        self.assert_fails(self.arenite("bench", self.model, "--dim", "seq=3|5", "--dim", "batch=1"), 2,
                          "--dim seq: expected one size, found 2")


class MaxTrips(CliTest):
    """Loops whose number of trips each run decides."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.model = write(cls.folder / "doubled.onnx", doubled())
        cls.x = write(cls.folder / "x.npy", npy("<f4", (1, 4), (1, -2, 3, -4)))

    def run_with(self, program, times, *words):
        count = write(self.folder / "times.npy", npy("<i8", (), (times,)))
        return self.arenite("run", program, "--input", f"x={self.x}", "--input", f"times={count}", "--output-dir", "out",
                            *words)

    def test_runs_make_as_many_as_they_say(self):
        program = self.plan(self.model, "--max-trips", "doubling=4")
        for device in ("cpu", "vulkan") if self.has_vulkan() else ("cpu",):
            for times in (0, 1, 4):
                done = self.run_with(program, times, "--device", device)
                self.assertEqual(done.returncode, 0, done.stderr)
                found = read_npy(self.folder / "out" / "y.npy")[2]
                self.assertEqual(found, tuple(number * 2 ** times for number in (1, -2, 3, -4)))
            self.assert_fails(self.run_with(program, 5, "--device", device), 1,
                              "doubling goes on after the 4 trips of --max-trips")

    def test_what_is_wrong_is_named(self):
        self.assert_fails(self.arenite("plan", self.model), 2, "'times' decides at run time how many trips it makes",
                          "--max-trips doubling=N", "--fix times=...")
        self.assert_fails(self.arenite("plan", self.model, "--max-trips", "doublin=4"), 2, "--max-trips")
        for bad, text in (("doubling", "expected LOOP=N"), ("doubling=", "expected a whole number"),
                          ("doubling=x", "expected a whole number")):
            self.assert_fails(self.arenite("plan", self.model, "--max-trips", bad), 2, text)
        known = write(self.folder / "known.onnx", add_model())
        self.assert_fails(self.arenite("plan", known, "--max-trips", "doubling=4"), 2,
                          "--max-trips names 'doubling', but each run decides the trips of no loop")
        self.assert_fails(self.arenite("plan", known, self.model, "-o", "two.arn", "--max-trips", "doubling=4",
                                       "--max-trips", "other=4"), 2,
                          "--max-trips names loop 'other', which no model has")


class Fix(CliTest):
    """Inputs that become constants."""

    def outputs_of(self, *words):
        path = write(self.folder / "rate.onnx", by_rate())
        program = self.plan(path, *words)
        inputs = self.json_of("inspect", program)["methods"][0]["inputs"]
        self.assertEqual([one["name"] for one in inputs], ["x"])
        x = write(self.folder / "x.npy", npy("<f4", (1, 4), (1, -2, 3, -4)))
        done = self.arenite("run", program, "--input", x, "--output-dir", "out", "--device", "cpu")
        self.assertEqual(done.returncode, 0, done.stderr)
        return read_npy(self.folder / "out" / "y.npy")[2]

    def test_the_value_chooses_the_network(self):
        path = write(self.folder / "rate.onnx", by_rate())
        # Without it each run chooses.
        self.assertEqual(self.arenite("plan", path, "-o", "r.arn").returncode, 0)
        self.assertEqual(self.outputs_of("--fix", "rate=16000"), (-1, 2, -3, 4))
        self.assertEqual(self.outputs_of("--fix", "rate=8000"), (1, 0, 3, 0))
        report = self.json_of("plan", path, "-o", "n.arn", "--fix", "rate=8000")
        self.assertIn("input 'rate': taken as a constant of int64 []", report["notes"])

    def test_files_are_those_of_input(self):
        (self.folder / "out").mkdir(exist_ok=True)
        raw = (16000).to_bytes(8, "little")
        for name, data in (("rate.npy", npy("<i8", (), (16000,))), ("rate.bin", raw), ("rate_raw", raw),
                           ("rate.pb", tensor("rate", [], [16000], INT64))):
            path = write(self.folder / name, data)
            self.assertEqual(self.outputs_of("--fix", f"rate={path}"), (-1, 2, -3, 4), name)

    def test_open_dims_follow_from_the_elements(self):
        path = write(self.folder / "dims.onnx", model(
            [value_info("x", [1, 4]), value_info("add", [1, "n"])], [node("Add", ["x", "add"], ["y"])],
            [value_info("y", [1, 4])]))
        for words in (["add=1,2,3,4"], ["add=0.5"], ["add=1,2,3,4", "--dim", "n=4"]):
            done = self.arenite("plan", path, "-o", "d.arn", "--fix", *words)
            self.assertEqual(done.returncode, 0, done.stderr)
        self.assert_fails(self.arenite("plan", path, "--fix", "add=1,2", "--dim", "n=4"), 2,
                          "has 2 elements, the input is float32[1,n]")
        ready = write(self.folder / "four.npy", npy("<f4", (1, 4), (1, 2, 3, 4)))
        self.assert_fails(self.arenite("plan", path, "--fix", f"add={ready}", "--dim", "n=3"), 2,
                          "its constant value gives [1, 4]", "contradicts --dim n=3")

    def test_what_is_wrong_is_named(self):
        path = write(self.folder / "rate.onnx", by_rate())
        floats = write(self.folder / "floats.npy", npy("<f4", (), (1,)))
        list_ = write(self.folder / "list.npy", npy("<i8", (2,), (1, 2)))
        odd = write(self.folder / "odd.bin", b"123")
        for words, texts in (
                (["--fix", "rate"], ["--fix rate: expected INPUT=VALUE or INPUT=FILE"]),
                (["--fix", "=3"], ["expected INPUT=VALUE or INPUT=FILE"]),
                (["--fix", "rate="], ["expected INPUT=VALUE or INPUT=FILE"]),
                (["--fix", "speed=3"], ["--fix names input 'speed'", "'rate', 'x'"]),
                (["--fix", "rate=1.5"], ["whole numbers from -9223372036854775808", "int64[]", "'1.5'"]),
                (["--fix", "rate=true"], ["whole numbers", "'true'"]),
                (["--fix", "rate=99999999999999999999"], ["whole numbers"]),
                (["--fix", "rate=1,2"], ["has 2 elements, the input is int64[]"]),
                (["--fix", "rate=absent.npy"], ["expected a number, numbers with commas", "or a file"]),
                (["--fix", f"rate={floats}"], ["is float32[], the input is int64[]"]),
                (["--fix", f"rate={list_}"], ["its constant value gives [2]"]),
                (["--fix", f"rate={odd}"], ["a multiple of 8 bytes"]),
                (["--fix", "rate=1", "--fix", "rate=2"], ["--fix names 'rate' twice"]),
                (["--fix", "rate=1", "--shape", "rate="], ["--fix and --shape both name input 'rate'"])):
            self.assert_fails(self.arenite("plan", path, *words, "-o", "f.arn"), 2, *texts)

    def test_the_file_is_not_overwritten(self):
        path = write(self.folder / "rate.onnx", by_rate())
        value = write(self.folder / "value.npy", npy("<i8", (), (16000,)))
        kept = value.read_bytes()
        self.assert_fails(self.arenite("plan", path, "--fix", f"rate={value}", "-o", value), 2,
                          "the command reads this file")
        self.assertEqual(value.read_bytes(), kept)

    def test_bools_and_floats(self):
        path = write(self.folder / "where.onnx", model(
            [value_info("x", [1, 4]), value_info("on", [1], BOOL), value_info("other", [1], FLOAT)],
            [node("Where", ["on", "x", "other"], ["y"])], [value_info("y", [1, 4])]))
        for value in ("true", "false", "1", "0"):
            done = self.arenite("plan", path, "-o", "w.arn", "--fix", f"on={value}", "--fix", "other=-1e-3")
            self.assertEqual(done.returncode, 0, done.stderr)
        self.assert_fails(self.arenite("plan", path, "--fix", "on=2"), 2, "true or false")
        self.assert_fails(self.arenite("plan", path, "--fix", "other=false"), 2, "expected numbers")


class Outputs(CliTest):
    """Models that end earlier."""

    def test_the_cut_goes_before_the_suppression(self):
        path = write(self.folder / "detector.onnx", detector())
        self.assert_fails(self.arenite("plan", path), 2, "--outputs with what it reads",
                          "(the node reads 'more', 'more')")
        for words in (["--outputs", "boxes,scores"], ["--outputs", "boxes", "--outputs", "scores"]):
            report = self.json_of("plan", path, "-o", "cut.arn", *words)
            self.assertIn("--outputs 'boxes', 'scores': 3 of 5 operators are left out, and so is what they alone "
                          "read: 'most'", report["notes"])
            method, = self.json_of("inspect", "cut.arn")["methods"]
            self.assertEqual([one["name"] for one in method["outputs"]], ["boxes", "scores"])
            self.assertEqual([one["name"] for one in method["inputs"]], ["x"])

    def test_names_are_checked(self):
        path = write(self.folder / "detector.onnx", detector())
        for words, text in (("score", "'score', which the model does not have; did you mean 'scores'?"),
                            ("boxes,boxes", "'boxes' twice"), (",", "--outputs ,: expected NAME,...")):
            self.assert_fails(self.arenite("plan", path, "--outputs", words), 2, text)

    def test_a_name_may_hold_a_comma(self):
        path = write(self.folder / "comma.onnx", model(
            [value_info("x", [1, 4])], [node("Relu", ["x"], ["a,b"]), node("Unheard", ["a,b"], ["y"])],
            [value_info("y", [1, 4])]))
        self.assertEqual(self.arenite("plan", path, "--outputs", "a,b", "-o", "c.arn").returncode, 0)


class Contradictions(CliTest):
    """Options that repeat or contradict each other."""

    def fails(self, dims, words, *texts):
        path = write(self.folder / "symbolic.onnx", add_model(dims))
        self.assert_fails(self.arenite("plan", path, *words, "-o", "s.arn"), 2, *texts)

    def test_twice(self):
        self.fails((1, "seq"), ["--dim", "seq=2", "--dim", "seq=3"], "--dim names 'seq' twice")
        self.fails((1, "seq"), ["--shape", "a=1,2", "--shape", "a=1,3"], "--shape names 'a' twice")

    def test_dim_against_shape(self):
        self.fails((1, "seq"), ["--dim", "seq=2", "--shape", "a=1,3"], "input 'a': --shape gives [1, 3]",
                   "contradicts --dim seq=2")

    def test_no_elements(self):
        self.fails((1, "seq"), ["--dim", "seq=0"], "--dim seq=0: output 'c' has dims [1, 0] then")
        # A cache may be empty where what comes out is not.
        cache = write(self.folder / "cache.onnx", model(
            [value_info("x", [1, 2]), value_info("past", [1, "past"])],
            [node("Concat", ["past", "x"], ["y"], axis=1)], [value_info("y", [1, ""])]))
        self.assertEqual(self.arenite("plan", cache, "--dim", "past=0", "-o", "p.arn").returncode, 0)

    def test_a_time_is_no_batch(self):
        self.fails(("T", 1, 8), [], "dimension 0 of [T, 1, 8] is not set", "--dim T=...")

    def test_one_dim_does_for_two(self):
        self.fails((1, "past", 8), [], "--dim past=...")


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
