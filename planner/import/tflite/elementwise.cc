// Imports TensorFlow Lite's elementwise operators.
#include <algorithm>

#include "core/contract.h"
#include "planner/graph/names.h"
#include "planner/import/tflite/operators.h"

namespace arenite::planner::tflite {

void unary(Context& context, const char* op_type) {
  context.expect_operands(1, 1);
  context.result(0, context.add(op_type, {context.input(0)}));
}

void binary(Context& context, const char* op_type) {
  arithmetic(context, op_type, tflite_schema::ActivationFunctionType_NONE);
}

// If both operands are quantized alike, the integers compare as the numbers do.
void comparison(Context& context, const char* op_type) {
  context.expect_operands(2, 2);
  const bool alike = context.alike(context.tensor(0), context.tensor(1));
  const ValueId a = alike ? context.stored(0) : context.input(0);
  context.result(0, context.add(op_type, {a, alike ? context.stored(1) : context.input(1)}));
}

void arithmetic(Context& context, const char* op_type, ActivationFunctionType activation) {
  context.expect_operands(2, 2);
  const ValueId a = context.input(0);
  context.result(context.add(op_type, {a, context.input(1)}), activation);
}

void clip(Context& context, float low, float high) {
  context.expect_operands(1, 1);
  context.result(
      0, context.add("Clip", {context.input(0), context.scalar(low), context.scalar(high)}));
}

void leaky_relu(Context& context) {
  context.expect_operands(1, 1);
  const float alpha = context.options<tflite_schema::LeakyReluOptions>().alpha();
  context.result(0,
                 context.add("LeakyRelu", {context.input(0)}, Attributes().with("alpha", alpha)));
}

void gelu(Context& context) {
  context.expect_operands(1, 1);
  const bool approximate = context.options<tflite_schema::GeluOptions>().approximate();
  context.result(0, context.add("Gelu", {context.input(0)},
                                Attributes().with("approximate", approximate ? "tanh" : "none")));
}

void square(Context& context) {
  context.expect_operands(1, 1);
  const ValueId x = context.input(0);
  context.result(0, context.add("Mul", {x, x}));
}

void squared_difference(Context& context) {
  context.expect_operands(2, 2);
  const ValueId a = context.input(0);
  const ValueId difference = context.add("Sub", {a, context.input(1)});
  context.result(0, context.add("Mul", {difference, difference}));
}

void reciprocal_root(Context& context) {
  context.expect_operands(1, 1);
  context.result(0, context.add("Reciprocal", {context.add("Sqrt", {context.input(0)})}));
}

void not_equal(Context& context) {
  context.expect_operands(2, 2);
  const bool alike = context.alike(context.tensor(0), context.tensor(1));
  const ValueId a = alike ? context.stored(0) : context.input(0);
  const ValueId b = alike ? context.stored(1) : context.input(1);
  context.result(0, context.add("Not", {context.add("Equal", {a, b})}));
}

// For integers: (a - a mod b) / b, the remainder having the divisor's sign.
void floor_div(Context& context) {
  context.expect_operands(2, 2);
  const ValueId a = context.input(0);
  const ValueId b = context.input(1);
  if (has(types::kFloatOrDouble, context.dtype(a))) {
    return context.result(0, context.add("Floor", {context.add("Div", {a, b})}));
  }
  const ValueId whole = context.add("Sub", {a, context.add("Mod", {a, b})});
  context.result(0, context.add("Div", {whole, b}));
}

// The remainder has the divisor's sign.
void floor_mod(Context& context) {
  context.expect_operands(2, 2);
  const ValueId a = context.input(0);
  const ValueId b = context.input(1);
  if (!has(types::kFloatOrDouble, context.dtype(a))) {
    return context.result(0, context.add("Mod", {a, b}));
  }
  const ValueId rest = context.add("Mod", {a, b}, Attributes().with("fmod", int64_t{1}));
  const ValueId zero = context.zero_of(context.dtype(a));
  const ValueId other_sign =
      context.add("Xor", {context.add("Less", {b, zero}), context.add("Less", {rest, zero})});
  const ValueId some = context.add("Not", {context.add("Equal", {rest, zero})});
  const ValueId wrong = context.add("And", {some, other_sign});
  context.result(0, context.add("Where", {wrong, context.add("Add", {rest, b}), rest}));
}

void add_n(Context& context) {
  context.expect_operands(1, context.input_count());
  std::vector<ValueId> inputs;
  for (size_t i = 0; i < context.input_count(); ++i) inputs.push_back(context.input(i));
  context.result(0, context.add("Sum", inputs));
}

// A condition of rank 1 chooses whole rows.
void select(Context& context) {
  context.expect_operands(3, 3);
  ValueId condition = context.input(0);
  const ValueId a = context.stored_as_output(1);
  const ValueId b = context.stored_as_output(2);
  if (context.dims(a) != context.dims(b)) {
    context.fail("expected two choices of the same dims, found " +
                 dims_text(context.value(a).dims) + " and " + dims_text(context.value(b).dims));
  }
  if (context.rank(condition) == 1 && context.rank(a) > 1) {
    Dims rows(static_cast<size_t>(context.rank(a)), 1);
    rows[0] = context.dims(condition)[0];
    if (rows[0] != context.dims(a)[0]) {
      context.fail("expected one condition for each of " + dim_text(context.dims(a)[0]) +
                   " rows, found " + dim_text(rows[0]));
    }
    condition = context.reshaped(condition, rows);
  }
  context.result(0, context.add("Where", {condition, a, b}));
}

void select_v2(Context& context) {
  context.expect_operands(3, 3);
  const ValueId condition = context.input(0);
  const ValueId a = context.stored_as_output(1);
  context.result(0, context.add("Where", {condition, a, context.stored_as_output(2)}));
}

void where(Context& context) {
  if (context.input_count() == 3) return select_v2(context);
  // The places of what is not 0, a row each.
  context.expect_operands(1, 1);
  const ValueId places = context.add("NonZero", {context.stored(0)});
  context.result(0, context.add("Transpose", {places},
                                std::move(Attributes().with("perm", std::vector<int64_t>{1, 0}))));
}

// Elements in the order in which they first appear, and which of them each is.
void unique(Context& context) {
  context.expect_operands(1, 1, 2);
  const std::vector<ValueId> found = context.add(
      "Unique", {context.stored(0)}, std::move(Attributes().with("sorted", int64_t{0})), 4);
  context.result(0, found[0]);
  context.result(1, context.converted(found[2], context.output_tensor(1).dtype));
}

void cast(Context& context) {
  context.expect_operands(1, 1);
  const Tensor& to = context.output_tensor(0);
  if (!to.unsupported.empty()) context.unsupported("its output " + to.unsupported);
  context.result(0, context.converted(context.stored(0), to.dtype));
}

// Constants stored in 16 bits become float32.
void dequantize(Context& context) {
  context.expect_operands(1, 1);
  const ValueId x = context.input(0);
  if (!has(type_set(DType::kFloat16, DType::kBfloat16, DType::kFloat32), context.dtype(x))) {
    context.fail("its input is " + dtype_name(context.dtype(x)) + " without a scale");
  }
  const ValueId wide = context.converted(x, DType::kFloat32);
  if (wide != x && context.value(x).constant != nullptr) context.is_widened(wide, x);
  context.result(0, wide);
}

// Floats, or integers that get another scale.
void quantize(Context& context) {
  context.expect_operands(1, 1);
  const Tensor& y = context.output_tensor(0);
  if (!y.quantization) context.fail("its output has no scale");
  const bool wide = y.dtype == DType::kInt32 && context.tensor(0).quantization;
  context.result(0, wide ? context.requantized(0, y) : context.input(0));
}

}  // namespace arenite::planner::tflite
// SPDX-License-Identifier: Apache-2.0
