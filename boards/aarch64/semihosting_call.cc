// Makes an AArch64 semihosting call: a halting instruction with a number of its own.
#include "boards/bare/semihosting.h"

namespace arenite::board {

intptr_t semihosting_call(uintptr_t operation, const void* arguments) {
  register uintptr_t x0 asm("x0") = operation;
  register const void* x1 asm("x1") = arguments;
  asm volatile("hlt #0xf000" : "+r"(x0) : "r"(x1) : "memory");
  return static_cast<intptr_t>(x0);
}

}  // namespace arenite::board
// SPDX-License-Identifier: Apache-2.0
