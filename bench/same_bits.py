#!/usr/bin/env python3
"""Runs whole integer models on every kind of machine there is and checks that all give the same bits.

usage: same_bits.py BUILD [--shared DIR] [MODEL...]

BUILD holds the builds of the presets (build/). Machines: the CPU here; Vulkan by its first driver, and by the second one
where tools/setup --second-driver put it into BUILD/deps; each board whose harness image is built, in
QEMU; AArch64 Linux,
by arenite-run of the preset aarch64-linux. MODEL is a folder of DIR/models; without, three small quantized ones and the digits
of the demo, made integers here. A machine that cannot be had is named and left out; one whose outputs differ in any byte
fails.
"""
import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from boards import boards_with_images

ROOT = Path(__file__).resolve().parents[1]
MODELS = ["tfl_mlperf_kws_int8", "tfl_mlperf_ic_resnet8_int8", "tfl_micro_speech_int8"]


def run(command, **environment):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True,
                          env={**os.environ, **environment}, check=False)
    report = json.loads(done.stdout) if done.stdout.startswith("{") else {}
    if done.returncode != 0:
        return None, " ".join((done.stderr or done.stdout).split())[:160]
    return report, ""


def digest(folder):
    sums = hashlib.sha256()
    for file in sorted(folder.glob("*.npy")):
        sums.update(file.name.encode() + file.read_bytes())
    return sums.hexdigest()[:16]


def machines(build):
    """Name, and how a program runs there: the words of the command, and its environment."""
    arenite = build / "host" / "arenite"
    yield "CPU", [arenite, "run", "--json", "--device", "cpu"], {}
    yield "Vulkan", [arenite, "run", "--json", "--device", "vulkan"], {"ARENITE_VK_VALIDATION": "1"}
    second = build / "deps" / "second-driver" / "swiftshader.json"
    if second.exists():
        yield "SwiftShader", [arenite, "run", "--json", "--device", "vulkan"], {"VK_ICD_FILENAMES": str(second)}
    else:
        print("SwiftShader: left out, tools/setup --second-driver BUILD/deps/second-driver brings it")
    for board, name in boards_with_images(build).items():
        yield name, [arenite, "target", "run", "--json", "--board", board], {}
    runner, emulator = build / "aarch64-linux" / "arenite-run", shutil.which("qemu-aarch64-static")
    if runner.exists() and emulator:
        yield "AArch64", [emulator, "-L", "/usr/aarch64-linux-gnu", runner, "--device", "cpu"], {}
    else:
        print("AArch64: left out, tools/build aarch64-linux makes its arenite-run")


def models(args, work):
    """Name, model file and inputs of each."""
    digits = ROOT / "examples" / "digits"
    if not args.models:
        integers = work / "digits_int8.onnx"
        report, why = run([args.build / "host" / "arenite", "quantize", digits / "digits.onnx", "--calibration",
                           digits / "calibration", "-o", integers, "--json"])
        if report is None:
            sys.exit(f"same_bits.py: quantize: {why}")
        yield "digits_int8", integers, [("image", digits / "images.npy")]
    for name in args.models or MODELS:
        folder = args.shared / "models" / name
        if not (folder / "manifest.json").exists():
            print(f"{name}: left out, no {folder}")
            continue
        manifest = json.loads((folder / "manifest.json").read_text())
        yield name, folder / manifest["file"], [(i["name"], folder / i["file"]) for i in manifest["inputs"]]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=Path)
    parser.add_argument("models", nargs="*", metavar="MODEL")
    parser.add_argument("--shared", type=Path, default=Path(os.environ.get("ARENITE_SHARED", ROOT.parent / "shared")))
    args = parser.parse_intermixed_args()
    args.build = args.build.resolve()
    different = []
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        there = list(machines(args.build))
        print(f"{'model':<28}{'machine':<13}{'steps':>6}{'GPU':>5}  {'outputs (SHA-256)':<18}{'instructions':>14}")
        for name, model, inputs in models(args, work):
            program = work / f"{name}.arn"
            boards = [word for board in ("host", *boards_with_images(args.build)) for word in ("--board", board)]
            report, why = run([args.build / "host" / "arenite", "plan", model, *boards, "-o", program, "--json"])
            if report is None:
                different.append(name)
                print(f"{name:<28}plan: {why}")
                continue
            first = None
            for number, (machine, command, environment) in enumerate(there):
                given = [word for tensor, file in inputs for word in ("--input", f"{tensor}={file}")]
                out = work / f"{name}-{number}"
                report, why = run([*command, program, *given, "--output-dir", out], **environment)
                if report is None:
                    different.append(f"{name} on {machine}")
                    print(f"{name:<28}{machine:<13}FAILED: {why}", flush=True)
                    continue
                found = digest(out)
                first = first or found
                instructions = f"{report['instructions']:,}" if "instructions" in report else ""
                print(f"{name:<28}{machine:<13}{report.get('steps', 0):>6}{report.get('vulkan_steps', 0):>5}  "
                      f"{found:<18}{instructions:>14}" + ("" if found == first else "  DIFFERS"), flush=True)
                different += [] if found == first else [f"{name} on {machine}"]
    print("same bits everywhere" if not different else f"not the same: {', '.join(different)}")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
# SPDX-License-Identifier: Apache-2.0
