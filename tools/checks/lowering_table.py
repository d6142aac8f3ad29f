#!/usr/bin/env python3
"""Prints what each pass that lowers the peak saves on the real float models, and the ratio that remains.

usage: lowering_table.py ARENITE [--shared DIR] [--board NAME] [--memory-planner NAME] [MODEL...]. The baseline is the
most bytes live in the fused graph in its native order, inputs and outputs included; final is what the arenas take,
scratch and tails included. Figures are of the CPU variant, in KiB. Fails when a model cannot be planned; without
DIR/models there is nothing to do.
"""
import argparse
import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path

MODELS = ["onnx_mnist8", "onnx_ultraface_rfb320", "onnx_tv_mobilenet_v2", "onnx_tv_mobilenet_v3_small",
          "onnx_st_mobilenetv2_035", "onnx_ppocr_cls", "onnx_light_squeezenet", "onnx_light_resnet50",
          "onnx_light_shufflenet"]
SHAPES = {"onnx_ppocr_cls": ["--shape", "x=1,3,48,192"]}


def plan(args, model, program):
    """The CPU variant's lowering report and the seconds that planning took, or the planner's message."""
    path = Path(args.shared) / "models" / model / "model.onnx"
    command = [args.arenite, "plan", path, "--board", args.board, "--optimize", "memory", "-o", program,
               "--json", *SHAPES.get(model, [])]
    if args.memory_planner:
        command += ["--memory-planner", args.memory_planner]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    if done.returncode != 0:
        return None, done.stderr.strip()
    report = json.loads(done.stdout)
    variant = [v for v in report["variants"] if v["device"] == "cpu"][-1]
    return variant["lowering"], report["seconds"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("arenite")
    parser.add_argument("models", nargs="*", default=MODELS)
    parser.add_argument("--shared", default=Path(__file__).resolve().parents[3] / "shared")
    parser.add_argument("--board", default="host")
    parser.add_argument("--memory-planner")
    args = parser.parse_args()
    if not (Path(args.shared) / "models").is_dir():
        print(f"no models in {args.shared}: nothing to do")
        return 0

    ratios, failed, passes = [], 0, []
    with tempfile.TemporaryDirectory() as folder:
        for model in args.models:
            lowering, seconds = plan(args, model, Path(folder) / "model.arn")
            if lowering is None:
                print(f"{model}: not planned: {seconds}")
                failed += 1
                continue
            if not passes:
                passes = [entry["pass"] for entry in lowering["passes"]]
                print(f"{'model':28}{'baseline':>10}{'+scratch':>10}" + "".join(f"{p:>17}" for p in passes) +
                      f"{'live':>10}{'final':>10}{'ratio':>8}{'s':>7}")
            saved = "".join(f"{entry['saved_bytes'] / 1024:>10.1f} ({entry['places']:>3}) "
                            for entry in lowering["passes"])
            live = lowering["passes"][-1]["live_bytes"]
            print(f"{model:28}{lowering['baseline_bytes'] / 1024:>10.1f}"
                  f"{(lowering['native_bytes'] - lowering['baseline_bytes']) / 1024:>10.1f}{saved}"
                  f"{live / 1024:>10.1f}{lowering['final_bytes'] / 1024:>10.1f}{lowering['ratio']:>8.3f}"
                  f"{seconds:>7.2f}")
            ratios.append(lowering["ratio"])
    if ratios:
        print(f"geomean of {len(ratios)} models: {math.exp(sum(map(math.log, ratios)) / len(ratios)):.4f}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
# SPDX-License-Identifier: Apache-2.0
