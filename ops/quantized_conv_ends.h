// Contracts of joined quantized convolutions share these checks: biases, multipliers and shifts are
// one operand.
#pragma once

#include "core/step.h"
#include "ops/attributes.h"

namespace arenite {

inline constexpr uint32_t kEndsInput = 2;
inline constexpr uint32_t kJoinedInput = 3;  // what joins: of y's type
inline constexpr uint32_t kJoinedInputs = 4;

// Checks the convolution: x, w, ends and y, attributes that are results of y's type, and the type
// of what joins.
Status check_conv_with_ends(const Step& step, const QuantizedConvAttributes& conv);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
