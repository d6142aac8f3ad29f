// Reads and writes bytes on the board's first serial port, by polling.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace arenite::board {

// Switches the port on. start.cc does so before image_main().
void console_init();

// Waits until the port takes the byte.
void write_byte(uint8_t byte);
void write_bytes(std::span<const uint8_t> bytes);

// Waits until a byte has arrived.
[[nodiscard]] uint8_t read_byte();
void read_bytes(std::span<uint8_t> bytes);

// For messages to a person: NUL-terminated text; 0x and eight digits; decimal digits.
void write_text(const char* text);
void write_hex(uint32_t value);
void write_decimal(uint64_t value);

}  // namespace arenite::board
// SPDX-License-Identifier: Apache-2.0
