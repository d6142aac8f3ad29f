// Cases of dequantize: every type, scales of the whole and an axis.
#include "tests/ops/cases.h"
#include "tests/ops/oracle.h"

namespace arenite::ops_test {
namespace {

using Dims = std::vector<uint32_t>;

OpCase dequantize(std::string name, const Dims& dims, DType type) {
  OpCase c;
  c.op = Op::kDequantize;
  c.name = std::move(name);
  const bool is_signed = type == DType::kInt8 || type == DType::kInt16 || type == DType::kInt32;
  Operand x = ranged(tensor(dims, type), is_signed ? -100 : 0, is_signed ? 100 : 200);
  x.specials = {lowest_of(type), highest_of(type)};
  const Operand scale = repeated(with_values(tensor(dims), {0.0123L}), ~0u);
  const Operand zero_point = with_values(tensor(dims, type), {is_signed ? -3.0L : 131.0L});
  c.inputs = {x, scale, repeated(zero_point, ~0u)};
  c.outputs = {tensor(dims)};
  return c;
}

OpCase per_axis(OpCase c) {
  c.name += "_per_axis";
  const uint32_t others = ~2u;
  c.inputs[1] = repeated(ranged(tensor(c.inputs[0].dims), 0.01, 2), others);
  c.inputs[2] = repeated(ranged(tensor(c.inputs[0].dims, c.inputs[0].dtype), 0, 100), others);
  return c;
}

}  // namespace

std::vector<OpCase> dequantize_cases() {
  std::vector<OpCase> cases;
  for (const NamedType& type : kAllTypes) {
    if (type.dtype != DType::kInt8 && type.dtype != DType::kUint8 && type.dtype != DType::kInt16 &&
        type.dtype != DType::kUint16 && type.dtype != DType::kInt32) {
      continue;
    }
    cases.push_back(dequantize(type.name, {3, 5, 41}, type.dtype));
    cases.push_back(per_axis(cases.back()));
    cases.push_back(dequantize(std::string(type.name) + "_without_zero_point", {67}, type.dtype));
    cases.back().inputs[2] = absent();
  }
  // Bytes of scales from the least subnormal one to the greatest.
  uint32_t count = 1;
  for (const DType type : {DType::kInt8, DType::kUint8}) {
    for (const long double scale :
         {1.4e-45L, 3e-39L, 1.2e-38L, 1e-10L, 0.5L, 1.0L, 3e36L, 3.4e38L}) {
      OpCase c = dequantize(
          (type == DType::kInt8 ? "int8_of_" : "uint8_of_") + std::to_string(count), {count}, type);
      c.inputs[1] = repeated(with_values(tensor({count}), {scale}), ~0u);
      if (scale < 1e-37L || scale > 1e36L) c.inputs[0] = ranged(tensor({count}, type), 0, 1);
      cases.push_back(c);
      ++count;
    }
  }
  cases.push_back(dequantize("large", {130, 130}, DType::kInt8));
  cases.push_back(dequantize("scalar", {}, DType::kInt8));
  cases.push_back(dequantize("empty", {2, 0}, DType::kInt8));
  OpCase images = per_axis(dequantize("images", {2, 3, 7, 5}, DType::kUint8));
  images.inputs[0] = channels_last(std::move(images.inputs[0]));
  images.outputs[0] = channels_last(std::move(images.outputs[0]));
  cases.push_back(images);
  return cases;
}

std::vector<Numbers> dequantize_oracle(const OpCase& c, const std::vector<Numbers>& inputs) {
  Numbers y = blank_output(c, 0);
  for (uint64_t p = 0; p < y.values.size(); ++p) {
    const Number zero = c.inputs[2].absent ? 0 : inputs[2].values[p];
    const auto number = static_cast<float>(wrapped(DType::kInt32, inputs[0].values[p] - zero));
    y.values[p] = Number{number * static_cast<float>(inputs[1].values[p])};
  }
  return {y};
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
