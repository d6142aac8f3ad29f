#!/usr/bin/env python3
"""Tests what is kept between runs: `plan --state`, `run` over stacks, reports and refusals."""

import subprocess

from cli_common import (INT64, REPOSITORY, CliTest, main, model, node, npy, read_npy, tensor, value_info, write)
from networks import total_networks

RUNS, SIZE = 6, 4


def leaky():
    """kept.next = kept / 2 + x; y = kept.next * w: kept in planes, so that a shader reads it too."""
    dims = [1, SIZE]
    return model([value_info("x", dims), value_info("kept", dims)],
                 [node("Mul", ["kept", "half"], ["faded"], "fade"),
                  node("Add", ["faded", "x"], ["next"], "add"),
                  node("MatMul", ["next", "w"], ["y"], "weigh")],
                 [value_info("y", [1, 2]), value_info("next", dims)],
                 [tensor("half", [], [0.5]), tensor("w", [SIZE, 2], [float(i) for i in range(8)])])


X = [float((7 * i) % 11 - 5) for i in range(RUNS * SIZE)]


def expected(reset=False):
    """{y of all runs, next of all runs}"""
    kept, ys, nexts = [0.0] * SIZE, [], []
    for run in range(RUNS):
        if reset:
            kept = [0.0] * SIZE
        kept = [kept[i] / 2 + X[run * SIZE + i] for i in range(SIZE)]
        nexts += kept
        ys += [sum(kept[i] * (2 * i + o) for i in range(SIZE)) for o in range(2)]
    return tuple(ys), tuple(nexts)


