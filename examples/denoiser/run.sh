#!/bin/sh
# Builds the denoiser for 64-bit Arm Linux if need be, and lets it clean a WAV file (16 kHz, 16 bits, mono).
#
#   ./run.sh noisy.wav clean.wav [reference.wav]   in an installation, or in a source tree that is built
#   ARENITE=PREFIX ./run.sh ...                    with an installation elsewhere
#   BUILD=FOLDER ./run.sh ...                      builds there; default: beside this file, or the tree's build/examples
#
# Where there is no compiler for Arm, or no qemu-aarch64 and this machine is no Arm either, it builds for this machine.
set -eu
[ $# -eq 2 ] || [ $# -eq 3 ] || { echo "usage: $0 NOISY.wav CLEAN.wav [REFERENCE.wav]" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=SCRIPTDIR/../installation.sh
. "$here/../installation.sh"

emulator=$(command -v qemu-aarch64-static || command -v qemu-aarch64 || true)
toolchain=
if [ "$(uname -m)" = aarch64 ]; then
  emulator=
elif [ -n "$emulator" ] && command -v aarch64-linux-gnu-g++ > /dev/null; then
  toolchain=-DCMAKE_TOOLCHAIN_FILE=$prefix/share/arenite/toolchains/aarch64-linux.cmake
else
  emulator=
fi
if ! { cmake -S "$here" -B "$build" -Darenite_DIR="$prefix/share/cmake/arenite" -DCMAKE_BUILD_TYPE=Release ${toolchain:+"$toolchain"} &&
       cmake --build "$build" --parallel; } > "$build/log" 2>&1; then
  tail -n 30 "$build/log" >&2
  exit 1
fi
if [ -n "$emulator" ]; then echo "for AArch64, by $(basename "$emulator")"; else echo "for this machine, $(uname -m)"; fi
exec ${emulator:+"$emulator"} "$build/denoise" "$@"
# SPDX-License-Identifier: Apache-2.0
