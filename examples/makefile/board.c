/* Start-up and console of an MPS2 AN386 (Cortex-M4): what your own project has already. */
#include "board.h"

#include <stdint.h>

extern uint32_t data_load[], data_start[], data_end[], bss_start[], bss_end[], stack_top[];
int main(void);
void reset(void);

static int semihosting(int operation, const void* argument) {
  register int r0 __asm__("r0") = operation;
  register const void* r1 __asm__("r1") = argument;
  __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
  return r0;
}

static void leave(int status) {
  const uint32_t reason[] = {0x20026, (uint32_t)status};
  for (;;) semihosting(0x20, reason);
}

static void fault(void) { leave(99); }

static const struct {
  uint32_t* stack;
  void (*handlers[15])(void);
} vectors __attribute__((section(".vectors"), used)) = {
    stack_top,
    {reset, fault, fault, fault, fault, fault, fault, fault, fault, fault, fault, fault, fault,
     fault, fault}};

/* Apart from reset(), which has to switch the FPU on first. */
__attribute__((noinline)) static void start(void) {
  const uint32_t* from = data_load;
  for (uint32_t* to = data_start; to < data_end; ++to) *to = *from++;
  for (uint32_t* to = bss_start; to < bss_end; ++to) *to = 0;
  leave(main());
}

void reset(void) {
  volatile uint32_t* coprocessor_access = (volatile uint32_t*)0xE000ED88;
  *coprocessor_access |= 0xFu << 20;
  __asm__ volatile("dsb\n isb" : : : "memory");
  start();
}

void print(const char* text) { semihosting(0x04, text); }
/* SPDX-License-Identifier: Apache-2.0 */
