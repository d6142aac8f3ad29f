#!/usr/bin/env python3
"""Prints what is proved of the plan of every model on every board, and which bound is not met by how much.

usage: proofs.py ARENITE [--models DIR] [--board NAME]...

A plan is optimal where no plan has less traffic outside the first memory, and what it has in each memory takes no less
there. `not met` names each bound that is not and the bytes above it. Seconds are of the whole planning, proofs included.
Models that a board cannot hold, or that the planner refuses, have no row; they are counted. Exit status: 0 when every
plan is optimal or says what is not met, 2 on errors. Without the models there is nothing to do.
"""
import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from boards import bare_boards

ROOT = Path(__file__).resolve().parents[1]
SHAPES = {"onnx_ppocr_cls": ["--shape", "x=1,3,48,192"]}


def planned(args, name, model, board, program):
    command = [args.arenite, "plan", model, "--board", board, "-o", program, "--json", *SHAPES.get(name, [])]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    if done.returncode == 2 and not done.stdout:
        sys.stderr.write(done.stderr)
    return json.loads(done.stdout) if done.returncode == 0 else None


def row(name, board, plan):
    variant = [v for v in plan["variants"] if v["device"] == "cpu"][-1]
    not_met = []
    slow, bound = variant["slow_traffic_bytes"], variant["slow_traffic_bound_bytes"]
    if slow != bound:
        not_met.append(f"slow traffic {slow} over {bound}, {slow - bound} above")
    peaks = []
    for arena in variant["arenas"]:
        peak, least = arena["peak_bytes"], arena["lower_bound_bytes"]
        peaks.append(f"{arena['name']} {peak}")
        if peak != least:
            not_met.append(f"{arena['name']} {peak} over {least}, {peak - least} above")
    optimal = "yes" if variant["optimal"] else "no"
    print(f"{name:27}{board:12}{optimal:8}{slow:>13}  {plan['seconds']:5.2f}  {', '.join(peaks)}"
          + (f"   NOT MET: {'; '.join(not_met)}" if not_met else ""), flush=True)
    return variant["optimal"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("arenite")
    parser.add_argument("--models", type=Path, default=ROOT.parent / "shared/models")
    parser.add_argument("--board", action="append")
    args = parser.parse_args()
    models = [(m.parent.name, m) for m in sorted(args.models.glob("*/model.onnx"))]
    if not models:
        print(f"no models in {args.models}: nothing to do")
        return 0
    models.insert(0, ("digits", ROOT / "examples/digits/digits.onnx"))
    print(f"{'model':27}{'board':12}{'optimal':8}{'slow traffic':>13}  {'s':>5}  peaks, bytes")
    optimal = rows = refused = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, model in models:
            for board in args.board or ["host", *bare_boards()]:
                plan = planned(args, name, model, board, Path(folder) / "program.arn")
                if plan is None:
                    refused += 1
                    continue
                rows += 1
                optimal += row(name, board, plan)
    print(f"{optimal} of {rows} plans optimal and proved; {refused} do not fit or are refused")
    return 0


if __name__ == "__main__":
    sys.exit(main())
# SPDX-License-Identifier: Apache-2.0
