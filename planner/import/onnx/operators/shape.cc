// Imports Shape and Size: constants, but for dims that the data of each run decides.
#include <algorithm>
#include <cstring>

#include "planner/import/onnx/operators/counted.h"
#include "planner/import/onnx/operators/ops.h"

namespace arenite::planner {

void import_shape(OpContext& context) {
  context.expect_operands(1, 1);
  const Dims dims = context.dims(context.input(0));
  const auto rank = static_cast<int64_t>(dims.size());
  int64_t start = 0;
  int64_t end = rank;
  if (context.opset() >= 15) {
    const auto position = [&](int64_t given) {
      return std::clamp<int64_t>(given < 0 ? given + rank : given, 0, rank);
    };
    start = position(context.int_attribute("start", 0));
    end = std::max(position(context.int_attribute("end", rank)), start);
  }
  const Dims asked(dims.begin() + start, dims.begin() + end);
  if (has_count(asked)) {
    std::vector<ValueId> parts;
    for (const Dim& dim : asked) parts.push_back(dim_value(context, dim));
    const ValueId y = context.add_output(0, DType::kInt64, {static_cast<int64_t>(asked.size())});
    return context.add_node(Op::kConcat, parts, {y}, ConcatAttributes{0});
  }
  const std::vector<int64_t> shape = baked(asked, "a shape as a constant");
  std::vector<std::byte> bytes(shape.size() * sizeof(int64_t));
  if (!bytes.empty()) std::memcpy(bytes.data(), shape.data(), bytes.size());
  const ValueId y = context.add_output(0, DType::kInt64, {static_cast<int64_t>(shape.size())});
  context.set_constant(y, std::move(bytes));
}

void import_size(OpContext& context) {
  context.expect_operands(1, 1);
  const Dim elements = product(context.dims(context.input(0)));
  if (multiple_of(elements)) {
    const ValueId number = dim_value(context, elements);
    return context.add_node(Op::kReshape, {number}, {context.add_output(0, DType::kInt64, {})});
  }
  const int64_t size = baked(elements, "a size as a constant");
  std::vector<std::byte> bytes(sizeof(size));
  std::memcpy(bytes.data(), &size, sizeof(size));
  context.set_constant(context.add_output(0, DType::kInt64, {}), std::move(bytes));
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
