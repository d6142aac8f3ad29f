// Makes an Arm semihosting call: a breakpoint with a number of its own.
#include "boards/bare/semihosting.h"

namespace arenite::board {

intptr_t semihosting_call(uintptr_t operation, const void* arguments) {
  register uintptr_t r0 asm("r0") = operation;
  register const void* r1 asm("r1") = arguments;
  asm volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
  return static_cast<intptr_t>(r0);
}

}  // namespace arenite::board
// SPDX-License-Identifier: Apache-2.0
