#!/usr/bin/env python3
"""Runs real models on the CPU and on Vulkan and prints how far they are from their stored outputs.

usage: models.py ARENITE [--shared DIR] [--jobs N] [--board NAME] [MODEL...]

One row a model and device, of every folder in DIR/models or of those named. Of models that cannot be planned the row says
what they wait for. Fails where a float model is refused, is further from its reference than its kind may be (docs below),
gives another best class where that is decided, leaves a step that is no view off the GPU, falls back, or is named by the
validation layers, which ARENITE_VK_VALIDATION=0 leaves out. With a board the plan is the one for it, whose forms the CPU of
this machine runs in plain C++; models that do not fit wait. Without DIR/models nothing is done.

Integer models of ONNX: within one step of the output's scale (the least difference of two reference values), or the same
best class. Integers of TensorFlow Lite models are those of the reference kernels for microcontrollers bit for bit; where
LiteRT made the reference, at most one in a thousand is a step away (of places of the greatest: another). Float activations
with integer weights: within 1e-2. Others: within 1e-4 of the largest reference value; 1e-3 with recurrent operators or
attention; for float16 outputs two units in the last place of the largest value. States are as before a first run.
"""
import argparse
import concurrent.futures
import json
import math
import os
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

LATER_KINDS = ("stream", "control")
INTEGER_KINDS = ("int8-qdq", "int8-qlinear")
LOOSE_OPERATORS = {"LSTM", "GRU", "RNN", "Attention", "MultiHeadAttention", "UNIDIRECTIONAL_SEQUENCE_LSTM"}
FORMATS = {"float32": "f", "float16": "e", "float64": "d", "int32": "i", "int64": "q", "uint8": "B", "int8": "b", "bool": "?", "int16": "h"}


def numbers(path, dtype):
    data = Path(path).read_bytes()
    if str(path).endswith(".npy"):
        data = data[10 + int.from_bytes(data[8:10], "little"):]
    code = FORMATS[dtype]
    return struct.unpack(f"<{len(data) // struct.calcsize(code)}{code}", data)


def run(command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True,
                          env={"ARENITE_VK_VALIDATION": "1", **os.environ})
    report = json.loads(done.stdout) if done.stdout.startswith("{") else None
    return done.returncode, report, done.stderr


