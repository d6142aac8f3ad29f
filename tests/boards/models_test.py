#!/usr/bin/env python3
"""Runs every model of SHARED/models that fits a board on its harness image and compares with the stored outputs.

The tolerances are those of `arenite target test`. A model that does not fit, or whose plan would not run in the
emulator within a few minutes, is named and left out.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys


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
        print(f"{folder.name}: {'passed' if good else done.stderr + done.stdout}")
        passed += good
        if not good:
            failed.append(folder.name)
    print(f"{options.board}: {passed} models passed")
    return f"failed: {', '.join(failed)}" if failed else 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0
