// The inputs of quantized_excite behind x, by number.
#pragma once

#include <cstdint>

namespace arenite {

inline constexpr uint32_t kMeansInput = 1;
inline constexpr uint32_t kGateWeightsInput = 2;
inline constexpr uint32_t kHiddenEndsInput = 3;
inline constexpr uint32_t kGateEndsInput = 4;
inline constexpr uint32_t kTablesInput = 5;
inline constexpr uint32_t kExciteInputs = 6;

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
