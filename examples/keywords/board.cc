// Start-up, console, files and clock of an MPS2 AN386 (Cortex-M4): what your own project has
// already.
#include "board.h"

extern "C" {
extern std::uint32_t data_load[], data_start[], data_end[], bss_start[], bss_end[], stack_top[];
[[noreturn]] void reset();
}
int main();  // NOLINT: called by reset(), as there is no C library's start-up code

namespace {

std::int32_t sound;  // the host's file

int semihosting(int operation, const void* argument) {
  register int r0 asm("r0") = operation;
  register const void* r1 asm("r1") = argument;
  asm volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
  return r0;
}

std::uint32_t address(const void* pointer) {
  return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(pointer));
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

struct SysTick {
  volatile std::uint32_t control, reload, current;
};
SysTick& systick() { return *reinterpret_cast<SysTick*>(std::uintptr_t{0xE000E010}); }

// Apart from reset(), which has to switch the FPU on first.
[[noreturn, gnu::noinline]] void start() {
  const std::uint32_t* from = data_load;
  for (std::uint32_t* to = data_start; to < data_end; ++to) *to = *from++;
  for (std::uint32_t* to = bss_start; to < bss_end; ++to) *to = 0;
  systick().reload = 0xFFFFFF;
  systick().current = 0;
  systick().control = 5;  // on, from the CPU's clock
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

bool open_sound() {
  char words[512];
  const std::uint32_t line[] = {address(words), sizeof words};
  if (semihosting(0x15, line) != 0) return false;
  const char* path = words;  // behind the program's name, which has no blank
  while (*path != '\0' && *path != ' ') ++path;
  if (*path == '\0') return false;
  ++path;
  std::uint32_t length = 0;
  while (path[length] != '\0') ++length;
  const std::uint32_t open[] = {address(path), 1, length};  // 1: "rb"
  sound = semihosting(0x01, open);
  return sound != -1;
}

int read_sound(void* to, int bytes) {
  const std::uint32_t read[] = {static_cast<std::uint32_t>(sound), address(to),
                                static_cast<std::uint32_t>(bytes)};
  return bytes - semihosting(0x06, read);
}

std::uint32_t ticks() { return 0xFFFFFF - systick().current; }

std::uint32_t instructions_between(std::uint32_t before, std::uint32_t after) {
  return ((after - before) & 0xFFFFFF) * 40;
}
// SPDX-License-Identifier: Apache-2.0
