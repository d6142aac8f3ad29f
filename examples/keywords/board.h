// The functions that a board gives the application: here QEMU's, which has no microphone but reads
// files of the host.
#pragma once

#include <cstdint>

// Prints on the console of the debugger or emulator (semihosting). `text` ends with a NUL.
void print(const char* text);

// Opens the file that the command line names. False: there is none.
bool open_sound();

// Reads the next bytes of that file; returns how many there were.
int read_sound(void* to, int bytes);

// Instructions executed, modulo 2^24 * 40 and in steps of 40: SysTick counts 25 MHz, and QEMU's
// `-icount shift=0` lets an instruction take a nanosecond.
std::uint32_t instructions_between(std::uint32_t before, std::uint32_t after);
std::uint32_t ticks();
// SPDX-License-Identifier: Apache-2.0
