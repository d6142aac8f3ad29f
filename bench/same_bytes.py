#!/usr/bin/env python3
"""Compares the bytes that the simulator says a model moves in each memory with those that instructions move in QEMU.

usage: same_bytes.py ARENITE BOARD [--shared DIR] [--jobs N] [--minutes M] [MODEL...]

One row a model of DIR/models, or of those named, that fits the board: the bytes read and written in its arenas by one
run in QEMU, and how many more the simulator says. Fails where they differ. A model that takes longer is named and left
out. Without DIR/models nothing is done.
"""
import argparse
import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import models


def moved(words, seconds):
    """What a command says of memories: {name: (bytes read, bytes written)}; or text, what went wrong."""
    try:
        done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False, timeout=seconds)
    except subprocess.TimeoutExpired:
        return f"left out after {seconds:g} seconds"
    if done.returncode != 0:
        return " ".join(done.stderr.split())[:200]
    report = json.loads(done.stdout)
    memories = report.get("simulation", report)["memories"]
    return {m["name"]: (m["read_bytes"], m["written_bytes"]) for m in memories}


def row_of(arenite, board, folder, manifest, seconds):
    """A model's row, and whether the bytes are the same: None where it is left out."""
    name = f"{manifest['id']:<32}"
    with tempfile.TemporaryDirectory() as work:
        program = Path(work, "program.arn")
        obstacle = models.plan(arenite, folder, manifest, program, board)
        if obstacle:
            return f"{name}left out: {obstacle[:80]}", None
        inputs, _ = models.inputs_of(arenite, folder, manifest, program)
        words = [program, "--board", board, *inputs, "--count-memory", "--json"]
        there = moved([arenite, "target", "run", *words, "--timeout", f"{seconds:g}"], seconds + 10)
        if isinstance(there, str):
            return f"{name}left out: {there}", None
        here = moved([arenite, "run", "--simulate", *words], seconds)
        if isinstance(here, str):
            return f"{name}{here}", False
    texts, same = [], True
    for memory, counted in there.items():
        more = [a - b for a, b in zip(here.get(memory, (0, 0)), counted)]
        same = same and not any(more)
        texts.append(f"{memory} {counted[0]:>13,} {counted[1]:>12,} {more[0]:>+12,} {more[1]:>+8,}")
    return name + "; ".join(texts), same


def main():
    parser = argparse.ArgumentParser(usage=__doc__.splitlines()[2][7:], description=__doc__.splitlines()[0])
    parser.add_argument("arenite", type=Path)
    parser.add_argument("board")
    parser.add_argument("--shared", type=Path, default=Path(os.environ.get("ARENITE_SHARED", "../shared")))
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=10, help="that a model may take in QEMU")
    parser.add_argument("models", nargs="*")
    options = parser.parse_intermixed_args()
    folders = sorted(options.shared.glob("models/*/manifest.json"))
    if not folders:
        print(f"skipped: no models in {options.shared}/models")
        return 0
    manifests = [(file.parent, json.loads(file.read_text(encoding="utf-8"))) for file in folders]
    chosen = [(folder, m) for folder, m in manifests if not options.models or m["id"] in options.models]
    if missing := set(options.models) - {m["id"] for _, m in chosen}:
        sys.exit(f"same_bytes: no model {', '.join(sorted(missing))} in {options.shared}/models")
    print(f"{'model':<32}memory          read      written  simulated: more read, written")
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        done = [pool.submit(row_of, options.arenite, options.board, folder, m, 60 * options.minutes)
                for folder, m in chosen]
        results = []
        for future in done:
            row, same = future.result()
            results.append(same)
            print(row, flush=True)
    compared = [same for same in results if same is not None]
    print(f"{sum(compared)} of {len(compared)} the same")
    return 0 if compared and all(compared) else 1


if __name__ == "__main__":
    sys.exit(main())
# SPDX-License-Identifier: Apache-2.0
