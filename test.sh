#!/bin/bash
# Builds and tests everything: host, sanitizers, cross targets, checks of the archives, the demo.
#
# Installs what is missing first. usage: ./test.sh [--full]
#   --full   also the long campaigns: slow tests, more fuzzing, clang-tidy over all code
set -euo pipefail
cd "$(dirname "$(realpath "$0")")"
full=
case "${1-}" in
  '') ;;
  --full) full=1 ;;
  *)
    echo "usage: ./test.sh [--full]" >&2
    exit 2
    ;;
esac
jobs=$(nproc)
export XDG_RUNTIME_DIR=${XDG_RUNTIME_DIR:-/tmp}
started=$SECONDS
section() { echo "== [$((SECONDS - started)) s] $*"; }

section "packages"
tools/setup
[ -z "$full" ] || tools/setup browser
section "style"
git ls-files '*.h' '*.cc' '*.c' '*.js' | xargs clang-format --dry-run --Werror
tools/checks/style.py
tools/checks/includes.py

section "host: build"
tools/setup --second-driver build/deps/second-driver ||
  echo "the second driver cannot be had here: its tests will say skipped"
tools/build host
section "cross: build"
for preset in cortex-m55 cortex-m4 aarch64-linux; do
  tools/build $preset
done
section "device code: no heap, exceptions, RTTI, guards, constructors, globals; sizes and stack"
tools/checks/device_code.sh

section "host: tests"
ctest --test-dir build/host --output-on-failure -j "$jobs" $([ -n "$full" ] || echo "-LE slow")

section "what an installation takes"
tools/checks/install_sizes.sh build/host

section "sanitizers: build and tests"
tools/build host-asan sanitizer_tests
ctest --test-dir build/host-asan --output-on-failure -j "$jobs" \
  -R '^(core|ops|fuzz|frozen|planner\.(memory|memplan|variant|peak|place))\.' -E '^ops\.(vulkan|safe_distance)|EveryAlgorithm.*/(portfolio|search)' \
  $([ -n "$full" ] || echo "-LE slow")

build/host-asan/tests/tools/tools_io_test --gtest_brief=1

section "clang-tidy"
if [ -n "$full" ]; then
  files=$(git ls-files '*.cc' | grep -v -e '^boards/' -e '^tests/')
else
  files=$(git ls-files 'core/*.cc')
fi
xargs -P "$jobs" -n 4 clang-tidy --quiet -p build/host <<<"$files" 2>/dev/null
if [ -n "$full" ]; then
  section "requantisation against 128 bits"
  ARENITE_TEST_TRIPLES=10000000 build/host/tests/ops/ops_test --gtest_filter='*Requantisation128*'
  section "long fuzz campaigns"
  build/host-asan/tests/fuzz/arn_campaign 200000 11
  build/host-asan/tests/fuzz/onnx_campaign 100000 11
  build/host-asan/tests/fuzz/tflite_campaign 100000 11
  build/host-asan/tests/fuzz/image_campaign 1000000 11
fi

section "models and ONNX's own cases"
bench/models.py build/host/arenite
tools/checks/conform_table.py build/host/arenite
section "what each pass that lowers the peak saves"
tools/checks/lowering_table.py build/host/arenite
if [ -n "$full" ] && [ -d ../shared/memplan ]; then
  section "memory planning benchmarks"
  tools/build host bench_memplan bench_placement
  build/host/bench/bench_memplan ../shared/memplan
  build/host/bench/bench_memplan ../shared/memplan 600
  build/host/bench/bench_placement ../shared/memplan/placement
fi

section "demo"
./demo.sh
section "done"
# SPDX-License-Identifier: Apache-2.0
