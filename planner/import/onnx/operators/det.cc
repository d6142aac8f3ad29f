// Imports Det: determinants of matrices of up to 12 rows.
#include "ops/attributes.h"
#include "planner/graph/names.h"
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/shapes.h"

namespace arenite::planner {

void import_det(OpContext& context) {
  context.expect_operands(1, 1);
  const ValueId x = context.input(0);
  const Dims dims = context.dims(x);
  if (dims.size() < 2 || dims.back() != dims[dims.size() - 2]) {
    context.fail("expected square matrices [..., N, N], found " + dims_text(dims));
  }
  if (dims.back() > kMaxDetSize) {
    context.unsupported("matrices of " + dim_text(dims.back()) +
                            " rows are not supported, only up to " + std::to_string(kMaxDetSize),
                        "smaller matrices");
  }
  const ValueId y = context.add_output(0, context.dtype(x), {dims.begin(), dims.end() - 2});
  context.add_node(Op::kDet, {x}, {y});
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
