#!/usr/bin/env python3
"""Tests `arenite plan`: its files, fields and notes, and how it names what is wrong."""

import json
import math
import os

from cli_common import (DIGITS, INT8, REPOSITORY, CliTest, add_model, main, model, node, npy, read_npy, tensor,
                        value_info, write)

# A board with memories of these bytes, fastest first.
def board(*sizes):
    """Memories of these sizes for arenas alone."""
    own = {"name": "own", "bytes": "8K", "holds": ["bss", "stack"]}
    return json.dumps({
        "name": "tiny", "cpu": {"name": "any", "threads_max": 1}, "vulkan": None,
        "memories": [{"name": f"m{i}", "kind": "sram", "base": f"{0x1000000 * (i + 1):#x}",
                      "bytes": size, "alignment": 16} for i, size in enumerate(sizes)] + [own],
    }).encode()


class Plan(CliTest):
    def test_json_fields(self):
        plan = self.json_of("plan", DIGITS, "-o", "digits.arn")
        self.assertEqual(plan["program"], "digits.arn")
        self.assertEqual(plan["bytes"], (self.folder / "digits.arn").stat().st_size)
        self.assertGreater(plan["constant_bytes"], 4 * 4000)
        self.assertLess(plan["constant_bytes"], plan["bytes"])
        for key in ("steps", "view_steps", "vulkan_steps"):
            self.assertIsInstance(plan[key], int)
        self.assertGreater(plan["steps"], 5)
        self.assertEqual(plan["vulkan_steps"], plan["steps"] - plan["view_steps"])
        self.assertGreater(plan["seconds"], 0)
        self.assertGreater(len(plan["arenas"]), 0)
        for arena in plan["arenas"]:
            self.assertIsInstance(arena["name"], str)
            self.assertGreater(arena["lower_bound_bytes"], 0)
            self.assertLessEqual(arena["lower_bound_bytes"], arena["peak_bytes"])
        devices = [(v["board"], v["device"]) for v in plan["variants"]]
        self.assertEqual(devices, [("host", "vulkan"), ("host", "cpu")])

    def test_default_output_is_the_models_name_in_the_current_folder(self):
        (self.folder / "elsewhere").mkdir()
        path = write(self.folder / "elsewhere" / "my net (1).v2.onnx", add_model())
        plan = self.json_of("plan", path)
        self.assertEqual(plan["program"], "my_net__1_.v2.arn")
        self.assertTrue((self.folder / plan["program"]).is_file())

    def test_the_same_model_gives_the_same_bytes(self):
        first = self.plan(DIGITS).read_bytes()
        self.assertEqual(self.plan(DIGITS).read_bytes(), first)

    def test_reports(self):
        text = self.arenite("plan", DIGITS, "-o", "r.arn", "--report", "text")
        self.assertEqual(text.returncode, 0)
        for word in ("board host, Vulkan", "board host, CPU", "most bytes live at", "memory"):
            self.assertIn(word, text.stdout)
        as_json = self.arenite("plan", DIGITS, "-o", "r.arn", "--report", "json")
        self.assertEqual(json.loads(as_json.stdout)["program"], "r.arn")
        plain = self.arenite("plan", DIGITS, "-o", "r.arn")
        self.assertRegex(plain.stdout, r"^r\.arn: \d+ bytes\n$")
        self.assertEqual(plain.stderr, "")

    def test_constants_in_a_file_of_their_own(self):
        image = write(self.folder / "x.npy", npy("<f4", (1, 1, 8, 8), [i / 64 for i in range(64)]))
        whole = self.plan(DIGITS)
        split = self.json_of("plan", DIGITS, "--separate-constants", "-o", "split.arn")
        (constants,) = self.folder.glob("*.arnc")
        self.assertIn(constants.name, " ".join(split["notes"]))
        self.assertLess(split["bytes"], whole.stat().st_size / 2)
        self.assertEqual(split["bytes"], (self.folder / "split.arn").stat().st_size)
        self.assertEqual(self.json_of("inspect", "split.arn")["constant_file"], constants.name)
        outputs = []
        self.arenite("strip", "split.arn", "--board", "host", "-o", "stripped.arn")
        for program in (whole, "split.arn", "stripped.arn"):
            run = self.json_of("run", program, "--input", f"image={image}", "--output-dir", "out",
                               "--device", "cpu")
            outputs.append((self.folder / run["outputs"][0]["file"]).read_bytes())
        self.assertEqual(outputs[0], outputs[1])
        self.assertEqual(outputs[0], outputs[2])
        # A second program of the same constants writes the same file.
        self.arenite("plan", DIGITS, "--separate-constants", "-o", "again.arn")
        self.assertEqual(len(list(self.folder.glob("*.arnc"))), 1)
        damaged = bytearray(constants.read_bytes())
        damaged[-1] ^= 1
        constants.write_bytes(damaged)
        wrong = self.arenite("run", "split.arn", "--input", f"image={image}")
        self.assertEqual(wrong.returncode, 2)
        self.assertIn("checksum", wrong.stderr)
        constants.unlink()
        missing = self.arenite("run", "split.arn", "--input", f"image={image}")
        self.assertEqual(missing.returncode, 2)
        self.assertIn(f"expected beside it: {constants.name}", missing.stderr)
        inspected = self.arenite("inspect", "split.arn")
        self.assertEqual(inspected.returncode, 1)
        self.assertIn("is not beside the program", inspected.stdout)
        os.mkfifo(constants)  # which nobody writes to
        for command, status, words in ((("run", "split.arn", "--input", f"image={image}"), 2, "expected a regular file"),
                                       (("inspect", "split.arn"), 1, "is not beside the program")):
            done = self.arenite(*command)
            self.assertEqual(done.returncode, status)
            self.assertIn(words, done.stdout + done.stderr)
        constants.unlink()
        for words in (("-o", "-"), ("--emit-cc", "cc", "-o", "x.arn")):
            refused = self.arenite("plan", DIGITS, "--separate-constants", *words)
            self.assertEqual(refused.returncode, 2, words)
            self.assertIn("--separate-constants", refused.stderr)

    def test_explains_nodes(self):
        plain = self.plan(DIGITS).read_bytes()
        plan = self.json_of("plan", DIGITS, "--explain", "/0/Conv", "-o", "explained.arn")
        self.assertEqual((self.folder / "explained.arn").read_bytes(), plain)
        cpu = ["Conv.float32_f32x4", "Conv.float32", "Conv.winograd_f32x4", "Conv.half_weights", "Conv.winograd_avx512",
               "Conv.winograd_avx2", "Conv.float32_avx512", "Conv.float32_avx2",
               *(f"Conv.float32_{name}" for name in ("depthwise_mve", "mve", "depthwise_fpu", "fpu"))]
        for variant, names in zip(plan["variants"], (["Conv.vulkan", *cpu], cpu)):
            step, = variant["explained"]
            self.assertIn("/0/Conv", step["node"])
            self.assertEqual(step["cost_unit"], "preference")
            self.assertEqual([option["name"] for option in step["options"]], names)
            self.assertEqual([option["taken"] for option in step["options"]], [True] + [False] * (len(names) - 1))
            self.assertIsNone(step["options"][-1]["cost"])
        text = self.arenite("plan", DIGITS, "--explain", "/0/Conv", "-o", "x.arn", "--report", "text").stdout
        self.assertEqual(text.count("-> Conv."), 2)
        for words, why in ((("/0/Con", "-o", "x.arn"), "did you mean '/0/Conv'?"),
                           (("/0/Conv", "-o", "-"), "would both write to standard output"),
                           (("/0/Conv", "-o", "x.arn", "--report", "svg"), "found svg")):
            refused = self.arenite("plan", DIGITS, "--explain", *words)
            self.assertEqual(refused.returncode, 2, words)
            self.assertIn(why, refused.stderr)

    def test_room_for_a_signature(self):
        plan = self.json_of("plan", DIGITS, "--signature-bytes", "64", "-o", "signed.arn")
        file = (self.folder / "signed.arn").read_bytes()
        self.assertEqual(plan["bytes"], len(file))
        self.assertEqual(file[-64:], bytes(64))
        last = self.json_of("inspect", "signed.arn")["sections"][-1]
        self.assertEqual((last["kind"], last["offset"]), ("signature", len(file) - 64))
        # The bytes are the user's: no checksum stands in their way.
        (self.folder / "signed.arn").write_bytes(file[:-64] + bytes(range(64)))
        self.assertEqual(self.arenite("inspect", "signed.arn").returncode, 0)

    def test_memory_planners(self):
        naive = self.json_of("plan", DIGITS, "-o", "n.arn", "--memory-planner", "naive")
        greedy = self.json_of("plan", DIGITS, "-o", "g.arn", "--memory-planner", "greedy_by_size")
        self.assertEqual(naive["memory_planner"], "naive")
        for wide, tight in zip(naive["variants"], greedy["variants"]):
            self.assertGreater(sum(a["peak_bytes"] for a in wide["arenas"]),
                               sum(a["peak_bytes"] for a in tight["arenas"]))

    def test_optimize(self):
        both = ("--board", "mps3-an547", "--board", "host")
        by_board = self.json_of("plan", DIGITS, *both, "-o", "b.arn")
        self.assertEqual([(v["board"], v["device"], v["optimize"]) for v in by_board["variants"]],
                         [("mps3-an547", "cpu", "memory"), ("host", "vulkan", "speed"),
                          ("host", "cpu", "speed")])
        small, fast = (self.json_of("plan", DIGITS, "--optimize", what, "-o", f"{what}.arn")
                       for what in ("memory", "speed"))
        self.assertLess(small["variants"][1]["peak_sum_bytes"],
                        fast["variants"][1]["peak_sum_bytes"])
        inspected = {what: self.arenite("inspect", f"{what}.arn").stdout for what in ("memory", "speed")}
        self.assertIn("(serial)", inspected["memory"])
        self.assertNotIn("(serial)", inspected["speed"])
        text = self.arenite("plan", DIGITS, "-o", "b.arn", "--report", "text").stdout
        self.assertIn("CPU, for speed:", text)
        self.assertEqual(self.arenite("plan", DIGITS, "--optimize", "fun").returncode, 2)

    # One thread computes everything: what leaves a step to one thread costs no time.
    def test_optimize_for_speed_says_where_it_changes_nothing(self):
        small, fast = (self.json_of("plan", DIGITS, "--board", "mps3-an547", "--optimize", what, "-o", f"{what}.arn")
                       for what in ("memory", "speed"))
        self.assertEqual(small["notes"], [])
        self.assertEqual(fast["notes"], ["board mps3-an547: --optimize speed changes nothing in method main: "
                                         "--optimize memory has the same steps"])
        self.assertEqual(small["variants"][0]["peak_sum_bytes"], fast["variants"][0]["peak_sum_bytes"])

    # The code of a microcontroller's forms runs here in plain C++: also a plan for these alone, the default for firmware.
    def test_plans_for_firmware_are_for_its_own_forms(self):
        point = [tensor("half", [], [0.5]), tensor("zero", [], [0], INT8)]
        conv = node("QLinearConv", ["x", "half", "zero", "w", "half", "zero", "half", "zero"], ["y"])
        write(self.folder / "pointwise.onnx", model([value_info("x", [1, 8, 3, 5], INT8)], [conv], [value_info("y", [1, 8, 3, 5], INT8)],
                                      [tensor("w", [8, 8, 1, 1], range(-32, 32), INT8), *point]))
        write(self.folder / "x.npy", npy("|i1", [1, 8, 3, 5], [i % 7 - 3 for i in range(120)]))
        outputs = []
        for board, options, forms in (("host", (), "any"), ("mps2-an386", (), "exact"), ("mps3-an547", (), "exact"),
                                      ("mps2-an386", ("--forms", "any"), "any")):
            self.json_of("plan", "pointwise.onnx", "--board", board, *options, "-o", "forms.arn")
            variant = self.json_of("inspect", "forms.arn")["methods"][0]["variants"][-1]
            self.assertEqual(variant["forms"], forms)
            self.assertEqual("plan for exactly these forms" in self.arenite("inspect", "forms.arn").stdout, forms == "exact")
            self.json_of("run", "forms.arn", "--device", "cpu", "--input", "x.npy", "--output-dir", "out")
            outputs.append(read_npy(self.folder / "out/y.npy"))
        self.assertEqual(outputs, 4 * outputs[:1])

    def test_fallback_none_saves_bytes(self):
        reserve = self.json_of("plan", DIGITS, "-o", "r.arn", "--fallback", "reserve")
        none = self.json_of("plan", DIGITS, "-o", "n.arn", "--fallback", "none")
        peaks = [sum(a["peak_bytes"] for a in plan["arenas"]) for plan in (none, reserve)]
        self.assertLessEqual(peaks[0], peaks[1])
        self.assertEqual(peaks[1] - peaks[0], reserve["variants"][0]["fallback_bytes"])
        self.assertEqual([plan["variants"][0]["fallback"] for plan in (none, reserve)],
                         ["none", "reserve"])

    def test_several_boards_give_a_variant_each(self):
        plan = self.json_of("plan", DIGITS, "--board", "mps3-an547", "--board", "host", "-o", "b.arn")
        self.assertEqual([v["board"] for v in plan["variants"]], ["mps3-an547", "host", "host"])
        self.assert_fails(self.arenite("plan", DIGITS, "--board", "nonesuch"), 2, "nonesuch",
                          "host", "mps3-an547")
        self.assert_fails(self.arenite("plan", DIGITS, "--board", "./absent.json"), 2,
                          "absent.json")

    def test_emitted_source(self):
        done = self.arenite("plan", DIGITS, "--board", "mps3-an547", "--emit-cc", "out/cc", "-o",
                            "e.arn")
        self.assertEqual(done.returncode, 0, done.stderr)
        for name in ("digits.h", "digits.cc", "digits.ld"):
            self.assertIn("digits", (self.folder / "out" / "cc" / name).read_text())
        files = (self.folder / "out/cc/digits.sources").read_text().split()
        self.assertIn("portable_fallback/special/float_rows_mve.cc", files)
        self.assertTrue(all((REPOSITORY / file).is_file() for file in files), files)
        done = self.arenite("plan", DIGITS, "--board", "mps3-an547", "--emit-cc", "out/cc", "-o",
                            "e.arn", "--cc-name", "classifier", "--cc-data", "incbin")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("namespace classifier", (self.folder / "out/cc/classifier.h").read_text())
        self.assertEqual((self.folder / "out/cc/classifier.arn").read_bytes(),
                         (self.folder / "e.arn").read_bytes())
        self.assert_fails(self.arenite("plan", DIGITS, "--board", "mps3-an547", "--emit-cc", "out/cc",
                                       "-o", "e.arn", "--cc-name", "my model"), 2,
                          "'my model'", "'my_model' would do")
        self.assert_fails(self.arenite("plan", DIGITS, "--board", "host", "--board", "mps3-an547",
                                       "--emit-cc", "out/cc", "-o", "e.arn"), 2, "one --board")

    def test_a_model_that_does_not_fit(self):
        small = write(self.folder / "small.json", board(4000, 3000))
        program = self.folder / "small.arn"
        done = self.arenite("plan", DIGITS, "--board", small, "-o", program)
        self.assert_fails(done, 1, "memory 'm0' of 4000 bytes is", "bytes short", "live there",
                          " are live there")
        self.assertFalse(program.exists())
        self.assertRegex(done.stderr, r"is \d+ bytes short: the plan needs \d+")
        self.assertRegex(done.stderr, r"'[^']+' 8192")
        misfit = self.json_of("plan", DIGITS, "--board", small, "-o", program, status=1)
        self.assertIn("bytes short", misfit["error"])
        self.assertIsNone(misfit["program"])
        self.assertEqual(len(misfit["does_not_fit"]), 1)
        short = misfit["does_not_fit"][0]
        self.assertEqual((short["memory"], short["memory_bytes"]), ("m0", 4000))
        self.assertEqual(short["short_by"], short["needed_bytes"] - 4000)
        self.assertIn(short["step_name"], misfit["error"])
        self.assertTrue(short["impossible"])
        for entry in short["tensors"]:
            self.assertEqual(entry["bytes"], 4 * math.prod(entry["shape"]))
        # The size that it names is enough, and no smaller one is.
        self.assertTrue(short["least_is_proved"])
        for grown, status in ((short["least_bytes"], 0), (short["least_bytes"] - 16, 1)):
            enough = write(self.folder / "enough.json", board(grown, 3000))
            done = self.arenite("plan", DIGITS, "--board", enough, "-o", program)
            self.assertEqual(done.returncode, status, done.stderr)
        program.unlink()
        large = write(self.folder / "large.json", board(4096, 16384))
        done = self.arenite("plan", DIGITS, "--board", large, "-o", program)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_every_obstacle_of_every_model_is_told(self):
        write(self.folder / "one.onnx", model([value_info("x", [2])], [
            node("Unheard", ["x"], ["a"], "first"), node("Unheard", ["a"], ["b"], "second"),
            node("Relu", ["b"], ["y"], surprise=1)], [value_info("y", [2])]))
        write(self.folder / "two.onnx", model([value_info("x", [2])], [
            node("Novel", ["x"], ["y"])], [value_info("y", [2])]))
        self.assertEqual(self.json_of("plan", "one.onnx", status=2)["unsupported"], [
            {"op": "Unheard", "count": 2, "first_node": "first", "why": "operator is not supported",
             "instead": "those that 'arenite ops' lists", "model": "one.onnx"}])
        both = self.json_of("plan", "--check", "one.onnx", "two.onnx", status=2)["unsupported"]
        self.assertEqual([(row["op"], row["count"], row["first_node"], row["model"]) for row in both],
                         [("Unheard", 2, "first", "one.onnx"), ("Novel", 1, "Novel_0", "two.onnx")])
        self.assert_fails(self.arenite("plan", "one.onnx", "two.onnx"), 2, "3 obstacles",
                          "one.onnx: first", "two.onnx: Novel_0")
        self.assertFalse((self.folder / "one.arn").exists())

    def test_check_writes_nothing(self):
        before = sorted(self.folder.iterdir())
        done = self.arenite("plan", "--check", DIGITS, "--board", "mps3-an547")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("can be planned", done.stdout)
        self.assertIn("method main on board mps3-an547 (cpu)", done.stdout)
        checked = self.json_of("plan", "--check", DIGITS)
        self.assertIsNone(checked["program"])
        self.assertEqual(checked["bytes"], self.json_of("plan", DIGITS, "-o", "/dev/null")["bytes"])
        self.assertIn("<svg", self.arenite("plan", "--check", DIGITS, "--report", "svg").stdout)
        small = write(self.folder / "check_small.json", board(4000, 3000))
        self.assert_fails(self.arenite("plan", "--check", DIGITS, "--board", small), 1, "bytes short")
        self.assertNotIn("can be planned", self.arenite("plan", "--check", DIGITS, "--board", small).stdout)
        small.unlink()
        self.assertEqual(sorted(self.folder.iterdir()), before)
        for option in ("-o", "--emit-cc"):
            self.assert_fails(self.arenite("plan", "--check", DIGITS, option, "x"), 2, "--check")

    def program_board(self, *program_memories):
        """A board file with RAM for anything and these (name, image, bytes, holds)."""
        entries = [{"name": name, "image": image, "base": f"{0x8000000 * (i + 1):#x}", "bytes": size,
                    **({"holds": holds} if holds else {})}
                   for i, (name, image, size, holds) in enumerate(program_memories)]
        return write(self.folder / "program_board.json", json.dumps({
            "name": "p", "cpu": {"name": "any"}, "program_memories": entries,
            "memories": [{"name": "ram", "base": "0x40000000", "bytes": "1M"}]}).encode())

    def test_a_program_larger_than_its_flash_does_not_fit(self):
        program = self.folder / "flash.arn"
        roomy = self.program_board(("flash", "embedded", "64K", ["program"]))
        bytes_ = (self.plan(DIGITS, "--board", roomy)).stat().st_size
        for room in ("16K", "8K"):
            small = self.program_board(("flash", "embedded", room, ["program"]))
            misfit = self.json_of("plan", DIGITS, "--board", small, "-o", program, status=1)
            self.assertFalse(program.exists())
            short, = misfit["does_not_fit"]
            self.assertEqual((short["memory"], short["step"]), ("flash", None))
            self.assertEqual(short["short_by"], misfit["bytes"] - int(room[:-1]) * 1024)
            self.assertEqual(short["impossible"], room == "8K")
            self.assertEqual(short["least_bytes"], misfit["bytes"])
            sizes = [entry["bytes"] for entry in short["tensors"]]
            self.assertEqual(sizes, sorted(sizes, reverse=True))
            self.assertEqual(short["tensors"][0]["name"], "13.weight")
            self.assertEqual(sizes[0], 4 * math.prod(short["tensors"][0]["shape"]))
            row, = misfit["program_memories"]
            self.assertEqual(row["short_bytes"], short["short_by"])
            # The other memories hold what they should, and the report says so.
            self.assertEqual(misfit["variants"][0]["memories"][0]["short_bytes"], 0)
        done = self.arenite("plan", DIGITS, "--board", small, "-o", program)
        self.assert_fails(done, 1, "board p, embedded image: memory 'flash' of 8192 bytes is ",
                          "bytes short", "'13.weight' 8192", "the constants alone take 15")
        enough = self.program_board(("flash", "embedded", bytes_, ["program"]))
        text = self.arenite("plan", DIGITS, "--board", enough, "-o", program, "--report", "text")
        self.assertEqual(text.returncode, 0, text.stderr)
        self.assertRegex(text.stdout, rf"\nflash +0x08000000 +{bytes_} +{bytes_} +0 +- +-\n")

    def test_a_program_larger_than_the_harnesss_store_does_not_fit(self):
        program = self.folder / "store.arn"
        small = self.program_board(("store", "harness", "270K", None))
        short, = self.json_of("plan", DIGITS, "--board", small, "-o", program,
                              status=1)["does_not_fit"]
        self.assertEqual(short["memory"], "store")
        # The harness keeps 256K of its store for itself.
        done = self.arenite("plan", DIGITS, "--board", small, "-o", program)
        self.assert_fails(done, 1, "harness image", "the harness's own 262144 bytes")
        both = self.program_board(("flash", "embedded", "16K", ["program"]),
                                  ("store", "harness", "1M", None))
        done = self.arenite("plan", DIGITS, "--board", both, "-o", program)
        self.assert_fails(done, 1, "'flash'", "--image harness fits")
        self.assertNotIn("'store'", done.stderr)
        done = self.arenite("plan", DIGITS, "--board", both, "-o", program, "--image", "harness")
        self.assertEqual(done.returncode, 0, done.stderr)
        # Source for firmware is for the embedded image alone.
        store = self.program_board(("flash", "embedded", "1M", None), ("store", "harness", "1K", None))
        words = ("plan", DIGITS, "--board", store, "-o", program, "--emit-cc", self.folder / "cc")
        self.assertEqual(self.arenite(*words).returncode, 0)
        self.assert_fails(self.arenite(*words, "--image", "harness"), 2, "--emit-cc")

    def test_a_program_for_several_boards_counts_what_each_board_needs(self):
        enough = self.program_board(("flash", "embedded", "20K", ["program"]))
        plan = self.json_of("plan", DIGITS, "--board", "host", "--board", enough, "-o", "two.arn")
        self.assertGreater(plan["bytes"], 20 * 1024)
        row, = plan["program_memories"]
        self.assertEqual(row["board"], "p")
        done = self.arenite("strip", "two.arn", "--board", "p", "-o", "stripped.arn")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(row["program_bytes"], (self.folder / "stripped.arn").stat().st_size)

    def test_advice_is_what_was_tried(self):
        path = write(self.folder / "wide.onnx", add_model((1, 1000)))
        small = write(self.folder / "small.json", board(6000))
        program = self.folder / "never.arn"
        done = self.arenite("plan", path, "--board", small, "-o", program)
        self.assert_fails(done, 1, "no plan of these steps can fit: at least ",
                          "--io caller (inputs and outputs in the application's memory) fits")
        done = self.arenite("plan", path, "--board", small, "-o", program, "--io", "caller")
        self.assertEqual(done.returncode, 0, done.stderr)
        small = write(self.folder / "small.json", board(9500))
        words = ("plan", DIGITS, "--board", small, "-o", program)
        self.assertEqual(self.arenite(*words).returncode, 0)
        for option, text in ((("--memory-planner", "naive"), "--memory-planner search fits"),
                             (("--disable", "partial_overlap"), "with no pass disabled, the plan fits")):
            self.assert_fails(self.arenite(*words, *option), 1, text)

    def test_boards_that_contradict_themselves_are_refused(self):
        entries = json.loads(board(1024, 1024))
        entries["memories"][1]["base"] = "0x1000200"
        path = write(self.folder / "overlap.json", json.dumps(entries).encode())
        self.assert_fails(self.arenite("plan", DIGITS, "--board", path), 2, "overlap.json",
                          '"m0"', '"m1"', "share the addresses 0x01000200 to 0x010003ff")
        entries["memories"][1]["base"] = "0xfffffff0"
        path = write(self.folder / "overlap.json", json.dumps(entries).encode())
        self.assert_fails(self.arenite("plan", DIGITS, "--board", path), 2, "pass the last address")

    def test_tensorflow_models_are_known_by_what_they_hold_and_by_name(self):
        for name in ("x.tflite", "model"):
            path = write(self.folder / name, b"\x1c\0\0\0TFL3" + bytes(64))
            self.assert_fails(self.arenite("plan", path), 2, name, "damaged TensorFlow Lite model",
                              "its schema has version 0, expected 3")
        path = write(self.folder / "digits.tflite", DIGITS.read_bytes())
        self.assert_fails(self.arenite("plan", path), 2, "not a TensorFlow Lite model: found an ONNX model")

    def test_what_is_read_is_not_overwritten(self):
        model_bytes = DIGITS.read_bytes()
        write(self.folder / "same.arn", model_bytes)
        (self.folder / "alias.arn").symlink_to("same.arn")
        for words in (["same.arn"], ["same.arn", "-o", "same.arn"], ["same.arn", "-o", "alias.arn"],
                      ["alias.arn", "-o", "./same.arn"]):
            self.assert_fails(self.arenite("plan", *words), 2, "the command reads this file")
        self.assertEqual((self.folder / "same.arn").read_bytes(), model_bytes)
        board_bytes = (REPOSITORY / "boards/mps3-an547/board.json").read_bytes()
        board = write(self.folder / "board.json", board_bytes)
        self.assert_fails(self.arenite("plan", DIGITS, "--board", board, "-o", board), 2,
                          "-o", "the command reads this file")
        self.assertEqual(board.read_bytes(), board_bytes)
        program = self.plan(DIGITS)
        kept = program.read_bytes()
        self.assert_fails(self.arenite("strip", program, "--board", "host", "-o", program), 2,
                          "the command reads this file")
        self.assertEqual(program.read_bytes(), kept)

    def test_an_output_that_cannot_be_written(self):
        self.assert_fails(self.arenite("plan", DIGITS, "-o", "no/such/folder/x.arn"), 1,
                          "no/such/folder/x.arn", "cannot be written")


