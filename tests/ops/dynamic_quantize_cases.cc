// Cases of dynamic_quantize: whole tensors and rows, each way to have a scale, special values.
#include <cmath>

#include "tests/ops/cases.h"
#include "tests/ops/oracle.h"

namespace arenite::ops_test {
namespace {

using Dims = std::vector<uint32_t>;

OpCase dynamic(std::string name, const Operand& x, DType to, uint32_t axes, DynamicRange range) {
  OpCase c;
  c.name = std::move(name);
  c.attributes = words(DynamicQuantizeAttributes{axes, range});
  c.inputs = {x};
  Dims kept = x.dims;
  for (uint32_t d = 0; d < kept.size(); ++d) {
    if ((axes >> d & 1u) != 0) kept[d] = 1;
  }
  c.outputs = {tensor(x.dims, to), tensor(kept), tensor(kept, to)};
  c.outputs[0].order = x.order;
  return c;
}

Number clamped(Number value, Number low, Number high) {
  return std::min(std::max(value, low), high);
}

}  // namespace

std::vector<OpCase> dynamic_quantize_cases() {
  const auto onnx = DynamicRange::kOnnx;
  const auto symmetric = DynamicRange::kTfliteSymmetric;
  const auto asymmetric = DynamicRange::kTfliteAsymmetric;
  const DType int8 = DType::kInt8, uint8 = DType::kUint8;
  const Operand x = ranged(tensor({5, 67}), -3, 7);
  std::vector<OpCase> cases = {
      dynamic("onnx", x, uint8, 0b11, onnx),
      dynamic("onnx_positive", ranged(tensor({5, 67}), 2, 7), uint8, 0b11, onnx),
      dynamic("onnx_negative", ranged(tensor({5, 67}), -7, -2), uint8, 0b11, onnx),
      dynamic("onnx_int8", x, int8, 0b11, onnx),
      dynamic("onnx_rows", x, uint8, 0b10, onnx),
      dynamic("symmetric", x, int8, 0b11, symmetric),
      dynamic("symmetric_rows", x, int8, 0b10, symmetric),
      dynamic("asymmetric", x, int8, 0b11, asymmetric),
      dynamic("asymmetric_rows", x, int8, 0b10, asymmetric),
      dynamic("asymmetric_negative", ranged(tensor({3, 67}), -7, 0.1), int8, 0b10, asymmetric),
      dynamic("images", channels_last(ranged(tensor({2, 5, 4, 3}), -2, 2)), int8, 0b1110,
              symmetric),
      dynamic("columns", ranged(tensor({9, 4}), -2, 2), int8, 0b01, asymmetric),
      dynamic("large", ranged(tensor({60, 130}), -2, 2), int8, 0b10, symmetric),
  };
  for (const DynamicRange range : {onnx, symmetric, asymmetric}) {
    const std::string name = range == onnx        ? "onnx_"
                             : range == symmetric ? "symmetric_"
                                                  : "asymmetric_";
    const DType to = range == onnx ? uint8 : int8;
    cases.push_back(dynamic(name + "zeros", ranged(tensor({2, 5}), 0, 0), to, 0b10, range));
    cases.push_back(dynamic(name + "nan",
                            with_specials(ranged(tensor({2, 31}), -1, 2), {__builtin_nanl("")}), to,
                            0b10, range));
    cases.push_back(dynamic(name + "infinite",
                            with_specials(ranged(tensor({2, 31}), -1, 2), {__builtin_infl()}), to,
                            0b10, range));
    cases.push_back(
        dynamic(name + "tiny", ranged(tensor({2, 31}), -1e-44, 2e-44), to, 0b10, range));
    cases.push_back(dynamic(name + "scalar", tensor({}), to, 0, range));
    cases.push_back(dynamic(name + "of_nothing", tensor({2, 0}), to, 0b10, range));
  }
  cases.push_back(dynamic("scale_only", x, int8, 0b10, symmetric));
  cases.back().outputs.pop_back();
  cases.push_back(cases.back());
  cases.back().name = "integers_only";
  cases.back().outputs.pop_back();
  return cases;
}

std::vector<Numbers> dynamic_quantize_oracle(const OpCase& c, const std::vector<Numbers>& inputs) {
  const auto by = attributes_of<DynamicQuantizeAttributes>(c);
  const Numbers& x = inputs[0];
  const DType type = c.outputs[0].dtype;
  std::vector<Numbers> outputs;
  for (uint32_t i = 0; i < c.outputs.size(); ++i) outputs.push_back(blank_output(c, i));
  Dims kept = x.dims;
  for (uint32_t d = 0; d < kept.size(); ++d) {
    if ((by.axes >> d & 1u) != 0) kept[d] = 1;
  }
  for (uint64_t r = 0; r < count_of(kept); ++r) {
    std::vector<uint64_t> places;
    for (uint64_t p = 0; p < x.values.size(); ++p) {
      Index index = index_of(x.dims, p);
      for (uint32_t d = 0; d < index.size(); ++d) {
        if ((by.axes >> d & 1u) != 0) index[d] = 0;
      }
      if (position_of(kept, index) == r) places.push_back(p);
    }
    float low = 0, high = 0;
    for (const uint64_t p : places) {
      low = std::fmin(low, static_cast<float>(x.values[p]));
      high = std::fmax(high, static_cast<float>(x.values[p]));
    }
    float scale = 1, factor = 0;
    Number zero = 0;
    if (by.range == DynamicRange::kOnnx) {
      if (high != low) scale = (high - low) / 255.0f;
      zero = clamped(std::nearbyint(static_cast<float>(lowest_of(type)) - low / scale),
                     lowest_of(type), highest_of(type));
    } else if (by.range == DynamicRange::kTfliteSymmetric) {
      const float most = std::fmax(high, -low);
      if (most != 0) {
        scale = most / 127.0f;
        factor = 127.0f / most;
      }
    } else if (high != low) {
      const double step = (double{high} - double{low}) / 255.0;
      const double of_low = double{low} / step, of_high = double{high} / step;
      const double exact = 128.0 + std::fabs(of_low) < 127.0 + std::fabs(of_high) ? -128.0 - of_low
                                                                                  : 127.0 - of_high;
      zero = std::isnan(exact) ? 0 : clamped(std::round(exact), -128, 127);
      scale = static_cast<float>(step);
      factor = 1.0f / scale;
    }
    if (outputs.size() > 1) outputs[1].values[r] = Number{scale};
    if (outputs.size() > 2) outputs[2].values[r] = zero;
    for (const uint64_t p : places) {
      const auto value = static_cast<float>(x.values[p]);
      Number number = 0;
      if (by.range == DynamicRange::kOnnx) {
        number = Number{std::nearbyint(value / scale)} + zero;
      } else {
        number = Number{std::round(static_cast<float>(zero) + value * factor)};
      }
      const Number lowest = by.range == DynamicRange::kTfliteSymmetric ? -127 : lowest_of(type);
      outputs[0].values[p] = std::isnan(number) ? zero : clamped(number, lowest, highest_of(type));
    }
  }
  return outputs;
}

}  // namespace arenite::ops_test

// SPDX-License-Identifier: Apache-2.0
