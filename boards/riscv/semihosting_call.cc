// Makes a RISC-V semihosting call: a breakpoint between two instructions that do nothing.
#include "boards/bare/semihosting.h"

namespace arenite::board {

// The three instructions are uncompressed and on one page, by which a debugger knows them.
[[gnu::noinline]] intptr_t semihosting_call(uintptr_t operation, const void* arguments) {
  register uintptr_t a0 asm("a0") = operation;
  register const void* a1 asm("a1") = arguments;
  asm volatile(
      ".option push\n"
      ".option norvc\n"
      ".balign 16\n"
      "slli zero, zero, 0x1f\n"
      "ebreak\n"
      "srai zero, zero, 7\n"
      ".option pop\n"
      : "+r"(a0)
      : "r"(a1)
      : "memory");
  return static_cast<intptr_t>(a0);
}

}  // namespace arenite::board
// SPDX-License-Identifier: Apache-2.0
