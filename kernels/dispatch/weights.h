// The types of weights that shaders read (kernels/glsl/include/weights.glsl).
#pragma once

#include "kernels/dispatch/builder.h"
#include "kernels/shaders/shared/weights.h"

namespace arenite {

inline shaders::WeightsType weights_type(const Operand& operand) {
  using shaders::WeightsType;
  return is_float(operand)                  ? WeightsType::kFloat32Weights
         : operand.dtype == DType::kFloat16 ? WeightsType::kFloat16Weights
                                            : WeightsType::kBfloat16Weights;
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
