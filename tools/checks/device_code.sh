#!/bin/bash
# Holds the device archives of every preset to the rules and the runtime in its images to budgets, and prints their
# sizes and worst-case stack.
#
# usage: device_code.sh [PRESET...]   (default: host cortex-m4 cortex-m55; they must be built)
set -euo pipefail
cd "$(dirname "$(realpath "$0")")/../.."
[ $# -gt 0 ] || set -- host cortex-m4 cortex-m55

# The most bytes that the runtime (what core_size.sh says it is) may take: PRESET/IMAGE BYTES. What a change saves is
# taken off here with it.
runtime_budgets="
cortex-m4/boards/mps2-an386/digits 9256
cortex-m4/boards/mps2-an386/digits-trusted 3793
"

for preset; do
  build=build/$preset
  prefix=
  [ "$preset" = host ] || prefix=arm-none-eabi-
  archives=("$build"/core/libarenite_core.a "$build"/ops/libarenite_ops.a
    "$build"/portable_fallback/libarenite_portable.a
    "$build"/schema/libarenite_schema.a "$build"/schema/libarenite_nanopb_decode.a)
  echo "$preset: archives reach for no runtime"
  tools/checks/no_runtime.sh --nm ${prefix}nm --objdump ${prefix}objdump "${archives[@]}"
  tools/checks/own_names.sh --nm ${prefix}nm "${archives[@]}"
  tools/checks/fast_kernels.py . ${prefix}nm "$build"/portable_fallback/libarenite_portable.a
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
