// Computes with lists of dims what nodes compute with integers.
#include "planner/graph/sizes.h"

#include <algorithm>
#include <cstring>

namespace arenite::planner {
namespace {

// As many as dims of a value, and a few more for what is computed on the way.
constexpr uint64_t kMostSizes = 16;

bool are_integers(const Value& value) {
  return (value.dtype == DType::kInt32 || value.dtype == DType::kInt64) && value.dims.size() <= 1 &&
         value.elements() <= kMostSizes;
}

template <typename T>
Dims elements_of(const std::vector<std::byte>& bytes) {
  std::vector<T> numbers(bytes.size() / sizeof(T));
  if (!bytes.empty()) std::memcpy(numbers.data(), bytes.data(), bytes.size());
  return {numbers.begin(), numbers.end()};
}

// Applies the operation to each pair of elements; a list of one number goes with every element.
template <typename Operation>
std::optional<Dims> each(const Dims& a, const Dims& b, Operation operation) {
  const size_t count = std::max(a.size(), b.size());
  if ((a.size() != count && a.size() != 1) || (b.size() != count && b.size() != 1)) {
    return std::nullopt;
  }
  Dims result;
  for (size_t i = 0; i < count; ++i) {
    result.push_back(operation(a[a.size() == 1 ? 0 : i], b[b.size() == 1 ? 0 : i]));
  }
  return result;
}

std::optional<Dims> quotient(const Dims& a, const Dims& b) {
  if (std::any_of(b.begin(), b.end(), [](const Dim& dim) { return !never(dim == 0); })) {
    return std::nullopt;
  }
  return each(a, b, [](const Dim& x, const Dim& y) { return x / y; });
}

std::optional<Dims> picked(const Dims& from, const Dims& indices) {
  Dims result;
  for (const Dim& index : indices) {
    int64_t at = multiple_of(index) || is_mixed(index) ? -1 : baked(index, "an index");
    if (at < 0) at += static_cast<int64_t>(from.size());
    if (at < 0 || at >= static_cast<int64_t>(from.size())) return std::nullopt;
    result.push_back(from[static_cast<size_t>(at)]);
  }
  return result;
}

std::optional<Dims> sliced(const Dims& from, const SliceAttributes& slice, uint64_t count) {
  Dims result;
  for (uint64_t i = 0; i < count; ++i) {
    const int64_t at = slice.start[0] + static_cast<int64_t>(i) * slice.step[0];
    if (at < 0 || at >= static_cast<int64_t>(from.size())) return std::nullopt;
    result.push_back(from[static_cast<size_t>(at)]);
  }
  return result;
}

}  // namespace

std::optional<Dims> stored_sizes(const Value& value) {
  if (value.constant == nullptr || !are_integers(value)) return std::nullopt;
  return value.dtype == DType::kInt64 ? elements_of<int64_t>(*value.constant)
                                      : elements_of<int32_t>(*value.constant);
}

std::optional<Dims> sizes_made(const Graph& graph, const Node& node,
                               const std::function<std::optional<Dims>(ValueId)>& known) {
  const Value& made = graph.values[node.outputs[0]];
  if (!are_integers(made)) return std::nullopt;
  std::vector<Dims> inputs;
  for (const ValueId id : node.inputs) {
    std::optional<Dims> sizes = id == kNoValue ? std::nullopt : known(id);
    if (!sizes) return std::nullopt;
    inputs.push_back(*std::move(sizes));
  }
  switch (node.op) {
    case Op::kCast:
    case Op::kCopy:
    case Op::kReshape:
      if (inputs[0].size() != made.elements()) return std::nullopt;
      return inputs[0];
    case Op::kConcat: {
      Dims all;
      for (const Dims& part : inputs) all.insert(all.end(), part.begin(), part.end());
      return all;
    }
    case Op::kGather:
      return picked(inputs[0], inputs[1]);
    case Op::kSlice:
      return sliced(inputs[0], node.attributes_as<SliceAttributes>(), made.elements());
    case Op::kAdd:
      return each(inputs[0], inputs[1], [](const Dim& a, const Dim& b) { return a + b; });
    case Op::kSub:
      return each(inputs[0], inputs[1], [](const Dim& a, const Dim& b) { return a - b; });
    case Op::kMul:
      return each(inputs[0], inputs[1], [](const Dim& a, const Dim& b) { return a * b; });
    case Op::kDiv:
      return quotient(inputs[0], inputs[1]);
    default:
      return std::nullopt;
  }
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
