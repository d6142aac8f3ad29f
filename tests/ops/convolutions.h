// Parts that cases and oracles of convolutions share: windows, dims of results, taps of transposed
// ones.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "ops/attributes.h"
#include "tests/ops/case.h"
#include "tests/ops/oracle.h"

namespace arenite::ops_test {

template <size_t kDims>
constexpr std::array<uint32_t, kDims> ones() {
  std::array<uint32_t, kDims> all = {};
  all.fill(1);
  return all;
}

template <size_t kDims>
struct Geometry {
  std::array<uint32_t, kDims> stride = ones<kDims>();
  std::array<uint32_t, kDims> dilation = ones<kDims>();
  std::array<uint32_t, kDims> begin = {};
  std::array<uint32_t, kDims> end = {};
  uint32_t groups = 1;
  Activation activation = {};
};

template <size_t kDims, typename A>
void set_windows(A& attributes, const Geometry<kDims>& g) {
  attributes.groups = g.groups;
  for (size_t d = 0; d < kDims; ++d) {
    attributes.stride[d] = g.stride[d];
    attributes.dilation[d] = g.dilation[d];
    attributes.pad_begin[d] = g.begin[d];
  }
}

// Dims of y [N, O, ...], by the usual formula, from x [N, C, ...] and w [O, I, ...].
template <size_t kDims>
std::vector<uint32_t> conv_dims(const std::vector<uint32_t>& x, const std::vector<uint32_t>& w,
                                const Geometry<kDims>& g) {
  std::vector<uint32_t> y = {x[0], w[0]};
  for (size_t d = 0; d < kDims; ++d) {
    const uint32_t reach = w[2 + d] == 0 ? 0 : (w[2 + d] - 1) * g.dilation[d] + 1;
    const uint32_t padded = x[2 + d] + g.begin[d] + g.end[d];
    y.push_back(padded < reach ? 0 : (padded - reach) / g.stride[d] + 1);
  }
  return y;
}

template <size_t kDims>
std::vector<uint32_t> conv_transpose_dims(const std::vector<uint32_t>& x,
                                          const std::vector<uint32_t>& w,
                                          const Geometry<kDims>& g) {
  std::vector<uint32_t> y = {x[0], w[0]};
  for (size_t d = 0; d < kDims; ++d) {
    const int64_t all = (int64_t{x[2 + d]} - 1) * g.stride[d] +
                        (int64_t{w[2 + d]} - 1) * g.dilation[d] + 1 - g.begin[d] - g.end[d];
    y.push_back(all < 0 ? 0 : static_cast<uint32_t>(all));
  }
  return y;
}

// x and w channels last, a bias; A: the operator's attributes.
template <typename A, size_t kDims>
OpCase conv_of_floats(const char* name, const std::vector<uint32_t>& x,
                      const std::vector<uint32_t>& w, const std::vector<uint32_t>& y,
                      const Geometry<kDims>& g) {
  OpCase c;
  c.name = name;
  c.tolerance = 1e-5;
  A attributes = {};
  set_windows(attributes, g);
  attributes.activation = g.activation;
  c.attributes = words(attributes);
  c.inputs = {channels_last(tensor(x)), channels_last(tensor(w)), tensor({w[0]})};
  c.outputs = {channels_last(tensor(y))};
  return c;
}

// Outputs beyond what the input reaches, in the innermost dims.
inline OpCase larger_output(OpCase c, uint32_t rows, uint32_t columns) {
  c.name += "_larger_output";
  std::vector<uint32_t>& dims = c.outputs[0].dims;
  dims[dims.size() - 2] += rows;
  dims[dims.size() - 1] += columns;
  return c;
}

// Calls reach(p, q, o, t) for each element p of x, element q of y that it reaches, output channel o
// and element t of w of that tap. Three dims.
template <typename A, typename F>
void for_transposed_taps(const A& attributes, const Numbers& x, const Numbers& w, const Numbers& y,
                         F reach) {
  using Dims = std::vector<uint32_t>;
  const uint32_t outputs = w.dims[0] / attributes.groups;
  const Dims taps = {outputs, w.dims[2], w.dims[3], w.dims[4]};
  for (uint64_t p = 0; p < x.values.size(); ++p) {
    const Index from = index_of(x.dims, p);
    for (uint64_t t = 0; t < count_of(taps); ++t) {
      const Index tap = index_of(taps, t);
      const uint32_t o = from[1] / w.dims[1] * outputs + tap[0];
      Dims to = {from[0], o, 0, 0, 0};
      bool inside = true;
      for (uint32_t d = 0; d < 3; ++d) {
        const int64_t at = int64_t{from[2 + d]} * attributes.stride[d] +
                           int64_t{tap[1 + d]} * attributes.dilation[d] -
                           int64_t{attributes.pad_begin[d]};
        inside = inside && at >= 0 && at < y.dims[2 + d];
        to[2 + d] = static_cast<uint32_t>(at);
      }
      if (!inside) continue;
      const Dims weight = {o, from[1] % w.dims[1], tap[1], tap[2], tap[3]};
      reach(p, position_of(y.dims, to), o, position_of(w.dims, weight));
    }
  }
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
