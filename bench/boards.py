#!/usr/bin/env python3
"""Names the boards whose images the builds make by default, or all bare boards: read from the board files.

usage: boards.py [CMakeCache.txt of the host's build]
"""
import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def bare_boards():
    """Name -> board file, of the boards that have an emulator and a toolchain."""
    files = (json.loads(file.read_text(encoding="utf-8")) for file in sorted((ROOT / "boards").glob("*/board.json")))
    return {board["name"]: board for board in files if "toolchain" in board["cpu"] and "emulator" in board}


def default_boards(cache):
    """Those of ARENITE_IMAGE_TOOLCHAINS."""
    line = re.search(r"^ARENITE_IMAGE_TOOLCHAINS:\w+=(.*)$", Path(cache).read_text(encoding="utf-8"), re.MULTILINE)
    toolchains = line[1].split(";")
    return [name for name, board in bare_boards().items()
            if board["cpu"]["toolchain"] in toolchains or toolchains == ["all"]]


def boards_with_images(build):
    """Name -> CPU, of the boards whose harness image lies in the builds of the presets."""
    return {name: board["cpu"]["name"] for name, board in bare_boards().items()
            if (Path(build) / board["cpu"]["toolchain"] / "boards" / name / "harness.elf").exists()}


if __name__ == "__main__":
    print(" ".join(default_boards(sys.argv[1]) if len(sys.argv) > 1 else bare_boards()))

# SPDX-License-Identifier: Apache-2.0
