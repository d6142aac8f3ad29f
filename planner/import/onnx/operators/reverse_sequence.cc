// Imports ReverseSequence.
#include "ops/attributes.h"
#include "planner/graph/names.h"
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/shapes.h"

namespace arenite::planner {

void import_reverse_sequence(OpContext& context) {
  context.expect_operands(2, 2);
  const ValueId x = context.input(0);
  const ValueId lengths = context.input(1);
  const Dims dims = context.dims(x);
  ReverseSequenceAttributes attributes{};
  attributes.batch_axis =
      context.axis(context.int_attribute("batch_axis", 1), dims.size(), "batch_axis");
  attributes.time_axis =
      context.axis(context.int_attribute("time_axis", 0), dims.size(), "time_axis");
  if (attributes.batch_axis == attributes.time_axis) {
    context.fail_attribute("time_axis", "is the batch_axis too");
  }
  if (context.dims(lengths) != Dims{dims[attributes.batch_axis]}) {
    context.fail("input 'sequence_lens' has dims " + dims_text(context.dims(lengths)) +
                 ", expected [" + dim_text(dims[attributes.batch_axis]) + "]");
  }
  const ValueId y = context.add_output(0, context.dtype(x), dims);
  context.add_node(Op::kReverseSequence, {x, lengths}, {y}, attributes);
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
