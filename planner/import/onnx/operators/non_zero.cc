// Imports NonZero: the places of elements that are not 0, as numbers along each axis.
#include "planner/import/onnx/operators/counted.h"
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/shapes.h"

namespace arenite::planner {
namespace {

std::vector<ValueId> coordinates_of_true(OpContext& context, ValueId x) {
  Steps steps(context);
  const Dims dims = context.dims(x);
  if (dims.empty()) {
    context.unsupported("of a scalar has no rows", "a Reshape to [1] before it");
  }
  const ValueId flags = filled(context, steps.cast(x, DType::kBool), 0);
  const ValueId flat = reshaped(context, flags, {product(dims)}, "flat");
  if (flat != flags) context.set_filled(flat);
  const ValueId places = places_of_true(context, flat);
  const auto number = [&](const Dim& dim) {
    return steps.scalar(DType::kInt64, static_cast<double>(bound(dim)));
  };
  std::vector<ValueId> coordinates(dims.size());
  Dim behind = 1;
  for (size_t axis = dims.size(); axis-- > 0;) {
    ValueId along = places;
    if (!always(behind == 1)) along = steps.binary(Op::kDiv, along, number(behind));
    if (axis != 0) along = steps.binary(Op::kMod, along, number(dims[axis]));
    coordinates[axis] = along;
    // Elements lie as far apart as if all rows held results.
    behind *= bound(dims[axis]);
  }
  return coordinates;
}

}  // namespace

void import_non_zero(OpContext& context) {
  context.expect_operands(1, 1);
  Steps steps(context);
  std::vector<ValueId> rows = coordinates_of_true(context, context.input(0));
  const Dim count = context.dims(rows[0])[0];
  for (ValueId& row : rows) row = steps.reshape(row, {1, count});
  const ValueId y =
      context.add_output(0, DType::kInt64, {static_cast<int64_t>(rows.size()), count});
  context.add_node(Op::kConcat, rows, {y}, ConcatAttributes{0});
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
