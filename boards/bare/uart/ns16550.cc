// Drives an NS16550, the UART of most RISC-V boards.
#include "boards/bare/console.h"

namespace arenite::board {
namespace {

enum Register : uintptr_t { kData = 0, kLineStatus = 5 };

constexpr uint8_t kReceived = 1u << 0, kSendEmpty = 1u << 5;  // of the line's status

volatile uint8_t& uart(Register index) {
  return *reinterpret_cast<volatile uint8_t*>(uintptr_t{ARENITE_BOARD_UART} + index);
}

}  // namespace

// It works as it is after a reset, a byte at a time. Switching its FIFO on would drop a byte that
// an emulator's host has sent before.
void console_init() {}

void write_byte(uint8_t byte) {
  while ((uart(kLineStatus) & kSendEmpty) == 0) {
  }
  uart(kData) = byte;
}

uint8_t read_byte() {
  while ((uart(kLineStatus) & kReceived) == 0) {
  }
  return uart(kData);
}

}  // namespace arenite::board
// SPDX-License-Identifier: Apache-2.0
