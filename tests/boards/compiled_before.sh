#!/bin/sh
# Takes what a compiler's command would make from another build tree, if that has it: a launcher of CMake's.
#
# usage: compiled_before.sh FOLDER COMPILER WORDS... -o OBJECT ...
#   FOLDER   holds the objects that the same commands made of the same sources, and what lies beside them
folder=$1
shift
last=
object=
for word in "$@"; do
  [ "$last" != -o ] || object=$word
  last=$word
done
stem=$folder/${object%.obj}
[ -f "$stem.obj" ] || exec "$@"
cp "$stem".* "$(dirname "$object")"
# SPDX-License-Identifier: Apache-2.0
