// One case of an operator, as data: attributes, operands, how exact the result must be.
//
// Forms of kernels (CPU reference, Vulkan, a board) run these; tests/ops/oracle.h says what the
// result is. Data is made from the seed, so that a case is the same everywhere.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "core/layout.h"
#include "core/types.h"
#include "ops/attributes.h"
#include "tests/ops/numbers.h"

namespace arenite::ops_test {

struct Operand {
  std::vector<uint32_t> dims;
  DType dtype = DType::kFloat32;
  bool absent = false;
  // Contents of an input: `values` (row-major, repeated dims once) or random ones between low and
  // high (whole for integer types), of which every fifth is taken from `specials`, if any.
  double low = -1, high = 1;
  std::vector<Number> values;
  std::vector<Number> specials;
  // The arrangement of the elements in memory.
  uint32_t repeated = 0;        // bit per dim that is broadcast: stride 0
  std::vector<uint32_t> order;  // dims, the outermost first; empty: row-major
  uint32_t margin = 0;          // elements by which storage is longer than the dims, on each axis
  Layout layout = Layout::kStrided;
  Blocks blocks;  // of Layout::kBlocked
};

struct OpCase {
  std::string name;  // unique within its op; letters, digits and underscores
  Op op{};
  std::vector<uint32_t> attributes;  // words of the op's struct in ops/attributes.h
  std::vector<Operand> inputs, outputs;
  double tolerance = 0;  // of |difference| / max(1, |expected|)
  uint32_t seed = 1;
};

struct NamedType {
  DType dtype;
  const char* name;
};
inline constexpr NamedType kAllTypes[] = {
    {DType::kFloat32, "float32"},  {DType::kUint8, "uint8"},   {DType::kInt8, "int8"},
    {DType::kUint16, "uint16"},    {DType::kInt16, "int16"},   {DType::kInt32, "int32"},
    {DType::kInt64, "int64"},      {DType::kBool, "bool"},     {DType::kFloat16, "float16"},
    {DType::kFloat64, "float64"},  {DType::kUint32, "uint32"}, {DType::kUint64, "uint64"},
    {DType::kBfloat16, "bfloat16"}};

template <typename T>
std::vector<uint32_t> words(const T& attributes) {
  std::vector<uint32_t> words(sizeof(T) / 4);
  std::memcpy(words.data(), &attributes, sizeof(T));
  return words;
}

template <typename T>
T attributes_of(const OpCase& c) {
  T attributes{};
  std::memcpy(&attributes, c.attributes.data(), sizeof(T));
  return attributes;
}

// The case with attributes A changed, and `name` behind its own.
template <typename A, typename F>
OpCase with(OpCase c, const char* name, F change) {
  A attributes = attributes_of<A>(c);
  change(attributes);
  c.attributes = words(attributes);
  c.name += std::string("_") + name;
  return c;
}

// Operands by what is usual.
inline Operand tensor(std::vector<uint32_t> dims, DType dtype = DType::kFloat32) {
  Operand operand;
  operand.dims = std::move(dims);
  operand.dtype = dtype;
  return operand;
}
inline Operand ranged(Operand operand, double low, double high) {
  operand.low = low;
  operand.high = high;
  return operand;
}
inline Operand absent() {
  Operand operand;
  operand.absent = true;
  return operand;
}
inline Operand repeated(Operand operand, uint32_t dims) {
  operand.repeated = dims;
  return operand;
}
inline Operand ordered(Operand operand, std::vector<uint32_t> order) {
  operand.order = std::move(order);
  return operand;
}
// Channels (dim 1) innermost.
Operand channels_last(Operand operand);
inline Operand with_margin(Operand operand, uint32_t margin) {
  operand.margin = margin;
  return operand;
}
inline Operand with_values(Operand operand, std::vector<Number> values) {
  operand.values = std::move(values);
  return operand;
}
inline Operand with_specials(Operand operand, std::vector<Number> specials) {
  operand.specials = std::move(specials);
  return operand;
}

// The input as a tensor of numbers, repeated dims written out.
Numbers contents_of(const OpCase& c, uint32_t input);

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
