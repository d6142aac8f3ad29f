// Contracts of joined quantized convolutions share these checks: biases, multipliers and shifts are
// one operand.
#pragma once

#include "core/step.h"
#include "ops/attributes.h"

namespace arenite {

inline constexpr uint32_t kEndsInput = 2;
inline constexpr uint32_t kJoinedInput = 3;  // what joins: of y's type
inline constexpr uint32_t kJoinedInputs = 4;

// Checks that input `i` is ends [3, outputs]: biases, multipliers and shifts.
Status check_ends(const Step& step, uint32_t i, uint32_t outputs);

// Checks the convolution: x, w, ends and y, attributes that are results of y's type, and the type
// of what joins.
Status check_conv_with_ends(const Step& step, const QuantizedConvAttributes& conv);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
