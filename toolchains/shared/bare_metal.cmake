# What all bare-metal toolchain files share; it reads their ARENITE_COMPILER_PREFIX and ARENITE_CPU_FLAGS.

set(CMAKE_SYSTEM_NAME Generic)

set(CMAKE_C_COMPILER ${ARENITE_COMPILER_PREFIX}gcc)
set(CMAKE_CXX_COMPILER ${ARENITE_COMPILER_PREFIX}g++)
set(CMAKE_ASM_COMPILER ${ARENITE_COMPILER_PREFIX}gcc)

set(CMAKE_C_FLAGS_INIT "${ARENITE_CPU_FLAGS}")
set(CMAKE_CXX_FLAGS_INIT "${ARENITE_CPU_FLAGS}")
set(CMAKE_ASM_FLAGS_INIT "${ARENITE_CPU_FLAGS}")

# A bare machine has no start-up code or linker script until a board brings them,
# so CMake's compiler checks stop at an archive.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)

# Programs run on the host; headers, libraries and packages of the host are never picked up.
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)

# SPDX-License-Identifier: Apache-2.0
