#!/bin/bash
# Prints what an installation of a build takes: its programs and libraries, the rest by folder, and packages that were
# made of it.
#
# usage: install_sizes.sh BUILD_FOLDER
set -euo pipefail

build=$(realpath "${1:?usage: install_sizes.sh BUILD_FOLDER}")
prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT
cmake --install "$build" --prefix "$prefix" >/dev/null
cd "$prefix"
printf '%10s %10s  %s\n' bytes stripped file
find bin lib -type f \( -perm -u+x -o -name '*.so*' -o -name '*.a' \) | sort | while read -r file; do
  cp "$file" copy
  # Scripts have nothing to strip.
  if [ "$(head -c 2 copy)" != '#!' ]; then
    strip --strip-unneeded copy
  fi
  printf '%10d %10d  %s\n' "$(stat -c %s "$file")" "$(stat -c %s copy)" "$file"
done
rm -f copy
for folder in include share/arenite/* .; do
  printf '%10d %10s  %s\n' "$(find "$folder" -type f -printf '%s\n' | awk '{ n += $1 } END { print n }')" '' "$folder/"
done
for package in "$build"/wheel/*.whl "$build"/package/*.deb; do
  if [ -f "$package" ]; then
    printf '%10d %10s  %s\n' "$(stat -c %s "$package")" '' "$(basename "$package")"
  fi
done
# SPDX-License-Identifier: Apache-2.0
