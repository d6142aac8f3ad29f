// Imports LpPool over one to three spatial dimensions, and GlobalLpPool: a reduction where there is
// one for its p, else one window over all spatial dimensions as one.
#include <cmath>

#include "planner/graph/names.h"
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/pools.h"
#include "planner/import/onnx/operators/shapes.h"

namespace arenite::planner {
namespace {

// A whole number from 1 on; in opset 1 stored as a float.
uint32_t read_p(OpContext& context) {
  int64_t p = 0;
  if (context.opset() < 2) {
    const float given = context.float_attribute("p", 2.0f);
    if (given != std::floor(given) || !(given <= 65535.0f)) {
      context.unsupported_attribute("p", "only whole numbers are supported", "a whole number");
    }
    p = static_cast<int64_t>(given);
  } else {
    p = context.int_attribute("p", 2);
  }
  return attribute_word(context, "p", p, 1);
}

}  // namespace

void import_lp_pool(OpContext& context) {
  context.expect_operands(1, 1);
  const ValueId x = context.input(0);
  Pool pool = read_pool(context);
  pool.attributes.p = read_p(context);
  const ValueId y = context.add_output(0, context.dtype(x), pool.dims);
  context.add_node(Op::kLpPool, {x}, {y}, pool.attributes);
}

void import_global_lp_pool(OpContext& context) {
  const uint32_t p = read_p(context);
  if (p == 1) return import_global_pool(context, Op::kReduceL1);
  if (p == 2) return import_global_pool(context, Op::kReduceL2);
  context.expect_operands(1, 1);
  const ValueId x = context.input(0);
  const Dims dims = context.dims(x);
  if (dims.size() < 3) {
    context.fail("expected an input of rank 3 or more, found " + dims_text(dims));
  }
  PoolAttributes attributes{};
  for (size_t i = 0; i < 3; ++i) {
    attributes.kernel[i] = attributes.stride[i] = attributes.dilation[i] = 1;
  }
  attributes.p = p;
  Dims reduced(dims.size(), 1);
  std::copy(dims.begin(), dims.begin() + 2, reduced.begin());
  const Dim length = product({dims.begin() + 2, dims.end()});
  attributes.kernel[2] = static_cast<uint32_t>(baked(length, "the window of a global pool"));
  const Dims line = {reduced[0], reduced[1], length};
  const ValueId row = reshaped(context, x, line, "line");
  const ValueId root = context.add_between("root", context.dtype(x), {reduced[0], reduced[1], 1});
  context.add_node(Op::kLpPool, {row}, {root}, attributes);
  reshape_to_output(context, root, reduced);
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
