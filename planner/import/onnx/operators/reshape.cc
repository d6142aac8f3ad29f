// Imports Reshape: 0 keeps a dimension, -1 takes what is left.
#include <algorithm>

#include "planner/graph/names.h"
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/shapes.h"

namespace arenite::planner {

namespace {

// With --batch, a shape that was written for one sample keeps the samples apart: its 1 in front is
// their number, where the input begins with that.
void keep_batch(const OpContext& context, const Dims& x_dims, Dims& dims) {
  const std::optional<uint32_t> batch = context.batch();
  if (!batch || x_dims.empty() || dims.empty() || !always(x_dims[0] == *batch) ||
      !always(dims[0] == 1)) {
    return;
  }
  const bool inferred = std::ranges::any_of(dims, [](const Dim& dim) { return always(dim == -1); });
  if (inferred || !always(product(dims) == product(x_dims))) dims[0] = *batch;
}

}  // namespace

void import_reshape(OpContext& context) {
  const bool shape_is_input = context.decides(1);
  context.expect_operands(shape_is_input ? 2 : 1, shape_is_input ? 2 : 1);
  const ValueId x = context.input(0);
  const Dims x_dims = context.dims(x);
  std::optional<Dims> shape;
  bool zero_is_zero = false;
  if (shape_is_input) {
    shape = context.dims_operand(1, "shape");
    if (context.opset() >= 14) zero_is_zero = context.flag_attribute("allowzero", false);
  } else {
    context.ignore_attribute("consumed_inputs");
    const std::optional<std::vector<int64_t>> given = context.ints_attribute("shape");
    if (!given) context.fail_attribute("shape", "is missing");
    shape = *given;
  }
  Dims dims = *shape;
  keep_batch(context, x_dims, dims);
  const std::string found = dims_text(dims);
  std::optional<size_t> inferred;
  Dim known = 1;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] == 0 && !zero_is_zero) {
      if (i >= x_dims.size()) {
        context.fail_attribute("shape", found + ": the 0 at " + std::to_string(i) +
                                            " has no dimension to keep in " + dims_text(x_dims));
      }
      dims[i] = x_dims[i];
    }
    if (dims[i] == -1 && !inferred) {
      inferred = i;
      continue;
    }
    if (dims[i] < 0 || dims[i] > int64_t{0x7fffffff}) {
      context.fail_attribute("shape", found + " is no shape: expected sizes, 0 and one -1");
    }
    known *= dims[i];
    if (known > kMaxTensorBytes) break;
  }
  const Dim elements = product(x_dims);
  if (inferred) {
    if (known == 0 || elements % known != 0) {
      context.fail_attribute("shape", found + " does not divide the " + dim_text(elements) +
                                          " elements of " + dims_text(x_dims));
    }
    dims[*inferred] = elements / known;
  } else if (known != elements) {
    context.fail_attribute("shape", found + " holds " + dim_text(known) +
                                        " elements, expected the " + dim_text(elements) + " of " +
                                        dims_text(x_dims));
  }
  reshape_to_output(context, x, dims);
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
