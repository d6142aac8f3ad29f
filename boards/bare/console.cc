// Writes and reads more than a byte, by the UART's driver (uart/).
#include "boards/bare/console.h"

namespace arenite::board {

void write_bytes(std::span<const uint8_t> bytes) {
  for (const uint8_t byte : bytes) write_byte(byte);
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
