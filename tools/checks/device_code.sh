#!/bin/bash
# Holds the device archives of every preset to the rules, and prints their sizes and worst-case stack.
#
# usage: device_code.sh [PRESET...]   (default: host cortex-m4 cortex-m55; they must be built)
set -euo pipefail
cd "$(dirname "$(realpath "$0")")/../.."
[ $# -gt 0 ] || set -- host cortex-m4 cortex-m55
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
  if [ "$preset" = host ]; then
    tools/checks/size_report.py "${archives[@]}"
  else
    tools/checks/device_report.sh "$build"
  fi
done
# SPDX-License-Identifier: Apache-2.0