class States(CliTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.model = write(cls.folder / "leaky.onnx", leaky())
        cls.program = cls.plan(cls.model, "--state", "next=kept")
        cls.stack = write(cls.folder / "x.npy", npy("<f4", (RUNS, 1, SIZE), X))

    def outputs(self, program, *words):
        folder = self.folder / "out"
        done = self.arenite("run", program, "--input", f"x={self.stack}", "--output-dir", folder, *words)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return tuple(read_npy(folder / f"{name}.npy")[2] for name in ("y", "next"))

    def test_a_stack_is_a_sequence(self):
        self.assertEqual(self.outputs(self.program), expected())
        # Each repetition begins anew.
        self.assertEqual(self.outputs(self.program, "--repeat", "3"), expected())
        self.assertEqual(self.outputs(self.program, "--reset-each"), expected(reset=True))

    def test_the_only_other_input_needs_no_name(self):
        self.assertEqual(self.arenite("run", self.program, "--input", self.stack).returncode, 0)

    def test_on_vulkan(self):
        done = self.arenite("run", self.program, "--input", f"x={self.stack}", "--device", "vulkan",
                            "--output-dir", self.folder / "out")
        if "there is no Vulkan here" in done.stderr:
            self.skipTest(done.stderr)
        self.assertEqual(done.returncode, 0, done.stderr)
        for name, values in zip(("y", "next"), expected()):
            for got, wanted in zip(read_npy(self.folder / "out" / f"{name}.npy")[2], values):
                self.assertAlmostEqual(got, wanted, 4)

    def test_where_callers_lend_memory(self):
        program = self.plan(self.model, "--state", "next=kept", "--io", "caller")
        self.assertEqual(self.outputs(program), expected())

    def test_report(self):
        report = self.json_of("plan", self.model, "--state", "next=kept", "--board", "mps2-an386")
        cpu = report["variants"][-1]
        self.assertEqual(cpu["states"], [{"input": "kept", "output": "next", "bytes": 4 * SIZE,
                                          "arena": cpu["memories"][0]["name"]}])
        ram = report["ram"][0]
        self.assertEqual(ram["states_bytes"], 4 * SIZE)
        self.assertEqual(ram["total_bytes"], sum(memory["total_bytes"] for memory in ram["memories"]))
        text = self.arenite("plan", self.model, "--state", "next=kept", "--report", "text").stdout
        self.assertIn("input kept is a state, output next its next one: 16 bytes in ", text)

    def test_emitted_source(self):
        folder = self.folder / "source"
        self.plan(self.model, "--state", "next=kept", "--board", "mps3-an547", "--emit-cc", folder)
        header, script = (next(folder.glob(f"*.{kind}")).read_text() for kind in ("h", "ld"))
        self.assertIn("inputs::kept::kBytes, false, true}", header)
        self.assertIn("void* dtcm_states;", header)
        self.assertIn("} > ARENITE_DTCM\n", script.split(".bss.arenite.")[2])
        source = next(folder.glob("*.cc"))
        use = write(folder / "use.cc", f"""#include "{source.stem}.h"
arenite::Status again({source.stem}::Instance& instance) {{ return {source.stem}::reset(instance); }}
""".encode())
        for file in (source, use):
            subprocess.run(["c++", "-std=c++20", "-fsyntax-only", f"-I{REPOSITORY}", f"-I{REPOSITORY}/include",
                            f"-I{folder}", file], check=True)

    def test_inspect_shows_it(self):
        self.assertIn("kept", self.arenite("inspect", self.program).stdout)
        shown = self.json_of("inspect", self.program)
        self.assertEqual(shown["methods"][0]["inputs"][1]["state"], 1)

    def test_states_are_nobodys_input(self):
        self.assert_fails(self.arenite("run", self.program, "--input", f"x={self.stack}", "--input",
                                       f"kept={self.stack}"),
                          2, "'kept' is a state, which takes what output 'next' held")

    def test_names_and_shapes(self):
        for words, error in (
                (["next=keep"], "--state next=keep: the model has no input 'keep', expected 'x', 'kept'; "
                                "did you mean 'kept'?"),
                (["nxt=kept"], "the model has no output 'nxt', expected 'y', 'next'"),
                (["y=kept"], "output 'y' is float32 [1, 2] and input 'kept' is float32 [1, 4]; expected "
                             "the same type and dims"),
                (["next"], "--state next: expected OUT=IN"),
                (["next="], "--state next=: expected OUT=IN"),
                (["next=kept", "next=kept"], "--state names 'kept' twice")):
            with self.subTest(words=words):
                states = [word for one in words for word in ("--state", one)]
                self.assert_fails(self.arenite("plan", self.model, *states, "-o", "no.arn"), 2, error)
        ints = write(self.folder / "ints.onnx",
                     model([value_info("a", [2], INT64)], [node("Cast", ["a"], ["b"], to=1)],
                           [value_info("b", [2])]))
        self.assert_fails(self.arenite("plan", ints, "--state", "b=a", "-o", "no.arn"), 2,
                          "output 'b' is float32 [2] and input 'a' is int64 [2]")

    def test_methods_share_a_state(self):
        paths = [write(self.folder / name, content)
                 for name, content in zip(("adds.onnx", "scales.onnx"), total_networks())]
        words = [*paths, "--state", "total_next=total", "--state", "count_next=count", "--share-state", "total"]
        source = self.folder / "shared"
        report = self.json_of("plan", *words, "--board", "mps2-an386", "--emit-cc", source)
        adds, scales = (variant["states"] for variant in report["variants"])
        self.assertEqual(adds[0], {"input": "total", "output": "total_next", "bytes": 16, "arena": "ssram",
                                   "methods": ["adds", "scales"]})
        self.assertEqual((scales[0]["output"], scales[0]["methods"]), (None, ["adds", "scales"]))
        self.assertNotIn("methods", adds[1])
        # The total and two counts, at multiples of 16.
        self.assertEqual(report["ram"][0]["states_bytes"], 3 * 16)
        alone = self.json_of("plan", *words[:-2][:1], *words[2:4], "--board", "mps2-an386")
        self.assertEqual(alone["ram"][0]["states_bytes"], 16)
        text = self.arenite("plan", *words, "--report", "text").stdout
        self.assertIn("input total is a state, which the method only reads: 16 bytes in ", text)
        self.assertIn(", shared by methods adds, scales\n", text)
        header = next(source.glob("*.h")).read_text()
        self.assertEqual(header.count("_states;"), 1)
        subprocess.run(["c++", "-std=c++20", "-fsyntax-only", f"-I{REPOSITORY}", f"-I{REPOSITORY}/include",
                        f"-I{source}", next(source.glob("*.cc"))], check=True)
        program = self.plan(*words)
        shown = self.json_of("inspect", program)["methods"]
        self.assertEqual([method["inputs"][1]["state"] for method in shown], [0, None])
        self.assertIn("state: read, and set by other methods", self.arenite("inspect", program).stdout)
        self.assert_fails(self.arenite("run", program, "--method", "scales", "--input", f"total={self.stack}"), 2,
                          "'total' is a state, which takes what a run of another method leaves it")

    def test_what_methods_cannot_share(self):
        adds, scales = (write(self.folder / name, content)
                        for name, content in zip(("adds.onnx", "scales.onnx"), total_networks()))
        total, count = ["--state", "total_next=total"], ["--state", "count_next=count"]
        longer = write(self.folder / "longer.onnx",
                       model([value_info("total", [5])], [node("Neg", ["total"], ["y"])], [value_info("y", [5])]))
        grows = write(self.folder / "grows.onnx",
                      model([value_info("total", ["n"]), value_info("x", [1])],
                            [node("Concat", ["total", "x"], ["next"], axis=0)], [value_info("next", ["n+1"])]))
        for words, error in (
                ([adds, *total, "--share-state", "total"],
                 "--share-state total: 1 of 1 methods have such an input: expected several that share it"),
                ([adds, scales, "--share-state", "totl"], "0 of 2 methods have such an input"),
                ([adds, scales, *count, "--share-state", "total"],
                 "state 'total': no method sets it: expected an output that it takes in one of them, as by "
                 "--state OUT=total"),
                ([adds, longer, *total, "--share-state", "total"],
                 "state 'total', which methods share, is float32 [4] in method 'adds' and float32 [5] in method "
                 "'longer': expected the same type, dims and scale"),
                ([grows, grows, "--dim", "n=0..4", "--state", "next=total", "--share-state", "total"],
                 "state 'total' is shared with other methods, so that its dims cannot differ")):
            with self.subTest(words=words):
                self.assert_fails(self.arenite("plan", *words, "-o", "no.arn"), 2, error)

    def test_an_input_handed_through(self):
        """What a run gives is what the run before got."""
        handed = write(self.folder / "delay.onnx",
                       model([value_info("x", [1, SIZE]), value_info("kept", [1, SIZE])],
                             [node("Identity", ["kept"], ["y"]), node("Identity", ["x"], ["next"])],
                             [value_info("y", [1, SIZE]), value_info("next", [1, SIZE])]))
        y, following = self.outputs(self.plan(handed, "--state", "next=kept"))
        self.assertEqual(y, (0.0,) * SIZE + tuple(X[:-SIZE]))
        self.assertEqual(following, tuple(X))


if __name__ == "__main__":
    main()
# SPDX-License-Identifier: Apache-2.0
