#!/usr/bin/env python3
"""Tests states that grow from run to run: a decoder with a cache, `plan --dim past=0..N --state present=past`.

Each run must give what numpy computes from all tokens so far, and, to the bit, what a program planned for that very
length gives.
"""

import unittest

import numpy

from cli_common import CliTest, main, model, node, npy, read_npy, value_info, write
from networks import DEPTH, HEADS, WORDS, Decoder

LONGEST = 9
TOKENS = [3, 17, 0, 5, 5, 19]


class Growing(CliTest):
    GROWS = ["--dim", f"past=0..{LONGEST}", "--state", "present_k=past_k", "--state", "present_v=past_v"]

    def plan_decoder(self, *words, **kind):
        return self.plan(Decoder(**kind).bytes, "--board", "host", "--dim", "batch=1", *words)

    def run_stack(self, program, tokens, *words, computed=False):
        """Runs the tokens one by one, in one command."""
        count = len(tokens)
        given = [("token", tokens)] if computed else [("token", tokens), ("position", list(range(count)))]
        inputs = [word for name, numbers in given for word in (
            "--input", f"{name}={write(self.folder / (name + '.npy'), npy('<i8', (count, 1, 1), numbers))}")]
        return self.arenite("run", program, *inputs, "--output-dir", self.folder / "out", *words)

    def output(self, name):
        dtype, dims, numbers = read_npy(self.folder / "out" / (name + ".npy"))
        return numpy.reshape(numpy.array(numbers, dtype), dims)

    def test_a_cache_grows_by_a_token_a_run(self):
        for computed in False, True:
            decoder = Decoder(computed=computed)
            program = self.plan_decoder("--dim", "len=1", *self.GROWS, computed=computed)
            for device in ("cpu", "vulkan") if self.has_vulkan() else ("cpu",):
                done = self.run_stack(program, TOKENS, "--device", device, computed=computed)
                self.assertEqual(done.returncode, 0, done.stderr)
                logits = self.output("logits")
                self.assertEqual(logits.shape, (len(TOKENS), 1, 1, WORDS))
                for i in range(len(TOKENS)):
                    numpy.testing.assert_allclose(logits[i].ravel(), decoder.logits(TOKENS[:i + 1]), rtol=1e-4,
                                                  atol=1e-5)
                # What grows is no stack: the last of it.
                self.assertEqual(self.output("present_k").shape, (1, HEADS, len(TOKENS), DEPTH))

    def test_windows_of_tables_slide(self):
        """Prompts of several tokens, with positions and masks that follow from the length of the cache."""
        decoder = Decoder(computed=True)
        program = self.plan_decoder("--dim", "len=1|2..8", "--dim", "past=0..16", "--state", "present_k=past_k",
                                    "--state", "present_v=past_v", computed=True)
        for length in 2, 5, 8:
            tokens = TOKENS + TOKENS
            file = write(self.folder / "prompt.npy", npy("<i8", (1, length), tokens[:length]))
            done = self.arenite("run", program, "--input", f"token={file}", "--output-dir", self.folder / "out")
            self.assertEqual(done.returncode, 0, done.stderr)
            for i in range(length):
                numpy.testing.assert_allclose(self.output("logits")[0, i], decoder.logits(tokens[:i + 1]), rtol=1e-4,
                                              atol=1e-5)

    def test_each_run_equals_a_program_of_that_length_alone(self):
        exact = ["--disable", "fuse_attention"]
        program = self.plan_decoder("--dim", "len=1", *self.GROWS, *exact)
        self.assertEqual(self.run_stack(program, TOKENS).returncode, 0)
        logits = self.output("logits")
        caches = [numpy.zeros((1, HEADS, 0, DEPTH), numpy.float32)] * 2
        for i, token in enumerate(TOKENS):
            alone = self.plan_decoder("--dim", "len=1", "--dim", f"past={i}", *exact)
            given = [("token", "<i8", (1, 1), [token]), ("position", "<i8", (1, 1), [i])]
            given += [(f"past_{letter}", "<f4", cache.shape, cache.ravel().tolist())
                      for letter, cache in zip("kv", caches)]
            words = [word for name, *array in given
                     for word in ("--input", f"{name}={write(self.folder / (name + '.npy'), npy(*array))}")]
            done = self.arenite("run", alone, *words, "--output-dir", self.folder / "out")
            self.assertEqual(done.returncode, 0, done.stderr)
            numpy.testing.assert_array_equal(self.output("logits"), logits[i])
            caches = [self.output("present_k"), self.output("present_v")]

    def test_a_full_cache_is_an_error_that_names_the_dim(self):
        program = self.plan_decoder("--dim", "len=1", *self.GROWS)
        self.assertEqual(self.run_stack(program, [1] * LONGEST).returncode, 0)
        done = self.run_stack(program, [1] * (LONGEST + 1))
        self.assert_fails(done, 1, "'past'", f"expected 0 to {LONGEST}")

    def test_firmware_links_growth_where_states_grow(self):
        for words, linked in ((self.GROWS, True), (["--dim", "past=4"], False)):
            folder = self.folder / f"firmware_{linked}"
            self.plan(Decoder().bytes, "--board", "mps2-an386", "--dim", "batch=1", "--dim", "len=1", *words,
                      "--emit-cc", folder, "--cc-name", "decoder")
            source, header = ((folder / name).read_text() for name in ("decoder.cc", "decoder.h"))
            self.assertEqual("&arenite::kGrowingStates" in source, linked)
            self.assertEqual("settle(Instance& instance)" in header, linked)

    def test_memory_is_that_of_the_most(self):
        shown = self.json_of("inspect", self.plan_decoder("--dim", "len=1", *self.GROWS))["methods"][0]
        states = [arena for arena in shown["variants"][-1]["arenas"] if arena["kind"] == "state"]
        self.assertEqual([arena["bytes"] for arena in states], [2 * HEADS * LONGEST * DEPTH * 4])

    def test_inputs_may_be_as_large_as_a_state_will_be(self):
        program = self.plan_decoder("--dim", "len=1", *self.GROWS, masked=True)
        inputs = {tensor["name"]: tensor for tensor in self.json_of("inspect", program)["methods"][0]["inputs"]}
        self.assertEqual(inputs["mask"]["shape"], [1, 1, 1, LONGEST + 1])
        words = ["--dim", "len=1", "--dim", "past=4", "--dim", "past + len=6"]
        done = self.arenite("plan", write(self.folder / "masked.onnx", Decoder(masked=True).bytes), "--dim", "batch=1", *words,
                            "-o", self.folder / "no.arn")
        self.assert_fails(done, 2, "Add")

    def test_a_dim_may_follow_from_others(self):
        sum_of = model([value_info("a", ["n", 2]), value_info("b", ["m", 2])],
                       [node("Concat", ["a", "a"], ["aa"], axis=0), node("Add", ["aa", "b"], ["y"])],
                       [value_info("y", ["m", 2])])
        path = write(self.folder / "sum.onnx", sum_of)
        program = self.plan(sum_of, "--board", "host", "--dim", "n=1..4", "--dim", "m=n*2")
        a, b = (write(self.folder / f"{name}.npy", npy("<f4", (rows, 2), [1.0] * 2 * rows))
                for name, rows in (("a", 3), ("b", 6)))
        done = self.arenite("run", program, "--input", f"a={a}", "--input", f"b={b}", "--output-dir",
                            self.folder / "out")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.output("y").shape, (6, 2))
        done = self.arenite("run", program, "--input", f"a={a}", "--input", f"b={a}")
        self.assert_fails(done, 2, "'b'", "[6,2]", "[3,2]")
        for text, message in (("m=k*2", "dims to which --dim gives"), ("m=n*", "dims to which --dim gives"),
                              ("m=n-9", "dims to which --dim gives")):
            done = self.arenite("plan", path, "--dim", "n=3", "--dim", text, "-o", self.folder / "no.arn")
            self.assert_fails(done, 2, "--dim " + text, message)

    def test_what_cannot_grow_is_named(self):
        path = write(self.folder / "decoder.onnx", Decoder().bytes)
        sizes = ["--dim", "batch=1", "--dim", "len=1", "-o", self.folder / "no.arn"]
        done = self.arenite("plan", path, *sizes, "--dim", "past=4", "--state", "present_k=past_k")
        self.assert_fails(done, 2, "--state present_k=past_k", "[1, 2, 5, 8]", "--dim 'past=0..64'")
        half = model([value_info("x", ["n", 2])], [node("Concat", ["x", "x"], ["y"], axis=1)],
                     [value_info("y", ["n", 4])])
        done = self.arenite("plan", write(self.folder / "half.onnx", half), "--dim", "n=1..4", "--state", "y=x", "-o",
                            self.folder / "no.arn")
        self.assert_fails(done, 2, "--state y=x", "same type and dims")


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
