#!/usr/bin/env python3
"""Times models on this machine's GPU by Vulkan, step by step, beside PyTorch's CUDA graphs where PyTorch is there.

usage: gpu.py ARENITE [--seconds S] [--rounds N] [--steps N] [--load] [--raw FILE] MODEL...

A row has the median and the least of all rounds' medians from host to host, dispatches, barriers, the time of loading, and the sum
of the steps' medians on the GPU's clock. MODEL is a file that ARENITE plans. One of the name of a network of torchvision is also run by PyTorch,
in turn, with random weights, as a captured CUDA graph with cuDNN, TF32 off, and its input and output copied by each run. --steps prints so
many steps that take longest, --load what the parts of loading took in the last round. --raw keeps all that ARENITE printed. Times of one row are of one machine: cards differ.
"""
import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def ours(arenite, *arguments):
    done = subprocess.run([arenite, *arguments], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip().splitlines()[-1] if done.stderr.strip() else f"exit {done.returncode}")
    return json.loads(done.stdout)


def found(tree, key):
    """The first value of a key, wherever it lies."""
    children = tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ()
    if isinstance(tree, dict) and key in tree:
        return tree[key]
    return next((value for value in (found(child, key) for child in children) if value is not None), None)


class CudaGraph:
    """A network of torchvision as a captured graph; its weights do not change times."""

    def __init__(self, name):
        import torch
        import torchvision

        self.torch = torch
        torch.backends.cudnn.benchmark = True
        torch.backends.cudnn.allow_tf32 = torch.backends.cuda.matmul.allow_tf32 = False
        network = getattr(torchvision.models, name)(weights=None).eval().cuda()
        self.there = torch.rand(1, 3, 224, 224).pin_memory()
        self.x = self.there.cuda()
        with torch.inference_mode():
            side = torch.cuda.Stream()
            side.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(side):
                for _ in range(5):
                    network(self.x)
            torch.cuda.current_stream().wait_stream(side)
            self.graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(self.graph):
                self.y = network(self.x)
        self.back = torch.empty(self.y.shape).pin_memory()

    def median_ms(self, seconds):
        times = []
        begin = time.perf_counter()
        while len(times) < 13 or time.perf_counter() - begin < seconds:
            start = time.perf_counter()
            self.x.copy_(self.there, non_blocking=True)
            self.graph.replay()
            self.back.copy_(self.y, non_blocking=True)
            self.torch.cuda.synchronize()
            times.append((time.perf_counter() - start) * 1e3)
        return statistics.median(times[3:])


def cuda_graph(name):
    try:
        import torchvision

        return CudaGraph(name) if hasattr(torchvision.models, name) else None
    except (ImportError, RuntimeError) as error:
        print(f"{name}: no CUDA graph: {error}", file=sys.stderr)
        return None


def time_model(model, options, folder, raw):
    program = f"{folder}/{model.stem}.arn"
    plan = ours(options.arenite, "plan", str(model), "--board", "host", "-o", program, "--json")
    graph = cuda_graph(model.stem)
    mine, theirs, report = [], [], None
    for _ in range(options.rounds):
        report = ours(options.arenite, "bench", program, "--device", "vulkan", "--seconds", str(options.seconds), "--json")
        raw.append({"model": model.stem, **report})
        mine.append(found(report, "median_ms"))
        if graph:
            theirs.append(graph.median_ms(options.seconds))
    steps = found(report, "steps")
    numbers = {"median": statistics.median(mine), "least": min(mine), "load": found(report, "load_ms"),
               "steps": sum(step["median_us"] for step in steps) / 1e3}
    row = f"{model.stem:<24} " + " ".join(f"{number:>8.3f}" for number in numbers.values())
    row += f" {found(plan, 'dispatches') or 0:>10} {found(plan, 'barriers') or 0:>8}"
    if theirs:
        row += f" {min(theirs):>8.3f} {min(theirs) / min(mine):>12.2f}"
    print(row, flush=True)
    if options.load:
        parts = found(report, "load_parts_ms")
        print("    load: " + ", ".join(f"{name} {ms:.1f}" for name, ms in parts.items()), flush=True)
    for step in sorted(steps, key=lambda step: -step["median_us"])[:options.steps]:
        print(f"    {step['median_us']:>8.2f} us  {step['step']:>4} {step['op']:<20} {step['name'][:80]}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("arenite")
    parser.add_argument("models", nargs="+", type=Path, metavar="MODEL")
    parser.add_argument("--seconds", type=float, default=1)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--steps", type=int, default=0)
    parser.add_argument("--load", action="store_true")
    parser.add_argument("--raw", type=Path)
    options = parser.parse_intermixed_args()
    print(f"{'ms':<24} {'median':>8} {'least':>8} {'load':>8} {'steps':>8} {'dispatches':>10} {'barriers':>8} {'graph':>8} "
          "graph / ours")
    raw, refused = [], False
    with tempfile.TemporaryDirectory() as folder:
        for model in options.models:
            try:
                time_model(model, options, folder, raw)
            except RuntimeError as error:
                refused = True
                print(f"{model.stem}: {error}", flush=True)
    if options.raw:
        options.raw.write_text(json.dumps(raw))
    return 1 if refused else 0


sys.exit(main())
# SPDX-License-Identifier: Apache-2.0
