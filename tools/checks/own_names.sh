#!/bin/bash
# Fails when device code gives the linker a name that is not Arenite's alone.
#
# An image may hold other code with any names, another nanopb for instance: what we define begins with
# arenite_, or lies in namespace arenite.
#
#   own_names.sh [--nm NM] ARCHIVE...
set -euo pipefail

nm=nm
[ "${1-}" != --nm ] || { nm=$2 && shift 2; }
[ $# -gt 0 ] || { sed -n '2,7s/^# \{0,1\}//p' "$0" >&2; exit 2; }

names=$("$nm" --extern-only --defined-only --print-file-name "$@") || exit 2
[ -n "$names" ] || { echo "own_names: no names in: $*" >&2 && exit 2; }
# Weak names (V, W, u) are templates and inline functions: the linker keeps any one of equals.
foreign=$(awk 'NF > 2 && $(NF-1) !~ /[VWu]/ && $NF !~ /^(arenite_|_ZNK?7arenite)/ { print $1 " " $NF }' <<<"$names")
[ -z "$foreign" ] || { echo "$foreign" && exit 1; }
# SPDX-License-Identifier: Apache-2.0
