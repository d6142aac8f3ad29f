// Drives the UART of the nRF51.
#include "boards/bare/console.h"

namespace arenite::board {
namespace {

// Tasks and events are registers of their own; bytes of the peripheral's memory lie between.
enum Register : uintptr_t {
  kStartReceiving = 0x000,
  kStartSending = 0x008,
  kReceived = 0x108,  // event: a byte has arrived
  kSent = 0x11C,      // event: the last byte has gone
  kEnable = 0x500,
  kSendPin = 0x50C,
  kReceivePin = 0x514,
  kReceiveData = 0x518,
  kSendData = 0x51C,
  kBaudRate = 0x524,
};

constexpr uint32_t kEnabled = 4;
// The pins that the micro:bit's USB chip listens to.
constexpr uint32_t kSendPinNumber = 24, kReceivePinNumber = 25;
constexpr uint32_t k115200 = 0x01D7E000;

volatile uint32_t& uart(Register index) {
  return *reinterpret_cast<volatile uint32_t*>(uintptr_t{ARENITE_BOARD_UART} + index);
}

}  // namespace

void console_init() {
  uart(kSendPin) = kSendPinNumber;
  uart(kReceivePin) = kReceivePinNumber;
  uart(kBaudRate) = k115200;
  uart(kEnable) = kEnabled;
  uart(kStartSending) = 1;
  uart(kStartReceiving) = 1;
}

void write_byte(uint8_t byte) {
  uart(kSent) = 0;
  uart(kSendData) = byte;
  while (uart(kSent) == 0) {
  }
}

uint8_t read_byte() {
  while (uart(kReceived) == 0) {
  }
  uart(kReceived) = 0;  // before the byte is taken: reading lets the next one come
  return static_cast<uint8_t>(uart(kReceiveData));
}

}  // namespace arenite::board
// SPDX-License-Identifier: Apache-2.0
