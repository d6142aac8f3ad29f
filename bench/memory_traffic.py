#!/usr/bin/env python3
"""Bytes that one run of a model moves in each memory of a board: predicted here, counted by the board's emulator.

usage: memory_traffic.py ARENITE [--model MODEL.onnx] [--input FILE.bin]... [--board NAME] [--memory-planner NAME]...

The plan is for the board as if its CPU had no features: by plain C++ there and here. The prediction is of the simulator;
the count is what QEMU's plugin saw between the begin and the end of the run, in the same arenas. One row a memory and
planner; a planner NAME+near copies hot constants into the first memory. Exit status: 0 when in every row as many bytes
are written, and as many read but for 5 %, by which compilers differ in what they keep in registers; 1 when not, 2 on
errors. Without the model there is nothing to do.
"""
import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MODELS = ROOT.parent / "shared" / "models"
READS_DIFFER = 0.05


def output_of(words):
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True)
    if done.returncode != 0:
        sys.stderr.write(done.stderr or done.stdout)
        sys.exit(2)
    return done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("arenite")
    parser.add_argument("--model", type=Path, default=MODELS / "onnx_ultraface_rfb320/model.onnx")
    parser.add_argument("--input", action="append", type=Path)
    parser.add_argument("--board", default="mps3-an547")
    parser.add_argument("--memory-planner", action="append")
    args = parser.parse_args()
    if not args.model.is_file():
        print(f"no {args.model}: nothing to do")
        return 0
    inputs = args.input or sorted(args.model.parent.glob("in_*.bin"))

    unequal = 0
    print(f"{args.model.parent.name} on {args.board}, one run")
    print(f"{'planner':18}{'memory':8}{'arena':>10}{'read':>12}{'counted':>12}{'written':>12}{'counted':>12}")
    with tempfile.TemporaryDirectory() as folder:
        program, plain = Path(folder) / "model.arn", Path(folder) / "plain.json"
        board = json.loads((ROOT / "boards" / args.board / "board.json").read_text(encoding="utf-8"))
        board["cpu"].pop("features", None)
        plain.write_text(json.dumps(board), encoding="utf-8")
        for planner in args.memory_planner or ["greedy_by_size", "search", "search+near"]:
            name, _, near = planner.partition("+")
            output_of([args.arenite, "plan", args.model, "--board", plain, "--optimize", "memory",
                       "--memory-planner", name, "--constants", near or "in_place", "-o", program])
            options = [word for path in inputs for word in ("--input", path)]
            run = ["--board", args.board, "--count-memory", "--json", program, *options]
            simulation = json.loads(output_of([args.arenite, "run", "--simulate", *run]))["simulation"]
            predicted = {memory["name"]: memory for memory in simulation["memories"]}
            report = json.loads(output_of([args.arenite, "target", "run", *run]))
            counted = {memory["name"]: memory for memory in report["memories"]}
            slow = 0
            for index, arena in enumerate(a for a in simulation["arenas"] if a["peak_bytes"] != 0):
                memory, seen = predicted[arena["name"]], counted[arena["name"]]
                equal = (memory["written_bytes"] == seen["written_bytes"]
                         and abs(memory["read_bytes"] - seen["read_bytes"]) <= READS_DIFFER * seen["read_bytes"])
                unequal += not equal
                slow += (memory["read_bytes"] + memory["written_bytes"]) * (index != 0)
                print(f"{planner:18}{memory['name']:8}{arena['peak_bytes']:10}{memory['read_bytes']:12}"
                      f"{seen['read_bytes']:12}{memory['written_bytes']:12}{seen['written_bytes']:12}"
                      f"{'' if equal else '  differs'}")
            print(f"{planner:18}moved outside the first memory: {slow}; {report['instructions']} instructions")
    print("predicted and counted are equal" if unequal == 0 else f"{unequal} rows differ")
    return 1 if unequal else 0


if __name__ == "__main__":
    sys.exit(main())
# SPDX-License-Identifier: Apache-2.0
