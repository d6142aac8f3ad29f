#!/usr/bin/env python3
"""Times models on this machine's CPU beside ONNX Runtime: ratios of its time to ours, so above 1 is faster than it.

usage: cpu.py ARENITE [--shared DIR] [--exported DIR] [--threads N]... [--rounds N] [--seconds S] [--raw FILE]
              [--runtime DIR] [MODEL...]

Of every ONNX model in DIR/models whose inputs are floats, or of those named, and of the .onnx files that export_torchvision.py
wrote to another folder. Both are timed in turn, ROUNDS times, for S seconds each, with the same inputs; a row has the
least and the median of all rounds' times. --raw keeps the rows of all rounds. ONNX Runtime is that of npm, fetched once into
the folder of --runtime, which git ignores; nothing of a build needs it. A model that one of both refuses says so.
"""
import argparse
import json
import math
import random
import statistics
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RUNTIME = "onnxruntime-node@1.30.0"

# Reads {module, model, inputs, threads, seconds} and prints times in ms.
TIMER = r"""
const job = JSON.parse(require('fs').readFileSync(0, 'utf8'));
const ort = require(job.module);
(async () => {
  const session = await ort.InferenceSession.create(job.model, {executionProviders: ['cpu'], graphOptimizationLevel: 'all',
    executionMode: 'sequential', intraOpNumThreads: job.threads, interOpNumThreads: 1, logSeverityLevel: 3});
  const feeds = {};
  for (const input of job.inputs) {
    const bytes = require('fs').readFileSync(input.file);
    const at = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
    const data = input.dtype === 'float32' ? new Float32Array(at) : new Uint16Array(at);
    feeds[input.name] = new ort.Tensor(input.dtype, data, input.shape);
  }
  const times = [];
  const begin = process.hrtime.bigint();
  for (let n = 0; n < 13 || process.hrtime.bigint() - begin < BigInt(Math.round(job.seconds * 1e9)); ++n) {
    const from = process.hrtime.bigint();
    await session.run(feeds);
    if (n >= 3) times.push(Number(process.hrtime.bigint() - from) / 1e6);
  }
  console.log(JSON.stringify(times));
})().catch((error) => { console.error(String(error)); process.exit(1); });
"""


def fetch_runtime(folder):
    module = folder / "node_modules" / "onnxruntime-node"
    if not module.is_dir():
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run(["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", folder, RUNTIME], check=True,
                       stdout=subprocess.DEVNULL)
    return module


def last_line(text):
    lines = text.strip().splitlines()
    return lines[-1] if lines else "it failed"


def time_runtime(module, model, threads, seconds):
    job = {"module": str(module), "model": str(model["file"]), "inputs": model["inputs"], "threads": threads, "seconds": seconds}
    done = subprocess.run(["node", "-e", TIMER], input=json.dumps(job), capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"ONNX Runtime: {last_line(done.stderr)}")
    times = json.loads(done.stdout)
    return {"min_ms": min(times), "median_ms": statistics.median(times), "runs": len(times)}


def plan(arenite, model, folder):
    program = folder / (model["name"] + ".arn")
    shapes = [word for one in model["inputs"] for word in ("--shape", one["name"] + "=" + ",".join(map(str, one["shape"])))]
    done = subprocess.run([arenite, "plan", model["file"], "-o", program, *shapes], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"arenite plan: {last_line(done.stderr)}")
    return program


def time_arenite(arenite, program, model, threads, seconds):
    inputs = [word for one in model["inputs"] for word in ("--input", f"{one['name']}={one['file']}")]
    done = subprocess.run([arenite, "bench", program, "--device", "cpu", "--threads", str(threads), "--seconds", str(seconds), "--json",
                           *inputs], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"arenite bench: {last_line(done.stderr)}")
    report = json.loads(done.stdout)
    return {"min_ms": report["min_ms"], "median_ms": report["median_ms"], "runs": report["timed_runs"]}


def shared_models(shared):
    for manifest in sorted((shared / "models").glob("onnx_*/manifest.json")):
        facts = json.loads(manifest.read_text())
        if any(one["dtype"] not in ("float32", "float16") for one in facts["inputs"]):
            continue
        inputs = [{"name": one["name"], "dtype": one["dtype"], "shape": one["shape"], "file": str(manifest.parent / one["file"])}
                  for one in facts["inputs"]]
        yield {"name": manifest.parent.name, "file": manifest.parent / facts["file"], "inputs": inputs}


def exported_models(folder, scratch):
    """Of torchvision: an image of 224 by 224."""
    image = scratch / "image.bin"
    numbers = random.Random(1)
    image.write_bytes(struct.pack("<150528f", *(numbers.uniform(-2, 2) for _ in range(150528))))
    for file in sorted(folder.glob("*.onnx")):
        yield {"name": file.stem, "file": file, "inputs": [{"name": "input", "dtype": "float32", "shape": [1, 3, 224, 224], "file": str(image)}]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("arenite", type=Path)
    parser.add_argument("models", nargs="*")
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared")
    parser.add_argument("--exported", type=Path)
    parser.add_argument("--threads", type=int, action="append")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--raw", type=Path)
    parser.add_argument("--runtime", type=Path, default=ROOT / "build" / "onnxruntime")
    options = parser.parse_intermixed_args()
    module = fetch_runtime(options.runtime.resolve())
    arenite = options.arenite.resolve()
    rows = []
    refused = False
    with tempfile.TemporaryDirectory() as scratch:
        scratch = Path(scratch)
        models = list(shared_models(options.shared))
        if options.exported is not None:
            models += exported_models(options.exported, scratch)
        models = [model for model in models if not options.models or model["name"] in options.models]
        print(f"{'model':28} threads  ORT min  median  ours min  median  ratio of min  of median")
        for threads in options.threads or [1]:
            ratios = []
            for model in models:
                mine = []
                try:
                    program = plan(arenite, model, scratch)
                    for turn in range(options.rounds):
                        row = {"model": model["name"], "threads": threads, "round": turn,
                               "onnxruntime": time_runtime(module, model, threads, options.seconds),
                               "arenite": time_arenite(arenite, program, model, threads, options.seconds)}
                        mine.append(row)
                except RuntimeError as error:
                    print(f"{model['name']:28} {threads:7}  {error}")
                    refused = True
                    continue
                rows += mine
                least = [min(row[who]["min_ms"] for row in mine) for who in ("onnxruntime", "arenite")]
                median = [statistics.median(row[who]["median_ms"] for row in mine) for who in ("onnxruntime", "arenite")]
                ratios.append(least[0] / least[1])
                print(f"{model['name']:28} {threads:7} {least[0]:8.3f} {median[0]:7.3f} {least[1]:9.3f} {median[1]:7.3f}"
                      f" {least[0] / least[1]:13.2f} {median[0] / median[1]:10.2f}", flush=True)
            if ratios:
                print(f"{'geometric mean of minima':28} {threads:7} {math.exp(statistics.fmean(map(math.log, ratios))):47.2f}")
    if options.raw is not None:
        options.raw.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main())
# SPDX-License-Identifier: Apache-2.0
