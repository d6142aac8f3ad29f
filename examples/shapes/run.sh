#!/bin/bash
# Names the shape in a picture: a network of int8 on a Cortex-M55, which QEMU emulates.
#
# usage: run.sh PICTURE.png
# Runs in the repository, where it builds what is missing, and from an installed copy (share/arenite/examples).
# BUILD: another build tree than build/host.
set -euo pipefail
here=$(dirname "$(realpath "$0")")
root=$here/../..

if [[ $# != 1 ]]; then
  echo "usage: run.sh PICTURE.png" >&2
  exit 2
fi
if [[ -d $root/runtime ]]; then # the runtime's sources lie beside installed examples
  arenite=$root/../../bin/arenite
else
  arenite=${BUILD:-$root/build/host}/arenite
fi
if [[ ! -x $arenite ]]; then
  "$root/tools/setup"
  "$root/tools/build" host arenite arenite_images_cortex_m55
fi
program=$(mktemp --suffix=.arn)
trap 'rm -f "$program"' EXIT

"$arenite" plan "$here/shapes_int8.onnx" --io-type native --board mps3-an547 --image harness -o "$program" >/dev/null
report=$("$arenite" target run "$program" --board mps3-an547 --input "$1" --resize --mean 128 \
  --labels "$here/labels.txt" --top 3)
# The network gives the share of each class as an integer q, which stands for (q + 128) / 256.
awk '/^top of/ { top = 1; next }
     top && $3 ~ /^\(/ { printf "%3.0f%%  %s\n", ($1 + 128) / 2.56, $2 }
     /^arena/ { bytes += $3 }
     / to run / { print $5, "instructions,", bytes, "bytes of tensors" }' <<<"$report"
# SPDX-License-Identifier: Apache-2.0
