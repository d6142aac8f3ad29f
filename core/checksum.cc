// The checksum of program files, word by word.
#include "core/checksum.h"

#include <cstring>

namespace arenite {
namespace {

constexpr uint32_t kPrime = 0x9e3779b1u;
constexpr size_t kUnrolled = 4;  // words; half of the instructions would count words else

uint32_t mixed(uint32_t h, const std::byte* at) {
  uint32_t word = 0;
  std::memcpy(&word, at, 4);
  h = (h ^ word) * kPrime;
  return h ^ h >> 15;
}

}  // namespace

uint32_t checksum(std::span<const std::byte> bytes, uint32_t previous) {
  uint32_t h = previous;
  const std::byte* at = bytes.data();
  size_t left = bytes.size();
  for (; left >= kUnrolled * 4; left -= kUnrolled * 4, at += kUnrolled * 4) {
    h = mixed(h, at);
    h = mixed(h, at + 4);
    h = mixed(h, at + 8);
    h = mixed(h, at + 12);
  }
  for (; left >= 4; left -= 4, at += 4) h = mixed(h, at);
  if (left != 0) {
    std::byte last[4] = {};
    std::memcpy(last, at, left);
    h = mixed(h, last);
  }
  return h;
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
