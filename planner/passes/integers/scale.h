// Constant scales and zero points of quantize and dequantize nodes, as one struct.
#pragma once

#include <optional>
#include <vector>

#include "planner/graph/graph.h"

namespace arenite::planner::quantize {

// The quantization of a quantize or dequantize node; nothing where scales or zero points are not
// constant, or belong to more than one axis.
std::optional<Quantization> quantization_of(const Graph& graph, const Node& node);
// The same where one scale is for all.
std::optional<Scaled> scaled_of(const Graph& graph, const Node& node);

// Operands of a node that say so of integers of this rank.
struct ScaleConstants {
  ValueId scale = kNoValue, zero_point = kNoValue;

  // The inputs of a quantize or dequantize node over x.
  std::vector<ValueId> inputs(ValueId x) const {
    if (zero_point == kNoValue) return {x, scale};
    return {x, scale, zero_point};
  }
};
ScaleConstants add_scale(Graph& graph, const Quantization& quantization, size_t rank);

// The elements of a constant of a type of integers of up to 32 bits.
std::vector<int32_t> integer_elements(const Value& value);

// Adds a constant of integers; they fit their type.
ValueId add_integers(Graph& graph, const std::string& name, DType type, const Dims& dims,
                     const std::vector<int64_t>& elements);

// The same in one dim.
ValueId add_integers(Graph& graph, const std::string& name, DType type,
                     const std::vector<int64_t>& elements);

// The same of words.
ValueId add_words(Graph& graph, const std::string& name, const Dims& dims,
                  const std::vector<uint32_t>& words);

// Adds a constant of uint8 as one of int8, 128 below: kernels know one type of weights. None for
// other types, and where all are numbers of 4 bits, which are stored as such.
std::optional<ValueId> add_as_int8(Graph& graph, ValueId weights);
inline constexpr int32_t kInt8Below = 128;

// Whether the node turns numbers into integers, or integers into numbers.
bool is_scaling(const Node& node);

// The integer that stands for a number, as quantize rounds it.
int32_t quantized(float number, const Scaled& y, Rounding rounding);

}  // namespace arenite::planner::quantize
// SPDX-License-Identifier: Apache-2.0
