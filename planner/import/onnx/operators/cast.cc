// Imports Cast and CastLike.
#include <string_view>
#include <utility>

#include "planner/graph/names.h"
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/shapes.h"

namespace arenite::planner {
namespace {

// Before opset 6 the type is spelled out.
int64_t type_number(const OpContext& context, const std::string& name) {
  static constexpr std::pair<std::string_view, int64_t> kNames[] = {
      {"FLOAT", 1},   {"UINT8", 2},   {"INT8", 3},    {"UINT16", 4},     {"INT16", 5},
      {"INT32", 6},   {"INT64", 7},   {"STRING", 8},  {"BOOL", 9},       {"FLOAT16", 10},
      {"DOUBLE", 11}, {"UINT32", 12}, {"UINT64", 13}, {"COMPLEX64", 14}, {"COMPLEX128", 15}};
  for (const auto& [known, number] : kNames) {
    if (known == name) return number;
  }
  context.fail_attribute("to", quote(name) + " is no element type");
}

// Ignores how casts to 8-bit floats treat large numbers and round: these types are refused.
void ignore_rounding(OpContext& context) {
  if (context.opset() >= 19) context.ignore_attribute("saturate");
  if (context.opset() >= 24) context.ignore_attribute("round_mode");
}

// Adds output 0, or a copy where nothing changes.
void convert(OpContext& context, ValueId x, DType type) {
  if (type == context.dtype(x)) return copy_to_output(context, 0, x);
  const ValueId y = context.add_output(0, type, context.dims(x));
  context.add_node(Op::kCast, {x}, {y});
}

}  // namespace

void import_cast(OpContext& context) {
  context.expect_operands(1, 1);
  const ValueId x = context.input(0);
  const ModelAttribute* to = context.find_attribute("to");
  if (to == nullptr) context.fail_attribute("to", "is missing");
  const int64_t number = to->kind == ModelAttribute::Kind::kString ? type_number(context, to->s)
                                                                   : context.int_attribute("to", 0);
  ignore_rounding(context);
  DType type = DType::kNone;
  try {
    type = dtype_from_onnx(number);
  } catch (const UnsupportedError& error) {
    context.unsupported_attribute("to", error.what(), error.instead);
  }
  convert(context, x, type);
}

// Casts to the type of input 1, whose elements do not matter.
void import_cast_like(OpContext& context) {
  context.expect_operands(2, 2);
  ignore_rounding(context);
  const OnnxType type = context.type(context.input(1));
  if (type.four_bits) {
    context.unsupported("casts to " + type_name(type) + " are not supported",
                        "QuantizeLinear to it, or " + dtype_name(type.dtype));
  }
  convert(context, context.input(0), type.dtype);
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
