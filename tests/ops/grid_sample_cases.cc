// Cases of grid_sample: every mode and padding, two and three dims, places far outside, layouts.
#include <cmath>

#include "tests/ops/cases.h"
#include "tests/ops/oracle.h"

namespace arenite::ops_test {
namespace {

using Dims = std::vector<uint32_t>;

OpCase grid_sample(std::string name, const Dims& x, const Dims& out, GridSampleAttributes a) {
  OpCase c;
  c.name = std::move(name);
  c.tolerance = 2e-4;  // places are float32, and weights are their differences
  c.attributes = words(a);
  Dims grid = {x[0]};
  if (x[2] != 1 || out[0] != 1) grid.push_back(out[0]);
  grid.push_back(out[1]);
  grid.push_back(out[2]);
  grid.push_back(static_cast<uint32_t>(grid.size() - 1));
  c.inputs = {channels_last(tensor(x)), ranged(tensor(grid), -1.75, 1.75)};
  c.outputs = {channels_last(tensor({x[0], x[1], out[0], out[1], out[2]}))};
  return c;
}

constexpr const char* kModes[] = {"linear", "nearest", "cubic"};
constexpr const char* kPaddings[] = {"zeros", "border", "reflection"};

// Elements exact in few bits, so that mirrored places are computed without rounding.
void exact(Operand& operand, uint32_t seed) {
  operand.values.clear();
  for (uint64_t i = 0; i < count_of(operand.dims); ++i) {
    seed = seed * 1664525u + 1013904223u;
    operand.values.push_back(static_cast<Number>(seed >> 20) / 1024 - 2 + 1 / 2048.0L);
  }
}

}  // namespace

std::vector<OpCase> grid_sample_cases() {
  std::vector<OpCase> cases;
  for (uint32_t mode = 0; mode < 3; ++mode) {
    for (uint32_t padding = 0; padding < 3; ++padding) {
      for (uint32_t align = 0; align < 2; ++align) {
        const std::string name =
            std::string(kModes[mode]) + "_" + kPaddings[padding] + (align != 0 ? "_aligned" : "");
        const GridSampleAttributes a = {static_cast<GridMode>(mode),
                                        static_cast<GridPadding>(padding), align};
        cases.push_back(grid_sample(name, {2, 3, 1, 5, 8}, {1, 4, 6}, a));
        exact(cases.back().inputs[1], mode * 7 + padding * 3 + align);
      }
    }
  }
  const GridSampleAttributes linear = {GridMode::kLinear, GridPadding::kZeros, 0};
  const GridSampleAttributes mirrored = {GridMode::kLinear, GridPadding::kReflection, 1};
  cases.push_back(grid_sample("volume", {1, 5, 4, 3, 4}, {2, 3, 5}, linear));
  cases.push_back(grid_sample("volume_cubic", {1, 2, 4, 3, 4}, {2, 3, 3},
                              {GridMode::kCubic, GridPadding::kBorder, 1}));
  cases.push_back(grid_sample("one_pixel", {1, 3, 1, 1, 1}, {1, 3, 3}, mirrored));
  cases.push_back(grid_sample("many_channels", {1, 37, 1, 6, 6}, {1, 7, 5}, linear));
  OpCase far = grid_sample("far_away", {1, 3, 1, 4, 4}, {1, 3, 4}, linear);
  far.inputs[1].specials = {1e30L, -1e30L, __builtin_infl(), -__builtin_infl(), __builtin_nanl("")};
  cases.push_back(far);
  OpCase half = grid_sample("float16", {1, 3, 1, 5, 8}, {1, 4, 6}, linear);
  for (Operand* operand : {&half.inputs[0], &half.inputs[1], &half.outputs[0]}) {
    operand->dtype = DType::kFloat16;
  }
  half.tolerance += half_unit(DType::kFloat16);
  cases.push_back(half);
  cases.push_back(grid_sample("large", {1, 24, 1, 30, 31}, {1, 33, 29}, linear));
  cases.push_back(grid_sample("empty", {0, 3, 1, 5, 8}, {1, 4, 6}, linear));
  cases.push_back(grid_sample("no_places", {1, 3, 1, 5, 8}, {1, 0, 6}, linear));
  return cases;
}

namespace {

// Mirrored between the ends until inside.
Number mirrored(Number at, Number low, Number high) {
  if (low == high) return low;
  while (at < low || at > high) at = at < low ? 2 * low - at : 2 * high - at;
  return at;
}

struct Sampled {
  const GridSampleAttributes& a;
  Number size;

