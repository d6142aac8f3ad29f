# What the scripts of examples that build against an installation begin with: they source this with `here`, the folder of
# the example. Sets `prefix`, where Arenite is installed, and `build`, a folder that is there.
#
# ARENITE and BUILD name these. Else an example that was installed takes its own installation, and one in a source tree
# that is built installs that below the tree's build/examples.
prefix=${ARENITE:-}
build=${BUILD:-$here/build}
if [ -z "$prefix" ] && [ -e "$here/../../runtime/core" ]; then
  prefix=$here/../../../..
elif [ -z "$prefix" ] && [ -e "$here/../../build/host/cmake_install.cmake" ]; then
  tree=$(cd "$here/../../build" && pwd)
  build=${BUILD:-$tree/examples/$(basename "$here")}
  prefix=$build/prefix
  cmake --install "$tree/host" --prefix "$prefix" > /dev/null
fi
[ -n "$prefix" ] || { echo "$0: expected ARENITE=PREFIX, where Arenite is installed" >&2; exit 2; }
prefix=$(cd "$prefix" && pwd)
mkdir -p "$build"
# SPDX-License-Identifier: Apache-2.0
