#!/usr/bin/env python3
"""Times networks on this machine's CPU with weights of float32 and of float16: the ratio of the second to the first.

usage: half_weights.py ARENITE [--before ARENITE] [--rounds N] [--raw FILE] MODEL.onnx...
  --before   another build, whose times with weights of float16 are in the same rounds

Each round runs `arenite bench --device cpu --threads 1` once for each; a row has the least of the rounds' medians, in ms, since other
work on a machine adds to some of them. --raw keeps those of each round.
"""
import argparse
import json
import subprocess
import tempfile
from pathlib import Path


def run(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("arenite", type=Path)
    parser.add_argument("models", type=Path, nargs="+", metavar="MODEL.onnx")
    parser.add_argument("--before", type=Path)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--raw", type=Path)
    arguments = parser.parse_args()
    arguments.arenite = arguments.arenite.resolve()
    ways = {"fp32": (arguments.arenite, "fp32"), "fp16": (arguments.arenite, "fp16")}
    if arguments.before:
        ways["before"] = (arguments.before.resolve(), "fp16")
    raw = []
    print(f"{'model':24s}" + "".join(f"{way:>9s}" for way in ways) + "   fp16/fp32" + "  before/fp32" * bool(arguments.before))
    with tempfile.TemporaryDirectory() as folder:
        for model in arguments.models:
            programs = {way: f"{folder}/{way}.arn" for way in ways}
            for way, (arenite, weights) in ways.items():
                run(arenite, "plan", model, "--board", "host", "--optimize", "speed", "--weights", weights, "-o", programs[way])
            times = {way: [] for way in ways}
            for _ in range(arguments.rounds):
                for way, (arenite, _) in ways.items():
                    said = run(arenite, "bench", programs[way], "--device", "cpu", "--threads", "1", "--json")
                    times[way].append(json.loads(said)["median_ms"])
            raw += [f"{model.stem}\t{way}\t" + "\t".join(map(str, times[way])) for way in ways]
            least = {way: min(times[way]) for way in ways}
            ratios = [least[way] / least["fp32"] for way in list(ways)[1:]]
            print(f"{model.stem:24s}" + "".join(f"{least[way]:9.3f}" for way in ways) + "".join(f"{ratio:12.2f}" for ratio in ratios),
                  flush=True)
    if arguments.raw:
        arguments.raw.write_text("\n".join(raw) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
# SPDX-License-Identifier: Apache-2.0
