// Cases of lookup: tables of every element size, all numbers of a type, tables read in between.
#include <cmath>

#include "tests/ops/cases.h"
#include "tests/ops/oracle.h"
#include "tests/ops/quantized_cases.h"
#include "tests/ops/wide.h"

namespace arenite::ops_test {
namespace {

using Dims = std::vector<uint32_t>;

OpCase lookup(std::string name, const Operand& x, uint32_t places, DType to) {
  OpCase c;
  c.name = std::move(name);
  const bool small = to == DType::kInt8 || to == DType::kUint8 || to == DType::kBool;
  const double high = to == DType::kBool ? 1 : small ? 100 : 10000;
  c.inputs = {x, ranged(tensor({places}, to), is_float(to) ? -high : 0, high)};
  c.outputs = {tensor(x.dims, to)};
  return c;
}

}  // namespace

std::vector<OpCase> lookup_cases() {
  const Dims dims = {3, 5, 41};
  std::vector<OpCase> cases = {
      lookup("int8_int8", any_of_type(dims, DType::kInt8), 256, DType::kInt8)};
  for (const NamedType& type : kAllTypes) {
    cases.push_back(lookup(std::string("uint8_") + type.name, any_of_type(dims, DType::kUint8), 256,
                           type.dtype));
  }
  for (const uint32_t count : {1u, 7u, 16u, 23u}) {
    const std::string suffix = "_of_" + std::to_string(count);
    for (const NamedType& type : kActivationTypes) {
      if (element_bytes(type.dtype) != 1) continue;
      cases.push_back(
          lookup(type.name + suffix, any_of_type({2, count}, type.dtype), 256, DType::kInt8));
      cases.back().inputs[1] = any_of_type({256}, DType::kInt8);
    }
  }
  OpCase images = lookup("images", any_of_type({2, 3, 7, 5}, DType::kInt8), 256, DType::kUint8);
  images.inputs[0] = channels_last(std::move(images.inputs[0]));
  images.outputs[0] = channels_last(std::move(images.outputs[0]));
  cases.push_back(images);
  cases.push_back(lookup("int16_int8", any_of_type({67}, DType::kInt16), 65536, DType::kInt8));
  cases.push_back(lookup("uint16_uint8", any_of_type({67}, DType::kUint16), 65536, DType::kUint8));
  cases.push_back(lookup("between", any_of_type({3, 5, 41}, DType::kInt16), 513, DType::kInt16));
  cases.back().inputs[1] = any_of_type({513}, DType::kInt16);
  cases.push_back(lookup("scalar", any_of_type({}, DType::kInt8), 256, DType::kFloat32));
  cases.push_back(lookup("empty", any_of_type({2, 0}, DType::kInt8), 256, DType::kInt8));
  cases.push_back(lookup("large", any_of_type({1, 3, 40, 128}, DType::kInt8), 256, DType::kInt8));
  return cases;
}

std::vector<Numbers> lookup_oracle(const OpCase& c, const std::vector<Numbers>& inputs) {
  Numbers y = blank_output(c, 0);
  const std::vector<Number>& table = inputs[1].values;
  const Number lowest = lowest_of(inputs[0].dtype);
  for (uint64_t p = 0; p < y.values.size(); ++p) {
    const Number place = inputs[0].values[p] - lowest;
    if (table.size() != 513) {
      y.values[p] = table[static_cast<size_t>(place)];
      continue;
    }
    const auto below = static_cast<size_t>(place / 128);
    const Number part = place - 128 * static_cast<Number>(below);
    const Number slope = wrapped(DType::kInt16, table[below + 1] - table[below]);
    y.values[p] = wrapped(DType::kInt16, table[below] + std::floor((slope * part + 64) / 128));
  }
  return {y};
}

}  // namespace arenite::ops_test

// SPDX-License-Identifier: Apache-2.0
