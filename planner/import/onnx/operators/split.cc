// Imports Split: a slice for each output.

#include "ops/attributes.h"
#include "planner/graph/names.h"
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/shapes.h"

namespace arenite::planner {
namespace {

// Equal parts, the last one perhaps smaller (from opset 18 on; earlier none may be).
std::vector<int64_t> equal_parts(const OpContext& context, int64_t size, size_t count) {
  const auto parts = static_cast<int64_t>(count);
  const int64_t part = (size + parts - 1) / parts;
  if (context.opset() < 18 && part * parts != size) {
    context.fail("expected a dim that splits into " + std::to_string(count) +
                 " equal parts, found " + std::to_string(size));
  }
  std::vector<int64_t> sizes;
  for (int64_t left = size; sizes.size() < count; left -= sizes.back()) {
    sizes.push_back(std::min(part, left));
  }
  return sizes;
}

}  // namespace

void import_split(OpContext& context) {
  const bool from_input = context.opset() >= 13;
  const size_t count = context.node().outputs.size();
  // Before opset 2 the sizes were an input or an attribute.
  context.expect_operands(1, from_input || context.opset() < 2 ? 2 : 1, count);
  const ValueId x = context.input(0);
  Dims dims = context.dims(x);
  const uint32_t axis = context.axis(context.int_attribute("axis", 0), dims.size(), "axis");
  std::optional<std::vector<int64_t>> sizes = context.constant_ints(1, "split");
  if (!from_input && !sizes) sizes = context.ints_attribute("split");
  if (context.opset() >= 18) {
    const std::optional<int64_t> parts = context.find_int("num_outputs");
    if (parts && *parts != static_cast<int64_t>(count)) {
      context.fail_attribute(
          "num_outputs", "expected " + std::to_string(count) + ", found " + std::to_string(*parts));
    }
  }
  if (!sizes) sizes = equal_parts(context, baked(dims[axis], "the parts of a split"), count);
  int64_t sum = 0;
  for (const int64_t size : *sizes) {
    if (size < 0 || size > dims[axis] - sum) {
      context.fail("expected parts that add up to " + dim_text(dims[axis]) + ", found " +
                   std::to_string(size) + " behind " + std::to_string(sum));
    }
    sum += size;
  }
  if (sizes->size() != count || sum != dims[axis]) {
    context.fail("expected " + std::to_string(count) + " parts that add up to " +
                 dim_text(dims[axis]) + ", found " + std::to_string(sizes->size()) +
                 " that add up to " + std::to_string(sum));
  }
  SliceAttributes attributes{};
  std::fill(std::begin(attributes.step), std::end(attributes.step), 1);
  for (size_t i = 0; i < count; ++i) {
    dims[axis] = (*sizes)[i];
    if (context.wants_output(i)) {
      const ValueId y = context.add_output(i, context.dtype(x), dims);
      context.add_node(Op::kSlice, {x}, {y}, attributes);
    }
    attributes.start[axis] += static_cast<int32_t>((*sizes)[i]);
  }
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
