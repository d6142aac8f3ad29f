// Reads the factors and zero points of a sum from its step.
#include "portable_fallback/shared/integer_sums.h"

#include "ops/attributes.h"

namespace arenite {
namespace {

constexpr uint32_t kLeftMax = 20;
// Of squares: those of differences of numbers of 8 bits times 2^7, halved, are below 2^30.
constexpr uint32_t kLeftMaxOfSquare = 7;

bool divides(int32_t shift, int32_t shift_max) { return shift >= -31 && shift <= shift_max; }

bool halves(int32_t multiplier, int32_t shift) { return shift < 0 || multiplier <= 1 << 30; }

// Whether a sum has as many bits as kernels keep.
bool sum_fits(const QuantizedAddAttributes& attributes) {
  if (attributes.kind != SumKind::kSquare) return attributes.left_shift <= kLeftMax;
  return attributes.left_shift <= kLeftMaxOfSquare &&
         halves(attributes.multipliers[0], attributes.shifts[0]) &&
         halves(attributes.multipliers[1], attributes.shifts[1]);
}

DspFactor factor_of(const QuantizedAddAttributes& attributes, uint32_t i) {
  const auto right = static_cast<uint32_t>(-attributes.shifts[i]);
  return {attributes.multipliers[i], right, static_cast<int32_t>((1u << right) >> 1),
          right == 0 ? 0 : -1};
}

}  // namespace

bool takes_integer_sums(const Step& step) {
  const auto attributes = step.attributes<QuantizedAddAttributes>();
  const int32_t* shifts = attributes.shifts;
  return element_bytes(step.input(0).dtype()) == 1 &&
         attributes.output.rounding == Rounding::kTfliteDouble && divides(shifts[0], 0) &&
         divides(shifts[1], 0) && divides(shifts[2], 0) && sum_fits(attributes);
}

DspSums integer_sums(const Step& step) {
  const auto attributes = step.attributes<QuantizedAddAttributes>();
  const bool is_unsigned = step.input(0).dtype() == DType::kUint8;
  const int32_t above = is_unsigned ? 128 : 0;
  const Requantization& output = attributes.output;
  return {is_unsigned ? 0x80u : 0u,
          {above - attributes.zero_points[0], above - attributes.zero_points[1]},
          attributes.left_shift,
          {factor_of(attributes, 0), factor_of(attributes, 1)},
          attributes.kind != SumKind::kSum,
          attributes.kind == SumKind::kSquare,
          factor_of(attributes, 2),
          output.zero_point,
          output.low,
          output.high};
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
