// Mixes word by word (exclusive or, product, shift), eight words in each round of the loop.
#include "core/checksum.h"

#include <cstring>

namespace arenite {
namespace {

constexpr uint32_t kPrime = 0x9e3779b1u;
constexpr size_t kUnrolled = 8;  // words; a third of the instructions would count words else

[[gnu::always_inline]] inline uint32_t mixed(uint32_t h, const std::byte* at) {
  uint32_t word = 0;
  std::memcpy(&word, at, 4);
  h = (h ^ word) * kPrime;
  return h ^ h >> 15;
}

}  // namespace

uint32_t checksum(std::span<const std::byte> bytes, uint32_t previous) {
  uint32_t h = previous;
  const std::byte* at = bytes.data();
  const std::byte* const unrolled_end = at + bytes.size() / (kUnrolled * 4) * (kUnrolled * 4);
  const std::byte* const words_end = at + bytes.size() / 4 * 4;
  for (; at != unrolled_end; at += kUnrolled * 4) {
#pragma GCC unroll 8
    for (uint32_t i = 0; i < kUnrolled; ++i) h = mixed(h, at + size_t{i} * 4);
  }
  for (; at != words_end; at += 4) h = mixed(h, at);
  if (const size_t left = bytes.size() % 4; left != 0) {
    std::byte last[4] = {};
    std::memcpy(last, at, left);
    h = mixed(h, last);
  }
  return h;
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
