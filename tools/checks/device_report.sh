#!/bin/bash
# Prints text, data and bss of the images and archives of a cross build, and its worst-case stack.
#
# The worst case is of opening, loading and running any program with every kernel, summed from the
# compiler's call graph. usage: device_report.sh BUILD_FOLDER [STACK_BUDGET_BYTES]
set -euo pipefail

build=${1:?usage: device_report.sh BUILD_FOLDER [STACK_BUDGET_BYTES]}
budget=${2:-4096}
here=$(dirname "$(realpath "$0")")

shopt -s nullglob
python3 "$here/size_report.py" --size arm-none-eabi-size \
  "$build"/boards/*/*.elf "$build"/core/*.a "$build"/ops/*.a "$build"/portable_fallback/*.a "$build"/schema/libarenite_nanopb_decode.a

# Calls through pointers: forms run and state their facts, contracts check, pieces of parallel_for, nanopb's
# callbacks; a board without hooks and backend calls neither, so any small function stands for them.
python3 "$here/stack_usage.py" --budget "$budget" \
  --root 'Program::open' --root 'Status arenite::Instance::load' \
  --root 'Status arenite::Instance::run\(\)' \
  --indirect 'Instance::run_on_cpu=> arenite::.anonymous.::run_.*portable_fallback' \
  --indirect 'check_contract=>check_.*/ops/' \
  --indirect 'Program::(open|read)=>check_records' \
  --indirect 'Instance::load=>verify_variant' \
  --indirect 'Instance::(form_of|run_on_cpu)=>choose_again' \
  --indirect 'FormChoice=>(_distance|_scratch|accepts|cast_form|pow_form|pow_of_floats).*portable_fallback' \
  --indirect 'executor.cc|instance.cc=>device_stretch_end' \
  --indirect '(map|binary)_items=>(unary|clip|cast|binary|pow)_row\(' \
  --indirect 'portable_fallback/elementwise=>_row\(.*portable_fallback' \
  --indirect 'run_boxes|distance_of_boxes=>_boxes\(.*/ops/' \
  --indirect 'integer_block=>void arenite::.anonymous.*::add_(products|weights|inputs).*integer_block' \
  --indirect 'portable_fallback=>_items.*portable_fallback' \
  --indirect 'nanopb=>buf_read' \
  --assume '.*=>64' \
  "$build/core" "$build/ops" "$build/portable_fallback" "$build/schema/CMakeFiles/arenite_nanopb_decode.dir"

# SPDX-License-Identifier: Apache-2.0
