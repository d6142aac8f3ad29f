#!/bin/bash
# Prints text, data and bss of the images and archives of a cross build, and its worst-case stack.
#
# The worst case is of opening, loading and running any program with every kernel, summed from the
# compiler's call graph. usage: device_report.sh BUILD_FOLDER [STACK_BUDGET_BYTES]
set -euo pipefail

build=${1:?usage: device_report.sh BUILD_FOLDER [STACK_BUDGET_BYTES]}
# What the planner assumes where nobody has measured (planner/report/ram.cc): more where addresses have 64 bits.
budget=4096
[ "$(od -An -j4 -N1 -tu1 "$(find "$build/core" -name '*.obj' -print -quit)" | tr -d ' ')" = 1 ] || budget=6144
budget=${2:-$budget}
here=$(dirname "$(realpath "$0")")

shopt -s nullglob
nm=$(sed -n 's/^CMAKE_NM:[A-Z]*=//p' "$build/CMakeCache.txt")
python3 "$here/size_report.py" --size "${nm%nm}size" \
  "$build"/boards/*/*.elf "$build"/core/*.a "$build"/ops/*.a "$build"/portable_fallback/*.a "$build"/schema/libarenite_nanopb_decode.a

python3 "$here/stack_usage.py" --budget "$budget" \
  --root 'Program::open' --root 'Status arenite::Instance::load' \
  --root 'Status arenite::Instance::run\(\)' \
  "@$here/stack_rules.txt" \
  "$build/core" "$build/ops" "$build/portable_fallback" "$build/schema/CMakeFiles/arenite_nanopb_decode.dir"

# SPDX-License-Identifier: Apache-2.0
