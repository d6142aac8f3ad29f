// Adds the nodes that find what is true, and that put numbers into rows without results.
#include "planner/import/onnx/operators/counted.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace arenite::planner {
namespace {

ValueId known_places(OpContext& context, ValueId flags) {
  const std::vector<uint8_t> elements = context.elements<uint8_t>(flags);
  std::vector<int64_t> places;
  for (size_t i = 0; i < elements.size(); ++i) {
    if (elements[i] != 0) places.push_back(static_cast<int64_t>(i));
  }
  return Steps(context).constant({static_cast<int64_t>(places.size())}, places);
}

// Whether the rows along `axis` of dims like x's hold results: its dim there, and 1 behind it.
ValueId rows_with_results(OpContext& context, ValueId x, size_t axis) {
  Steps steps(context);
  const Dims from = context.dims(x);
  Dims dims(from.size() - axis, 1);
  dims[0] = bound(from[axis]);
  const ValueId counting = steps.counting(dims);
  dims[0] = from[axis];
  const ValueId rows = context.add_between("rows", DType::kBool, dims);
  context.add_node(Op::kLess, {counting, dim_value(context, from[axis])}, {rows},
                   BinaryAttributes{});
  return rows;
}

}  // namespace

ValueId places_of_true(OpContext& context, ValueId flags) {
  if (context.is_constant(flags)) return known_places(context, flags);
  Steps steps(context);
  const ValueId all = filled(context, flags, 0);
  const Dim most = bound(context.dims(all)[0]);
  const ValueId numbers = steps.cast(all, DType::kInt32);
  if (numbers != all) context.set_filled(numbers);
  const ValueId count = context.add_between("count", DType::kInt64, {1});
  context.add_node(Op::kCast, {steps.reduce(Op::kReduceSum, numbers, {0})}, {count});
  // The greatest first, of equal ones in their order: what is true, then the rest.
  const ValueId values = context.add_between("unused", DType::kInt32, {most});
  const ValueId places =
      context.add_between("places", DType::kInt64, {context.add_count(count, bound(most))});
  context.add_node(Op::kTopK, {numbers}, {values, places}, TopKAttributes{0, 0});
  return places;
}

ValueId filled(OpContext& context, ValueId x, double number) {
  Steps steps(context);
  const Dims dims = context.dims(x);
  const bool flags = context.dtype(x) == DType::kBool;
  for (size_t axis = 0; axis < dims.size(); ++axis) {
    if (!multiple_of(dims[axis])) continue;
    const ValueId rows = rows_with_results(context, x, axis);
    x = flags ? steps.binary(Op::kLogicalAnd, x, rows)
              : steps.where(rows, x, steps.scalar(context.dtype(x), number));
    context.set_filled(x);
  }
  return x;
}

ValueId filled_indices(OpContext& context, ValueId indices) {
  return context.are_places(indices) ? indices : filled(context, indices, 0);
}

ValueId dim_value(OpContext& context, const Dim& dim) {
  if (const std::optional<Multiple> multiple = multiple_of(dim)) {
    return context.count_value(*multiple);
  }
  return Steps(context).constant({1}, std::vector<int64_t>{baked(dim, "a dim")});
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
