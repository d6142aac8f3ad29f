#!/bin/sh
# Builds the firmware if need be, and lets it hear WAV files (16 kHz, 16 bits, mono) in QEMU.
#
#   ./run.sh clips/yes.wav                   in an installation, or in a source tree that is built
#   ARENITE=PREFIX ./run.sh clips/yes.wav    with an installation elsewhere
#   BUILD=FOLDER ./run.sh clips/yes.wav      builds there; default: beside this file, or the tree's build/examples
set -eu
[ $# -ge 1 ] || { echo "usage: $0 FILE.wav..." >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=SCRIPTDIR/../installation.sh
. "$here/../installation.sh"

if ! { cmake -S "$here" -B "$build" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_BUILD_TYPE=MinSizeRel \
         -DCMAKE_TOOLCHAIN_FILE="$prefix/share/arenite/toolchains/cortex-m4.cmake" &&
       cmake --build "$build" --parallel; } > "$build/log" 2>&1; then
  tail -n 30 "$build/log" >&2
  exit 1
fi
arm-none-eabi-size "$build/firmware"
for file in "$@"; do
  echo "$file"
  qemu-system-arm -M mps2-an386 -nographic -monitor none -serial none -icount shift=0,align=off,sleep=off \
    -semihosting-config enable=on,target=native,arg=firmware,arg="$file" -kernel "$build/firmware" 2>&1
done
# SPDX-License-Identifier: Apache-2.0
