// Has the registers of loops that keep a tile of sums in them: r0 to r7 are the sums, r8 points to
// weights and r9 to numbers.
#pragma once

#if defined(__ARM_ARCH_7EM__) && defined(__OPTIMIZE__)
// Loads the pointers and the sums. The operands of such code are written as far as a compiler knows
// ("+m"), also those that are only read: they must lie on the stack, since no register is left.
#define ARENITE_LOAD_TILE \
  "ldr r8, %[w]\n\t"      \
  "ldr r9, %[x]\n\t"      \
  "ldr r10, %[to]\n\t"    \
  "ldm r10, {r0-r7}\n\t"
#define ARENITE_TILE_REGISTERS                                                                 \
  "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "r12", "lr", "cc", \
      "memory"
#endif
// SPDX-License-Identifier: Apache-2.0
