#!/usr/bin/env python3
"""Plans the digit classifier, runs it over 360 images, and says how many it knows.

usage: PYTHONPATH=PREFIX/lib/python3/site-packages python3 digits.py [REPORT.html]
"""

import pathlib
import sys

import numpy

import arenite

digits = pathlib.Path(__file__).parent.parent / "digits"
images = numpy.load(digits / "images.npy")
labels = numpy.load(digits / "labels.npy")

program = arenite.plan(digits / "digits.onnx", board="host")
session = program.session(device="auto")
print(f"{len(program)} bytes, on {session.device}: {session.inputs} -> {session.outputs}")

logits = session.run(images)["logits"]
right = (logits.reshape(len(labels), -1).argmax(axis=1) == labels).sum()
print(f"{right} of {len(labels)} right")

if len(sys.argv) > 1:
    pathlib.Path(sys.argv[1]).write_text(program.report("html"), encoding="utf-8")

# SPDX-License-Identifier: Apache-2.0
