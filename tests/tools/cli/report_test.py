#!/usr/bin/env python3
"""Tests `--report`: well-formed pictures and pages, their figures, and hostile names."""

import base64
import hashlib
import json
import re
import xml.etree.ElementTree as ElementTree

from cli_common import DIGITS, REPOSITORY, CliTest, add_model, main, model, node, value_info, write

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "</title><script>alert(1)</script>&\"'\x01\x7f]]>"


def buffers_in(picture):
    """[[name, "bytes at [a, b), steps ..."]] of the rectangles' titles."""
    titles = [rect.find(SVG + "title").text for rect in picture.iter(SVG + "rect")
              if rect.get("class") == "buffer" and not rect.find(SVG + "title").text.startswith("step ")]
    return [title.rsplit(": ", 1) for title in titles]


def script_of(page, kind):
    return next(s for s in page.iter("script") if (s.get("type") is None) == (kind == "code"))


def plan_of(page):
    """What the page's scripts draw."""
    return json.loads(script_of(page, "data").text)


class Reports(CliTest):
    def report(self, form, *words):
        done = self.arenite(*words, "--report", form)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def parsed(self, form, *words):
        text = self.report(form, *words)
        return ElementTree.fromstring(re.sub(r"^<!DOCTYPE html>\n", "", text))

    def test_a_plans_picture_has_a_panel_for_each_memory_in_use(self):
        words = ("plan", DIGITS, "-o", "r.arn")
        picture = self.parsed("svg", *words)
        self.assertEqual(picture.tag, SVG + "svg")
        self.assertIsNone(picture.find(f".//{SVG}script"))
        variants = json.loads(self.report("json", *words))["variants"]
        panels = [t.text for t in picture.iter(SVG + "text") if t.get("class") == "memory"]
        used = [m for v in variants for m in v["memories"] if m["peak_bytes"]]
        self.assertEqual(panels, [m["name"] for m in used])
        drawn = buffers_in(picture)
        self.assertEqual(len(drawn), sum(len(v["tensors"]) for v in variants))
        labels = {t.text for t in picture.iter(SVG + "text")}
        self.assertIn("time (step)", labels)
        self.assertLessEqual({"offset", "peak", "lower bound"}, labels)
        for rect in picture.iter(SVG + "rect"):
            if "%" in rect.get("width"):
                continue  # the ground
            self.assertGreater(float(rect.get("width")), 0)
            self.assertGreaterEqual(float(rect.get("x")), 0)
            self.assertLessEqual(float(rect.get("x")) + float(rect.get("width")), 1200)

    def test_a_plans_page_has_the_figures_of_its_json(self):
        words = ("plan", DIGITS, "--board", "mps3-an547", "-o", "r.arn")
        page = self.parsed("html", *words)
        variant = json.loads(self.report("json", *words))["variants"][0]
        plan = plan_of(page)
        self.assertEqual(len(plan["sections"]), 1)
        section = plan["sections"][0]
        self.assertEqual([[m["name"], m["size"], m["peak"], m["bound"]] for m in section["memories"]],
                         [[m["name"], m["size_bytes"], m["peak_bytes"], m["lower_bound_bytes"]]
                          for m in variant["memories"]])
        columns = section["tensors"]
        self.assertEqual(list(zip(columns["name"], columns["offset"], columns["bytes"],
                                  columns["first"], columns["last"], columns["dtype"],
                                  columns["shape"], columns["written_by"], columns["read_by"])),
                         [(t["name"], t["offset"], t["bytes"], t["first_step"], t["last_step"],
                           t["dtype"], t["shape"], t["written_by"], t["read_by"])
                          for t in variant["tensors"]])
        self.assertEqual([p["saved"] for p in section["lowering"]["passes"]],
                         [p["saved_bytes"] for p in variant["lowering"]["passes"]])
        self.assertEqual(len(section["steps"]), variant["steps"])
        self.assertEqual(section["bound"], variant["lower_bound_bytes"])
        self.assertTrue(section["common"], "outputs of this model lie over inputs")

    def test_a_page_knows_forms_products_and_weights(self):
        page = plan_of(self.parsed("html", "plan", DIGITS, "--board", "mps3-an547", "-o", "r.arn"))
        (section,) = page["sections"]
        (variant,) = self.json_of("inspect", "r.arn")["methods"][0]["variants"]
        steps = section["steps"]
        self.assertEqual([step["op"] for step in steps], [step["op"] for step in variant["step_list"]])
        forms = {step["op"]: step["form"] for step in steps if "form" in step}
        self.assertEqual(forms["conv"], "Conv.float32_mve")
        first = next(step for step in steps if step["op"] == "conv")
        self.assertEqual(first["macs"], 8 * 8 * 16 * 9)  # [1,16,8,8] of 3x3 kernels over one channel
        self.assertNotIn("macs", next(step for step in steps if step["op"] == "max_pool"))
        weights = section["weights"]
        self.assertEqual(sum(weights["bytes"]), self.json_of("plan", DIGITS, "--board", "mps3-an547", "-o", "r.arn")
                         ["constant_bytes"] - self.padding(weights["bytes"]))
        self.assertEqual(weights["name"][0], first["name"] + ", operand 1")
        self.assertTrue(all(readers for readers in weights["read_by"]))

    def padding(self, sizes):
        """Each constant begins at a multiple of 64."""
        return sum(-size % 64 for size in sizes[:-1])

    def test_an_operator_has_one_color_everywhere(self):
        write(self.folder / "other.onnx", model(
            [value_info("x", [1, 4])], [node("Relu", ["x"], ["r"]), node("Softmax", ["r"], ["s"]),
                                        node("Add", ["s", "x"], ["y"])], [value_info("y", [1, 4])]))
        write(self.folder / "add.onnx", add_model())
        colors = {}
        for path in (DIGITS, "other.onnx", "add.onnx"):
            plan = plan_of(self.parsed("html", "plan", path, "-o", "r.arn"))
            for section in plan["sections"]:
                for name, color in section["colors"].items():
                    self.assertRegex(color, "^#[0-9a-f]{6}$")
                    self.assertEqual(colors.setdefault(name, color), color)
        self.assertLess({"conv", "add", "softmax", "input", "clip"}, set(colors))
        self.assertNotEqual(colors["conv"], colors["add"])

    def test_a_page_can_be_filed(self):
        text = self.report("html", "plan", DIGITS, "--board", "mps3-an547", "-o", "filed.arn")
        digest = re.search("digest (0x[0-9a-f]{8})", self.arenite("inspect", "filed.arn").stdout)[1]
        self.assertIn(f"Digest {digest}; made by arenite ", text)
        self.assertIn(f": arenite plan {DIGITS} --board mps3-an547 -o filed.arn --report html</p>", text)

    def test_times_of_steps(self):
        words = ("plan", DIGITS, "-o", "timed.arn")
        self.json_of(*words)
        bench = self.json_of("bench", "timed.arn", "--device", "cpu", "--seconds", "0.01")
        path = write(self.folder / "bench.json", json.dumps(bench).encode())
        plan = plan_of(self.parsed("html", *words, "--timings", path))
        units = {section["device"]: section["cost_unit"] for section in plan["sections"]}
        self.assertEqual(units, {"vulkan": "", "cpu": "us"})
        steps = next(section["steps"] for section in plan["sections"] if section["device"] == "cpu")
        self.assertEqual({index: step["cost"] for index, step in enumerate(steps) if "cost" in step},
                         {step["step"]: step["median_us"] for step in bench["steps"]})
        # Times of a board are instructions.
        board = ("plan", DIGITS, "--board", "mps3-an547", "-o", "board.arn")
        counted = {"board": "mps3-an547", "steps": [{"step": 0, "op": steps[0]["op"], "instructions": 1234}]}
        section = plan_of(self.parsed("html", *board, "--timings", write(
            self.folder / "counted.json", json.dumps(counted).encode())))["sections"][0]
        self.assertEqual((section["cost_unit"], section["steps"][0]["cost"]), ("instructions", 1234))
        counted["steps"][0]["op"] = "softmax"
        for text, why in ((json.dumps(counted), "step 0 is 'softmax', and 'conv' in the plan"),
                          (json.dumps(dict(counted, board="other")), "no variant is for its board and device"),
                          (json.dumps({"steps": [{"step": 99, "op": "conv"}]}), "step 99, and the plan has"),
                          (json.dumps({"board": "x"}), "has no times of steps; expected what 'arenite bench --json'"),
                          ("}", "is no JSON")):
            done = self.arenite(*board, "--report", "html", "--timings",
                                write(self.folder / "wrong.json", text.encode()))
            self.assert_fails(done, 2, "wrong.json", why)
        self.assert_fails(self.arenite(*board, "--timings", path), 2, "--timings: for --report html")

    def test_what_changed_since_an_earlier_page(self):
        words = ("plan", DIGITS, "--board", "mps3-an547", "-o", "r.arn")
        before = self.report("html", *words)
        path = write(self.folder / "before.html", before.encode())
        page = self.parsed("html", *words, "--memory-planner", "naive", "--before", path)
        plan = plan_of(page)
        was = plan_of(ElementTree.fromstring(re.sub(r"^<!DOCTYPE html>\n", "", before)))
        self.assertEqual(plan["before"]["file"], str(path))
        self.assertEqual(plan["before"]["sections"], was["sections"])
        self.assertGreater(plan["sections"][0]["peak_sum"], was["sections"][0]["peak_sum"])
        again = write(self.folder / "again.html", self.report("html", *words, "--before", path).encode())
        self.assertNotIn("before", plan_of(self.parsed("html", *words, "--before", again))["before"])
        for text, why in (("<html></html>", "is no page of a plan"),
                          (before.replace('"version":2', '"version":1'), "is a page of another version of arenite")):
            done = self.arenite(*words, "--report", "html", "--before",
                                write(self.folder / "wrong.html", text.encode()))
            self.assert_fails(done, 2, "wrong.html", why)
        self.assert_fails(self.arenite(*words, "--report", "svg", "--before", path), 2, "--before: for --report html")

    def test_a_page_stands_alone_and_runs_its_own_script_only(self):
        words = ("plan", DIGITS, "-o", "r.arn")
        text = self.report("html", *words)
        self.assertEqual(text, self.report("html", *words))
        self.assertNotIn("://", text)
        page = self.parsed("html", *words)
        policy = next(m.get("content") for m in page.iter("meta")
                      if m.get("http-equiv") == "Content-Security-Policy")
        for tag in ("script", "style"):
            inside = re.search(f"<{tag}>(.*?)</{tag}>", text, re.DOTALL)[1]
            digest = base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode()
            self.assertIn(f"{tag}-src 'sha256-{digest}'", policy)
        self.assertIn("default-src 'none'", policy)
        for element in page.iter():
            for name, value in element.attrib.items():
                self.assertFalse(name.startswith("on"), element.tag)
                self.assertNotIn(name, ("src", "style"), element.tag)

    def test_a_page_knows_what_a_user_fixed_and_tied(self):
        words = ("plan", DIGITS, "--board", "mps3-an547", "-o", "r.arn", "--constants", "near")
        names = [t["name"] for t in
                 json.loads(self.report("json", *words))["variants"][0]["tensors"]]
        path = write(self.folder / "fixed.json", json.dumps({"constraints": [
            {"tensor": names[1], "memory": "sram", "offset": 64},
            {"tensor": names[4], "tie": names[2], "distance": 0}]}).encode())
        columns = plan_of(self.parsed("html", *words, "--constraints", path))["sections"][0]["tensors"]
        at = columns["name"].index
        self.assertEqual([i for i, fixed in enumerate(columns["fixed"]) if fixed], [at(names[1])])
        self.assertEqual([(i, base) for i, base in enumerate(columns["tied_to"]) if base is not None],
                         [(at(names[4]), at(names[2]))])
        self.assertIn("constant", columns["role"])

    def test_a_page_knows_what_is_tied_to_another_method(self):
        for name in ("one", "two"):
            write(self.folder / f"{name}.onnx", DIGITS.read_bytes())
        path = write(self.folder / "across.json", json.dumps({"constraints": [
            {"tensor": "two:image", "tie": "one:logits", "distance": 0}]}).encode())
        page = self.parsed("html", "plan", "one.onnx", "two.onnx", "--board", "mps3-an547", "-o",
                           "r.arn", "--constraints", path)
        tied = [[name for name, tied in zip(section["tensors"]["name"],
                                            section["tensors"]["tied_elsewhere"]) if tied]
                for section in plan_of(page)["sections"]]
        self.assertEqual(tied, [[], ["image"]])

    def test_the_text_has_them_too(self):
        text = self.report("text", "plan", DIGITS, "--board", "mps3-an547", "-o", "r.arn")
        for part in ("lower bound ", ", gap ", "live there: ", "most bytes live at step", "0x30008000"):
            self.assertIn(part, text)

    def test_what_does_not_fit_is_shown_in_every_form(self):
        board = write(self.folder / "small.json", json.dumps({
            "name": "small", "cpu": {"name": "any"},
            "memories": [{"name": "m0", "base": "0x1000000", "bytes": "3K"},
                         {"name": "m1", "base": "0x2000000", "bytes": "2K"},
                         {"name": "own", "bytes": "8K", "holds": ["bss", "stack"]}]}).encode())
        program = self.folder / "never.arn"
        shown = {}
        for form in ("text", "json", "svg", "html"):
            done = self.arenite("plan", DIGITS, "--board", board, "-o", program, "--report", form)
            self.assert_fails(done, 1, "memory 'm0' of 3072 bytes is", "bytes short")
            shown[form] = done.stdout
        self.assertFalse(program.exists())
        short = json.loads(shown["json"])["does_not_fit"][0]
        memory = json.loads(shown["json"])["variants"][0]["memories"][0]
        self.assertEqual((memory["size_bytes"], memory["short_bytes"]), (3072, short["short_by"]))
        for part in ("DOES NOT FIT", f"-{short['short_by']} ", "would do", *short["advice"]):
            self.assertIn(part, shown["text"])
        drawn = dict(buffers_in(ElementTree.fromstring(shown["svg"])))
        for entry in short["tensors"]:
            self.assertIn(entry["name"], drawn)
        page = ElementTree.fromstring(re.sub(r"^<!DOCTYPE html>\n", "", shown["html"]))
        section = plan_of(page)["sections"][0]["memories"][0]
        self.assertEqual(section["peak"] - section["size"], short["short_by"])
        for tree in (page, ElementTree.fromstring(shown["svg"])):
            text = " ".join("".join(tree.itertext()).split())
            self.assertIn("memory 'm0' of 3072 bytes is", text)
            self.assertIn("would do", text)
        self.assertIn("<title>beyond the limit of m0</title>", shown["svg"])

    def test_bytes_in_common_on_purpose_are_said(self):
        words = ("plan", DIGITS, "--board", "mps3-an547", "-o", "r.arn")
        variant = json.loads(self.report("json", *words))["variants"][0]
        live = variant["live_at_peak"]
        self.assertEqual(sum(t["bytes"] - t["common_bytes"] for t in live),
                         variant["live_union_bytes"])
        self.assertGreater(sum(t["common_bytes"] for t in live), 0)
        text = self.report("text", *words)
        self.assertIn(f"{variant['live_union_bytes']} bytes", text)
        self.assertRegex(text, r"of which \d+ in common with ")
        for pair in variant["common"]:
            self.assertIn(pair["why"], ("over_input", "part"))
            self.assertGreater(pair["bytes"], 0)

    def test_several_memories_have_traffic_for_a_headline_and_no_gap(self):
        board = write(self.folder / "two.json", json.dumps({
            "name": "two", "cpu": {"name": "any"},
            "memories": [{"name": "m0", "base": "0x1000000", "bytes": "4K"},
                         {"name": "m1", "base": "0x2000000", "bytes": "32K"}]}).encode())
        text = self.report("text", "plan", DIGITS, "--board", board, "-o", "r.arn")
        self.assertNotIn("gap", text)
        self.assertRegex(text, r"traffic: \d+ of \d+ bytes outside m0, lower bound \d+, (not )?proved")

    def test_names_from_a_model_are_only_text(self):
        path = write(self.folder / "hostile.onnx", model(
            [value_info("a" + HOSTILE, [2, 3])],
            [node("Relu", ["a" + HOSTILE], ["b" + HOSTILE], "n" + HOSTILE),
             node("Sigmoid", ["b" + HOSTILE], ["c" + HOSTILE], "m" + HOSTILE)],
            [value_info("c" + HOSTILE, [2, 3])]))
        for form in ("svg", "html"):
            self.assertNotIn("<script>alert", self.report(form, "plan", path, "-o", "h.arn"))
        tree = self.parsed("svg", "plan", path, "-o", "h.arn")
        self.assertIn("<script>alert(1)</script>", "".join(tree.itertext()))
        page = self.parsed("html", "plan", path, "-o", "h.arn")
        self.assertEqual(len(list(page.iter("script"))), 2)
        names = plan_of(page)["sections"][0]["tensors"]["name"]
        self.assertTrue(all("<script>alert(1)</script>" in name for name in names))
        raw = add_model().replace(b"\x01a", b"\x01\xff").replace(b"\x01c", b"\x01\xfe")
        if self.arenite("plan", write(self.folder / "raw.onnx", raw), "-o", "h.arn").returncode == 0:
            self.parsed("html", "plan", self.folder / "raw.onnx", "-o", "h.arn")

    def test_a_problem_in_every_form(self):
        problem = write(self.folder / "p.csv", b"id,lower,upper,size\n"
                        b"<a>&,0,2,100\nb\xff,1,3,50\nc,2,4,100\nempty,0,4,0\n")
        result = json.loads(self.report("json", "memplan", problem))
        self.assertEqual((result["height"], result["lower_bound"]), (150, 150))
        self.assertEqual([b["name"] for b in result["buffers"]][2:], ["c", "empty"])
        self.assertEqual(result["live_at_peak"][0]["bytes"], 100)
        picture = self.parsed("svg", "memplan", problem)
        self.assertEqual(sorted(what for name, what in buffers_in(picture)),
                         ["100 bytes at [0, 100), steps 0 to 1",
                          "100 bytes at [0, 100), steps 2 to 3",
                          "50 bytes at [100, 150), steps 1 to 2"])
        page = self.parsed("html", "memplan", problem)
        columns = plan_of(page)["sections"][0]["tensors"]
        self.assertEqual([columns["name"][0], columns["bytes"], columns["last"]],
                         ["<a>&", [100, 50, 100, 0], [1, 2, 3, 3]])
        plain = write(self.folder / "q.csv", b"id,lower,upper,size\na,0,2,100\n")
        self.assertIn(", optimal", self.report("text", "memplan", plain))

    def test_three_thousand_buffers_and_none(self):
        rows = "".join(f"b{i},{i % 700},{i % 700 + 1 + i % 90},{64 * (1 + i % 37)}\n"
                       for i in range(3000))
        problem = write(self.folder / "many.csv", b"id,lower,upper,size\n" + rows.encode())
        self.assertEqual(len(buffers_in(self.parsed("svg", "memplan", problem))), 3000)
        empty = write(self.folder / "none.csv", b"id,lower,upper,size\n")
        for form in ("svg", "html"):
            self.assertIn("No memory holds anything.",
                          "".join(self.parsed(form, "memplan", empty).itertext()))

    def test_a_problem_that_does_not_fit_is_drawn(self):
        problem = write(self.folder / "p.csv", b"id,lower,upper,size\na,0,2,100\nb,1,3,50\n")
        for form in ("svg", "html"):
            done = self.arenite("memplan", problem, "--capacity", "140", "--report", form)
            self.assert_fails(done, 1, "10 bytes short", "no plan can fit", "'a' 100, 'b' 50")
            tree = ElementTree.fromstring(re.sub(r"^<!DOCTYPE html>\n", "", done.stdout))
            self.assertIn("10 bytes short", " ".join("".join(tree.itertext()).split()))
            if form == "svg":
                self.assertEqual(len(buffers_in(tree)), 2)
                self.assertIn("<title>beyond the limit of memory</title>", done.stdout)
        text = self.arenite("memplan", problem, "--capacity", "140", "--report", "text")
        self.assertEqual(text.returncode, 1)
        self.assertRegex(text.stdout, r"\nmemory +0x00000000 +140 +150 +-10 +150 +1\n")
        for words, whole in ((["--json"], False), (["--report", "json"], True)):
            done = self.arenite("memplan", problem, "--capacity", "140", *words)
            self.assertEqual(done.returncode, 1)
            misfit = json.loads(done.stdout)
            self.assertIn("10 bytes short", misfit["error"])
            short, = misfit["does_not_fit"]
            self.assertEqual((short["memory"], short["short_by"], short["step"], short["impossible"]),
                             ("memory", 10, 1, True))
            self.assertEqual([(t["name"], t["bytes"]) for t in short["tensors"]], [("a", 100), ("b", 50)])
            self.assertEqual("buffers" in misfit, whole)

    def test_the_picture_in_the_docs_is_what_is_drawn(self):
        drawn = self.report("svg", "plan", DIGITS, "--board", "mps3-an547", "-o", "digits.arn")
        self.assertEqual(drawn, (REPOSITORY / "docs" / "digits-plan.svg").read_text(encoding="utf-8"),
                         "docs/digits-plan.svg is out of date: arenite plan "
                         "examples/digits/digits.onnx --board mps3-an547 -o digits.arn --report svg")

    def test_unknown_forms(self):
        self.assertEqual(self.arenite("plan", DIGITS, "--report", "pdf").returncode, 2)


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
