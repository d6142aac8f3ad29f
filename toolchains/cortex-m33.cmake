# Names the bare-metal compilers and CPU flags for the Cortex-M33 (Armv8-M with DSP instructions, single-precision FPU).

set(CMAKE_SYSTEM_PROCESSOR cortex-m33)
set(ARENITE_COMPILER_PREFIX arm-none-eabi-)
set(ARENITE_CPU_FLAGS "-mcpu=cortex-m33 -mthumb -mfpu=fpv5-sp-d16 -mfloat-abi=hard")
set(ARENITE_C_LIBRARY c_nano)
include(${CMAKE_CURRENT_LIST_DIR}/shared/bare_metal.cmake)

# SPDX-License-Identifier: Apache-2.0
