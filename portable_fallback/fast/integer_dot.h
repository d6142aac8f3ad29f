// Says what memory kernels of dot products need for the vector that all rows meet.
#pragma once

#include <cstdint>

namespace arenite {

// Words for the numbers of so many elements, 16 bits each, in whole groups of four.
constexpr uint32_t dot_words(uint32_t count) { return (count + 3) / 4 * 2; }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
