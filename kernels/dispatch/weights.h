// The types of weights that shaders read (kernels/glsl/include/weights.glsl).
#pragma once

#include "core/contract.h"
#include "kernels/dispatch/builder.h"

namespace arenite {

inline bool is_weights(const Operand& operand) {
  return is_float(operand) || has(types::kFloat16s, operand.dtype);
}

// Their number as a specialisation constant.
inline uint32_t weights_type(const Operand& operand) {
  return is_float(operand) ? 0u : operand.dtype == DType::kFloat16 ? 1u : 2u;
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
