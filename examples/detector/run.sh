#!/bin/bash
# Finds the shapes in a picture and draws boxes around them, on the GPU where there is one, else on the CPU.
#
# usage: run.sh PICTURE.png [OUT.png]     OUT.png: the picture with boxes (default: found.png, here)
# DEVICE: auto (default), cpu, vulkan (a device in software too).
# Runs in the repository, where it builds what is missing, and from an installed copy (share/arenite/examples).
# BUILD: another build tree than build/host.
set -euo pipefail
here=$(dirname "$(realpath "$0")")
root=$here/../..

if [[ $# != 1 && $# != 2 ]]; then
  sed -n '4,5s/^# //p' "$0" >&2
  exit 2
fi
if [[ -d $root/runtime ]]; then # the runtime's sources lie beside installed examples
  prefix=$(realpath "$root/../..")
  arenite=$prefix/bin/arenite include=$prefix/include lib=$prefix/lib
  place=${XDG_CACHE_HOME:-$HOME/.cache}/arenite/detector
else
  build=$(realpath -m "${BUILD:-$root/build/host}")
  arenite=$build/arenite include=$root/include lib=$build/lib place=$build/examples/detector
fi
if [[ ! -x $arenite || ! -e $lib/libarenite.so ]]; then
  "$root/tools/setup"
  "$root/tools/build" host arenite arenite_shared
fi
mkdir -p "$place"
if [[ ! $place/detect -nt $here/detect.cc || ! $place/detect -nt $include/arenite.h ]]; then
  c++ -std=c++17 -O2 "$here/detect.cc" -o "$place/detect" -I "$include" -L "$lib" -larenite -Wl,-rpath,"$lib"
fi
# Weights in 16 bits: half the program, and boxes are as good.
notes=$("$arenite" plan "$here/detector.onnx" --board host --weights fp16 -o "$place/detector.arn" 2>&1) || {
  echo "$notes" >&2
  exit 1
}
"$place/detect" "$place/detector.arn" "$here/../shapes/labels.txt" "$1" "${2:-found.png}" "${DEVICE:-auto}"
# SPDX-License-Identifier: Apache-2.0
