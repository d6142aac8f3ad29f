#!/usr/bin/env python3
"""Fails when a file includes a folder that its own folder must not depend on (docs/design.md, Parts)."""
import os.path
import re
import subprocess
import sys
from pathlib import Path

# The folders that each folder may include besides itself.
ALLOWED = {
    "include": set(),
    "schema": set(),
    "core": {"schema"},
    "ops": {"core", "schema"},
    "portable_fallback": {"ops", "core", "schema"},
    "kernels": {"ops", "core", "schema"},
    "vk": {"kernels", "ops", "core", "schema"},
    "support": {"core", "schema"},
    "planner": {"support", "kernels", "portable_fallback", "ops", "core", "schema"},
    "boards": {"portable_fallback", "ops", "core", "schema"},
    "api": {"tools", "planner", "support", "core"},
    "tools": {"support", "planner", "vk", "kernels", "portable_fallback", "ops", "core", "schema", "boards"},
}
# The rooms of planner/ in an order in which each may include those before it that it names, besides itself.
PLANNER = {
    "memory/problem": set(),
    "memory/greedy": {"memory/problem"},
    "memory/pack": {"memory/problem", "memory/greedy"},
    "memory/assign": {"memory/problem", "memory/greedy", "memory/pack"},
    "memory": {"memory/problem", "memory/greedy", "memory/pack", "memory/assign"},
    "memplan": {"memory/problem", "memory"},
    "graph": set(),
    "fixed_point": {"graph"},
    "board": {"graph", "memory/problem", "memory"},
    "passes/integers": {"graph", "fixed_point"},
    "passes": {"graph", "passes/integers"},
    "import/model": {"graph"},
    "import/onnx/operators": {"graph", "import/model"},
    "import/onnx": {"graph", "import/model", "import/onnx/operators"},
    "import/tflite": {"graph", "fixed_point", "import/model", "import/onnx/operators"},
    "import": {"graph", "import/model", "import/onnx", "import/tflite"},
    "steps/schedule": {"graph", "memory/problem"},
    "steps/layout": {"graph", "steps/schedule"},
    "steps/lower": {"graph", "steps/layout", "steps/schedule"},
    "steps/decide": {"graph", "board", "steps/layout", "steps/lower", "steps/schedule"},
    "steps/variant": {"graph", "memory/problem", "steps/lower", "steps/schedule"},
    "steps/peak": {"graph", "passes", "steps/decide", "steps/layout", "steps/lower", "steps/schedule", "steps/variant"},
    "program": {"graph", "board", "steps/lower", "steps/schedule", "steps/variant"},
    "options": {"graph", "memory", "memplan", "board", "import/model", "steps/decide", "steps/variant", "program"},
    "steps": {"graph", "options", "passes/integers", "steps/decide", "steps/lower", "steps/peak", "steps/schedule", "steps/variant"},
    "place": {"graph", "memory/problem", "memory", "memplan", "board", "options", "steps/decide", "steps/lower",
              "steps/schedule", "steps/variant", "steps"},
    "symbols": {"graph", "options", "place", "steps/lower", "steps/schedule", "steps"},
    "report": {"graph", "memory/problem", "memory", "board", "import/onnx", "import/onnx/operators", "import/tflite",
               "steps/decide", "steps/layout", "steps/peak", "program", "place"},
    "report/picture": {"graph", "memory", "memplan", "program", "report"},
    "plan": {"graph", "passes", "import", "options", "steps/decide", "steps", "place", "program", "report", "symbols"},
    "fit": {"board", "plan"},
    "quantizer": {"graph", "import/model", "import"},
}
# Folders that users of the runtime see, and everybody else too.
PUBLIC = {"include"}
# arenite-run and libarenite are for devices: they know no planner.
SLIM = {"tools/run/": {"planner"}, "tools/io/": {"planner"}, "api/arenite.": {"planner"}}
INCLUDE = re.compile(r'^\s*#\s*include\s*"(([a-z_]+)/[^"]+)"', re.MULTILINE)
SUFFIXES = {".h", ".cc", ".c", ".cpp"}


def violations(root, files):
    for name in files:
        path = Path(name)
        folder = path.parts[0]
        if folder not in ALLOWED or path.suffix not in SUFFIXES:
            continue
        may = ALLOWED[folder] | PUBLIC | {folder}
        for prefix, barred in SLIM.items():
            if name.startswith(prefix):
                may = may - barred
        for included, its_folder in INCLUDE.findall((root / path).read_text(encoding="utf-8")):
            if its_folder not in may:
                yield f"{name}: includes {its_folder}/, which {folder}/ must not depend on"
            elif folder == its_folder == "planner":
                yield from inner_violations(name, included)


def room_of(name):
    """The room of a file below planner/: its folder; of the root's files, what they are called."""
    folder, file = os.path.split(name.removeprefix("planner/"))
    return folder or file.split(".")[0]


def inner_violations(name, included):
    room, other = room_of(name), room_of(included)
    if room not in PLANNER:
        yield f"{name}: is in planner/{room}, which tools/checks/includes.py does not know"
    elif other != room and other not in PLANNER[room]:
        yield f"{name}: includes planner/{other}, which planner/{room} must not depend on"


def order_faults():
    """Rooms are listed in an order without ways back."""
    before = set()
    for room, others in PLANNER.items():
        for other in others - before:
            yield f"tools/checks/includes.py: planner/{room} depends on planner/{other}, which is not before it"
        before.add(room)


def main():
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[2]
    listed = subprocess.run(["git", "-C", root, "ls-files"], capture_output=True, text=True)
    files = listed.stdout.split("\n") if listed.returncode == 0 else [
        str(p.relative_to(root)) for p in root.rglob("*")]
    found = [*order_faults(), *violations(root, [f for f in files if f and (root / f).is_file()])]
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
# SPDX-License-Identifier: Apache-2.0
