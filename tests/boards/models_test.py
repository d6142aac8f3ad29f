#!/usr/bin/env python3
"""Runs every model of SHARED/models that fits a board on its harness image and compares with the stored outputs.

The tolerances are those of `arenite target test`. Quantized models may be steps away from what another runtime made: what
they answer is then this machine's answer to the same program. A model that does not fit, or whose plan would not run in
the emulator within a few minutes, is named and left out.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from slice_test import agree, call

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
import models  # pylint: disable=wrong-import-position


class Board:
    def __init__(self, options, work):
        self.arenite, self.name, self.seconds, self.work = options.arenite, options.board, 60 * options.minutes, work

    def answers_as_here(self, folder, manifest, program):
        """Whether the board's outputs are those of the simulator."""
        here, there = (self.work / manifest["id"] / name for name in ("here", "there"))
        inputs, _ = models.inputs_of(self.arenite, folder, manifest, program)
        call(self.arenite, "run", program, "--board", self.name, "--simulate", "--output-dir", here, *inputs)
        call(self.arenite, "target", "run", program, "--board", self.name, "--output-dir", there, *inputs)
        files = sorted(path.name for path in here.iterdir())
        return files == sorted(path.name for path in there.iterdir()) and all(
            agree((here / name).read_bytes(), (there / name).read_bytes()) for name in files)

    def test(self, folder, manifest):
        """Whether a model is right here, and the words for it; None where it is left out."""
        program = self.work / f"{manifest['id']}.arn"
        obstacle = models.plan(self.arenite, folder, manifest, program, self.name)
        if " bytes short: " in obstacle:
            return None, "left out, does not fit"
        if obstacle:
            return False, obstacle
        words = [self.arenite, "target", "test", "--board", self.name, "--json", *models.shapes_of(manifest), folder]
        try:
            done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=self.seconds)
        except subprocess.TimeoutExpired:
            return None, f"left out after {self.seconds:g} seconds"
        if done.returncode == 0 and json.loads(done.stdout)["failed"] == 0:
            return True, "passed"
        if done.returncode == 1 and self.answers_as_here(folder, manifest, program):
            return True, "passed, by this machine's outputs"
        return False, done.stderr + done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for option in ("arenite", "images", "shared", "board"):
        parser.add_argument(f"--{option}", required=True)
    parser.add_argument("--minutes", type=float, default=5)
    options = parser.parse_args()
    os.environ["ARENITE_IMAGES"] = options.images
    passed, failed = 0, []
    files = sorted(pathlib.Path(options.shared).glob("models/*/manifest.json"))
    if not files:
        print("skipped: no models")
    with tempfile.TemporaryDirectory() as work:
        board = Board(options, pathlib.Path(work))
        for file in files:
            manifest = json.loads(file.read_text(encoding="utf-8"))
            good, words = board.test(file.parent, manifest)
            print(f"{manifest['id']}: {words}", flush=True)
            passed += good is True
            failed += [manifest["id"]] if good is False else []
    print(f"{options.board}: {passed} models passed")
    return f"failed: {', '.join(failed)}" if failed else 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0
