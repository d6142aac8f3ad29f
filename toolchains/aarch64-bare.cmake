# Names the bare-metal compilers and CPU flags for 64-bit Arm without an operating system (Cortex-A53).

set(CMAKE_SYSTEM_PROCESSOR aarch64-bare)
set(ARENITE_COMPILER_PREFIX aarch64-linux-gnu-)
# The compiler is that of Linux, which there is none of here.
set(ARENITE_CPU_FLAGS "-mcpu=cortex-a53 -U__linux__ -mno-outline-atomics -fno-pie -no-pie -static -fno-stack-protector")
include(${CMAKE_CURRENT_LIST_DIR}/shared/bare_metal.cmake)

# SPDX-License-Identifier: Apache-2.0
