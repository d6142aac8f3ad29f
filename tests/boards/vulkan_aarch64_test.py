#!/usr/bin/env python3
"""Runs the digit classifier of linux-aarch64 on Vulkan: arenite-run for AArch64, in QEMU, on lavapipe for AArch64.

Compared with the same program on that machine's CPU. Lavapipe compiles each shader there, some seconds each, so that one
model of few shaders is run.
"""

import argparse
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

SHADERS_MAX = 20
TOLERANCE = 1e-4


def call(*words):
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for option in ("arenite", "source", "images", "vulkan"):
        parser.add_argument(f"--{option}", required=True, type=pathlib.Path)
    options = parser.parse_args()
    if not (options.vulkan / "complete").exists():
        print(f"skipped: no {options.vulkan}; tools/setup --vulkan-aarch64 fetches it")
        return
    digits = options.source / "examples/digits"
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        program, image = folder / "digits.arn", folder / "image.bin"
        call(options.arenite, "plan", digits / "digits.onnx", "--board", "linux-aarch64", "-o", program)
        data = (digits / "images.npy").read_bytes()
        start = 10 + struct.unpack_from("<H", data, 8)[0]
        image.write_bytes(data[start:start + 256])
        emulator = ("qemu-aarch64-static", "-L", options.vulkan, "-E", f"VK_ICD_FILENAMES={options.vulkan}/lavapipe.json",
                    "-E", f"XDG_RUNTIME_DIR={folder}", "-E", f"HOME={folder}", options.images / "aarch64-linux/arenite-run")
        results = {}
        for device in ("cpu", "vulkan"):
            said = call(*emulator, program, "--device", device, "--input", image, "--output-dir", folder / device)
            data = (folder / device / "logits.npy").read_bytes()
            results[device] = struct.unpack_from("<10f", data, 10 + struct.unpack_from("<H", data, 8)[0])
        steps = re.search(r"steps: (\d+) on Vulkan, 0 on CPU", said)
        if not steps or not 0 < int(steps[1]) <= SHADERS_MAX or "llvmpipe" not in said:
            sys.exit(f"expected all steps, at most {SHADERS_MAX}, on lavapipe, found: {said}")
        difference = max(abs(a - b) for a, b in zip(*results.values()))
        if not difference <= TOLERANCE * max(map(abs, results["cpu"])):
            sys.exit(f"expected logits of {results['cpu']}, found {results['vulkan']}")
        print(f"{steps[1]} steps on Vulkan for AArch64: the CPU's logits, but for {difference:.1e}")


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
