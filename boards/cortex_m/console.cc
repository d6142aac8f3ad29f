// Drives the board's first UART, a CMSDK APB UART.
#include "boards/cortex_m/console.h"

namespace arenite::board {
namespace {

struct Uart {
  volatile uint32_t data;
  volatile uint32_t state;
  volatile uint32_t control;
  volatile uint32_t interrupt_status;
  volatile uint32_t baud_divider;
};

constexpr uint32_t kTransmitFull = 1u << 0;
constexpr uint32_t kReceiveFull = 1u << 1;
constexpr uint32_t kTransmitAndReceiveOn = 3u;
// The smallest the device allows. An emulated port takes its pace from it.
constexpr uint32_t kFastestBaudDivider = 16;

Uart& uart() { return *reinterpret_cast<Uart*>(uintptr_t{ARENITE_BOARD_UART}); }

}  // namespace

void console_init() {
  uart().baud_divider = kFastestBaudDivider;
  uart().control = kTransmitAndReceiveOn;
  // Drops what may lie there; also tells QEMU that the port takes input now, which it otherwise
  // notices up to a second later.
  static_cast<void>(uart().data);
}

void write_byte(uint8_t byte) {
  while ((uart().state & kTransmitFull) != 0) {
  }
  uart().data = byte;
}

void write_bytes(std::span<const uint8_t> bytes) {
  for (const uint8_t byte : bytes) write_byte(byte);
}

bool byte_waiting() { return (uart().state & kReceiveFull) != 0; }

uint8_t read_byte() {
  while (!byte_waiting()) {
  }
  return static_cast<uint8_t>(uart().data);
}

void read_bytes(std::span<uint8_t> bytes) {
  for (uint8_t& byte : bytes) byte = read_byte();
}

void write_text(const char* text) {
  for (; *text != '\0'; ++text) write_byte(static_cast<uint8_t>(*text));
}

void write_hex(uint32_t value) {
  write_text("0x");
  for (int shift = 28; shift >= 0; shift -= 4) {
    write_byte(static_cast<uint8_t>("0123456789abcdef"[(value >> shift) & 15u]));
  }
}

void write_decimal(uint64_t value) {
  char digits[21];
  char* first = digits + 20;
  *first = '\0';
  do {
    *--first = static_cast<char>('0' + value % 10);
    value /= 10;
  } while (value != 0);
  write_text(first);
}

}  // namespace arenite::board
// SPDX-License-Identifier: Apache-2.0