def classes_agree(expected, found, shape, tolerance):
    """The best of the class axis (the second, or the last of rank 2 and 3) where it stands out."""
    axis = 1 if len(shape) == 4 else len(shape) - 1
    count, inner = shape[axis], math.prod(shape[axis + 1:])
    for start in range(len(expected)):
        if (start // inner) % count:
            continue
        row = range(start, start + count * inner, inner)
        ranked = sorted(row, key=lambda i: expected[i], reverse=True)
        if len(ranked) > 1 and expected[ranked[0]] - expected[ranked[1]] > 2 * tolerance:
            if max(row, key=lambda i: found[i]) != ranked[0]:
                return False
    return True


def tolerance_of(manifest, dtype, largest):
    if dtype == "float16":
        return 2 * 2.0 ** (math.floor(math.log2(largest)) - 10) if largest else 0.0
    if "hybrid" in manifest["category"]:
        return 1e-2 * largest
    loose = LOOSE_OPERATORS & set(manifest["ops"]) or "transformer" in manifest["category"]
    return (1e-3 if loose else 1e-4) * largest


def is_tflite_integer(manifest, reference):
    return manifest["file"].endswith(".tflite") and not reference["dtype"].startswith("float")


def judge_integers(reference, expected, found):
    """What is wrong with integers of a TensorFlow Lite model, "" where nothing is."""
    steps = [abs(a - b) for a, b in zip(expected, found)]
    differing, most = sum(s != 0 for s in steps), max(steps, default=0)
    steps_allowed = 1 if "scale" in reference else math.inf
    share = 0 if reference["ref_by"] == "tflm" else 1e-3
    if differing <= share * len(steps) and most <= steps_allowed:
        return ""
    return f"{reference['name']}: {differing} of {len(steps)} differ, by up to {most} steps"


def step_of(expected):
    """The scale of what was quantized last."""
    values = sorted(set(expected))
    return min((b - a for a, b in zip(values, values[1:])), default=0.0)


def compare(manifest, folder, outputs):
    """The largest difference over the largest reference value, and what is wrong."""
    worst, wrong = 0.0, []
    by_name = {o["name"]: o for o in outputs}
    for reference, in_order in zip(manifest["outputs"], outputs):
        output = by_name.get(reference["name"]) or by_name.get(reference.get("sig")) or in_order
        expected = numbers(folder / reference["file"], reference["dtype"])
        found = numbers(output["file"], output["dtype"])
        if output["shape"] != reference["shape"] or output["dtype"] != reference["dtype"]:
            wrong.append(f"{reference['name']}: {output['dtype']} {output['shape']}")
            continue
        if is_tflite_integer(manifest, reference):
            worst = max(worst, max((abs(a - b) for a, b in zip(expected, found)), default=0))
            wrong += filter(None, [judge_integers(reference, expected, found)])
            continue
        largest = max((abs(v) for v in expected), default=0.0)
        integer = manifest["category"] in INTEGER_KINDS
        tolerance = 1.001 * step_of(expected) if integer else tolerance_of(manifest, reference["dtype"], largest)
        difference = max((abs(a - b) for a, b in zip(expected, found)), default=0.0)
        worst = max(worst, difference / largest if largest else difference)
        if integer:
            if not difference <= tolerance and not classes_agree(expected, found, reference["shape"], tolerance):
                wrong.append(f"{reference['name']}: differs by {difference:.3g}, and another best class")
            continue
        if not difference <= tolerance:
            wrong.append(f"{reference['name']}: differs by {difference:.3g}, largest is {largest:.3g}")
        elif reference["shape"] and not classes_agree(expected, found, reference["shape"], tolerance):
            wrong.append(f"{reference['name']}: another best class")
    return worst, wrong


def shapes_of(manifest):
    """The words that say the shapes of inputs whose dims the model leaves open."""
    return [a for i in manifest["inputs"] if (i.get("declared_shape") or i["shape"]) != i["shape"]
            for a in ("--shape", f"{i['name']}={','.join(map(str, i['shape']))}")]


def plan(arenite, folder, manifest, program, board, *words):
    """What stands in the way, or "" when the program has been written."""
    status, report, errors = run([arenite, "plan", folder / manifest["file"], "--board", board, "-o", program, "--json",
                                  *shapes_of(manifest), *words])
    if status == 0:
        return ""
    error = (report or {}).get("error", errors)
    text = error.get("message", str(error)) if isinstance(error, dict) else str(error)
    return " ".join(text.split())[:150] or f"exit status {status}"


def inputs_of(arenite, folder, manifest, program):
    """The words that give a program the inputs of the manifest; and how many others are states, which it keeps."""
    _, report, _ = run([arenite, "inspect", program, "--json"])
    tensors = report["methods"][0]["inputs"]
    fed = [tensor for tensor in tensors if "state" not in tensor]
    words = [w for given, tensor in zip(manifest["inputs"], fed)
             for w in ("--input", f"{given['name'] or tensor['name']}={folder / given['file']}")]
    return words, len(tensors) - len(fed)


def run_on(arenite, folder, manifest, program, device, out):
    inputs, states = inputs_of(arenite, folder, manifest, program)
    status, report, errors = run([arenite, "run", program, "--device", device, "--json", "--output-dir", out, *inputs])
    if report is None or status != 0:
        return f"{manifest['id']:<30}{device:<7}", [f"exit status {status}: {' '.join(errors.split())[:120]}"]
    worst, wrong = compare(manifest, folder, report["outputs"])
    if report["device"] != device or report["fell_back"]:
        wrong.append(f"ran on {report['device']}: {report['fell_back']}")
    if device == "vulkan" and report["cpu_steps"] > states:  # a copy of each, which no device reaches
        wrong.append(f"{report['cpu_steps']} steps on the CPU")
    if report["validation_messages"]:
        wrong.append("validation: " + errors.strip().split("\n")[0])
    peak = sum(a["bytes"] for a in report["arenas"])
    row = (f"{manifest['id']:<30}{device:<7}{report['steps']:>6}{report['view_steps']:>6}{report['vulkan_steps']:>5}"
           f"{report['cpu_steps']:>5}{peak:>12,}{report['median_ms']:>10.2f}  {worst:.2e}")
    return row, wrong


def rows_of(arenite, folder, manifest, devices, board, work):
    """What stands in the way of a model, or "", and of each device its name, row, and what is wrong."""
    program = Path(work) / f"{manifest['id']}.arn"
    obstacle = plan(arenite, folder, manifest, program, board, "--optimize", "memory")
    if obstacle:
        return obstacle, []
    return "", [(device, *run_on(arenite, folder, manifest, program, device, Path(work) / device / manifest["id"]))
                for device in devices]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("arenite", type=Path)
    parser.add_argument("models", nargs="*", metavar="MODEL")
    parser.add_argument("--device", choices=("cpu", "vulkan"), action="append", help="only there (default: both)")
    parser.add_argument("--board", help="plan for this board, and run that on the CPU")
    parser.add_argument("--shared", type=Path, default=Path(
        os.environ.get("ARENITE_SHARED", Path(__file__).resolve().parents[1] / ".." / "shared")))
    parser.add_argument("--jobs", type=int, default=1, help="models at once (default: 1, for times of an idle machine)")
    args = parser.parse_intermixed_args()
    folders = sorted(f.parent for f in (args.shared / "models").glob("*/manifest.json"))
    if not folders:
        print(f"models: skipped, no {args.shared / 'models'}")
        return 0
    print(f"{'model':<30}{'device':<7}{'steps':>6}{'views':>6}{'GPU':>5}{'CPU':>5}{'peak bytes':>12}{'ms':>10}  largest difference")
    failed, matched, later = [], 0, 0
    manifests = [json.loads((folder / "manifest.json").read_text()) for folder in folders]
    wanted = [(folder, manifest) for folder, manifest in zip(folders, manifests)
              if not args.models or manifest["id"] in args.models]
    devices = args.device or (("cpu",) if args.board else ("cpu", "vulkan"))
    with tempfile.TemporaryDirectory() as work, concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        results = pool.map(lambda pair: rows_of(args.arenite.resolve(), *pair, devices, args.board or "host", work), wanted)
        for (_, manifest), (obstacle, rows) in zip(wanted, results):
            name = manifest["id"]
            is_later = (any(kind in manifest["category"] for kind in LATER_KINDS)
                        and manifest["category"] not in INTEGER_KINDS) or (args.board and " bytes short: " in obstacle)
            if obstacle:
                later += is_later
                failed += [] if is_later else [name]
                print(f"{name:<30}{'waits' if is_later else 'REFUSED':<7} {obstacle}")
                continue
            for device, row, wrong in rows:
                print(row + ("" if not wrong else "  WRONG: " + "; ".join(wrong)), flush=True)
                failed += [f"{name} on {device}"] if wrong else []
                matched += not wrong
    print(f"{matched} rows as their references, {len(failed)} not{': ' if failed else ''}{', '.join(failed)}; "
          f"{later} models wait for " + ("a larger board" if args.board else "integers, state or control flow"))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
# SPDX-License-Identifier: Apache-2.0
