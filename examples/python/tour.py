#!/usr/bin/env python3
"""A tour of the Python module in cells, as notebooks have them (VS Code, Spyder and Jupytext read the marks).

usage: PYTHONPATH=PREFIX/lib/python3/site-packages python3 tour.py [REPORT.html]
"""

# %% The network: digits in images of 8 by 8, trained by examples/digits/train.py.
import json
import pathlib
import sys
import tempfile

import numpy

import arenite

digits = pathlib.Path(__file__).parent.parent / "digits"
images, labels = numpy.load(digits / "images.npy"), numpy.load(digits / "labels.npy")

# %% A plan says what it takes before anything runs: here, and on a Cortex-M55.
program = arenite.plan(digits / "digits.onnx", board=["host", "mps3-an547"])
print(program)
for board in program.report("json")["ram"]:
    print(f"{board['board']}: {board['arenas_bytes']} bytes of tensors")

# %% It runs on two threads, into an array of ours, one image after the other.
logits = numpy.empty((len(images), 1, 10), numpy.float32)
with program.session(device="cpu", threads=2) as session:
    print(session)
    session.run(images, out=logits)
print(f"{(logits.argmax(axis=-1)[:, 0] == labels).sum()} of {len(labels)} right")

# %% Where the time goes, dearest first.
told = arenite.bench(program, device="cpu", threads=2, seconds=0.1, inputs={"image": images[0]})
print(f"a run takes {told['median_ms'] * 1000:.1f} us on {told['threads']} threads")
for step in told["steps"][:3]:
    print(f"{step['median_us']:6.1f} us {100 * step['share']:5.1f} %  {step['op']}: {step['name']}")

# %% The same on integers, from the samples that calibrate it.
small = arenite.quantize(digits / "digits.onnx", digits / "calibration")
print(small)
found = arenite.plan(small).session(device="cpu").run(images)["logits"]
print(f"{(found.argmax(axis=-1)[:, 0] == labels).sum()} of {len(labels)} right on integers")

# %% What does not fit says so before any device sees it. A board is a file; this one has 4 KiB.
with tempfile.TemporaryDirectory() as folder:
    small_board = pathlib.Path(folder) / "small.json"
    small_board.write_text(json.dumps({"name": "small", "cpu": {"name": "cortex-m4"}, "memories": [
        {"name": "sram", "kind": "sram", "base": "0x20000000", "bytes": "4K"}]}), encoding="utf-8")
    try:
        arenite.plan(digits / "digits.onnx", board=small_board)
    except arenite.DoesNotFit as error:
        print(f"small: {error.report('json')['does_not_fit'][0]['short_by']} bytes are missing")

# %% The report as a page for a browser: which tensor lies where, when, and why.
if len(sys.argv) > 1:
    pathlib.Path(sys.argv[1]).write_text(program.report("html"), encoding="utf-8")
    print(f"report: {sys.argv[1]}")

# SPDX-License-Identifier: Apache-2.0
