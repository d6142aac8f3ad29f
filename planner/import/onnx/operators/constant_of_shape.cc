// Imports ConstantOfShape: one element, repeated.
#include <cstring>

#include "planner/graph/names.h"
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/shapes.h"

namespace arenite::planner {

void import_constant_of_shape(OpContext& context) {
  context.expect_operands(1, 1);
  const Dims dims = *context.dims_operand(0, "input");
  DType type = DType::kFloat32;
  bool four_bits = false;
  std::vector<std::byte> element(4);
  if (const ModelAttribute* value = context.find_attribute("value"); value != nullptr) {
    if (value->kind != ModelAttribute::Kind::kTensor ||
        value->t.bytes.size() != element_bytes(value->t.dtype)) {
      context.fail_attribute("value", "expected a tensor of one element");
    }
    type = value->t.dtype;
    element = value->t.bytes;
    four_bits = value->t.four_bits;
  }
  const ValueId y = context.add_output(0, type, dims);
  context.count_constant(y);
  std::vector<std::byte> bytes(context.value(y).dense_bytes());
  for (size_t at = 0; at < bytes.size(); at += element.size()) {
    std::memcpy(bytes.data() + at, element.data(), element.size());
  }
  context.set_constant(y, std::move(bytes));
  if (four_bits) context.set_four_bits(y);
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
