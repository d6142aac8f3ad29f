// Brings a RISC-V hart from reset to image_main(); turns a trap into a message and a failed exit.
#include <cstddef>
#include <cstdint>

#include "boards/bare/console.h"
#include "boards/bare/semihosting.h"

// Laid out by the board's memory.ld.
extern "C" {
extern const uint32_t __data_load[];
extern uint32_t __data_start[], __data_end[], __bss_start[], __bss_end[];

int image_main();  // the image's own; C++ does not let anybody call main()
void reset();
void fault();
}

namespace {

// A fault may be a stack overflow, so its report runs on a stack of its own.
alignas(16) uintptr_t fault_stack[256];

void write_register(const char* name, uintptr_t value) {
  arenite::board::write_text(name);
  arenite::board::write_hex(static_cast<uint32_t>(value));
}

}  // namespace

extern "C" [[noreturn, gnu::used]] void report_fault(uintptr_t stack, uintptr_t return_address) {
  uintptr_t pc, cause, value;
  asm volatile("csrr %0, mepc" : "=r"(pc));
  asm volatile("csrr %0, mcause" : "=r"(cause));
  asm volatile("csrr %0, mtval" : "=r"(value));
  arenite::board::console_init();
  arenite::board::write_text("\nfault:");
  write_register(" pc ", pc);
  write_register(" lr ", return_address);
  write_register(" mcause ", cause);
  write_register(" mtval ", value);
  write_register(" sp ", stack);
  arenite::board::write_text("\n");
  arenite::board::exit(arenite::board::kFaultExitStatus);
}

extern "C" [[gnu::naked, gnu::used, gnu::aligned(4)]] void fault() {
  asm volatile(
      "mv a0, sp\n"
      "mv a1, ra\n"
      "la sp, %0\n"
      "tail report_fault\n"
      :
      : "i"(fault_stack + sizeof fault_stack / sizeof fault_stack[0]));
}

// Apart from reset(), which has no stack yet.
extern "C" [[noreturn, gnu::used]] void prepare_memory_and_run() {
  const uint32_t* from = __data_load;
  for (uint32_t* to = __data_start; to < __data_end; ++to) *to = *from++;
  for (uint32_t* to = __bss_start; to < __bss_end; ++to) *to = 0;
  arenite::board::console_init();
  arenite::board::exit(image_main());
}

// The hart starts at the first byte of memory, where memory.ld puts this. Harts but the first
// sleep.
extern "C" [[gnu::naked, gnu::used, gnu::section(".text.reset")]] void reset() {
  asm volatile(
      "csrr t0, mhartid\n"
      "beqz t0, 2f\n"
      "1: wfi\n"
      "j 1b\n"
      "2:\n"
      ".option push\n"
      ".option norelax\n"
      "la gp, __global_pointer$\n"
      ".option pop\n"
      "la sp, __stack_top\n"
      "la t0, fault\n"
      "csrw mtvec, t0\n"
      "li t0, 0x2000\n"  // mstatus.FS: the FPU is on
      "csrs mstatus, t0\n"
      "tail prepare_memory_and_run\n");
}
// SPDX-License-Identifier: Apache-2.0
