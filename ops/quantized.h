// Operands and checks that the contracts of quantized convolutions and matrix products share: the
// inputs after the two factors, and how sums become results.
#pragma once

#include <cstdint>

#include "core/contract.h"
#include "ops/attributes.h"

namespace arenite {

// Inputs, after x and w.
inline constexpr uint32_t kBiasInput = 2;
inline constexpr uint32_t kMultipliersInput = 3;
inline constexpr uint32_t kShiftsInput = 4;
inline constexpr uint32_t kXZeroPointInput = 5;
inline constexpr uint32_t kWZeroPointsInput = 6;
inline constexpr uint32_t kQuantizedInputs = 7;

inline constexpr TypeSet kQuantizedWeights = type_set(DType::kInt8, DType::kUint8);

struct QuantizedProduct {
  int32_t x_zero_point, w_zero_point;
  int32_t outside;  // 0 where nothing is
  Requantization output;
};

// Types of all operands but x and w's own; zero points and limits that are of their types.
Status check_quantized_product(const Step& step, const QuantizedProduct& product);
// Checks a convolution: multipliers, shifts and zero points, for each output or one for all.
Status check_quantized_channels(const Step& step, uint32_t outputs);

// Whether quantized_add can do what its attributes say with numbers of `type`.
Status check_quantized_sum(const QuantizedAddAttributes& attributes, DType type);

// Whether the sums of a step have 64 bits. The step keeps its contract.
bool has_wide_sums(const Step& step);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
