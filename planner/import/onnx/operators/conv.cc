// Imports Conv: 1-D to 3-D convolutions with groups, strides, dilations and every auto_pad.
#include <algorithm>

#include "ops/attributes.h"
#include "planner/graph/names.h"
#include "planner/import/onnx/operators/activation.h"
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/shapes.h"
#include "planner/import/onnx/operators/steps.h"
#include "planner/import/onnx/operators/windows.h"

namespace arenite::planner {

namespace {

// Sets the windows' attributes from axis `first` on.
template <typename Attributes>
void set_windows(Attributes& attributes, const Windows& windows, size_t first) {
  for (size_t i = 0; i < windows.kernel.size(); ++i) {
    attributes.stride[first + i] = windows.stride[i];
    attributes.dilation[first + i] = windows.dilation[i];
    attributes.pad_begin[first + i] = windows.pad_begin[i];
  }
}

// Adds the convolution, as output 0 where it is the `last` step.
ValueId add_conv(OpContext& context, bool last) {
  const ValueId x = context.input(0);
  const ValueId w = context.input(1);
  const Dims x_dims = context.dims(x);
  const Dims w_dims = context.dims(w);
  if (x_dims.size() < 3 || x_dims.size() > 5) {
    context.fail("expected an input of rank 3 to 5, found " + dims_text(x_dims));
  }
  if (w_dims.size() != x_dims.size()) {
    context.fail("expected weights of the input's rank " + std::to_string(x_dims.size()) +
                 ", found " + dims_text(w_dims));
  }
  const int64_t groups = context.int_attribute("group", 1);
  const Dim channels = x_dims[1];
  const Dim outputs = w_dims[0];
  if (groups < 1 || channels % groups != 0 || outputs % groups != 0 || channels == 0) {
    context.fail_attribute("group", std::to_string(groups) + " does not divide " +
                                        dim_text(channels) + " input and " + dim_text(outputs) +
                                        " output channels");
  }
  if (w_dims[1] != channels / groups) {
    context.fail("expected weights [" + dim_text(outputs) + ", " + dim_text(channels / groups) +
                 ", ...] for input " + dims_text(x_dims) + " in " + std::to_string(groups) +
                 " groups, found " + dims_text(w_dims));
  }
  const std::vector<int64_t> kernel =
      baked({w_dims.begin() + 2, w_dims.end()}, "the window of a convolution");
  const std::optional<std::vector<int64_t>> said = context.ints_attribute("kernel_shape");
  if (said && *said != kernel) {
    context.fail_attribute("kernel_shape", "expected " + dims_text(kernel) + " as the weights " +
                                               dims_text(w_dims) + " have, found " +
                                               dims_text(*said));
  }
  std::vector<ValueId> inputs = {x, w};
  if (context.has_input(2)) {
    const Dims bias = context.dims(context.input(2));
    if (bias != Dims{outputs}) {
      context.fail("expected bias [" + dim_text(outputs) + "], found " + dims_text(bias));
    }
    inputs.push_back(context.input(2));
  }
  const Windows windows = read_windows(context, {x_dims.begin() + 2, x_dims.end()}, kernel, false);
  Dims dims = {x_dims[0], outputs};
  dims.insert(dims.end(), windows.steps.begin(), windows.steps.end());
  const DType type = context.dtype(x);
  const ValueId y =
      last ? context.add_output(0, type, dims) : context.add_between("conv", type, dims);
  const auto count = static_cast<uint32_t>(groups);
  if (kernel.size() == 3) {
    Conv3dAttributes attributes{count, {1, 1, 1}, {1, 1, 1}, {0, 0, 0}, {}};
    set_windows(attributes, windows, 0);
    context.add_node(Op::kConv3d, inputs, {y}, attributes);
  } else {
    ConvAttributes attributes{count, {1, 1}, {1, 1}, {0, 0}, {}};
    set_windows(attributes, windows, 2 - kernel.size());  // a 1-D convolution has a height of 1
    context.add_node(Op::kConv, inputs, {y}, attributes);
  }
  return y;
}

}  // namespace

void import_conv(OpContext& context) {
  context.expect_operands(2, 3);
  add_conv(context, true);
}

// FusedConv of com.microsoft: a convolution, then a sum and an activation.
void import_fused_conv(OpContext& context) {
  context.expect_operands(2, 4);
  ValueId y = add_conv(context, false);
  if (context.has_input(3)) y = Steps(context).binary(Op::kAdd, y, context.input(3));
  ActivationNames names;
  names.list = "activation_params";
  add_activation(context, y, names);
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
