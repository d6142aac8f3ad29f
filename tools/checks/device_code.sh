#!/bin/bash
# Holds the device archives of every preset to the rules and the runtime in its images to budgets, and prints their
# sizes and worst-case stack.
#
# usage: device_code.sh [PRESET...]   (default: host and the bare-metal ones that are built)
set -euo pipefail
cd "$(dirname "$(realpath "$0")")/../.."
if [ $# -eq 0 ]; then
  set -- host
  for file in toolchains/*.cmake; do
    preset=$(basename "$file" .cmake)
    [ ! -e "build/$preset/portable_fallback/libarenite_portable.a" ] || ! grep -q bare_metal "$file" || set -- "$@" "$preset"
  done
fi

# The most bytes that the runtime (what core_size.sh says it is) may take: PRESET/IMAGE BYTES. What a change saves is
# taken off here with it.
runtime_budgets="
cortex-m4/boards/mps2-an386/digits 10095
cortex-m4/boards/mps2-an386/digits-trusted 4065
"

for preset; do
  build=build/$preset
  # As CMake found them: beside the compiler.
  nm=$(sed -n 's/^CMAKE_NM:[A-Z]*=//p' "$build/CMakeCache.txt")
  objdump=$(sed -n 's/^CMAKE_OBJDUMP:[A-Z]*=//p' "$build/CMakeCache.txt")
  archives=("$build"/core/libarenite_core.a "$build"/ops/libarenite_ops.a
    "$build"/portable_fallback/libarenite_portable.a
    "$build"/schema/libarenite_schema.a "$build"/schema/libarenite_nanopb_decode.a)
  # Without an FPU a square root is a call; boards/bare has one.
  allow=-
  ! grep -q float-abi=soft "toolchains/$preset.cmake" 2>/dev/null || allow=sqrtf
  echo "$preset: archives reach for no runtime"
  tools/checks/no_runtime.sh --allow $allow --nm "$nm" --objdump "$objdump" "${archives[@]}"
  tools/checks/own_names.sh --nm "$nm" "${archives[@]}"
  tools/checks/fast_kernels.py . "$nm" "$build"/portable_fallback/libarenite_portable.a
  if [ "$preset" = host ]; then
    tools/checks/size_report.py "${archives[@]}"
  else
    tools/checks/device_report.sh "$build"
  fi
  while read -r image budget; do
    [[ $image == "$preset"/* ]] || continue
    echo "$image: its code; the runtime takes at most $budget bytes"
    tools/checks/core_size.sh "build/$image.map" "$budget"
  done <<<"$runtime_budgets"
done
# SPDX-License-Identifier: Apache-2.0
