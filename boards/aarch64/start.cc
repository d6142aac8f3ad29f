// Brings an AArch64 core from reset at EL1 to image_main(); turns an exception into a message and a
// failed exit.
#include <cstddef>
#include <cstdint>

#include "boards/bare/console.h"
#include "boards/bare/semihosting.h"

// Laid out by the board's memory.ld.
extern "C" {
extern const uint32_t __data_load[];
extern uint32_t __data_start[], __data_end[], __bss_start[], __bss_end[];

int image_main();  // the image's own; C++ does not let anybody call main()
[[noreturn]] void prepare_memory_and_run();
[[noreturn]] void report_fault(uintptr_t stack, uintptr_t return_address);
extern uintptr_t* const fault_stack_top;
}

namespace {

// A fault may be a stack overflow, so its report runs on a stack of its own.
alignas(16) uintptr_t fault_stack[256];

// One level of translation, of blocks of 1 GiB: addresses are physical ones.
constexpr size_t kBlocks = 512;
alignas(4096) uint64_t translation[kBlocks];

void write_register(const char* name, uintptr_t value) {
  arenite::board::write_text(name);
  arenite::board::write_hex(static_cast<uint32_t>(value));
}

// Unaligned loads and vectors need memory that is no device, which the MMU tells apart: devices lie
// in the first GiB.
void start_mmu() {
  constexpr uint64_t kBlock = 1, kAccessed = 1u << 10, kInnerShareable = 3u << 8;
  constexpr uint64_t kNormal = 0u << 2, kDevice = 1u << 2;  // indices into the attributes
  constexpr uint64_t kAttributes = 0x00FF;                  // 0: write-back; 1: device
  constexpr uint64_t k39BitsIn4K = 0x200803519;
  constexpr uint64_t kMmuAndCachesOn = 0x1005;
  translation[0] = kBlock | kAccessed | kDevice;
  for (uint64_t block = 1; block < 4; ++block) {
    translation[block] = (block << 30) | kBlock | kAccessed | kInnerShareable | kNormal;
  }
  asm volatile(
      "msr mair_el1, %0\n"
      "msr tcr_el1, %1\n"
      "msr ttbr0_el1, %2\n"
      "dsb ish\n"
      "tlbi vmalle1\n"
      "dsb ish\n"
      "isb\n"
      "mrs x9, sctlr_el1\n"
      "orr x9, x9, %3\n"
      "msr sctlr_el1, x9\n"
      "isb\n"
      :
      : "r"(kAttributes), "r"(k39BitsIn4K), "r"(translation), "r"(kMmuAndCachesOn)
      : "x9", "memory");
}

}  // namespace

extern "C" [[gnu::used]] uintptr_t* const fault_stack_top =
    fault_stack + sizeof fault_stack / sizeof fault_stack[0];

extern "C" [[noreturn, gnu::used]] void report_fault(uintptr_t stack, uintptr_t return_address) {
  uintptr_t pc, syndrome, address;
  asm volatile("mrs %0, elr_el1" : "=r"(pc));
  asm volatile("mrs %0, esr_el1" : "=r"(syndrome));
  asm volatile("mrs %0, far_el1" : "=r"(address));
  arenite::board::console_init();
  arenite::board::write_text("\nfault:");
  write_register(" pc ", pc);
  write_register(" lr ", return_address);
  write_register(" esr ", syndrome);
  write_register(" far ", address);
  write_register(" sp ", stack);
  arenite::board::write_text("\n");
  arenite::board::exit(arenite::board::kFaultExitStatus);
}

// Sixteen entries of 128 bytes, which all report.
asm(".section .text.fault_vectors, \"ax\"\n"
    ".balign 2048\n"
    "fault_vectors:\n"
    ".rept 16\n"
    ".balign 128\n"
    "mov x0, sp\n"
    "mov x1, x30\n"
    "ldr x2, =fault_stack_top\n"
    "ldr x2, [x2]\n"
    "mov sp, x2\n"
    "b report_fault\n"
    ".endr\n"
    ".ltorg\n");

// The core starts here, without a stack. The FPU and vectors are on once CPACR_EL1 says so.
asm(".section .text.reset, \"ax\"\n"
    ".global reset\n"
    "reset:\n"
    "ldr x0, =__stack_top\n"
    "mov sp, x0\n"
    "ldr x0, =fault_vectors\n"
    "msr vbar_el1, x0\n"
    "mov x0, #0x300000\n"
    "msr cpacr_el1, x0\n"
    "isb\n"
    "b prepare_memory_and_run\n"
    ".ltorg\n"
    ".text\n");

extern "C" [[noreturn, gnu::used]] void prepare_memory_and_run() {
  const uint32_t* from = __data_load;
  for (uint32_t* to = __data_start; to < __data_end; ++to) *to = *from++;
  for (uint32_t* to = __bss_start; to < __bss_end; ++to) *to = 0;
  start_mmu();
  arenite::board::console_init();
  arenite::board::exit(image_main());
}
// SPDX-License-Identifier: Apache-2.0
