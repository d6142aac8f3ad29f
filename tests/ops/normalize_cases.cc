// Cases of normalize: every norm, axes in every position, scale and bias repeated in many ways.
#include <cmath>
#include <map>

#include "tests/ops/cases.h"
#include "tests/ops/oracle.h"

namespace arenite::ops_test {
namespace {

constexpr NormalizeAttributes layer(uint32_t axes, float epsilon = 1e-5f) {
  return {axes, Norm::kDeviation, epsilon, 0, 0};
}

OpCase normalize(const char* name, Operand x, NormalizeAttributes attributes) {
  OpCase c;
  c.name = name;
  c.tolerance = 1e-5;
  c.attributes = words(attributes);
  c.outputs = {x};
  c.outputs[0].specials.clear();
  c.outputs[0].values.clear();
  c.outputs[0].repeated = 0;
  c.inputs = {std::move(x)};
  return c;
}

// With scale and bias, of which the dims of the masks are repeated.
OpCase with_both(OpCase c, uint32_t scale, uint32_t bias) {
  const Operand like = tensor(c.inputs[0].dims, c.inputs[0].dtype);
  c.inputs.push_back(repeated(like, scale));
  c.inputs.push_back(repeated(like, bias));
  return c;
}

OpCase with_scale(OpCase c, uint32_t scale) {
  c.inputs.push_back(repeated(tensor(c.inputs[0].dims), scale));
  return c;
}

OpCase with_bias(OpCase c, uint32_t bias) {
  c.inputs.push_back(absent());
  c.inputs.push_back(repeated(tensor(c.inputs[0].dims), bias));
  return c;
}

// The mean is a float: near 1000 they are 6e-5 apart.
OpCase far_from_0(OpCase c) {
  c.tolerance = 3e-4;
  return c;
}

OpCase of_type(const NamedType& type) {
  const Operand x = ranged(tensor({3, 21}, type.dtype), -4, 4);
  OpCase c = with_both(normalize(type.name, x, layer(0b10)), 0b01, 0b01);
  c.tolerance = type.dtype == DType::kFloat64 ? 1e-13 : 1e-5 + 4 * half_unit(type.dtype);
  return c;
}

}  // namespace

std::vector<OpCase> normalize_cases() {
  const NormalizeAttributes rms = {0b10, Norm::kMeanSquare, 1e-6f, 0, 0};
  const NormalizeAttributes squares = {0b10, Norm::kSquares, 0, 0, 0};
  const NormalizeAttributes magnitudes = {0b10, Norm::kMagnitudes, 0, 0, 0};
  const Operand rows = ranged(tensor({5, 37}), -4, 4);
  const Operand image = ranged(tensor({2, 5, 4, 3}), -4, 4);
  std::vector<OpCase> cases = {
      normalize("layer", rows, layer(0b10)),
      with_both(normalize("layer_scaled", rows, layer(0b10)), 0b01, 0b01),
      with_scale(normalize("layer_scale_only", rows, layer(0b10)), 0b01),
      with_bias(normalize("layer_bias_only", rows, layer(0b10)), 0b01),
      with_both(normalize("two_axes", ranged(tensor({3, 4, 5}), 1, 9), layer(0b110)), 0b001, 0b001),
      with_both(normalize("all_axes", ranged(tensor({3, 4, 5}), 1, 9), layer(0b111)), 0, 0b111),
      with_both(normalize("first_axis", rows, layer(0b01)), 0b10, 0b10),
      with_both(normalize("outer_and_inner", ranged(tensor({3, 4, 5}), -2, 5), layer(0b101)), 0b101,
                0b010),
      with_both(normalize("scale_differs_outside", rows, layer(0b10)), 0b10, 0b00),
      with_both(normalize("instance", image, layer(0b1100)), 0b1101, 0b1101),
      with_both(normalize("instance_last", channels_last(image), layer(0b1100)), 0b1101, 0b1101),
      with_both(normalize("instance_lanes", channels_last(ranged(tensor({1, 48, 5, 3}), -4, 4)),
                          layer(0b1100)),
                0b1101, 0b1101),
      with_both(normalize("group", ranged(tensor({2, 3, 4, 3, 2}), -4, 4), layer(0b11100)), 0b11001,
                0b11001),
      with_both(
          normalize("group_last", ordered(ranged(tensor({2, 3, 4, 3, 2}), -4, 4), {0, 3, 4, 1, 2}),
                    layer(0b11100)),
          0b11001, 0b11001),
      with_both(normalize("rank_8", tensor({2, 1, 3, 2, 1, 2, 3, 2}), layer(0b10010100)),
                0b01101011, 0b10000000),
      with_scale(normalize("root_mean_square", rows, rms), 0b01),
      normalize("squares", rows, squares),
      normalize("squares_least", ranged(tensor({5, 7}), -1e-5, 1e-5),
                {0b10, Norm::kSquares, 0, 0, 1e-3f}),
      normalize("magnitudes", rows, magnitudes),
      normalize("margin", rows, {0b10, Norm::kDeviation, 0, 0.25f, 0}),
      normalize("epsilon", rows, layer(0b10, 0.5f)),
      normalize("one_element", tensor({4, 1}), layer(0b10)),
      normalize("no_axes", tensor({3, 5}), layer(0)),
      normalize("scalar", tensor({}), layer(0)),
      normalize("zeros", with_values(tensor({2, 3}), {0, 0, 0, 1, 2, -2}), squares),
      far_from_0(normalize("far_from_0", ranged(tensor({4, 50}), 999, 1001), layer(0b10))),
      normalize("nan", with_specials(tensor({4, 6}), {__builtin_nanl("")}), layer(0b10)),
      normalize("repeated_input", repeated(tensor({4, 6}), 0b01), layer(0b10)),
      with_both(normalize("long_rows", ranged(tensor({3, 1031}), -4, 4), layer(0b10)), 0b01, 0b01),
      with_both(normalize("large", ranged(tensor({90, 130}), -4, 4), layer(0b10)), 0b01, 0b01),
      normalize("empty", tensor({3, 0}), layer(0b10)),
      normalize("empty_outside", tensor({0, 3}), layer(0b10)),
  };
  for (const NamedType& type : kAllTypes) {
    if (type.dtype != DType::kFloat32 && is_float(type.dtype)) cases.push_back(of_type(type));
  }
  return cases;
}

std::vector<Numbers> normalize_oracle(const OpCase& c, const std::vector<Numbers>& inputs) {
  const auto a = attributes_of<NormalizeAttributes>(c);
  const Numbers& x = inputs[0];
  // The elements of each row, by the indices outside the axes.
  std::map<std::vector<uint32_t>, std::vector<uint64_t>> rows;
  for (uint64_t p = 0; p < x.values.size(); ++p) {
    Index index = index_of(x.dims, p);
    for (size_t d = 0; d < index.size(); ++d) {
      if ((a.axes >> d & 1u) != 0) index[d] = 0;
    }
    rows[std::vector<uint32_t>(index.begin(), index.end())].push_back(p);
  }
  Numbers y = blank_output(c, 0);
  for (const auto& [index, row] : rows) {
    const auto count = static_cast<Number>(row.size());
    Number mean = 0;
    for (const uint64_t p : row) mean += x.values[p];
    mean = a.norm == Norm::kDeviation ? mean / count : 0;
    Number norm = 0;
    for (const uint64_t p : row) {
      const Number d = x.values[p] - mean;
      norm += a.norm == Norm::kMagnitudes ? std::fabs(d) : d * d;
    }
    if (a.norm == Norm::kDeviation || a.norm == Norm::kMeanSquare) norm /= count;
    if (a.norm != Norm::kMagnitudes) norm = std::sqrt(norm + static_cast<Number>(a.epsilon));
    norm += static_cast<Number>(a.margin);
    if (norm < static_cast<Number>(a.least)) norm = static_cast<Number>(a.least);
    for (const uint64_t p : row) {
      Number& v = y.values[p];
      v = norm == 0 ? 0 : (x.values[p] - mean) / norm;
      if (inputs.size() > 1 && !c.inputs[1].absent) v *= inputs[1].values[p];
      if (inputs.size() > 2) v += inputs[2].values[p];
      v = nearest(x.dtype, v);
    }
  }
  return {y};
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
