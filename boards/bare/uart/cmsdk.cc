// Drives a CMSDK APB UART, which Arm's development boards have.
#include "boards/bare/console.h"

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

uint8_t read_byte() {
  while ((uart().state & kReceiveFull) == 0) {
  }
  return static_cast<uint8_t>(uart().data);
}

}  // namespace arenite::board
// SPDX-License-Identifier: Apache-2.0
