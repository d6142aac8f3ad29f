// Splits bytes into halves and joins them.
#include "planner/graph/four_bits.h"

#include <algorithm>

namespace arenite::planner {

std::vector<std::byte> unpacked_halves(std::span<const std::byte> pairs, size_t count,
                                       DType dtype) {
  std::vector<std::byte> elements(count);
  for (size_t i = 0; i < count; ++i) {
    const std::byte half = pairs[i / 2] >> (i % 2 * 4) & std::byte{0xf};
    const bool negative = dtype == DType::kInt8 && half >= std::byte{8};
    elements[i] = negative ? half | std::byte{0xf0} : half;
  }
  return elements;
}

bool fit_four_bits(std::span<const std::byte> elements, DType dtype) {
  const bool is_signed = dtype == DType::kInt8;
  return std::ranges::all_of(elements, [is_signed](std::byte element) {
    const auto bits = std::to_integer<uint32_t>(element);
    return bits < (is_signed ? 8 : 16) || (is_signed && bits >= 0xf8);
  });
}

std::vector<std::byte> packed_halves(std::span<const std::byte> elements) {
  std::vector<std::byte> pairs((elements.size() + 1) / 2);
  for (size_t i = 0; i < elements.size(); ++i) {
    pairs[i / 2] |= (elements[i] & std::byte{0xf}) << (i % 2 * 4);
  }
  return pairs;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
