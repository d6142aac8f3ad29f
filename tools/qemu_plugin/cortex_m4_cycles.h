// Estimates the cycles of instructions on a Cortex-M4 without wait states.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Refilling the pipeline behind a branch that is taken: 1 to 3 cycles, by the target's alignment
// and width and whether the core saw it coming.
enum { kCortexM4RefillCycles = 2 };

// What the next instruction must know of the one before it.
struct cortex_m4_before {
  bool is_load;  // of one register, whose address phase another load or store may follow at once
  uint8_t loads_to;  // the register
};

// The cycles of the Thumb instruction that begins with the half-word `first`; `second` counts where
// it has two. Refills come on top. `before` starts as zeros, and is of the instructions in their
// order.
unsigned cortex_m4_cycles(uint16_t first, uint16_t second, struct cortex_m4_before* before);

// Whether an instruction that begins so has two half-words.
static inline bool thumb_has_two_halves(uint16_t first) { return first >= 0xE800; }

#ifdef __cplusplus
}
#endif
// SPDX-License-Identifier: Apache-2.0
