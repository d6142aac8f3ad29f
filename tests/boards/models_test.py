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

from slice_test import agree, call, inputs_of


def answers_as_here(model, options, environment):
    """Whether the board's outputs are those of the simulator."""
    with tempfile.TemporaryDirectory() as folder:
        program, here, there = (pathlib.Path(folder) / name for name in ("program.arn", "here", "there"))
        call(options.arenite, "plan", model, "--board", options.board, "-o", program)
        call(options.arenite, "run", program, "--board", options.board, "--simulate", "--output-dir", here, *inputs_of(model))
        call(options.arenite, "target", "run", program, "--board", options.board, "--output-dir", there, *inputs_of(model),
             env=environment)
        files = sorted(path.name for path in here.iterdir())
        return files == sorted(path.name for path in there.iterdir()) and all(
            agree((here / name).read_bytes(), (there / name).read_bytes()) for name in files)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for option in ("arenite", "images", "shared", "board"):
        parser.add_argument(f"--{option}", required=True)
    parser.add_argument("--minutes", type=float, default=5)
    options = parser.parse_args()
    environment = {**os.environ, "ARENITE_IMAGES": options.images}
    passed, failed = 0, []
    folders = sorted(path.parent for path in pathlib.Path(options.shared).glob("models/*/model.*"))
    if not folders:
        print("skipped: no models")
    for folder in folders:
        model = next(folder.glob("model.*"))
        fits = subprocess.run([options.arenite, "fit", model, "--board", options.board, "--assume-code", "256K"],
                              capture_output=True, text=True, check=False, env=environment)
        if fits.returncode != 0:
            print(f"{folder.name}: left out, does not fit")
            continue
        try:
            done = subprocess.run([options.arenite, "target", "test", "--board", options.board, "--json", folder],
                                  capture_output=True, text=True, check=False, env=environment,
                                  timeout=60 * options.minutes)
        except subprocess.TimeoutExpired:
            print(f"{folder.name}: left out after {options.minutes:g} minutes")
            continue
        good = done.returncode == 0 and json.loads(done.stdout)["failed"] == 0
        if not good and done.returncode == 1 and answers_as_here(model, options, environment):
            good = True
            print(f"{folder.name}: passed, by this machine's outputs")
        else:
            print(f"{folder.name}: {'passed' if good else done.stderr + done.stdout}")
        passed += good
        if not good:
            failed.append(folder.name)
    print(f"{options.board}: {passed} models passed")
    return f"failed: {', '.join(failed)}" if failed else 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0
