#!/bin/bash
# Plans the digit classifier and runs one program file on CPU, on Vulkan and on a Cortex-M55 in QEMU.
#
# Installs what is missing, builds, plans, runs, compares. usage: ./demo.sh
set -euo pipefail
cd "$(dirname "$(realpath "$0")")"

section() { echo "== [$SECONDS s] $*"; }

section "packages"
tools/setup
section "build: minutes, the first time"
tools/build host arenite arenite_images_cortex_m55
arenite=build/host/arenite
out=build/demo
mkdir -p "$out"
digits=examples/digits

section "plan: one program for the host and for the board"
"$arenite" plan $digits/digits.onnx --board host --board mps3-an547 -o "$out/digits.arn" --report text
sha256sum "$out/digits.arn"

section "run the same file on each"
for device in cpu vulkan; do
  "$arenite" run "$out/digits.arn" --board host --device $device --input image=$digits/images.npy \
    --output-dir "$out/$device" --json >"$out/$device.json"
done
"$arenite" target run --board mps3-an547 "$out/digits.arn" --input image=$digits/images.npy \
  --output-dir "$out/mps3-an547" --json >"$out/mps3-an547.json"
python3 $digits/compare.py $digits/labels.npy cpu="$out/cpu.json" vulkan="$out/vulkan.json" \
  mps3-an547="$out/mps3-an547.json"
# SPDX-License-Identifier: Apache-2.0
