#!/usr/bin/env python3
"""Tests `arenite run` and `arenite-run`: inputs, outputs, stacks, files and methods."""

import shutil

from cli_common import (DIGITS, INT64, CliTest, add_model, main, model, node, npy, read_npy,
                        tensor, value_info, write)

IMAGES = DIGITS.parent / "images.npy"


def images(count):
    return read_npy(IMAGES)[2][:64 * count]


class Run(CliTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.digits = cls.plan(DIGITS)
        cls.image = write(cls.folder / "image.npy", npy("<f4", (1, 1, 8, 8), images(1)))
        cls.stack = write(cls.folder / "stack.npy", npy("<f4", (5, 1, 1, 8, 8), images(5)))

    def outputs(self, program, *words, tool=None, folder="out"):
        """Runs, and returns {file name: (type, dims, numbers)} of what was written."""
        target = self.folder / folder
        shutil.rmtree(target, ignore_errors=True)
        done = (tool or self.arenite)(*(["run"] if tool is None else []), program, "--output-dir",
                                      target, *words)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return {path.name: read_npy(path) for path in target.iterdir()}

    def test_json_fields(self):
        run = self.json_of("run", self.digits, "--input", f"image={self.image}", "--device", "cpu",
                           "--output-dir", "logits", "--repeat", "3")
        self.assertEqual(run["device"], "cpu")
        self.assertEqual(run["device_name"], "cpu")
        self.assertEqual(run["steps"], run["cpu_steps"] + run["view_steps"])
        self.assertEqual(run["vulkan_steps"], 0)
        self.assertIsNone(run["fell_back"])
        self.assertGreater(run["median_ms"], 0)
        self.assertEqual(run["outputs"], [{"name": "logits", "dtype": "float32", "shape": [1, 10],
                                           "file": "logits/logits.npy"}])
        self.assertTrue((self.folder / "logits/logits.npy").is_file())

    def test_text(self):
        done = self.arenite("run", self.digits, "--input", self.image, "--device", "cpu")
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stderr, "")
        for text in ("device cpu", "steps: 0 on Vulkan", "logits float32[1,10]\n", "median"):
            self.assertIn(text, done.stdout)

    def test_without_output_dir_nothing_is_written(self):
        before = sorted(self.folder.rglob("*"))
        run = self.json_of("run", self.digits, "--input", self.image, "--device", "cpu")
        self.assertIsNone(run["outputs"][0]["file"])
        self.assertEqual(sorted(self.folder.rglob("*")), before)

    def test_an_output_replaces_nothing_that_was_read(self):
        folder = self.folder / "same"
        folder.mkdir()
        image = write(folder / "logits.npy", self.image.read_bytes())
        for tool in (self.arenite_run, lambda *words: self.arenite("run", *words)):
            done = tool(self.digits, "--input", f"image={image}", "--device", "cpu", "--output-dir", folder)
            self.assert_fails(done, 2, "--output-dir", "logits.npy", "the command reads this file")
        self.assertEqual(image.read_bytes(), self.image.read_bytes())

    def test_known_logits(self):
        logits = read_npy(DIGITS.parent / "logits.npy")[2]
        found = self.outputs(self.digits, "--input", IMAGES, "--device", "cpu")["logits.npy"]
        self.assertEqual(found[1], (360, 1, 10))
        largest = max(abs(x) for x in logits)
        self.assertLessEqual(max(abs(a - b) for a, b in zip(found[2], logits)), 1e-4 * largest)

    def test_stacked_inputs_give_the_outputs_of_single_runs(self):
        for device in ("cpu", "auto"):
            whole = self.outputs(self.digits, "--input", self.stack, "--device", device)["logits.npy"]
            self.assertEqual(whole[1], (5, 1, 10))
            for i in range(5):
                one = write(self.folder / "one.npy",
                            npy("<f4", (1, 1, 8, 8), images(5)[64 * i:64 * i + 64]))
                single = self.outputs(self.digits, "--input", one, "--device", device)["logits.npy"]
                self.assertEqual(single[1], (1, 10))
                self.assertEqual(single[2], whole[2][10 * i:10 * i + 10])

    def test_stacks_have_to_agree(self):
        program = self.plan(add_model())
        one = write(self.folder / "one.npy", npy("<f4", (2, 3), range(6)))
        two = write(self.folder / "two.npy", npy("<f4", (2, 2, 3), range(12)))
        three = write(self.folder / "three.npy", npy("<f4", (3, 2, 3), range(18)))
        none = write(self.folder / "none.npy", npy("<f4", (0, 2, 3), []))
        for a, b in ((one, two), (two, one), (two, three)):
            self.assert_fails(self.arenite("run", program, "--input", f"a={a}", "--input", f"b={b}"),
                              2, "input 'b'", "same leading dimension")
        self.assert_fails(self.arenite("run", program, "--input", f"a={none}", "--input",
                                       f"b={none}"), 2, "input 'a'", "0")
        found = self.outputs(program, "--input", f"a={two}", "--input", f"b={two}")
        self.assertEqual(found["c.npy"], ("<f4", (2, 2, 3), tuple(2.0 * i for i in range(12))))

    def test_wrong_inputs_are_named(self):
        program = self.plan(add_model())
        good = write(self.folder / "good.npy", npy("<f4", (2, 3), range(6)))
        flat = write(self.folder / "flat.npy", npy("<f4", (6,), range(6)))
        ints = write(self.folder / "ints.npy", npy("<i4", (2, 3), range(6)))
        text = write(self.folder / "x.txt", b"1 2 3")
        for tool in (self.arenite, self.arenite_run):
            def run(*words, tool=tool):
                return tool(*(["run"] if tool == self.arenite else []), program, *words)
            a = ["--input", f"a={good}"]
            self.assert_fails(run(), 2, "missing", "a float32[2,3]", "b float32[2,3]")
            self.assert_fails(run(*a), 2, "missing", "b float32[2,3]")
            self.assert_fails(run(*a, "--input", f"x={good}"), 2, "x", "no such input", "a or b")
            self.assert_fails(run("--input", good), 2, "NAME=FILE", "2 inputs")
            self.assert_fails(run(*a, *a), 2, "'a' is given twice")
            self.assert_fails(run(*a, "--input", f"b={flat}"), 2, "input 'b'",
                              "expected float32[2,3]", "found float32[6]")
            self.assert_fails(run(*a, "--input", f"b={ints}"), 2, "input 'b'",
                              "expected float32[2,3]", "found int32[2,3]")
            self.assert_fails(run(*a, "--input", f"b={text}"), 2, "x.txt", ".npy", ".bin")
            self.assert_fails(run(*a, "--input", "b=absent.npy"), 2, "absent.npy")
            self.assert_fails(run(*a, "--input", "b="), 2)
            self.assert_fails(run("--device", "gpu", *a), 2, "--device", "'gpu'")
            self.assert_fails(run("--board", "mps3-an547", *a), 2, "'mps3-an547'", "host")

    def test_npy_pb_and_bin_give_the_same(self):
        raw = write(self.folder / "image.bin", self.image.read_bytes()[-256:])
        proto = write(self.folder / "image.pb", tensor("whatever", (1, 1, 8, 8), images(1)))
        expected = self.outputs(self.digits, "--input", self.image, "--device", "cpu")
        for path in (raw, proto):
            self.assertEqual(self.outputs(self.digits, "--input", path, "--device", "cpu"), expected)
        self.assertEqual(self.outputs(self.digits, "--input", raw, "--device", "cpu",
                                      tool=self.arenite_run), expected)
        done = self.arenite_run(self.digits, "--input", proto)
        self.assert_fails(done, 2, "image.pb", ".npy or .bin")
        broken = write(self.folder / "broken.pb", proto.read_bytes()[:-9])
        self.assert_fails(self.arenite("run", self.digits, "--input", broken), 2, "broken.pb")

    def test_threads_do_not_change_results(self):
        words = ("--input", self.stack, "--device", "cpu", "--threads")
        self.assertEqual(self.outputs(self.digits, *words, "3"),
                         self.outputs(self.digits, *words, "1"))

    def test_the_slim_runner_gives_the_same(self):
        for device in ("cpu", "auto"):
            words = ("--input", f"image={self.stack}", "--device", device)
            self.assertEqual(self.outputs(self.digits, *words, tool=self.arenite_run),
                             self.outputs(self.digits, *words))

    def test_output_files_are_named_after_the_tensors(self):
        names = ["net/out:0", "net_out_0", "net out 0", "ünï", "..", "-dash.9"]
        program = self.plan(model(
            [value_info("x=1/y:0", [2])],
            [node("Mul", ["x=1/y:0", "two"], [name], f"n{i}") for i, name in enumerate(names)],
            [value_info(name, [2]) for name in names], [tensor("two", [1], [2.0])]))
        x = write(self.folder / "x.npy", npy("<f4", (2,), (1.0, 2.5)))
        for name in ("x=1/y:0", "x_1_y_0"):
            found = self.outputs(program, "--input", f"{name}={x}", "--device", "cpu")
            self.assertEqual(set(found), {"net_out_0.npy", "net_out_0_2.npy", "net_out_0_3.npy",
                                          "__n__.npy", "output.npy", "-dash.9.npy"})
            self.assertEqual(set(found.values()), {("<f4", (2,), (2.0, 5.0))})
        run = self.json_of("run", program, "--input", f"x_1_y_0={x}", "--device", "cpu")
        self.assertEqual([output["name"] for output in run["outputs"]], names)

    def test_integer_tensors(self):
        program = self.plan(model([value_info("i", [2, 3], INT64)],
                                  [node("Transpose", ["i"], ["o"], perm=[1, 0])],
                                  [value_info("o", [3, 2], INT64)]))
        i = write(self.folder / "i.npy", npy("<i8", (2, 3), (1, -2, 3, 4, 5, 1 << 40)))
        found = self.outputs(program, "--input", i)
        self.assertEqual(found["o.npy"], ("<i8", (3, 2), (1, 4, -2, 5, 3, 1 << 40)))

    def test_an_index_out_of_range_is_a_failed_run(self):
        program = self.plan(model([value_info("x", [4]), value_info("i", [1], INT64)],
                                  [node("Gather", ["x", "i"], ["y"], "the_gather", axis=0)],
                                  [value_info("y", [1])]))
        x = write(self.folder / "x.npy", npy("<f4", (4,), range(4)))
        i = write(self.folder / "i.npy", npy("<i8", (1,), [7]))
        words = (program, "--input", f"x={x}", "--input", f"i={i}", "--device", "cpu")
        self.assert_fails(self.arenite("run", *words), 1, "the_gather", "outside its axis")
        self.assert_fails(self.arenite_run(*words), 1, "the_gather", "outside its axis")
        self.assertIn("the_gather", self.json_of("run", *words, status=1)["error"])

    def test_a_program_with_two_methods(self):
        add = write(self.folder / "add.onnx", add_model())
        program = self.folder / "two.arn"
        done = self.arenite("plan", DIGITS, add, "-o", program)
        self.assertEqual(done.returncode, 0, done.stderr)
        alone = self.outputs(self.digits, "--input", self.image, "--device", "cpu")
        for words in ([], ["--method", "digits"]):
            self.assertEqual(self.outputs(program, "--input", self.image, "--device", "cpu", *words),
                             alone)
        x = write(self.folder / "x.npy", npy("<f4", (2, 3), range(6)))
        for tool in (None, self.arenite_run):
            found = self.outputs(program, "--method", "add", "--input", f"a={x}", "--input",
                                 f"b={x}", tool=tool)
            self.assertEqual(found["c.npy"][2], tuple(2.0 * i for i in range(6)))
        self.assert_fails(self.arenite("run", program, "--method", "mul"), 2, "'mul'", "digits or add")
        self.assert_fails(self.arenite("run", program, "--method", "add", "--input",
                                       f"image={self.image}"), 2, "'add'", "a or b")
        self.json_of("plan", add, add, "-o", "twins.arn")
        names = [method["name"] for method in self.json_of("inspect", "twins.arn")["methods"]]
        self.assertEqual(names, ["add", "add_2"])

    def test_options_reach_the_model_they_are_about(self):
        first = write(self.folder / "first.onnx", add_model(("N", "W")))
        second = write(self.folder / "second.onnx", model(
            [value_info("x", [1, "H"])], [node("Relu", ["x"], ["y"])], [value_info("y", [1, "H"])]))
        words = ["plan", first, second, "-o", "both.arn"]
        done = self.arenite(*words, "--dim", "W=3", "--shape", "x=1,4")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assert_fails(self.arenite(*words, "--dim", "W=3", "--dim", "H=4", "--shape", "z=1"), 2,
                          "'z'")
        self.assert_fails(self.arenite(*words, "--dim", "W=3"), 2, "second.onnx", "--shape x=")

    def test_damaged_programs(self):
        whole = self.digits.read_bytes()
        damaged = self.folder / "damaged.arn"
        sections = self.json_of("inspect", self.digits)["sections"]
        constants = next(s for s in sections if s["kind"] == "constants")
        places = {"header": 9, "plan": 300, "constants": constants["offset"] + 1000}
        for name, at in places.items():
            write(damaged, whole[:at] + bytes([whole[at] ^ 4]) + whole[at + 1:])
            for tool, words in ((self.arenite, ["run"]), (self.arenite_run, [])):
                done = tool(*words, damaged, "--input", self.image)
                self.assert_fails(done, 2, "damaged.arn")
                if name != "header":
                    self.assertIn("a checksum does not match", done.stderr)
            done = self.arenite("strip", damaged, "--board", "host", "-o", "never.arn")
            self.assert_fails(done, 2, "damaged.arn")
        self.assertFalse((self.folder / "never.arn").exists())
        for size in (0, 10, 64, 500, len(whole) // 2, len(whole) - 1):
            write(damaged, whole[:size])
            self.assert_fails(self.arenite("run", damaged, "--input", self.image), 2, "damaged.arn")


class Strip(CliTest):
    def test_strip_keeps_one_boards_variants(self):
        whole = self.plan(DIGITS, "--board", "host", "--board", "mps3-an547")
        image = write(self.folder / "image.npy", npy("<f4", (1, 1, 8, 8), images(1)))
        for board in ("host", "mps3-an547"):
            alone = self.plan(DIGITS, "--board", board)
            self.arenite("run", alone, "--input", image, "--device", "cpu", "--output-dir", "alone")
            part = self.folder / f"{board}.arn"
            done = self.arenite("strip", whole, "--board", board, "-o", part)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertLess(part.stat().st_size, whole.stat().st_size)
            inspected = self.json_of("inspect", part)
            self.assertEqual({v["board"] for v in inspected["methods"][0]["variants"]}, {board})
            run = self.json_of("run", part, "--input", image, "--device", "cpu", "--output-dir", board)
            self.assertEqual(run["board"], board)
            self.assertEqual(read_npy(self.folder / board / "logits.npy"),
                             read_npy(self.folder / "alone" / "logits.npy"))
        done = self.arenite("strip", whole, "--board", "nonesuch", "-o", "x.arn")
        self.assert_fails(done, 2, "nonesuch", "host", "mps3-an547")
        self.assertFalse((self.folder / "x.arn").exists())


class Inspect(CliTest):
    def test_json_and_text_say_the_same(self):
        program = self.plan(DIGITS)
        info = self.json_of("inspect", program)
        self.assertEqual(info["bytes"], program.stat().st_size)
        self.assertTrue(all(section["intact"] for section in info["sections"]))
        method = info["methods"][0]
        self.assertEqual((method["name"], method["inputs"], method["outputs"]),
                         ("main", [{"name": "image", "dtype": "float32", "shape": [1, 1, 8, 8]}],
                          [{"name": "logits", "dtype": "float32", "shape": [1, 10]}]))
        self.assertEqual([v["device"] for v in method["variants"]], ["vulkan", "cpu"])
        done = self.arenite("inspect", program)
        self.assertEqual(done.returncode, 0)
        for word in ("main", "image", "logits", "conv", "host"):
            self.assertIn(word, done.stdout)


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
