// Imports Expand and Tile: copies that read elements again and again. An elementwise step repeats
// its inputs by strides of 0, so neither needs an operator of its own.
#include <algorithm>

#include "planner/graph/names.h"
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/shapes.h"
#include "support/printable.h"

namespace arenite::planner {
namespace {

// A copy of `x` seen as `parts`, which are repeated to `wider`.
ValueId repeated(OpContext& context, ValueId x, const Dims& parts, const Dims& wider) {
  const ValueId apart = reshaped(context, x, parts, "parts");
  const ValueId y = context.add_between("repeated", context.dtype(x), wider);
  context.add_node(Op::kCopy, {apart}, {y});
  return y;
}

// A tiled value as a view of its input: each repeated dim becomes two, the repetitions outside.
struct Tiling {
  Dims parts, wider;
};

Tiling tiling_of(const Dims& dims, const std::vector<int64_t>& repeats) {
  Tiling tiling;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (repeats[i] != 1 && dims[i] != 1) {
      tiling.parts.push_back(1);
      tiling.wider.push_back(repeats[i]);
    }
    tiling.parts.push_back(dims[i]);
    tiling.wider.push_back(dims[i] == 1 ? Dim(repeats[i]) : dims[i]);
  }
  return tiling;
}

// Bounds what a model says of a dim before anything is multiplied with it.
void check_dim(OpContext& context, const char* input, const Dim& dim) {
  if (dim < 0 || dim > INT32_MAX) {
    context.fail("input " + quote(input) + " holds " + dim_text(dim) +
                 ", expected 0 to 2147483647");
  }
}

Dims tiled_dims(OpContext& context, const Dims& dims, const std::vector<int64_t>& repeats) {
  if (repeats.size() != dims.size()) {
    context.fail("input 'repeats' holds " + std::to_string(repeats.size()) +
                 " numbers, expected one for each dimension of " +
                 dims_text(context.dims(context.input(0))));
  }
  Dims tiled = dims;
  for (size_t i = 0; i < dims.size(); ++i) {
    check_dim(context, "repeats", repeats[i]);
    tiled[i] *= repeats[i];
  }
  return tiled;
}

}  // namespace

void import_expand(OpContext& context) {
  context.expect_operands(2, 2);
  const ValueId x = context.input(0);
  const Dims wanted = *context.dims_operand(1, "shape");
  for (const Dim& dim : wanted) check_dim(context, "shape", dim);
  const Dims dims = broadcast_dims(context, context.dims(x), wanted);
  const ValueId y = context.add_output(0, context.dtype(x), dims);
  context.add_node(Op::kCopy, {x}, {y});
}

void import_tile(OpContext& context) {
  if (context.opset() < 6) {
    context.unsupported("is not supported before opset 6",
                        "the model converted to opset 6 or later");
  }
  context.expect_operands(2, 2);
  ValueId x = context.input(0);
  Dims dims = context.dims(x);
  const std::vector<int64_t> repeats = *context.constant_ints(1, "repeats");
  const Dims tiled = tiled_dims(context, dims, repeats);
  if (tiled == dims ||
      std::any_of(tiled.begin(), tiled.end(), [](const Dim& dim) { return asked(dim == 0); })) {
    const ValueId y = context.add_output(0, context.dtype(x), tiled);
    return context.add_node(Op::kCopy, {x}, {y});
  }
  const Tiling tiling = tiling_of(dims, repeats);
  if (tiling.wider.size() <= kMaxRank) {
    return reshape_to_output(context, repeated(context, x, tiling.parts, tiling.wider), tiled);
  }
  // Dim by dim, the innermost first, so that what is copied twice is small.
  for (size_t i = dims.size(); i-- > 0;) {
    if (repeats[i] == 1) continue;
    const Dim outside = product(dims, 0, i);
    const Dim inside = product(dims, i, dims.size());
    x = repeated(context, x, {outside, 1, inside}, {outside, repeats[i], inside});
    dims[i] = tiled[i];
  }
  reshape_to_output(context, x, tiled);
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
