// Cases of quantized_average_pool: every window, means and requantized sums, one multiplier or one
// for each count.
#include "tests/ops/cases.h"
#include "tests/ops/oracle.h"
#include "tests/ops/quantized_cases.h"
#include "tests/ops/wide.h"

namespace arenite::ops_test {
namespace {

using Dims = std::vector<uint32_t>;

struct PoolWindow {
  const char* name;
  Dims x;
  uint32_t kernel[3] = {1, 1, 1};
  uint32_t stride[3] = {1, 1, 1};
  uint32_t dilation[3] = {1, 1, 1};
  uint32_t begin[3] = {};
  uint32_t end[3] = {};
};

const std::vector<PoolWindow>& geometries() {
  static const std::vector<PoolWindow> all = {
      {.name = "square2", .x = {1, 16, 1, 6, 8}, .kernel = {1, 2, 2}, .stride = {1, 2, 2}},
      {.name = "padded",
       .x = {2, 5, 1, 7, 9},
       .kernel = {1, 3, 3},
       .begin = {0, 1, 1},
       .end = {0, 1, 1}},
      {.name = "dilation",
       .x = {1, 17, 1, 11, 12},
       .kernel = {1, 3, 2},
       .stride = {1, 2, 1},
       .dilation = {1, 2, 4},
       .begin = {0, 2, 1},
       .end = {0, 1, 3}},
      {.name = "volume", .x = {1, 3, 4, 3, 5}, .kernel = {2, 2, 3}, .begin = {1, 0, 2}},
      {.name = "global", .x = {2, 19, 1, 7, 7}, .kernel = {1, 7, 7}},
      {.name = "beyond", .x = {1, 2, 1, 3, 3}, .kernel = {1, 1, 2}, .begin = {0, 0, 3}},
  };
  return all;
}

OpCase pool(const PoolWindow& g, const NamedType& type) {
  QuantizedAveragePoolAttributes by = {};
  Dims y = g.x;
  for (uint32_t axis = 0; axis < 3; ++axis) {
    by.kernel[axis] = g.kernel[axis];
    by.stride[axis] = g.stride[axis];
    by.dilation[axis] = g.dilation[axis];
    by.pad_begin[axis] = g.begin[axis];
    const uint32_t reach = (g.kernel[axis] - 1) * g.dilation[axis];
    y[2 + axis] = (g.x[2 + axis] + g.begin[axis] + g.end[axis] - reach - 1) / g.stride[axis] + 1;
  }
  by.output = whole_range(Rounding::kTfliteDouble, type.dtype, 0);
  OpCase c;
  c.name = std::string(g.name) + "_" + type.name;
  c.attributes = words(by);
  c.inputs = {any_of_type(g.x, type.dtype)};
  c.outputs = {tensor(y, type.dtype)};
  return c;
}

uint32_t kernel_elements(const QuantizedAveragePoolAttributes& by) {
  return by.kernel[0] * by.kernel[1] * by.kernel[2];
}

// Each window counts all of its elements.
OpCase requantized(OpCase c, const NamedRounding& rounding) {
  auto by = attributes_of<QuantizedAveragePoolAttributes>(c);
  const DType type = c.outputs[0].dtype;
  by.x_zero_point = type == DType::kUint8 ? 121 : -7;
  by.multiplier = static_cast<int32_t>(0x7fffffffu / kernel_elements(by));
  by.shift = 1;
  by.output = whole_range(rounding.rounding, type, 4);
  c.name += std::string("_") + rounding.name;
  c.attributes = words(by);
  return c;
}

// Each window counts those that lie in x.
OpCase counted(OpCase c) {
  auto by = attributes_of<QuantizedAveragePoolAttributes>(c);
  by.multiplier = 0;
  c.attributes = words(by);
  const uint32_t count = kernel_elements(by) + 1;
  std::vector<Number> multipliers = {0};
  for (uint32_t n = 1; n < count; ++n) multipliers.push_back(0x60000000u / n);
  c.inputs.push_back(with_values(tensor({count}, DType::kInt32), multipliers));
  c.name += "_counted";
  return c;
}

}  // namespace

std::vector<OpCase> quantized_average_pool_cases() {
  std::vector<OpCase> cases;
  // All types of the first window, of the others one each way.
  uint32_t turn = 0;
  for (const PoolWindow& g : geometries()) {
    for (uint32_t i = 0; i < 3; ++i) {
      const bool all = turn < 3;
      const OpCase mean = pool(g, kActivationTypes[i]);
      const OpCase sum = requantized(mean, kRoundings[i]);
      if (all || turn % 3 == 0) cases.push_back(mean);
      if (all || turn % 3 == 1) cases.push_back(sum);
      if (all || turn % 3 == 2) cases.push_back(counted(sum));
      ++turn;
    }
    ++turn;
  }
  // One image with one window.
  for (const uint32_t channels : {3u, 16u, 70u, 530u}) {
    for (const bool is_far : {false, true}) {
      PoolWindow g = {.name = "one", .x = {1, channels, 1, 5, 25}, .kernel = {1, 5, 25}};
      if (is_far) {
        g = {
            .name = "far", .x = {1, channels, 3, 4, 9}, .kernel = {2, 3, 4}, .dilation = {2, 1, 2}};
        g.stride[0] = g.stride[1] = g.stride[2] = 5;
      }
      for (uint32_t i = 0; i < 3; ++i) {
        OpCase mean = pool(g, kActivationTypes[i]);
        mean.name += "_of_" + std::to_string(channels);
        mean.inputs[0] = channels_last(std::move(mean.inputs[0]));
        const OpCase sum = requantized(mean, kRoundings[i + 1]);
        cases.push_back(mean);
        cases.push_back(sum);
        cases.push_back(counted(sum));
      }
    }
  }
  OpCase images = counted(requantized(pool(geometries()[1], kActivationTypes[0]), kRoundings[2]));
  images.name = "images";
  images.inputs[0] = channels_last(std::move(images.inputs[0]));
  images.outputs[0] = channels_last(std::move(images.outputs[0]));
  cases.push_back(images);
  // Of int16: windows that leave x, channels in and beside what is computed at once, and more taps
  // than sums of 16 bits could hold.
  for (const uint32_t channels : {1u, 2u, 6u, 8u, 21u, 48u}) {
    for (PoolWindow g : geometries()) {
      if (channels % 4 == 2 && g.x[2] == 1) continue;
      g.x[1] = channels;
      OpCase mean = pool(g, kActivationTypes[2]);
      mean.name += "_of_" + std::to_string(channels);
      mean.inputs[0] = channels_last(std::move(mean.inputs[0]));
      if (channels > 8) mean.outputs[0] = channels_last(std::move(mean.outputs[0]));
      cases.push_back(mean);
      cases.push_back(counted(requantized(mean, kRoundings[channels % 4])));
    }
  }
  const PoolWindow many = {.name = "many", .x = {1, 11, 1, 20, 30}, .kernel = {1, 20, 30}};
  OpCase many_taps = pool(many, kActivationTypes[2]);
  many_taps.inputs[0] = channels_last(std::move(many_taps.inputs[0]));
  cases.push_back(many_taps);
  OpCase limits = pool(geometries()[0], kActivationTypes[0]);
  limits.name = "limits";
  auto by = attributes_of<QuantizedAveragePoolAttributes>(limits);
  by.output.low = -20;
  by.output.high = 60;
  limits.attributes = words(by);
  cases.push_back(limits);
  PoolWindow large = geometries()[0];
  large.name = "large";
  large.x = {1, 40, 1, 32, 34};
  cases.push_back(pool(large, kActivationTypes[0]));
  PoolWindow empty = geometries()[0];
  empty.name = "empty";
  empty.x = {0, 16, 1, 6, 8};
  cases.push_back(pool(empty, kActivationTypes[0]));
  return cases;
}

std::vector<Numbers> quantized_average_pool_oracle(const OpCase& c,
                                                   const std::vector<Numbers>& inputs) {
  const auto by = attributes_of<QuantizedAveragePoolAttributes>(c);
  const Numbers& x = inputs[0];
  Numbers y = blank_output(c, 0);
  const Dims kernel(std::begin(by.kernel), std::end(by.kernel));
  for (uint64_t p = 0; p < y.values.size(); ++p) {
    const Index index = index_of(y.dims, p);
    Number sum = 0;
    uint32_t count = 0;
    for (uint64_t t = 0; t < count_of(kernel); ++t) {
      const Index tap = index_of(kernel, t);
      Index from = index;
      bool inside = true;
      for (uint32_t axis = 0; axis < 3; ++axis) {
        const int64_t at = int64_t{index[2 + axis]} * by.stride[axis] +
                           int64_t{tap[axis]} * by.dilation[axis] - by.pad_begin[axis];
        inside = inside && at >= 0 && at < x.dims[2 + axis];
        from[2 + axis] = static_cast<uint32_t>(at);
      }
      if (!inside) continue;
      sum += at(x, from);
      ++count;
    }
    int32_t multiplier = by.multiplier;
    if (inputs.size() > 1) {
      multiplier = static_cast<int32_t>(inputs[1].values[count]);
    } else if (multiplier == 0) {
      const Wide mean = count == 0 ? 0 : quotient(static_cast<int64_t>(sum), count, Halves::kAway);
      y.values[p] = to_int32(limited(mean, by.output.low, by.output.high));
      continue;
    }
    const Number moved = sum - Number{1} * by.x_zero_point * count;
    y.values[p] =
        finished_by_definition(static_cast<int32_t>(moved), multiplier, by.shift, by.output);
  }
  return {y};
}

}  // namespace arenite::ops_test

// SPDX-License-Identifier: Apache-2.0
