# Names the bare-metal compilers and CPU flags for the Cortex-M0 (Armv6-M, no FPU).

set(CMAKE_SYSTEM_PROCESSOR cortex-m0)
set(ARENITE_COMPILER_PREFIX arm-none-eabi-)
set(ARENITE_CPU_FLAGS "-mcpu=cortex-m0 -mthumb -mfloat-abi=soft")
set(ARENITE_C_LIBRARY c_nano)
include(${CMAKE_CURRENT_LIST_DIR}/shared/bare_metal.cmake)

# SPDX-License-Identifier: Apache-2.0
