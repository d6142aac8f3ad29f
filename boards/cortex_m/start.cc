// Brings a Cortex-M from reset to image_main(); turns a fault into a message and a failed exit.
#include <cstddef>
#include <cstdint>

#include "boards/bare/console.h"
#include "boards/bare/semihosting.h"

// Laid out by the board's memory.ld.
extern "C" {
extern const uint32_t __data_load[];
extern uint32_t __data_start[], __data_end[], __bss_start[], __bss_end[];
extern uint32_t __stack_limit[], __stack_top[];

int image_main();  // the image's own; C++ does not let anybody call main()
[[noreturn]] void reset();
void fault();
void clock_tick_wrapped();  // clock.cc
}

namespace {

// System control space of Armv7-M and Armv8-M. Armv6-M has none of these registers, and no FPU.
#ifdef __ARM_ARCH_6M__
constexpr bool kIsMainline = false;
#else
constexpr bool kIsMainline = true;
#endif
constexpr uintptr_t kCoprocessorAccess = 0xE000ED88;   // CPACR
constexpr uintptr_t kConfigurableFaults = 0xE000ED28;  // CFSR
// The registers from CFSR on.
constexpr char kFaultRegisters[][8] = {" cfsr ", " hfsr ", " dfsr ", " mmfar ", " bfar "};

constexpr uint32_t kStackOverflow = 1u << 20;  // of CFSR, on Armv8-M

// Armv8-M compares the stack pointer with a limit; before it, a stack that overflows meets what the
// linker script put below it: nothing.
#if defined(__ARM_FEATURE_CMSE) && __ARM_FEATURE_CMSE
#define SET_STACK_LIMIT(reg) "msr msplim, " reg "\n"
#else
#define SET_STACK_LIMIT(reg) ""
#endif

volatile uint32_t& system_register(uintptr_t address) {
  return *reinterpret_cast<volatile uint32_t*>(address);
}

// A fault may be a stack overflow, so its report runs on a stack of its own.
alignas(8) uint32_t fault_stack[256];

void write_register(const char* name, uint32_t value) {
  arenite::board::write_text(name);
  arenite::board::write_hex(value);
}

}  // namespace

// `frame` is the stack pointer at the fault: r0-r3, r12, lr, pc, xpsr lie there, unless the stack
// itself is what overflowed.
extern "C" [[noreturn, gnu::used]] void report_fault(const uint32_t* frame) {
  arenite::board::console_init();
  const bool stack_overflowed =
      kIsMainline && (system_register(kConfigurableFaults) & kStackOverflow) != 0;
  arenite::board::write_text(stack_overflowed ? "\nfault: stack overflow:" : "\nfault:");
  if (!stack_overflowed && frame >= __stack_limit && frame + 8 <= __stack_top) {
    write_register(" pc ", frame[6]);
    write_register(" lr ", frame[5]);
  }
  if (kIsMainline) {
    uintptr_t address = kConfigurableFaults;
    for (const char* name : kFaultRegisters) {
      write_register(name, system_register(address));
      address += sizeof(uint32_t);
    }
  }
  write_register(" sp ", static_cast<uint32_t>(reinterpret_cast<uintptr_t>(frame)));
  arenite::board::write_text("\n");
  arenite::board::exit(arenite::board::kFaultExitStatus);
}

// The stack limit goes first: a push beyond it would fault again and lock the CPU up.
extern "C" [[gnu::naked, gnu::used]] void fault() {
  asm volatile(
      "mrs r0, msp\n"
      "movs r1, #0\n"
      SET_STACK_LIMIT("r1")
      "ldr r1, =%0\n"
      "mov sp, r1\n"
      "b report_fault\n"
      :
      : "i"(fault_stack + sizeof fault_stack / sizeof fault_stack[0]));
}

namespace {

// Kept apart from reset(): compilers may use FPU registers here, which reset() has to switch on.
[[noreturn, gnu::noinline]] void prepare_memory_and_run() {
  const uint32_t* from = __data_load;
  for (uint32_t* to = __data_start; to < __data_end; ++to) *to = *from++;
  for (uint32_t* to = __bss_start; to < __bss_end; ++to) *to = 0;
  arenite::board::console_init();
  arenite::board::exit(image_main());
}

using Handler = void (*)();

struct VectorTable {
  uint32_t* initial_stack;
  Handler handlers[15];  // of exceptions 1 to 15; no device interrupt is ever enabled
};

[[gnu::section(".vectors"), gnu::used]] const VectorTable vectors = {
    .initial_stack = __stack_top,
    .handlers = {reset, fault, fault, fault, fault, fault, fault, fault, fault, fault, fault, fault,
                 fault, fault, clock_tick_wrapped},
};

}  // namespace

extern "C" [[noreturn, gnu::used]] void reset() {
  asm volatile(SET_STACK_LIMIT("%0") : : "r"(__stack_limit));
  if (kIsMainline) {
    constexpr uint32_t kFullAccessToFpuAndMve = 0xFu << 20;
    system_register(kCoprocessorAccess) =
        system_register(kCoprocessorAccess) | kFullAccessToFpuAndMve;
    asm volatile("dsb\n isb" : : : "memory");
  }
  prepare_memory_and_run();
}
// SPDX-License-Identifier: Apache-2.0
