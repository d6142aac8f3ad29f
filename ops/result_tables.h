// Tables that joined steps of integers have of their results, of two products or convolutions.
#pragma once

#include "core/step.h"

namespace arenite {

// Numbers of a byte.
inline constexpr uint32_t kByteNumbers = 256;

// Checks that input `i` is tables [2, 256] of this type.
Status check_result_tables(const Step& step, uint32_t i, DType type);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
