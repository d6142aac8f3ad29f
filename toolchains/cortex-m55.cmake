# Names the bare-metal compilers and CPU flags for the Cortex-M55 (Armv8.1-M with MVE).

set(CMAKE_SYSTEM_PROCESSOR cortex-m55)
set(ARENITE_COMPILER_PREFIX arm-none-eabi-)
set(ARENITE_CPU_FLAGS "-mcpu=cortex-m55 -mthumb -mfloat-abi=hard")
set(ARENITE_C_LIBRARY c_nano)
include(${CMAKE_CURRENT_LIST_DIR}/shared/bare_metal.cmake)

# SPDX-License-Identifier: Apache-2.0
