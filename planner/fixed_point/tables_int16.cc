// Computes the tables of TensorFlow Lite's functions of 16-bit numbers.
#include "planner/fixed_point/tables_int16.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "planner/fixed_point/lstm.h"

namespace arenite::planner::tflite {
namespace {

constexpr int32_t kLowest = -32768, kHighest = 32767;
constexpr int64_t kLastPlace = 255;

// x times multiplier / 2^shift, halves up: a place of the logistic function's table, which has
// entries at 24ths, with 9 bits more.
struct PlaceScale {
  int64_t multiplier = 0;
  int32_t shift = 0;

  int64_t place(int64_t x) const {
    const int64_t half = shift > 0 ? int64_t{1} << (shift - 1) : 0;
    return (x * multiplier + half) >> shift;
  }
};

// `bits_most`: of powers of two, those that are kept whole: scales of 2^-12 times 2 to so many.
PlaceScale place_scale(float x_scale, int32_t bits_most) {
  constexpr double kPlaces = 3 * 4096.0, kMost = 32767.0;
  constexpr int32_t kFractionBits = 12, kShiftMost = 30;
  const double power = std::log2(double{x_scale});
  const auto bits = static_cast<int32_t>(std::lround(power)) + kFractionBits;
  // Kernels ask this much of a power of two.
  const bool is_power = std::abs(power - std::round(power)) < 1e-3;
  if (is_power && bits >= 0 && bits <= bits_most) return {int64_t{3} << bits, 0};
  PlaceScale scale;
  double multiplier = double{x_scale} * kPlaces;
  while (multiplier <= kMost / 2 && scale.shift <= kShiftMost) {
    ++scale.shift;
    multiplier *= 2;
  }
  scale.multiplier = static_cast<int64_t>(std::min(multiplier, double{1u << 31}));
  return scale;
}

// Between the entries at place / 2^bits, with as many bits more.
int64_t between(const std::vector<uint16_t>& table, int64_t place, int32_t bits) {
  const auto at = static_cast<size_t>(place >> bits);
  const int64_t low = table[at], high = table[at + 1];
  return (low << bits) + (place & ((int64_t{1} << bits) - 1)) * (high - low);
}

// At x + 32768: finish(not negative, value), `value` being what the logistic function's table has
// at the magnitude of x's place, with kBits bits more; `beyond` behind its last place.
template <int32_t kBits, typename Finish>
std::vector<int32_t> of_places(const PlaceScale& scale, int64_t beyond, Finish finish) {
  const std::vector<uint16_t> entries = logistic_at_24ths();
  std::vector<int32_t> table;
  for (int32_t x = kLowest; x <= kHighest; ++x) {
    const int64_t place = scale.place(x);
    const int64_t magnitude = std::abs(place);
    const int64_t value =
        magnitude >> kBits >= kLastPlace ? beyond : between(entries, magnitude, kBits);
    table.push_back(static_cast<int32_t>(finish(place >= 0, value)));
  }
  return table;
}

// Entries at 512 steps from `begin` to `end` and there, `unit` being one step of y.
template <typename Real, typename Function>
std::vector<int32_t> at_steps(Real begin, Real end, Real per_unit, Function function) {
  constexpr int32_t kSteps = 512;
  const Real step = (end - begin) / kSteps;
  const Real half_step = step / 2;
  const auto limited = [](Real value) {
    return static_cast<int32_t>(std::clamp(value, Real{kLowest}, Real{kHighest}));
  };
  std::vector<int32_t> table;
  for (int32_t i = 0; i < kSteps; ++i) {
    const auto at = static_cast<Real>(i);
    const Real value = std::round(function(begin + at * step) * per_unit);
    const Real next = function(begin + (at + 1) * step) * per_unit;
    const Real between = std::round((next + value) / 2);
    const Real middle = std::round(function(begin + at * step + half_step) * per_unit);
    table.push_back(limited(value - std::round((between - middle) / 2)));
  }
  table.push_back(limited(std::round(function(end) * per_unit)));
  return table;
}

// A table of the function for the numbers q / 65535 * range, less the zero point.
template <typename Function>
std::vector<int32_t> softmax_table(double range, int32_t zero_point, Function function) {
  constexpr double kSteps = 65535, kUnits = 65536;
  const double x_scale = range / kSteps, y_scale = 2.0 / kSteps;
  return at_steps<double>(x_scale * (kLowest - zero_point), x_scale * (kHighest - zero_point),
                          kUnits / (y_scale * kHighest - y_scale * kLowest), function);
}

}  // namespace

std::vector<int32_t> logistic_of_int16(float x_scale) {
  constexpr int32_t kBits = 9;
  constexpr int64_t kBeyond = int64_t{0x7fff} << (kBits + 1);
  constexpr int64_t kOne = int64_t{1} << (16 + kBits), kHalf = int64_t{1} << kBits;
  return of_places<kBits>(place_scale(x_scale, 0), kBeyond, [](bool above, int64_t value) {
    return (above ? value + kHalf : kOne - value + kHalf - 1) >> (kBits + 1);
  });
}

std::vector<int32_t> tanh_of_int16(float x_scale) {
  constexpr int32_t kBits = 8;
  constexpr int64_t kBeyond = int64_t{0xffff} << kBits;
  constexpr int64_t kMiddle = int64_t{1} << (15 + kBits), kHalf = int64_t{1} << (kBits - 1);
  return of_places<kBits>(place_scale(x_scale, 1), kBeyond, [](bool above, int64_t value) {
    return (above ? value - kMiddle + kHalf : kMiddle - value + kHalf - 1) >> kBits;
  });
}

std::vector<int32_t> interpolated_table(const Scaled& x, const Scaled& y,
                                        const std::function<float(float)>& function) {
  constexpr float kUnits = 65536;
  const auto number = [](const Scaled& of, int32_t q) {
    return of.scale * static_cast<float>(q - of.zero_point);
  };
  const float y_range = number(y, kHighest) - number(y, kLowest);
  return at_steps<float>(number(x, kLowest), number(x, kHighest), kUnits / y_range, function);
}

std::vector<int32_t> softmax_exponentials() {
  return softmax_table(10, kHighest, [](double x) { return std::exp(x); });
}

std::vector<int32_t> softmax_reciprocals() {
  return softmax_table(1, kLowest, [](double x) { return 1 / (1 + x); });
}

}  // namespace arenite::planner::tflite
// SPDX-License-Identifier: Apache-2.0
