#!/usr/bin/env python3
"""Fails when a file includes a folder that its own folder must not depend on (docs/design.md, Parts)."""
import re
import subprocess
import sys
from pathlib import Path

# What each folder may include besides itself.
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
# What users of the runtime see, and everybody else too.
PUBLIC = {"include"}
# arenite-run and libarenite are for devices: they know no planner.
SLIM = {"tools/run/": {"planner"}, "tools/io/": {"planner"}, "api/arenite.": {"planner"}}
INCLUDE = re.compile(r'^\s*#\s*include\s*"([a-z_]+)/', re.MULTILINE)
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
        for included in INCLUDE.findall((root / path).read_text(encoding="utf-8")):
            if included not in may:
                yield f"{name}: includes {included}/, which {folder}/ must not depend on"


def main():
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[2]
    listed = subprocess.run(["git", "-C", root, "ls-files"], capture_output=True, text=True)
    files = listed.stdout.split("\n") if listed.returncode == 0 else [
        str(p.relative_to(root)) for p in root.rglob("*")]
    found = list(violations(root, [f for f in files if f and (root / f).is_file()]))
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
# SPDX-License-Identifier: Apache-2.0
