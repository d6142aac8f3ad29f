# Names the compilers for 64-bit Arm Linux, and the emulator that runs what they build.

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)

set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_ASM_COMPILER aarch64-linux-gnu-gcc)

set(CMAKE_FIND_ROOT_PATH /usr/aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
# Packages also lie where CMAKE_PREFIX_PATH says, such as an installed Arenite.
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE BOTH)

# binfmt_misc cannot be relied on (containers lack it), so ctest gets the emulator by name.
find_program(ARENITE_QEMU_AARCH64 NAMES qemu-aarch64-static qemu-aarch64)
mark_as_advanced(ARENITE_QEMU_AARCH64)
if(ARENITE_QEMU_AARCH64)
  set(CMAKE_CROSSCOMPILING_EMULATOR ${ARENITE_QEMU_AARCH64})
  if(EXISTS /usr/aarch64-linux-gnu/lib/ld-linux-aarch64.so.1)
    list(APPEND CMAKE_CROSSCOMPILING_EMULATOR -L /usr/aarch64-linux-gnu)
  endif()
endif()

# SPDX-License-Identifier: Apache-2.0
