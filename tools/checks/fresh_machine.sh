#!/bin/bash
# Makes an empty Debian 12 root, and runs ./demo.sh, an installation and ./test.sh there from a clone of what is
# committed: a machine that has a package already hides that tools/setup does not install it.
#
# usage: fresh_machine.sh [ROOT]   as root; ROOT is made where it is absent, and kept; default: a folder that is removed
# Packages come from where this machine has its own. Real models are those of ../shared, where there are any.
set -euo pipefail
cd "$(dirname "$(realpath "$0")")/../.."

die() {
  echo "fresh_machine: $*" >&2
  exit 1
}
[ "$(id -u)" = 0 ] || die "expected to run as root, which another root needs"
tools/setup fresh

kept=${1-}
root=${kept:-$(mktemp -d)}
end() {
  mountpoint -q "$root/arenite/shared" && umount "$root/arenite/shared"
  umount --recursive "$root/proc" "$root/dev" 2>/dev/null
  [ -n "$kept" ] || rm -rf --one-file-system "$root"
}
trap 'end || true' EXIT

if [ ! -e "$root/etc/debian_version" ]; then
  options=()
  for file in $(grep -l '^Acquire' /etc/apt/apt.conf.d/* /etc/apt/apt.conf 2>/dev/null); do
    options+=("--aptopt=$file")
  done
  sources=()
  for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources; do
    [ ! -s "$file" ] || sources+=("$file")
  done
  mmdebstrap --quiet --variant=apt "${options[@]}" bookworm "$root" "${sources[@]}"
fi
mkdir -p "$root/arenite"
if [ -e "$root/arenite/main" ]; then
  git -C "$root/arenite/main" pull --quiet --ff-only "$PWD" HEAD
else
  git clone --quiet . "$root/arenite/main"
fi
cp /etc/resolv.conf /etc/hosts "$root/etc/"
mount --rbind --make-rslave /dev "$root/dev"  # with the terminals below it
mount -t proc proc "$root/proc"
if [ -d "${ARENITE_SHARED:-../shared}" ]; then
  mkdir -p "$root/arenite/shared"
  mount --bind -o ro "$(realpath "${ARENITE_SHARED:-../shared}")" "$root/arenite/shared"
fi
for command in ./demo.sh "cmake --install build/host --prefix /tmp/arenite >/dev/null" ./test.sh; do
  env -i HOME=/root LANG=C.UTF-8 PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    chroot "$root" bash -c "cd /arenite/main && $command"
done
# SPDX-License-Identifier: Apache-2.0
