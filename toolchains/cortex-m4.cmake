# Names the bare-metal compilers and CPU flags for the Cortex-M4 (Armv7E-M, single-precision FPU).

set(CMAKE_SYSTEM_PROCESSOR cortex-m4)
set(ARENITE_COMPILER_PREFIX arm-none-eabi-)
set(ARENITE_CPU_FLAGS "-mcpu=cortex-m4 -mthumb -mfpu=fpv4-sp-d16 -mfloat-abi=hard")
set(ARENITE_C_LIBRARY c_nano)
include(${CMAKE_CURRENT_LIST_DIR}/shared/bare_metal.cmake)

# SPDX-License-Identifier: Apache-2.0
