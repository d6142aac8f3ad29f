// Cases of roi_align: averages and maxima, both rules of coordinates, regions inside and outside,
// samples given or counted.
#include <cmath>

#include "tests/ops/cases.h"
#include "tests/ops/oracle.h"

namespace arenite::ops_test {
namespace {

using Dims = std::vector<uint32_t>;

// Regions whose sides are exact in few bits, so that samples are counted without rounding.
OpCase roi_align(const char* name, const Dims& x, const Dims& bins, RoiAlignAttributes a,
                 const std::vector<Number>& regions) {
  OpCase c;
  c.name = name;
  c.tolerance = 2e-5;
  c.attributes = words(a);
  const auto count = static_cast<uint32_t>(regions.size() / 4);
  std::vector<Number> images;
  for (uint32_t r = 0; r < count; ++r) images.push_back(r * 7 % x[0]);
  c.inputs = {channels_last(tensor(x)), with_values(tensor({count, 4}), regions),
              with_values(tensor({count}, DType::kInt64), images)};
  c.outputs = {channels_last(tensor({count, x[1], bins[0], bins[1]}))};
  return c;
}

}  // namespace

std::vector<OpCase> roi_align_cases() {
  const std::vector<Number> inside = {1, 2, 8.5L, 7, 0, 0, 3.25L, 9, 4, 4, 4, 4};
  const std::vector<Number> beyond = {-3.5L, -2, 5, 20, 30, 30, 40, 44, 6, 5, 2, 1};
  OpCase huge = roi_align("huge_region", {1, 2, 5, 5}, {1, 1}, {0, 1, 3, 1.0f},
                          {1e30L, 0, 2e30L, 3, __builtin_nanl(""), 0, 1, 1});
  OpCase half = roi_align("float16", {1, 3, 10, 9}, {2, 3}, {0, 1, 2, 1.0f}, inside);
  for (Operand* operand : {&half.inputs[0], &half.inputs[1], &half.outputs[0]}) {
    operand->dtype = DType::kFloat16;
  }
  half.tolerance += half_unit(DType::kFloat16);
  return {
      roi_align("average", {2, 5, 10, 9}, {3, 2}, {0, 1, 2, 1.0f}, inside),
      roi_align("average_counted", {1, 17, 10, 9}, {2, 2}, {0, 1, 0, 1.0f}, inside),
      roi_align("maximum", {3, 4, 10, 9}, {2, 3}, {1, 1, 3, 0.5f}, inside),
      roi_align("maximum_of_old", {1, 4, 10, 9}, {2, 3}, {1, 0, 0, 1.0f}, inside),
      roi_align("average_of_old", {1, 4, 10, 9}, {4, 4}, {0, 0, 0, 0.25f}, inside),
      roi_align("beyond", {2, 3, 7, 6}, {3, 3}, {0, 1, 2, 1.0f}, beyond),
      roi_align("beyond_maximum", {2, 3, 7, 6}, {3, 3}, {1, 0, 2, 1.0f}, beyond),
      roi_align("large", {1, 40, 30, 31}, {7, 7}, {0, 1, 2, 1.0f}, {1, 2, 28.5L, 27}),
      roi_align("no_regions", {1, 3, 7, 6}, {3, 3}, {0, 1, 2, 1.0f}, {}),
      huge,
      half,
  };
}

namespace {

// The four weighed elements around a place.
std::vector<Number> parts_at(const Numbers& x, uint32_t n, uint32_t c, Number h, Number w) {
  const Number height = x.dims[2];
  const Number width = x.dims[3];
  if (!(h >= -1 && h <= height && w >= -1 && w <= width)) return {0};
  h = std::min(std::max<Number>(h, 0), height - 1);
  w = std::min(std::max<Number>(w, 0), width - 1);
  std::vector<Number> parts;
  for (uint32_t k = 0; k < 4; ++k) {
    const Number row = std::min(std::floor(h) + k / 2, height - 1);
    const Number column = std::min(std::floor(w) + k % 2, width - 1);
    const Number share_h = k / 2 == 0 ? 1 - (h - std::floor(h)) : h - std::floor(h);
    const Number share_w = k % 2 == 0 ? 1 - (w - std::floor(w)) : w - std::floor(w);
    parts.push_back(share_h * share_w *
                    at(x, {n, c, static_cast<uint32_t>(row), static_cast<uint32_t>(column)}));
  }
  return parts;
}

}  // namespace

std::vector<Numbers> roi_align_oracle(const OpCase& c, const std::vector<Numbers>& inputs) {
  const auto a = attributes_of<RoiAlignAttributes>(c);
  Numbers y = blank_output(c, 0);
  for (uint64_t p = 0; p < y.values.size(); ++p) {
    const Index to = index_of(y.dims, p);
    Number begin[2];
    Number bin[2];
    uint32_t samples[2];
    for (uint32_t k = 0; k < 2; ++k) {  // height, width
      const Number offset = a.half_pixel != 0 ? 0.5L : 0;
      begin[k] = at(inputs[1], {to[0], 1 - k}) * a.scale - offset;
      Number length = at(inputs[1], {to[0], 3 - k}) * a.scale - offset - begin[k];
      if (a.half_pixel == 0) length = std::max<Number>(length, 1);
      bin[k] = length / y.dims[2 + k];
      const Number wanted = std::max<Number>(std::ceil(bin[k]), 0);
      samples[k] = a.sampling != 0 ? a.sampling : static_cast<uint32_t>(wanted);
    }
    Number sum = 0;
    Number most = -std::numeric_limits<Number>::infinity();
    for (uint32_t i = 0; i < samples[0]; ++i) {
      for (uint32_t k = 0; k < samples[1]; ++k) {
        const Number h = begin[0] + to[2] * bin[0] + (i + 0.5L) * bin[0] / samples[0];
        const Number w = begin[1] + to[3] * bin[1] + (k + 0.5L) * bin[1] / samples[1];
        const auto image = static_cast<uint32_t>(inputs[2].values[to[0]]);
        for (const Number part : parts_at(inputs[0], image, to[1], h, w)) {
          sum += part;
          most = std::max(most, part);
        }
      }
    }
    const Number all = Number(samples[0]) * samples[1];
    y.values[p] = all == 0 ? 0 : a.take_max != 0 ? most : sum / all;
  }
  return {y};
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
