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
tools/build host arenite arenite_installed arenite_images_cortex_m55
arenite=build/host/arenite
out=build/demo
mkdir -p "$out"
digits=examples/digits

section "plan: one program for the host and for the board"
"$arenite" plan $digits/digits.onnx --board host --board mps3-an547 -o "$out/digits.arn" --report text
sha256sum "$out/digits.arn"

section "the same network in int8"
"$arenite" quantize $digits/digits.onnx --calibration $digits/calibration -o "$out/digits_int8.onnx"
"$arenite" plan "$out/digits_int8.onnx" --board host --board mps3-an547 -o "$out/digits_int8.arn" --report text

section "run the same files on each"
for model in digits digits_int8; do
  for device in cpu vulkan; do
    "$arenite" run "$out/$model.arn" --board host --device $device --input image=$digits/images.npy \
      --output-dir "$out/$model-$device" --json >"$out/$model-$device.json"
  done
  "$arenite" target run --board mps3-an547 "$out/$model.arn" --input image=$digits/images.npy \
    --output-dir "$out/$model-mps3-an547" --json >"$out/$model-mps3-an547.json"
done
of() { printf '%s ' "$2cpu=$out/$1-cpu.json" "$2vulkan=$out/$1-vulkan.json" "$2mps3-an547=$out/$1-mps3-an547.json"; }
# shellcheck disable=SC2046
python3 $digits/compare.py $digits/labels.npy $(of digits '') --integers $(of digits_int8 int8-)
# SPDX-License-Identifier: Apache-2.0
