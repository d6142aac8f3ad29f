// Drives a PL011, Arm's UART of larger systems.
#include "boards/bare/console.h"

namespace arenite::board {
namespace {

enum Register : uintptr_t { kData = 0x00, kFlags = 0x18, kLineControl = 0x2C, kControl = 0x30 };

constexpr uint32_t kReceiveEmpty = 1u << 4, kSendFull = 1u << 5;  // of the flags
constexpr uint32_t kEightBitsAndFifos = 7u << 4;
constexpr uint32_t kOnBothWays = 0x301;

volatile uint32_t& uart(Register index) {
  return *reinterpret_cast<volatile uint32_t*>(uintptr_t{ARENITE_BOARD_UART} + index);
}

}  // namespace

void console_init() {
  uart(kLineControl) = kEightBitsAndFifos;
  uart(kControl) = kOnBothWays;
}

void write_byte(uint8_t byte) {
  while ((uart(kFlags) & kSendFull) != 0) {
  }
  uart(kData) = byte;
}

uint8_t read_byte() {
  while ((uart(kFlags) & kReceiveEmpty) != 0) {
  }
  return static_cast<uint8_t>(uart(kData));
}

}  // namespace arenite::board
// SPDX-License-Identifier: Apache-2.0
