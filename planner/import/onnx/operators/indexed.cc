// Imports GatherND, GatherElements, ScatterND, ScatterElements and Scatter.
#include <array>

#include "ops/attributes.h"
#include "planner/graph/names.h"
#include "planner/import/onnx/operators/counted.h"
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/shapes.h"

namespace arenite::planner {
namespace {

ValueId indices_of(const OpContext& context, bool wide) {
  const ValueId indices = context.input(1);
  const DType type = context.dtype(indices);
  if (type != DType::kInt64 && (wide || type != DType::kInt32)) {
    context.fail("indices are " + dtype_name(type) + ", expected " +
                 (wide ? "int64" : "int32 or int64"));
  }
  return indices;
}

uint32_t reduction_of(OpContext& context, int64_t since) {
  if (context.opset() < since) return 0;
  static constexpr std::array<std::string_view, 5> kNames = {"none", "add", "mul", "min", "max"};
  const std::string name = context.string_attribute("reduction", "none");
  for (uint32_t i = 0; i < kNames.size(); ++i) {
    // min and max are of opset 18.
    if (kNames[i] == name && (i < 3 || context.opset() >= 18)) return i;
  }
  context.fail_attribute("reduction",
                         quote(name) + " is not known in opset " + std::to_string(context.opset()));
}

void add_scatter(OpContext& context, Op op, const IndexedAttributes& attributes) {
  const ValueId data = context.input(0);
  const ValueId indices = context.input(1);
  const ValueId updates = context.input(2);
  if (context.dtype(data) != context.dtype(updates)) {
    context.fail("updates are " + dtype_name(context.dtype(updates)) + ", the data " +
                 dtype_name(context.dtype(data)));
  }
  if (context.value(indices).elements() == 0) return copy_to_output(context, 0, data);
  const ValueId y = context.add_output(0, context.dtype(data), context.dims(data));
  context.add_node(op, {data, indices, updates}, {y}, attributes);
}

}  // namespace

void import_gather_nd(OpContext& context) {
  context.expect_operands(2, 2);
  const ValueId data = context.input(0);
  const ValueId indices = indices_of(context, true);
  const Dims from = context.dims(data);
  const Dims places = context.dims(indices);
  const int64_t batch = context.opset() >= 12 ? context.int_attribute("batch_dims", 0) : 0;
  const auto whole = static_cast<int64_t>(from.size());
  if (places.empty() || from.empty()) context.fail("operands must not be scalars");
  const int64_t tuple = baked(places.back(), "the length of index tuples");
  if (batch < 0 || batch >= static_cast<int64_t>(places.size()) || tuple < 1 ||
      batch + tuple > whole) {
    context.fail("batch_dims " + std::to_string(batch) + " and indices " + dims_text(places) +
                 " name no elements of data " + dims_text(from));
  }
  for (int64_t d = 0; d < batch; ++d) {
    const auto at = static_cast<size_t>(d);
    if (places[at] != from[at]) {
      context.fail("batch dims of data " + dims_text(from) + " and indices " + dims_text(places) +
                   " differ");
    }
  }
  Dims dims(places.begin(), places.end() - 1);
  dims.insert(dims.end(), from.begin() + batch + tuple, from.end());
  const ValueId y = context.add_output(0, context.dtype(data), dims);
  context.add_node(Op::kGatherND, {data, filled_indices(context, indices)}, {y},
                   IndexedAttributes{0, static_cast<uint32_t>(batch), 0});
}

void import_gather_elements(OpContext& context) {
  context.expect_operands(2, 2);
  const ValueId data = context.input(0);
  const ValueId indices = indices_of(context, false);
  const uint32_t axis =
      context.axis(context.int_attribute("axis", 0), context.dims(data).size(), "axis");
  const ValueId y = context.add_output(0, context.dtype(data), context.dims(indices));
  context.add_node(Op::kGatherElements, {data, filled_indices(context, indices)}, {y},
                   IndexedAttributes{axis, 0, 0});
}

void import_scatter_nd(OpContext& context) {
  context.expect_operands(3, 3);
  indices_of(context, true);
  add_scatter(context, Op::kScatterND, {0, 0, reduction_of(context, 16)});
}

void import_scatter_elements(OpContext& context) {
  context.expect_operands(3, 3);
  indices_of(context, false);
  const size_t rank = context.dims(context.input(0)).size();
  const uint32_t axis = context.axis(context.int_attribute("axis", 0), rank, "axis");
  add_scatter(context, Op::kScatterElements, {axis, 0, reduction_of(context, 16)});
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