  Number low() const { return a.align_corners != 0 ? 0 : -0.5L; }
  Number high() const { return a.align_corners != 0 ? size - 1 : size - 0.5L; }
  Number place(Number v) const {
    const bool aligned = a.align_corners != 0;
    Number at = aligned ? (v + 1) / 2 * (size - 1) : ((v + 1) * size - 1) / 2;
    if (a.mode == GridMode::kNearest) at = std::nearbyint(at);
    if (at >= low() && at <= high()) return at;
    if (a.padding == GridPadding::kBorder) return std::min(std::max<Number>(at, 0), size - 1);
    if (a.padding == GridPadding::kReflection) return mirrored(at, low(), high());
    return at;
  }
  Number weight(Number distance) const {
    const Number d = std::abs(distance);
    if (a.mode == GridMode::kNearest) return d == 0 ? 1 : 0;
    if (a.mode == GridMode::kLinear) return d < 1 ? 1 - d : 0;
    constexpr Number kA = -0.75L;
    if (d <= 1) return (kA + 2) * d * d * d - (kA + 3) * d * d + 1;
    return d < 2 ? kA * (d * d * d - 5 * d * d + 8 * d - 4) : 0;
  }
  // The element that stands for a whole place, or -1 for zeros.
  int64_t element(Number at) const {
    if (at >= 0 && at < size) return static_cast<int64_t>(at);
    if (a.padding == GridPadding::kZeros) return -1;
    if (a.padding == GridPadding::kReflection) at = mirrored(at, low(), high());
    return static_cast<int64_t>(std::min(std::max<Number>(at, 0), size - 1));
  }
};

}  // namespace

std::vector<Numbers> grid_sample_oracle(const OpCase& c, const std::vector<Numbers>& inputs) {
  const auto a = attributes_of<GridSampleAttributes>(c);
  const Numbers& x = inputs[0];
  const Numbers& grid = inputs[1];
  const bool flat = grid.dims.size() == 4;
  Numbers y = blank_output(c, 0);
  for (uint64_t p = 0; p < y.values.size(); ++p) {
    const Index to = index_of(y.dims, p);
    Dims at_grid = flat ? Dims{to[0], to[3], to[4], 0} : Dims{to[0], to[2], to[3], to[4], 0};
    Number places[3] = {0, 0, 0};  // d, h, w
    bool nowhere = false;
    for (uint32_t k = 0; k < (flat ? 2u : 3u); ++k) {
      at_grid.back() = k;
      const Number v = at(grid, at_grid);
      // The place is so far away that all taps lie in the zeros.
      nowhere = nowhere || !(std::abs(v) < 1000);
      places[2 - k] = nowhere ? 0 : Sampled{a, Number(x.dims[4 - k])}.place(v);
    }
    if (nowhere) continue;
    const Dims taps = {5, 5, 5};
    for (uint64_t t = 0; t < count_of(taps); ++t) {
      const Index tap = index_of(taps, t);
      Index from = {to[0], to[1], 0, 0, 0};
      Number weight = 1;
      for (uint32_t d = 0; d < 3; ++d) {
        const Sampled axis = {a, Number(x.dims[2 + d])};
        const Number whole = std::floor(places[d]) + Number(tap[d]) - 2;
        const bool ignored = d == 0 && flat;
        const int64_t element = ignored ? 0 : axis.element(whole);
        weight *= ignored ? Number(tap[d] == 2) : element < 0 ? 0 : axis.weight(whole - places[d]);
        from[2 + d] = element < 0 ? 0 : static_cast<uint32_t>(element);
      }
      if (weight != 0) y.values[p] += weight * at(x, from);
    }
  }
  return {y};
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
