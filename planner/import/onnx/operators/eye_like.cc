// Imports EyeLike: a constant, since every shape is known.
#include "planner/graph/names.h"
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/shapes.h"

namespace arenite::planner {

void import_eye_like(OpContext& context) {
  context.expect_operands(1, 1);
  const ValueId x = context.input(0);
  const Dims dims = context.dims(x);
  if (dims.size() != 2) context.fail("expected a matrix, found " + dims_text(dims));
  DType type = context.dtype(x);
  if (const std::optional<int64_t> given = context.find_int("dtype")) {
    try {
      type = dtype_from_onnx(*given);
    } catch (const UnsupportedError& error) {
      context.unsupported_attribute("dtype", error.what(), error.instead);
    }
  }
  const int64_t k = context.int_attribute("k", 0);
  const ValueId ones = context.add_between("diagonal", DType::kUint8, dims);
  context.count_constant(ones);
  std::vector<std::byte> bytes(context.value(ones).dense_bytes());
  const int64_t rows = baked(dims[0], "a constant matrix");
  const int64_t columns = baked(dims[1], "a constant matrix");
  for (int64_t r = 0; r < rows; ++r) {
    // Without a sum that could wrap.
    if (k >= -r && k < columns - r) {
      bytes[static_cast<size_t>(r * columns + r + k)] = std::byte{1};
    }
  }
  context.set_constant(ones, std::move(bytes));
  const ValueId y = context.add_output(0, type, dims);
  context.add_node(type == DType::kUint8 ? Op::kCopy : Op::kCast, {ones}, {y});
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
