// Tells the time since clock_start(), which on the emulator counts executed instructions.
#pragma once

#include <cstdint>

namespace arenite::board {

void clock_start();

// Nanoseconds since clock_start(), in steps of a tick of the CPU's clock. Under QEMU's `-icount
// shift=0` an instruction takes one nanosecond, so this is the number of instructions.
[[nodiscard]] uint64_t clock_nanoseconds();

}  // namespace arenite::board
// SPDX-License-Identifier: Apache-2.0
