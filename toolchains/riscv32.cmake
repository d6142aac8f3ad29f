# Names the bare-metal compilers and CPU flags for 32-bit RISC-V (single-precision FPU, no vectors).

set(CMAKE_SYSTEM_PROCESSOR riscv32)
set(ARENITE_COMPILER_PREFIX riscv64-unknown-elf-)
# The compiler comes without headers: those of Arm's newlib and libstdc++ say nothing of Arm to other CPUs.
set(headers /usr/include/newlib)
file(GLOB library ${headers}/c++/*)
string(CONCAT ARENITE_CPU_FLAGS "-march=rv32imafc -mabi=ilp32f -msmall-data-limit=0 "
       "-isystem ${library} -isystem ${library}/arm-none-eabi -isystem ${headers}")
include(${CMAKE_CURRENT_LIST_DIR}/shared/bare_metal.cmake)

# SPDX-License-Identifier: Apache-2.0
