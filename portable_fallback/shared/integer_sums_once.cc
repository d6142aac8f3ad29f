// Adds up what zero points and rounding add to each sum, and how large sums may be.
#include "portable_fallback/shared/integer_sums_once.h"

#include "ops/attributes.h"

namespace arenite {
namespace {

int64_t magnitude(int32_t number) { return number < 0 ? -int64_t{number} : int64_t{number}; }

}  // namespace

bool takes_once_sums(const Step& step, Rounding rounding) {
  const auto attributes = step.attributes<QuantizedAddAttributes>();
  const int32_t shift = attributes.shifts[2];
  if (element_bytes(step.input(0).dtype()) != 1 || attributes.kind == SumKind::kSquare ||
      attributes.output.rounding != rounding || shift < 1 || shift > 31) {
    return false;
  }
  constexpr int64_t kReach = 255;
  const int64_t most =
      kReach * (magnitude(attributes.multipliers[0]) + magnitude(attributes.multipliers[1]));
  return most + (int64_t{1} << (shift - 1)) <= INT32_MAX;
}

bool takes_exact_sums(const Step& step) {
  return takes_once_sums(step, Rounding::kFloat32) || takes_once_sums(step, Rounding::kHalfEven);
}

OnceSums once_sums(const Step& step) {
  const auto attributes = step.attributes<QuantizedAddAttributes>();
  const Requantization& output = attributes.output;
  OnceSums sums = {};
  sums.is_unsigned = step.input(0).dtype() == DType::kUint8;
  sums.multipliers[0] = attributes.multipliers[0];
  sums.multipliers[1] =
      attributes.kind == SumKind::kSum ? attributes.multipliers[1] : -attributes.multipliers[1];
  sums.right = static_cast<uint32_t>(attributes.shifts[2]);
  const int64_t added = (int64_t{1} << (sums.right - 1)) -
                        int64_t{attributes.zero_points[0]} * sums.multipliers[0] -
                        int64_t{attributes.zero_points[1]} * sums.multipliers[1];
  // Sums with it wrap to what they are.
  sums.added = static_cast<int32_t>(static_cast<uint32_t>(static_cast<uint64_t>(added)));
  sums.zero_point = output.zero_point;
  sums.half_even = output.rounding == Rounding::kHalfEven;
  sums.low = output.low;
  sums.high = output.high;
  return sums;
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
