// Imports ConvTranspose: 1-D to 3-D transposed convolutions with groups, strides, dilations, output
// padding, a wanted output shape and every auto_pad.
#include <algorithm>

#include "ops/attributes.h"
#include "planner/graph/names.h"
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/shapes.h"

namespace arenite::planner {
namespace {

// The wanted spatial dims, if any: some models list batch and channels before them.
std::optional<std::vector<int64_t>> read_output_shape(OpContext& context, size_t rank) {
  std::optional<std::vector<int64_t>> shape = context.ints_attribute("output_shape");
  if (!shape || shape->empty()) return std::nullopt;
  if (shape->size() == rank + 2) shape->erase(shape->begin(), shape->begin() + 2);
  if (shape->size() != rank) {
    context.fail_attribute("output_shape", "expected " + std::to_string(rank) + " numbers, found " +
                                               std::to_string(shape->size()));
  }
  for (const int64_t dim : *shape) attribute_word(context, "output_shape", dim, 1);
  return shape;
}

struct Spatial {
  std::vector<int64_t> begin;  // padding before
  Dims dims;                   // the output's
};

Spatial spatial_of(OpContext& context, const Dims& input, const std::vector<int64_t>& kernel,
                   const std::vector<int64_t>& stride, const std::vector<int64_t>& dilation) {
  const size_t rank = input.size();
  const std::vector<int64_t> extra = attribute_numbers(context, "output_padding", rank, 0, 0);
  const std::vector<int64_t> pads = attribute_numbers(context, "pads", 2 * rank, 0, 0);
  const std::optional<std::vector<int64_t>> wanted = read_output_shape(context, rank);
  const std::string auto_pad = context.string_attribute("auto_pad", "NOTSET");
  const bool same = auto_pad == "SAME_UPPER" || auto_pad == "SAME_LOWER";
  if (!same && auto_pad != "NOTSET" && auto_pad != "VALID" && !auto_pad.empty()) {
    context.fail_attribute(
        "auto_pad", "is " + quote(auto_pad) + ", expected NOTSET, VALID, SAME_UPPER or SAME_LOWER");
  }
  Spatial spatial;
  for (size_t i = 0; i < rank; ++i) {
    const Dim whole = stride[i] * (input[i] - 1) + extra[i] + (kernel[i] - 1) * dilation[i] + 1;
    if (wanted || same) {
      const Dim dim = wanted ? Dim((*wanted)[i]) : input[i] * stride[i];
      const int64_t total = baked(max(whole - dim, 0), "the padding of output_shape or auto_pad");
      spatial.begin.push_back(auto_pad == "SAME_UPPER" ? total / 2 : total - total / 2);
      spatial.dims.push_back(dim);
      continue;
    }
    const bool padded = auto_pad != "VALID";
    spatial.begin.push_back(padded ? pads[i] : 0);
    spatial.dims.push_back(padded ? whole - pads[i] - pads[rank + i] : whole);
    if (spatial.dims[i] <= 0 || input[i] == 0) {
      context.fail("nothing is left of the " + dim_text(whole) + " outputs of spatial dimension " +
                   std::to_string(i) + " without its pads of " + std::to_string(pads[i]) + " and " +
                   std::to_string(pads[rank + i]));
    }
  }
  return spatial;
}

// [C, O/groups, ...] as conv has them: [O, C/groups, ...].
ValueId filters_of(OpContext& context, ValueId w, int64_t groups) {
  const Dims dims = context.dims(w);
  const auto rank = static_cast<uint32_t>(dims.size());
  Dims apart = {groups, dims[0] / groups, dims[1]};
  apart.insert(apart.end(), dims.begin() + 2, dims.end());
  Dims swapped = apart;
  std::swap(swapped[1], swapped[2]);
  std::vector<uint32_t> order = {0, 2, 1};
  for (uint32_t d = 3; d <= rank; ++d) order.push_back(d);
  const ValueId grouped = reshaped(context, w, apart, "groups");
  const ValueId turned = context.add_between("filters", context.dtype(w), swapped);
  context.add_node(Op::kTranspose, {grouped}, {turned}, order);
  Dims joined = {groups * dims[1], dims[0] / groups};
  joined.insert(joined.end(), dims.begin() + 2, dims.end());
  return reshaped(context, turned, joined, "weights");
}

}  // namespace

void import_conv_transpose(OpContext& context) {
  context.expect_operands(2, 3);
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
  if (groups < 1 || x_dims[1] == 0 || x_dims[1] % groups != 0) {
    context.fail_attribute("group", std::to_string(groups) + " does not divide " +
                                        dim_text(x_dims[1]) + " input channels");
  }
  if (w_dims[0] != x_dims[1]) {
    context.fail("expected weights [" + dim_text(x_dims[1]) + ", ...] for input " +
                 dims_text(x_dims) + ", found " + dims_text(w_dims));
  }
  const Dim outputs = w_dims[1] * groups;
  const std::vector<int64_t> kernel =
      baked({w_dims.begin() + 2, w_dims.end()}, "the window of a convolution");
  const std::optional<std::vector<int64_t>> said = context.ints_attribute("kernel_shape");
  if (said && *said != kernel) {
    context.fail_attribute("kernel_shape", "expected " + dims_text(kernel) + " as the weights " +
                                               dims_text(w_dims) + " have, found " +
                                               dims_text(*said));
  }
  for (const int64_t size : kernel) attribute_word(context, "kernel_shape", size, 1);
  const std::vector<int64_t> stride = attribute_numbers(context, "strides", kernel.size(), 1, 1);
  const std::vector<int64_t> dilation =
      attribute_numbers(context, "dilations", kernel.size(), 1, 1);
  const Spatial spatial =
      spatial_of(context, {x_dims.begin() + 2, x_dims.end()}, kernel, stride, dilation);
  ConvTransposeAttributes attributes{
      static_cast<uint32_t>(groups), {1, 1, 1}, {1, 1, 1}, {0, 0, 0}, {}};
  const size_t first = 3 - kernel.size();
  for (size_t i = 0; i < kernel.size(); ++i) {
    attributes.stride[first + i] = static_cast<uint32_t>(stride[i]);
    attributes.dilation[first + i] = static_cast<uint32_t>(dilation[i]);
    attributes.pad_begin[first + i] = attribute_word(context, "pads", spatial.begin[i], 0);
  }
  std::vector<ValueId> inputs = {x, filters_of(context, w, groups)};
  if (context.has_input(2)) {
    const Dims bias = context.dims(context.input(2));
    if (bias != Dims{outputs}) {
      context.fail("expected bias [" + dim_text(outputs) + "], found " + dims_text(bias));
    }
    inputs.push_back(context.input(2));
  }
  Dims dims = {x_dims[0], outputs};
  dims.insert(dims.end(), spatial.dims.begin(), spatial.dims.end());
  const ValueId y = context.add_output(0, context.dtype(x), dims);
  context.add_node(Op::kConvTranspose, inputs, {y}, attributes);
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
