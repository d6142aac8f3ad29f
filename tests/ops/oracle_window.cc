// Convolution and pools, tap by tap.
#include <cmath>
#include <limits>

#include "tests/ops/oracle.h"

namespace arenite::ops_test {
namespace {

using Index = std::vector<uint32_t>;

std::vector<Numbers> conv(const OpCase& c, const std::vector<Numbers>& inputs) {
  const auto a = attributes_of<ConvAttributes>(c);
  const Numbers& x = inputs[0];
  const Numbers& w = inputs[1];
  Numbers y = blank_output(c, 0);
  const uint32_t outputs_per_group = w.dims[0] / a.groups;
  for (uint64_t p = 0; p < y.values.size(); ++p) {
    const Index at_y = index_of(y.dims, p);
    const uint32_t o = at_y[1];
    Number sum = inputs.size() > 2 && !c.inputs[2].absent ? inputs[2].values[o] : 0;
    for (uint64_t t = 0; t < count_of({w.dims[1], w.dims[2], w.dims[3]}); ++t) {
      const Index tap = index_of({w.dims[1], w.dims[2], w.dims[3]}, t);
      const int64_t h = int64_t{at_y[2]} * a.stride[0] + int64_t{tap[1]} * a.dilation[0] -
                        int64_t{a.pad_begin[0]};
      const int64_t v = int64_t{at_y[3]} * a.stride[1] + int64_t{tap[2]} * a.dilation[1] -
                        int64_t{a.pad_begin[1]};
      if (h < 0 || v < 0 || h >= x.dims[2] || v >= x.dims[3]) continue;
      const uint32_t channel = o / outputs_per_group * w.dims[1] + tap[0];
      sum += at(x, {at_y[0], channel, static_cast<uint32_t>(h), static_cast<uint32_t>(v)}) *
             at(w, {o, tap[0], tap[1], tap[2]});
    }
    y.values[p] = activated(a.activation, sum);
  }
  return {y};
}

// What one window of a pool holds.
struct Window {
  std::vector<Number> values;
  std::vector<Index> positions;
  uint64_t counted = 0;  // with the padding given by pads
};

Window window_at(const PoolAttributes& a, const Numbers& x, const Index& at_y) {
  Window window;
  const Index kernel = {a.kernel[0], a.kernel[1], a.kernel[2]};
  for (uint64_t t = 0; t < count_of(kernel); ++t) {
    const Index tap = index_of(kernel, t);
    Index from = {at_y[0], at_y[1], 0, 0, 0};
    bool inside = true;
    bool padded = true;
    for (uint32_t d = 0; d < 3; ++d) {
      const int64_t position = int64_t{at_y[2 + d]} * a.stride[d] +
                               int64_t{tap[d]} * a.dilation[d] - int64_t{a.pad_begin[d]};
      const int64_t size = x.dims[2 + d];
      inside = inside && position >= 0 && position < size;
      padded = padded && position < size + int64_t{a.pad_end[d]};
      from[2 + d] = static_cast<uint32_t>(position);
    }
    window.counted += padded ? 1 : 0;
    if (!inside) continue;
    window.values.push_back(at(x, from));
    window.positions.push_back(from);
  }
  return window;
}

std::vector<Numbers> average_pool(const OpCase& c, const Numbers& x) {
  const auto a = attributes_of<PoolAttributes>(c);
  Numbers y = blank_output(c, 0);
  for (uint64_t p = 0; p < y.values.size(); ++p) {
    const Window window = window_at(a, x, index_of(y.dims, p));
    Number sum = 0;
    for (Number value : window.values) sum += value;
    const uint64_t count = a.count_include_pad != 0 ? window.counted : window.values.size();
    y.values[p] = sum / static_cast<Number>(count);
  }
  return {y};
}

std::vector<Numbers> max_pool(const OpCase& c, const Numbers& x) {
  const auto a = attributes_of<PoolAttributes>(c);
  Numbers y = blank_output(c, 0);
  Numbers indices = c.outputs.size() > 1 ? blank_output(c, 1) : y;
  for (uint64_t p = 0; p < y.values.size(); ++p) {
    const Window window = window_at(a, x, index_of(y.dims, p));
    Number best = is_float(x.dtype) ? -std::numeric_limits<Number>::infinity() : lowest_of(x.dtype);
    Number index = -1;
    for (size_t i = 0; i < window.values.size(); ++i) {
      const bool first_nan = std::isnan(window.values[i]) && !std::isnan(best);
      if (index >= 0 && !first_nan && !(window.values[i] > best)) continue;
      best = window.values[i];
      const Index& from = window.positions[i];
      const Index spatial = {from[2], from[3], from[4]};
      const Index sizes = {x.dims[2], x.dims[3], x.dims[4]};
      const uint64_t within =
          a.column_major != 0
              ? position_of({sizes[2], sizes[1], sizes[0]}, {spatial[2], spatial[1], spatial[0]})
              : position_of(sizes, spatial);
      index = static_cast<Number>(
          position_of({x.dims[0], x.dims[1]}, {from[0], from[1]}) * count_of(sizes) + within);
    }
    y.values[p] = best;
    indices.values[p] = index;
  }
  if (c.outputs.size() > 1) return {y, indices};
  return {y};
}

}  // namespace

std::vector<Numbers> window_oracle(const OpCase& c, const std::vector<Numbers>& inputs) {
  if (c.op == Op::kConv) return conv(c, inputs);
  return c.op == Op::kMaxPool ? max_pool(c, inputs[0]) : average_pool(c, inputs[0]);
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
