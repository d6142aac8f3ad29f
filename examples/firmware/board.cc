// Start-up and console of an MPS3 AN547 (Cortex-M55): what your own project has already.
#include "board.h"

#include <cstdint>

extern "C" {
extern std::uint32_t data_load[], data_start[], data_end[], bss_start[], bss_end[], stack_top[];
[[noreturn]] void reset();
}
int main();  // NOLINT: called by reset(), as there is no C library's start-up code

namespace {

int semihosting(int operation, const void* argument) {
  register int r0 asm("r0") = operation;
  register const void* r1 asm("r1") = argument;
  asm volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
  return r0;
}

[[noreturn]] void leave(int status) {
  const std::uint32_t reason[] = {0x20026, static_cast<std::uint32_t>(status)};
  for (;;) semihosting(0x20, reason);
}

void fault() { leave(99); }

struct Vectors {
  std::uint32_t* stack;
  void (*handlers[15])();
};

[[gnu::section(".vectors"), gnu::used]] const Vectors vectors = {
    stack_top,
    {reset, fault, fault, fault, fault, fault, fault, fault, fault, fault, fault, fault, fault,
     fault, fault}};

// Apart from reset(), which has to switch the FPU on first.
[[noreturn, gnu::noinline]] void start() {
  const std::uint32_t* from = data_load;
  for (std::uint32_t* to = data_start; to < data_end; ++to) *to = *from++;
  for (std::uint32_t* to = bss_start; to < bss_end; ++to) *to = 0;
  leave(main());
}

}  // namespace

extern "C" [[noreturn]] void reset() {
  volatile std::uint32_t& coprocessor_access =
      *reinterpret_cast<volatile std::uint32_t*>(0xE000ED88);
  coprocessor_access = coprocessor_access | (0xFu << 20);
  asm volatile("dsb\n isb" : : : "memory");
  start();
}

void print(const char* text) { semihosting(0x04, text); }
// SPDX-License-Identifier: Apache-2.0
