// Imports Gather: constant indices that are one run become a slice, all others are looked up at
// run time.
#include <algorithm>
#include <iterator>

#include "ops/attributes.h"
#include "planner/graph/names.h"
#include "planner/import/onnx/operators/counted.h"
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/shapes.h"

namespace arenite::planner {
namespace {

// The elements of constant indices, negative ones counted from the end of `size`.
std::vector<int64_t> known_indices(const OpContext& context, ValueId indices, int64_t size) {
  std::vector<int64_t> known;
  if (context.dtype(indices) == DType::kInt64) {
    known = context.elements<int64_t>(indices);
  } else {
    const std::vector<int32_t> narrow = context.elements<int32_t>(indices);
    known.assign(narrow.begin(), narrow.end());
  }
  for (int64_t& index : known) {
    if (index < -size || index >= size) {
      context.fail("index " + std::to_string(index) + " lies outside the axis of " +
                   std::to_string(size));
    }
    if (index < 0) index += size;
  }
  return known;
}

bool is_run(const std::vector<int64_t>& indices) {
  for (size_t i = 1; i < indices.size(); ++i) {
    if (indices[i] != indices[i - 1] + 1) return false;
  }
  return !indices.empty();
}

}  // namespace

void import_gather(OpContext& context) {
  context.expect_operands(2, 2);
  const ValueId x = context.input(0);
  const ValueId indices = context.input(1);
  const Dims x_dims = context.dims(x);
  const uint32_t axis = context.axis(context.int_attribute("axis", 0), x_dims.size(), "axis");
  const DType type = context.dtype(indices);
  if (type != DType::kInt64 && type != DType::kInt32) {
    context.fail("indices are " + dtype_name(type) + ", expected int32 or int64");
  }
  const auto at = static_cast<std::ptrdiff_t>(axis);
  const Dims index_dims = context.dims(indices);
  Dims dims = x_dims;
  dims.erase(dims.begin() + at);
  dims.insert(dims.begin() + at, index_dims.begin(), index_dims.end());
  if (context.is_constant(indices)) {
    const std::vector<int64_t> known =
        known_indices(context, indices, baked(x_dims[axis], "constant indices"));
    if (is_run(known)) {
      SliceAttributes attributes{};
      std::fill(std::begin(attributes.step), std::end(attributes.step), 1);
      attributes.start[axis] = static_cast<int32_t>(known[0]);
      Dims run_dims = x_dims;
      run_dims[axis] = static_cast<int64_t>(known.size());
      const ValueId run = context.add_between("run", context.dtype(x), run_dims);
      context.add_node(Op::kSlice, {x}, {run}, attributes);
      return reshape_to_output(context, run, dims);
    }
  }
  const ValueId y = context.add_output(0, context.dtype(x), dims);
  context.add_node(Op::kGather, {x, filled_indices(context, indices)}, {y}, GatherAttributes{axis});
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
