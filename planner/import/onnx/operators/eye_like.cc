// Imports EyeLike: a constant, since every shape is known.
#include "planner/graph/names.h"
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/shapes.h"

namespace arenite::planner {

void import_eye_like(OpContext& context) {
  context.expect_operands(1, 1);
  const ValueId x = context.input(0);
  const std::vector<uint32_t> dims = context.dims(x);
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
  const ValueId ones = context.add_between("diagonal", DType::kUint8, signed_dims(dims));
  context.count_constant(ones);
  std::vector<std::byte> bytes(context.value(ones).dense_bytes());
  for (int64_t r = 0; r < dims[0]; ++r) {
    // Without a sum that could wrap.
    if (k >= -r && k < int64_t{dims[1]} - r) {
      bytes[static_cast<size_t>(r * dims[1] + r + k)] = std::byte{1};
    }
  }
  context.set_constant(ones, std::move(bytes));
  const ValueId y = context.add_output(0, type, signed_dims(dims));
  context.add_node(type == DType::kUint8 ? Op::kCopy : Op::kCast, {ones}, {y});
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
