// Reads and writes scales and zero points as operands of nodes.
#include "planner/passes/integers/scale.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/contract.h"
#include "ops/requantization.h"
#include "planner/graph/rewrite.h"
#include "portable_fallback/shared/typed.h"

namespace arenite::planner::quantize {
namespace {

constexpr TypeSet kIntegers = types::kQuantizedOrSum;

// The axis of `rank` dims to which an operand has more than one element; nothing where to none.
// False where to several.
bool find_axis(const Value& operand, size_t rank, std::optional<uint32_t>& axis) {
  const size_t missing = rank - operand.dims.size();
  for (size_t d = 0; d < operand.dims.size(); ++d) {
    if (always(operand.dims[d] == 1)) continue;
    const auto at = static_cast<uint32_t>(missing + d);
    if (axis && *axis != at) return false;
    axis = at;
  }
  return true;
}

template <typename T>
void fit(std::vector<T>& elements, size_t count) {
  const T first = elements[0];
  if (elements.size() != count) elements.assign(count, first);
}

}  // namespace

std::vector<int32_t> integer_elements(const Value& value) {
  std::vector<int32_t> elements(value.elements());
  for_type<kIntegers>(value.dtype, [&]<typename T>() {
    T element{};
    for (size_t i = 0; i < elements.size(); ++i) {
      std::memcpy(&element, value.constant->data() + i * sizeof(T), sizeof(T));
      elements[i] = element;
    }
  });
  return elements;
}

ValueId add_integers(Graph& graph, const std::string& name, DType type, const Dims& dims,
                     const std::vector<int64_t>& elements) {
  constexpr TypeSet kTypes = kIntegers | type_set(DType::kInt64);
  std::vector<std::byte> bytes(elements.size() * element_bytes(type));
  for_type<kTypes>(type, [&]<typename T>() {
    for (size_t i = 0; i < elements.size(); ++i) {
      const auto element = static_cast<T>(elements[i]);
      std::memcpy(bytes.data() + i * sizeof(T), &element, sizeof(T));
    }
  });
  return add_constant(graph, name, type, dims, std::move(bytes));
}

ValueId add_integers(Graph& graph, const std::string& name, DType type,
                     const std::vector<int64_t>& elements) {
  return add_integers(graph, name, type, {static_cast<uint32_t>(elements.size())}, elements);
}

std::optional<ValueId> add_as_int8(Graph& graph, ValueId weights) {
  constexpr int32_t kFourBits = 16;
  const Value& value = graph.values[weights];
  if (value.constant == nullptr || value.dtype != DType::kUint8) return std::nullopt;
  std::vector<int64_t> moved;
  bool is_small = true;
  for (const int32_t element : integer_elements(value)) {
    is_small = is_small && element < kFourBits;
    moved.push_back(element - kInt8Below);
  }
  if (is_small) return std::nullopt;
  const std::string name = value.name;
  const Dims dims = value.dims;
  return add_integers(graph, name, DType::kInt8, dims, moved);
}

ValueId add_words(Graph& graph, const std::string& name, const Dims& dims,
                  const std::vector<uint32_t>& words) {
  std::vector<std::byte> bytes(words.size() * sizeof(uint32_t));
  std::memcpy(bytes.data(), words.data(), bytes.size());
  return add_constant(graph, name, DType::kUint32, dims, std::move(bytes));
}

std::optional<Quantization> quantization_of(const Graph& graph, const Node& node) {
  const ValueId integers = node.op == Op::kQuantize ? node.outputs[0] : node.inputs[0];
  const Value& scale = graph.values[node.inputs[1]];
  const Value* zero = node.has_input(2) ? &graph.values[node.inputs[2]] : nullptr;
  if (scale.constant == nullptr || (zero != nullptr && zero->constant == nullptr)) return {};
  // A tensor without elements has no scale.
  if (scale.elements() == 0 || (zero != nullptr && zero->elements() == 0)) return {};
  Quantization result;
  result.dtype = graph.values[integers].dtype;
  const size_t rank = graph.values[integers].dims.size();
  if (!find_axis(scale, rank, result.axis)) return {};
  if (zero != nullptr && !find_axis(*zero, rank, result.axis)) return {};
  const auto count = static_cast<size_t>(
      result.axis ? baked(graph.values[integers].dims[*result.axis], "a scale for each index") : 1);
  result.scales = float_elements(scale);
  result.zero_points = zero == nullptr ? std::vector<int32_t>{0} : integer_elements(*zero);
  fit(result.scales, count);
  fit(result.zero_points, count);
  return result;
}

std::optional<Scaled> scaled_of(const Graph& graph, const Node& node) {
  const std::optional<Quantization> quantization = quantization_of(graph, node);
  return quantization ? quantization->one() : std::nullopt;
}

ScaleConstants add_scale(Graph& graph, const Quantization& quantization, size_t rank) {
  const auto& [dtype, scales, zero_points, axis] = quantization;
  Dims dims;
  if (axis) {
    dims.assign(rank, 1);
    dims[*axis] = scales.size();
  }
  std::vector<std::byte> bytes(scales.size() * sizeof(float));
  std::memcpy(bytes.data(), scales.data(), bytes.size());
  ScaleConstants added;
  added.scale = add_constant(graph, "scale", DType::kFloat32, dims, std::move(bytes));
  const bool none =
      std::all_of(zero_points.begin(), zero_points.end(), [](int32_t zero) { return zero == 0; });
  if (none) return added;
  added.zero_point =
      add_integers(graph, "zero_point", dtype, dims, {zero_points.begin(), zero_points.end()});
  return added;
}

bool is_scaling(const Node& node) { return node.op == Op::kQuantize || node.op == Op::kDequantize; }

int32_t quantized(float number, const Scaled& y, Rounding rounding) {
  const IntegerRange range = range_of(y.dtype);
  if (std::isnan(number)) return y.zero_point;
  const float quotient = number / y.scale;
  const float whole =
      rounding == Rounding::kHalfEven ? std::nearbyint(quotient) : std::round(quotient);
  const double moved = double{whole} + y.zero_point;
  if (moved <= range.low) return range.low;
  return moved >= range.high ? range.high : static_cast<int32_t>(moved);
}

}  // namespace arenite::planner::quantize
// SPDX-License-Identifier: Apache-2.0
