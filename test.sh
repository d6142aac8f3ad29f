#!/bin/bash
# Builds and tests everything: host, sanitizers, cross targets, checks of the archives, the demo.
#
# Installs what is missing first. usage: ./test.sh [--full]
#   --full   also the long campaigns: slow tests (on Vulkan each case in all its layouts and ways, firmware
#            optimized when it is linked, whole images of all boards), more fuzzing, each file compiled alone,
#            clang-tidy over all code, both commands on a fresh machine
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
mkdir -p build
stage_log=build/stages.tsv
: >"$stage_log"
. tools/checks/stage.sh
not_slow() { [ -n "$full" ] || echo "-LE slow"; }

# The stages that fail most often come first.
stage "packages"
tools/setup
[ -z "$full" ] || tools/setup browser
[ -z "$full" ] || tools/setup --vulkan-aarch64 build/deps/vulkan-aarch64 ||
  echo "test.sh: no Vulkan for AArch64; its test will be skipped" >&2
tools/setup --second-driver build/deps/second-driver ||
  echo "the second driver cannot be had here: its tests will say skipped"
stage "style"
git ls-files '*.h' '*.cc' '*.c' '*.js' | xargs clang-format --dry-run --Werror
tools/checks/style.py
tools/checks/includes.py

stage "host: build"
tools/build host
stage "host: tests"
ctest --test-dir build/host --output-on-failure -j "$jobs" $(not_slow)

stage "sanitizers: build"
tools/build host-asan arenite_tests
stage "sanitizers: tests"
ctest --test-dir build/host-asan --output-on-failure -j "$jobs" $(not_slow)
if [ -n "$full" ]; then
  # Both trees compile the planner and the tools in batches; this proves that their files, and headers, compile alone.
  stage "each file alone"
  tools/checks/alone.py --strict build/alone build/host build/host-asan
  commands=build/alone
  files=$(git ls-files '*.cc' | grep -v -e '^boards/' -e '^tests/')
else
  commands=build/host-asan
  files=$(git ls-files 'core/*.cc')
fi
stage "clang-tidy"
xargs -P "$jobs" -n 4 clang-tidy --quiet -p "$commands" <<<"$files" 2>/dev/null

stage "cross: build"
image_toolchains=$(sed -n 's/^ARENITE_IMAGE_TOOLCHAINS:[^=]*=//p' build/host/CMakeCache.txt)
for toolchain in toolchains/*.cmake; do
  preset=$(basename "$toolchain" .cmake)  # it has the toolchain's name
  # Of a toolchain whose images nobody builds by default, tests have built and run slices (boards.*.slice).
  if [ -z "$full" ] && [ "$preset" != aarch64-linux ] && [[ ";$image_toolchains;" != *";$preset;"* ]]; then
    continue
  fi
  if [ "$preset" = aarch64-linux ] && [ -z "$full" ]; then
    # It is compiled as fast as can be, since little of it runs: the operators' cases, in the board linux-aarch64.
    cmake --preset "$preset" -B "build/unoptimized/$preset" -DCMAKE_BUILD_TYPE=None >/dev/null
    cmake --build "build/unoptimized/$preset" -- --quiet
    ARENITE_IMAGES=build/unoptimized ARENITE_TEST_BOARDS=linux-aarch64 build/host/tests/boards/boards_ops_test \
      --gtest_filter='*OtherBoards*'
  else
    tools/build "$preset"
  fi
done
# This proves that it has no heap, exceptions, RTTI, guards, constructors and globals, and prints sizes and stack.
stage "device code"
tools/checks/device_code.sh
stage "what an installation takes"
tools/checks/install_sizes.sh build/host

stage "models and ONNX's own cases"
bench/models.py --jobs "$jobs" build/host/arenite
boards=$(bench/boards.py build/host/CMakeCache.txt)
for board in $boards; do
  bench/models.py --jobs "$jobs" --board "$board" build/host/arenite
done
tools/checks/conform_table.py build/host/arenite
stage "what each pass that lowers the peak saves"
tools/checks/lowering_table.py build/host/arenite

if [ -n "$full" ]; then
  stage "whole models: the same bits on every kind of machine"
  bench/same_bits.py build
  stage "what firmware takes, within its budgets"
  bench/mcu.py --full --check --jobs "$jobs" build/host/arenite
  stage "requantization against 128 bits"
  ARENITE_TEST_TRIPLES=10000000 build/host/tests/ops/ops_test --gtest_filter='*Requantization128*'
  stage "many random planning problems"
  ARENITE_TEST_PROBLEMS=10000 build/host-asan/tests/planner/memory/planner_memory_test \
    --gtest_filter='*EveryAlgorithm*:Random.*'
  stage "many random graphs"
  ARENITE_TEST_GRAPHS=20000 ARENITE_TEST_VULKAN_GRAPHS=1000 build/host/tests/planner/plan/planner_plan_test \
    --gtest_filter='*ConstantsAnywhereAndPassesOnAndOff:CaseGraphs.*'
  stage "many random branches and loops"
  ARENITE_TEST_CHOICES=2000 build/host/tests/planner/plan/planner_plan_test --gtest_filter='*RandomControlFlow'
  stage "long fuzz campaigns"
  build/host-asan/tests/fuzz/arn_campaign 200000 11
  build/host-asan/tests/fuzz/onnx_campaign 100000 11
  build/host-asan/tests/fuzz/tflite_campaign 100000 11
  build/host-asan/tests/fuzz/image_campaign 1000000 11
  build/host-asan/tests/fuzz/harness_campaign 400000 11  # a quarter random, a quarter mutated, to either end
  if [ -d ../shared/memplan ]; then
    stage "memory planning benchmarks"
    tools/build host bench_memplan bench_placement
    build/host/bench/bench_memplan ../shared/memplan
    build/host/bench/bench_memplan ../shared/memplan 600
    build/host/bench/bench_placement ../shared/memplan/placement
  fi
  stage "a fresh machine"
  tools/checks/fresh_machine.sh
fi

stage "demo"
./demo.sh
stage_end
tools/checks/ci_time "$stage_log"
# SPDX-License-Identifier: Apache-2.0
