// Integers that stand for numbers: their type, scales and zero points.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/types.h"

namespace arenite::planner {

// Integers with one scale stand for (integer - zero_point) * scale. The scale is finite and above
// 0; dtype is int8, uint8, int16 or uint16, of some operands int32. This is what arithmetic
// computes with: a Quantization of which one scale is known to be all, or the one of a channel.
struct Scaled {
  DType dtype = DType::kNone;
  float scale = 1;
  int32_t zero_point = 0;

  bool operator==(const Scaled&) const = default;
};

// The same of a tensor's integers, which may have a scale for each index of one axis.
struct Quantization {
  DType dtype = DType::kNone;
  std::vector<float> scales;          // one, or one for each index of `axis`
  std::vector<int32_t> zero_points;   // as many
  std::optional<uint32_t> axis = {};  // of the integers' dims; nothing: one scale for all

  bool operator==(const Quantization&) const = default;

  // Those at an index of the axis; where there is none, at every index.
  Scaled at(size_t index) const {
    const size_t i = axis ? index : 0;
    return {dtype, scales[i], zero_points[i]};
  }
  // The one for all; nothing where an axis has several.
  std::optional<Scaled> one() const { return axis ? std::nullopt : std::optional(at(0)); }
};

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
