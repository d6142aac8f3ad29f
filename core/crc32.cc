// CRC-32 by a table whose size follows what the build optimizes for.
#include "core/crc32.h"

#include <array>

namespace arenite {
namespace {

// Bits taken a look-up: a byte (1 KiB of table) where speed counts, half a byte (64 bytes) where
// size does, at about half the speed.
#ifdef __OPTIMIZE_SIZE__
constexpr uint32_t kBits = 4;
#else
constexpr uint32_t kBits = 8;
#endif

constexpr auto make_table() {
  std::array<uint32_t, 1u << kBits> table{};
  for (uint32_t i = 0; i < table.size(); ++i) {
    uint32_t word = i;
    for (uint32_t bit = 0; bit < kBits; ++bit) {
      word = (word >> 1) ^ ((word & 1) != 0 ? 0xedb88320u : 0);
    }
    table[i] = word;
  }
  return table;
}

constexpr auto kTable = make_table();

}  // namespace

uint32_t crc32(std::span<const std::byte> bytes, uint32_t previous) {
  uint32_t crc = ~previous;
  for (const std::byte byte : bytes) {
    crc ^= std::to_integer<uint32_t>(byte);
    for (uint32_t bit = 0; bit < 8; bit += kBits) {
      crc = (crc >> kBits) ^ kTable[crc & (kTable.size() - 1)];
    }
  }
  return ~crc;
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