class Shapes(CliTest):
    """Symbolic dimensions, --shape and --dim."""

    def symbolic(self, *dims):
        return write(self.folder / "symbolic.onnx", add_model(dims))

    def test_an_unset_leading_dimension_becomes_one_with_a_note(self):
        for first in ("N", ""):
            path = self.symbolic(first, 3)
            done = self.arenite("plan", path, "-o", "s.arn")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("note: input 'a': leading dimension ", done.stderr)
            self.assertIn("set to 1", done.stderr)
            self.assertIn("set to 1", "".join(self.json_of("plan", path, "-o", "s.arn")["notes"]))
            inspected = self.json_of("inspect", "s.arn")
            self.assertEqual(inspected["methods"][0]["inputs"][0]["shape"], [1, 3])

    def test_any_other_unset_dimension_is_an_error(self):
        for dims in ((2, "W"), ("N", ""), (1, 2, "W", 4)):
            done = self.arenite("plan", self.symbolic(*dims))
            self.assert_fails(done, 2, "input 'a'", "--shape a=")

    def test_dim_sets_a_symbol_wherever_it_stands(self):
        path = self.symbolic("N", "W")
        done = self.arenite("plan", path, "--dim", "W=5", "--dim", "N=2", "-o", "s.arn")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, "")
        self.assertEqual([i["shape"] for i in self.json_of("inspect", "s.arn")["methods"][0]["inputs"]],
                         [[2, 5], [2, 5]])

    def test_shape_sets_an_input(self):
        path = self.symbolic("N", "W")
        done = self.arenite("plan", path, "--shape", "a=4,7", "--shape", "b=4,7", "-o", "s.arn")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.json_of("inspect", "s.arn")["methods"][0]["outputs"][0]["shape"], [4, 7])

    def test_bad_shapes_and_dims(self):
        path = self.symbolic("N", 3)
        for words, texts in (
                (["--shape", "c=1,3"], ["'c'", "'a'", "'b'"]),
                (["--shape", "a=2,4"], ["input 'a'", "expected"]),
                (["--shape", "a=2,3,1"], ["input 'a'"]),
                (["--shape", "a"], ["expected INPUT=1,3,224,224"]),
                (["--shape", "=1,3"], ["expected INPUT=1,3,224,224"]),
                (["--shape", "a=2,x"], ["whole number", "'x'"]),
                (["--shape", "a=2,"], ["comma"]),
                (["--shape", "a=-1,3"], ["whole number"]),
                (["--shape", "a=99999999999,3"], ["whole number"]),
                (["--dim", "M=4"], ["'M'", "'N'"]),
                (["--dim", "N"], ["expected NAME=N"]),
                (["--dim", "N=1.4"], ["whole number"]),
                (["--dim", "N=4..1"], ["from the least up"]),
                (["--dim", "N=1..2000000000"], ["need more than 2 GiB"]),
                (["--dim", "N=4294967295"], [])):
            self.assert_fails(self.arenite("plan", path, *words, "-o", "s.arn"), 2, *texts)

    def test_initializers_listed_as_inputs_need_no_value(self):
        path = self.plan(model([value_info("a", [2]), value_info("b", [2])],
                               [node("Add", ["a", "b"], ["c"])], [value_info("c", [2])],
                               [tensor("b", [2], [1.0, 2.0])], opset=7))
        inputs = self.json_of("inspect", path)["methods"][0]["inputs"]
        self.assertEqual([entry["name"] for entry in inputs], ["a"])

    def test_what_is_not_supported_is_named(self):
        path = write(self.folder / "einsum.onnx", model(
            [value_info("a", [2, 2])], [node("Einsum", ["a"], ["b"], "the_odd_one")],
            [value_info("b", [2, 2])]))
        self.assert_fails(self.arenite("plan", path), 2, "Einsum", "the_odd_one")


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
