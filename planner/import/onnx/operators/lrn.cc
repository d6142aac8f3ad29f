// Imports LRN: normalization across channels.
#include "ops/attributes.h"
#include "planner/graph/names.h"
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/shapes.h"

namespace arenite::planner {

void import_lrn(OpContext& context) {
  context.expect_operands(1, 1);
  const ValueId x = context.input(0);
  if (context.dims(x).size() < 2) {
    context.fail("expected an input [N, C, ...], found " + dims_text(context.dims(x)));
  }
  const std::optional<int64_t> size = context.find_int("size");
  if (!size) context.fail_attribute("size", "is missing");
  LrnAttributes attributes{};
  attributes.size = attribute_word(context, "size", *size, 1);
  attributes.alpha = context.float_attribute("alpha", 0.0001f);
  attributes.beta = context.float_attribute("beta", 0.75f);
  attributes.bias = context.float_attribute("bias", 1.0f);
  const ValueId y = context.add_output(0, context.dtype(x), context.dims(x));
  context.add_node(Op::kLrn, {x}, {y}, attributes);
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
