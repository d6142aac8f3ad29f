# Names the bare-metal compilers and CPU flags for 64-bit RISC-V (RV64GC, no vectors).

set(CMAKE_SYSTEM_PROCESSOR riscv64)
set(ARENITE_COMPILER_PREFIX riscv64-linux-gnu-)
set(ARENITE_CPU_FLAGS "-march=rv64gc -mabi=lp64d -mcmodel=medany -msmall-data-limit=0 -fno-pie -no-pie -static -fno-stack-protector")
include(${CMAKE_CURRENT_LIST_DIR}/shared/bare_metal.cmake)

# SPDX-License-Identifier: Apache-2.0
