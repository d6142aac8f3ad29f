// Splits bytes into halves and joins them.
#include "planner/graph/four_bits.h"

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

std::vector<std::byte> packed_halves(std::span<const std::byte> elements) {
  std::vector<std::byte> pairs((elements.size() + 1) / 2);
  for (size_t i = 0; i < elements.size(); ++i) {
    pairs[i / 2] |= (elements[i] & std::byte{0xf}) << (i % 2 * 4);
  }
  return pairs;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
