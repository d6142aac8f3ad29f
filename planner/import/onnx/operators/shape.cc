// Imports Shape and Size: constants, since every shape is known.
#include <algorithm>
#include <cstring>

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
  const std::vector<int64_t> shape =
      baked({dims.begin() + start, dims.begin() + end}, "a shape as a constant");
  std::vector<std::byte> bytes(shape.size() * sizeof(int64_t));
  if (!bytes.empty()) std::memcpy(bytes.data(), shape.data(), bytes.size());
  const ValueId y = context.add_output(0, DType::kInt64, {static_cast<int64_t>(shape.size())});
  context.set_constant(y, std::move(bytes));
}

void import_size(OpContext& context) {
  context.expect_operands(1, 1);
  const int64_t size = baked(product(context.dims(context.input(0))), "a size as a constant");
  std::vector<std::byte> bytes(sizeof(size));
  std::memcpy(bytes.data(), &size, sizeof(size));
  context.set_constant(context.add_output(0, DType::kInt64, {}), std::move(bytes));
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
