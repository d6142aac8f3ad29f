// Imports products whose results are the integer sums: ConvInteger, MatMulInteger; and those that
// quantize their input by the range it has at run time: DynamicQuantizeLinear, and com.microsoft's
// DynamicQuantizeMatMul and MatMulIntegerToFloat.
#include <algorithm>

#include "core/contract.h"
#include "planner/graph/names.h"
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/shapes.h"
#include "planner/import/onnx/operators/steps.h"
#include "planner/import/onnx/operators/windows.h"

namespace arenite::planner {
namespace {

constexpr Requantization kSums = {Rounding::kHalfEven, 0, 0, 0};

// Integers and the zero point of all of them, or of each row or column.
struct Integers {
  ValueId x = kNoValue, zero_point = kNoValue;
  uint32_t zero_points = 0;  // how many
};

Integers read_integers(OpContext& context, size_t i, size_t zero_point) {
  Integers read;
  read.x = context.input(i);
  if (!has(types::kQuantized, context.dtype(read.x))) {
    context.fail("input " + std::to_string(i) + " is " + dtype_name(context.dtype(read.x)) +
                 ", expected int8 or uint8");
  }
  if (!context.has_input(zero_point)) return read;
  read.zero_point = context.input(zero_point);
  if (context.dtype(read.zero_point) != context.dtype(read.x)) {
    context.fail("zero point " + quote(context.value(read.zero_point).name) + " is " +
                 dtype_name(context.dtype(read.zero_point)) + ", the integers " +
                 dtype_name(context.dtype(read.x)));
  }
  read.zero_points = static_cast<uint32_t>(context.value(read.zero_point).elements());
  return read;
}

// The scale, or zero point, of columns, in dims that broadcast to the product's.
ValueId of_columns(OpContext& context, ValueId id, const Dim& columns) {
  const Dim count = product(context.dims(id));
  if (count != 1 && count != columns) {
    context.fail(quote(context.value(id).name) + " has dims " + dims_text(context.dims(id)) +
                 ", expected one number, or one for each of " + dim_text(columns) + " columns");
  }
  return Steps(context).reshape(id, count == 1 ? Dims{} : Dims{columns});
}

Dims product_dims(OpContext& context, ValueId a, ValueId b) {
  const Dims left = context.dims(a), right = context.dims(b);
  if (left.size() < 2 || right.size() < 2 || left.back() != right[right.size() - 2]) {
    context.fail("expected matrices whose inner dimensions agree, found " + dims_text(left) +
                 " and " + dims_text(right));
  }
  Dims dims =
      broadcast_dims(context, {left.begin(), left.end() - 2}, {right.begin(), right.end() - 2});
  dims.push_back(left[left.size() - 2]);
  dims.push_back(right.back());
  return dims;
}

// Adds y, int32: the product of a and b less their zero points.
void add_product(OpContext& context, const Integers& a, const Integers& b, ValueId y) {
  const Dims dims = context.dims(y);
  std::vector<ValueId> inputs = {a.x, b.x, kNoValue, kNoValue, kNoValue};
  if (a.zero_point != kNoValue) {
    const Dim rows = dims[dims.size() - 2];
    if (a.zero_points != 1 && a.zero_points != rows) {
      context.fail("zero point of A has dims " + dims_text(context.dims(a.zero_point)) +
                   ", expected one number, or one for each of " + dim_text(rows) + " rows");
    }
    inputs.push_back(
        Steps(context).reshape(a.zero_point, a.zero_points == 1 ? Dims{} : Dims{rows, 1}));
  } else {
    inputs.push_back(kNoValue);
  }
  if (b.zero_point != kNoValue) {
    inputs.push_back(of_columns(context, b.zero_point, dims.back()));
  }
  while (inputs.back() == kNoValue) inputs.pop_back();
  context.add_node(Op::kQuantizedMatMul, inputs, {y}, QuantizedMatMulAttributes{0, 0, kSums});
}

// Sums of integers as numbers: times the product of both scales, and a bias where there is one.
void add_numbers(OpContext& context, ValueId sums, ValueId a_scale, ValueId b_scale,
                 std::optional<size_t> bias) {
  Steps steps(context);
  const Dim columns = context.dims(sums).back();
  const ValueId scale = steps.binary(Op::kMul, of_columns(context, a_scale, 1),
                                     of_columns(context, b_scale, columns));
  const Dims dims = context.dims(sums);
  if (!bias) {
    const ValueId y = context.add_output(0, DType::kFloat32, dims);
    return context.add_node(Op::kDequantize, {sums, scale}, {y});
  }
  const ValueId numbers = context.add_between("numbers", DType::kFloat32, dims);
  context.add_node(Op::kDequantize, {sums, scale}, {numbers});
  const ValueId y = context.add_output(0, DType::kFloat32, dims);
  context.add_node(Op::kAdd, {numbers, context.input(*bias)}, {y}, BinaryAttributes{});
}

// Integers of uint8 by the whole range of x, their scale and zero point as scalars.
struct Dynamic {
  ValueId y, scale, zero_point;
};

Dynamic add_dynamic(OpContext& context, ValueId x, ValueId y) {
  const Dims dims = context.dims(x);
  const std::vector<int64_t> ones(dims.size(), 1);
  const ValueId scale = context.add_between("scale", DType::kFloat32, ones);
  const ValueId zero = context.add_between("zero_point", DType::kUint8, ones);
  const uint32_t axes = (1u << dims.size()) - 1;
  context.add_node(Op::kDynamicQuantize, {x}, {y, scale, zero},
                   DynamicQuantizeAttributes{axes, DynamicRange::kOnnx});
  Steps steps(context);
  return {y, steps.reshape(scale, {}), steps.reshape(zero, {})};
}

}  // namespace

void import_conv_integer(OpContext& context) {
  context.expect_operands(2, 4);
  const Integers x = read_integers(context, 0, 2);
  const Integers w = read_integers(context, 1, 3);
  const Dims x_dims = context.dims(x.x), w_dims = context.dims(w.x);
  if ((x_dims.size() != 3 && x_dims.size() != 4) || w_dims.size() != x_dims.size()) {
    context.unsupported("expected an input and weights of rank 3 or 4, found " + dims_text(x_dims) +
                        " and " + dims_text(w_dims));
  }
  const int64_t groups = context.int_attribute("group", 1);
  if (groups < 1 || x_dims[1] % groups != 0 || w_dims[0] % groups != 0 ||
      w_dims[1] != x_dims[1] / groups) {
    context.fail_attribute("group", std::to_string(groups) + " does not fit input " +
                                        dims_text(x_dims) + " and weights " + dims_text(w_dims));
  }
  const std::vector<int64_t> kernel =
      baked({w_dims.begin() + 2, w_dims.end()}, "the window of a convolution");
  if (context.ints_attribute("kernel_shape").value_or(kernel) != kernel) {
    context.fail_attribute("kernel_shape", "expected " + dims_text(kernel));
  }
  const Windows windows = read_windows(context, {x_dims.begin() + 2, x_dims.end()}, kernel, false);
  QuantizedConvAttributes attributes = {};
  attributes.groups = static_cast<uint32_t>(groups);
  std::fill(std::begin(attributes.stride), std::end(attributes.stride), 1u);
  std::fill(std::begin(attributes.dilation), std::end(attributes.dilation), 1u);
  attributes.output = kSums;
  const size_t first = 2 - kernel.size();  // a 1-D convolution has a height of 1
  for (size_t i = 0; i < kernel.size(); ++i) {
    attributes.stride[first + i] = windows.stride[i];
    attributes.dilation[first + i] = windows.dilation[i];
    attributes.pad_begin[first + i] = windows.pad_begin[i];
  }
  std::vector<ValueId> inputs = {x.x, w.x, kNoValue, kNoValue, kNoValue, kNoValue, kNoValue};
  Steps steps(context);
  if (x.zero_point != kNoValue) {
    if (x.zero_points != 1) context.fail("the input has more than one zero point");
    inputs[5] = steps.reshape(x.zero_point, {});
  }
  if (w.zero_point != kNoValue) {
    if (w.zero_points != 1 && w.zero_points != w_dims[0]) {
      context.fail("zero point of the weights has dims " + dims_text(context.dims(w.zero_point)) +
                   ", expected one number, or one for each of " + dim_text(w_dims[0]) +
                   " output channels");
    }
    inputs[6] = steps.reshape(w.zero_point, {int64_t{w.zero_points}});
  }
  while (inputs.back() == kNoValue) inputs.pop_back();
  Dims dims = {x_dims[0], w_dims[0]};
  dims.insert(dims.end(), windows.steps.begin(), windows.steps.end());
  const ValueId y = context.add_output(0, DType::kInt32, dims);
  context.add_node(Op::kQuantizedConv, inputs, {y}, attributes);
}

void import_matmul_integer(OpContext& context) {
  context.expect_operands(2, 4);
  const Integers a = read_integers(context, 0, 2);
  const Integers b = read_integers(context, 1, 3);
  add_product(context, a, b, context.add_output(0, DType::kInt32, product_dims(context, a.x, b.x)));
}

void import_dynamic_quantize_linear(OpContext& context) {
  context.expect_operands(1, 1, 3);
  const ValueId x = context.input(0);
  const ValueId y = context.add_output(0, DType::kUint8, context.dims(x));
  const Dynamic made = add_dynamic(context, x, y);
  if (context.wants_output(1)) copy_to_output(context, 1, made.scale);
  if (context.wants_output(2)) copy_to_output(context, 2, made.zero_point);
}

void import_matmul_integer_to_float(OpContext& context) {
  context.expect_operands(4, 7);
  const Integers a = read_integers(context, 0, 4);
  const Integers b = read_integers(context, 1, 5);
  const ValueId sums = context.add_between("sums", DType::kInt32, product_dims(context, a.x, b.x));
  add_product(context, a, b, sums);
  add_numbers(context, sums, context.input(2), context.input(3),
              context.has_input(6) ? std::optional<size_t>(6) : std::nullopt);
}

void import_dynamic_quantize_matmul(OpContext& context) {
  context.expect_operands(3, 5);
  const ValueId x = context.input(0);
  const ValueId integers = context.add_between("integers", DType::kUint8, context.dims(x));
  const Dynamic made = add_dynamic(context, x, integers);
  const Integers a = {made.y, made.zero_point, 1};
  const Integers b = read_integers(context, 1, 3);
  const ValueId sums = context.add_between("sums", DType::kInt32, product_dims(context, a.x, b.x));
  add_product(context, a, b, sums);
  add_numbers(context, sums, made.scale, context.input(2),
              context.has_input(4) ? std::optional<size_t>(4) : std::nullopt);
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
