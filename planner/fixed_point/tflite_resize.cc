// Computes where TensorFlow Lite's integer resizes read, and with which weights.
#include "planner/fixed_point/tflite_resize.h"

#include <algorithm>
#include <cmath>

namespace arenite::planner::tflite {
namespace {

// Between two places of the input, `fraction` parts from the lower.
struct Place {
  int64_t low = 0, high = 0, fraction = 0;
};

constexpr uint32_t kReferenceBits = 10, kLitertBits = 11;

Place reference_place(const ResizeGrid& grid, int64_t input, int64_t output, int64_t o) {
  constexpr int64_t kOne = int64_t{1} << kReferenceBits;
  const bool aligns = grid.align_corners && output > 1;
  const int64_t from = aligns ? input - 1 : input;
  const int64_t to = aligns ? output - 1 : output;
  const int64_t step = (kOne * from + to / 2) / to;
  const int64_t at = grid.half_pixel_centers ? o * step + step / 2 - kOne / 2 : o * step;
  Place place;
  // Both quotients are cut off towards zero.
  place.low = std::clamp<int64_t>(at / kOne, 0, input - 1);
  place.high = std::clamp<int64_t>((at + kOne - 1) / kOne, place.low, input - 1);
  place.fraction = at - kOne * place.low;
  return place;
}

Place litert_place(const ResizeGrid& grid, int64_t input, int64_t output, int64_t o) {
  const int64_t less = grid.align_corners && output != 1 ? 1 : 0;
  const float step = static_cast<float>(input - less) / static_cast<float>(output - less);
  // A product of its own: not joined with a sum by compilers.
  auto at = static_cast<float>(double{static_cast<float>(o)} * double{step});
  if (grid.half_pixel_centers && !grid.align_corners) {
    at += 0.5f * step - 0.5f;
    at = std::clamp(at, 0.0f, static_cast<float>(input - 1));
  }
  Place place;
  place.low = std::min(static_cast<int64_t>(at), input - 1);
  place.high = std::min(place.low + 1, input - 1);
  place.fraction = std::lrint(std::ldexp(at - static_cast<float>(place.low), int{kLitertBits}));
  return place;
}

}  // namespace

IntegerTaps integer_taps(const ResizeGrid& grid, DType type, uint32_t input, uint32_t output) {
  const bool litert = type == DType::kUint8;
  IntegerTaps all;
  all.taps = std::min(input, 2u);
  all.fraction_bits = litert ? kLitertBits : kReferenceBits;
  const int64_t one = int64_t{1} << all.fraction_bits;
  all.weights.assign(size_t{output} * all.taps, 0);
  for (uint32_t o = 0; o < output; ++o) {
    const Place place =
        litert ? litert_place(grid, input, output, o) : reference_place(grid, input, output, o);
    const int64_t first = std::min(place.low, int64_t{input} - all.taps);
    all.firsts.push_back(static_cast<int32_t>(first));
    int16_t* weights = &all.weights[size_t{o} * all.taps];
    // If both are one place, it has the whole weight.
    const int64_t upper = place.high == place.low ? 0 : place.fraction;
    weights[place.low - first] = static_cast<int16_t>(one - upper);
    if (upper != 0) weights[place.high - first] = static_cast<int16_t>(upper);
  }
  return all;
}

}  // namespace arenite::planner::tflite
// SPDX-License-Identifier: Apache-2.0
