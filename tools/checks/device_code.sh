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
  archives=("$build"/core/libarenite_core.a "$build"/portable_fallback/libarenite_portable.a
    "$build"/schema/libarenite_schema.a "$build"/libnanopb_decode.a)
  echo "$preset: archives reach for no runtime"
  tools/checks/no_runtime.sh --nm ${prefix}nm --objdump ${prefix}objdump "${archives[@]}"
  tools/checks/size_report.py --size ${prefix}size "${archives[@]}"
  [ "$preset" != host ] || continue
  # What is called through a pointer: the loader calls checks and scratch rules, the executor kernels, these their tasks, the
  # decoder its one callback; hooks and backends are the caller's, so their own stack is not ours to count.
  for root in 'Program::open\(' 'Instance::load\(' 'Instance::run\('; do
    tools/checks/stack_usage.py --root "$root" \
      --indirect 'Verifier::step_holds=> arenite::.*(check_|scratch)' \
      --indirect 'run_on_cpu=>run_[a-z_]+\(const arenite::Step&, const arenite::Platform&\)' \
      --indirect 'pb_|decode_=>note_table' \
      --indirect 'portable_fallback/=>_items\(|_rows\(|_task\(' \
      --indirect '.=>null_backend' \
      --recursion 'pb_=>2' --assume '(mem(cpy|set|move|cmp)|__aeabi|__[a-z]+di)=>64' \
      "$build"/core "$build"/portable_fallback "$build"/CMakeFiles
  done
done
# SPDX-License-Identifier: Apache-2.0
