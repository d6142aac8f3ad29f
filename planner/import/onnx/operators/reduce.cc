// Imports the reductions: over all axes where none are given.
#include <cstring>
#include <limits>

#include "ops/attributes.h"
#include "planner/import/onnx/operators/counted.h"
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/shapes.h"

namespace arenite::planner {

namespace {

struct Reduction {
  ReduceAttributes attributes{};
  Dims kept, left;    // dims of the result, with those reduced as 1 and without
  bool keep = true;   // which of both is wanted
  bool none = false;  // the model asks for none: nothing is done
};

Reduction reduction_over(OpContext& context, const std::vector<uint32_t>& axes) {
  const Dims dims = context.dims(context.input(0));
  Reduction reduction;
  reduction.keep = context.flag_attribute("keepdims", true);
  for (const uint32_t axis : axes) reduction.attributes.axes |= 1u << axis;
  for (size_t i = 0; i < dims.size(); ++i) {
    const bool reduced = ((reduction.attributes.axes >> i) & 1u) != 0;
    reduction.kept.push_back(reduced ? Dim(1) : dims[i]);
    if (!reduced) reduction.left.push_back(dims[i]);
  }
  return reduction;
}

Reduction read_reduction(OpContext& context) {
  const bool from_input = context.decides(1);
  context.expect_operands(1, from_input ? 2 : 1);
  const size_t rank = context.dims(context.input(0)).size();
  bool none = false;
  bool none_means_none = false;
  std::optional<std::vector<int64_t>> given;
  if (from_input) {
    none_means_none = context.flag_attribute("noop_with_empty_axes", false);
    given = context.constant_ints(1, "axes");
  } else {
    given = context.ints_attribute("axes");
  }
  std::vector<uint32_t> axes;
  if (given && !given->empty()) {
    axes = context.axes(*given, rank, "axes");
  } else if (none_means_none) {
    none = true;
  } else {
    for (uint32_t i = 0; i < rank; ++i) axes.push_back(i);
  }
  Reduction reduction = reduction_over(context, axes);
  reduction.none = none;
  return reduction;
}

// Adds output 0 by what add(result) adds, its dims being kept ones.
template <typename F>
void add_result(OpContext& context, const Reduction& reduction, DType type, F add) {
  if (reduction.keep) return add(context.add_output(0, type, reduction.kept));
  const ValueId result = context.add_between("reduced", type, reduction.kept);
  add(result);
  reshape_to_output(context, result, reduction.left);
}

// The elements of x that become one of the result.
Dim reduced_elements(const OpContext& context, const Reduction& reduction) {
  const Dims dims = context.dims(context.input(0));
  Dim elements = 1;
  for (size_t i = 0; i < dims.size(); ++i) {
    if ((reduction.attributes.axes >> i & 1u) != 0) elements *= dims[i];
  }
  return elements;
}

// What changes no result of the operator.
double neutral_number(const OpContext& context, Op op, DType type) {
  const double sign = op == Op::kReduceMax ? -1 : 1;
  switch (op) {
    case Op::kReduceSum:
    case Op::kReduceL1:
    case Op::kReduceL2:
    case Op::kReduceSumSquare:
    case Op::kReduceLogSum:
      return 0;
    case Op::kReduceProd:
      return 1;
    case Op::kReduceMax:
    case Op::kReduceMin:
      if (type == DType::kInt32) return sign * std::numeric_limits<int32_t>::max();
      if (type == DType::kInt64) return sign * 0x1p62;
      return sign * std::numeric_limits<double>::infinity();
    default:
      context.unsupported("over a dim that the data of each run decides is not supported",
                          kCutBefore);
  }
}

// Over a dim that is a count: the rows that hold results alone.
void reduce_rows(OpContext& context, Op op, const Reduction& reduction, const Dim& elements) {
  const bool mean = op == Op::kReduceMean;
  const Op reduce = mean ? Op::kReduceSum : op;
  const DType type = context.dtype(context.input(0));
  const ValueId x = filled(context, context.input(0), neutral_number(context, reduce, type));
  add_result(context, reduction, type, [&](ValueId y) {
    if (!mean) return context.add_node(op, {x}, {y}, reduction.attributes);
    Steps steps(context);
    const ValueId sum = context.add_between("sum", type, reduction.kept);
    context.add_node(reduce, {x}, {sum}, reduction.attributes);
    const ValueId number = steps.cast(dim_value(context, elements), type);
    context.add_node(Op::kDiv, {sum, steps.reshape(number, {})}, {y}, BinaryAttributes{});
  });
}

}  // namespace

void import_reduce(OpContext& context, Op op) {
  const Reduction reduction = read_reduction(context);
  const ValueId x = context.input(0);
  if (reduction.none) return copy_to_output(context, 0, x);
  const Dim elements = reduced_elements(context, reduction);
  if (multiple_of(elements) || is_mixed(elements)) {
    return reduce_rows(context, op, reduction, elements);
  }
  add_result(context, reduction, context.dtype(x),
             [&](ValueId y) { context.add_node(op, {x}, {y}, reduction.attributes); });
}

void import_arg(OpContext& context, Op op) {
  context.expect_operands(1, 1);
  const ValueId x = context.input(0);
  const size_t rank = context.dims(x).size();
  const uint32_t axis = context.axis(context.int_attribute("axis", 0), rank, "axis");
  const Reduction reduction = reduction_over(context, {axis});
  const bool last = context.opset() >= 12 && context.flag_attribute("select_last_index", false);
  add_result(context, reduction, DType::kInt64, [&](ValueId y) {
    context.add_node(op, {x}, {y}, ArgAttributes{reduction.attributes.axes, last ? 1u : 0u});
  });
}

namespace {

// The bits of the last finite number of another type of floats than float32.
uint64_t last_finite(DType type) {
  if (type == DType::kFloat16) return 0x7bff;
  if (type == DType::kBfloat16) return 0x7f7f;
  return 0x7fefffffffffffff;
}

// y = x, infinities as the last finite numbers: by attributes, which float32 has, or by operands.
void add_finite(OpContext& context, ValueId x, ValueId y) {
  const DType type = context.dtype(x);
  if (type == DType::kFloat32) {
    constexpr float kMost = std::numeric_limits<float>::max();
    return context.add_node(Op::kClip, {x}, {y}, ClipAttributes{-kMost, kMost});
  }
  const auto bound = [&](const char* suffix, uint64_t bits) {
    std::vector<std::byte> bytes(element_bytes(type));
    std::memcpy(bytes.data(), &bits, bytes.size());
    return context.add_constant(suffix, type, {}, std::move(bytes));
  };
  const uint64_t sign = uint64_t{1} << (8 * element_bytes(type) - 1);
  const ValueId least = bound("least", last_finite(type) | sign);
  const ValueId most = bound("most", last_finite(type));
  context.add_node(Op::kClip, {x, least, most}, {y}, ClipAttributes{});
}

}  // namespace

// log(sum(exp(x - m))) + m, m being the largest x, or the last finite number on its side.
void import_reduce_log_sum_exp(OpContext& context) {
  const Reduction reduction = read_reduction(context);
  const ValueId x = context.input(0);
  if (reduction.none) return copy_to_output(context, 0, x);
  const DType type = context.dtype(x);
  const auto made = [&](const char* suffix, const Dims& dims) {
    return context.add_between(suffix, type, dims);
  };
  const ValueId largest = made("largest", reduction.kept);
  context.add_node(Op::kReduceMax, {x}, {largest}, reduction.attributes);
  const ValueId m = made("finite", reduction.kept);
  add_finite(context, largest, m);
  const Dims dims = context.dims(x);
  const ValueId below = made("below", dims);
  context.add_node(Op::kSub, {x, m}, {below}, BinaryAttributes{});
  const ValueId powers = made("powers", dims);
  context.add_node(Op::kExp, {below}, {powers}, UnaryAttributes{});
  const ValueId log = made("log", reduction.kept);
  context.add_node(Op::kReduceLogSum, {powers}, {log}, reduction.attributes);
  add_result(context, reduction, type, [&](ValueId y) {
    context.add_node(Op::kAdd, {log, m}, {y}, BinaryAttributes{});
  });
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
