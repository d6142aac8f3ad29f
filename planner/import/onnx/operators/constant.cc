// Imports Constant: a tensor, or from opset 12 numbers.
#include <cstring>

#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/shapes.h"

namespace arenite::planner {
namespace {

template <typename T>
void add(OpContext& context, DType type, const Dims& dims, const std::vector<T>& elements) {
  std::vector<std::byte> bytes(elements.size() * sizeof(T));
  if (!bytes.empty()) std::memcpy(bytes.data(), elements.data(), bytes.size());
  context.set_constant(context.add_output(0, type, dims), std::move(bytes));
}

}  // namespace

void import_constant(OpContext& context) {
  context.expect_operands(0, 0);
  const auto& attributes = context.node().attributes;
  if (attributes.size() != 1) {
    context.fail("has " + std::to_string(attributes.size()) +
                 " attributes, expected one that holds its value");
  }
  const std::string& name = attributes[0].name;
  if (name == "value") {
    const ModelAttribute& value = *context.find_attribute(name);
    if (value.kind != ModelAttribute::Kind::kTensor) {
      context.fail_attribute(name, "expected tensor, found " + value.kind_name);
    }
    const ValueId y = context.add_output(0, value.t.dtype, value.t.dims);
    context.set_constant(y, value.t.bytes);
    if (value.t.four_bits) context.set_four_bits(y);
  } else if (name == "value_float") {
    add<float>(context, DType::kFloat32, {}, {context.float_attribute(name, 0)});
  } else if (name == "value_int") {
    add<int64_t>(context, DType::kInt64, {}, {context.int_attribute(name, 0)});
  } else if (name == "value_ints") {
    const std::vector<int64_t> ints = *context.ints_attribute(name);
    add(context, DType::kInt64, {static_cast<int64_t>(ints.size())}, ints);
  } else if (name == "value_floats") {
    const ModelAttribute& value = *context.find_attribute(name);
    if (value.kind != ModelAttribute::Kind::kFloats) {
      context.fail_attribute(name, "expected floats, found " + value.kind_name);
    }
    add(context, DType::kFloat32, {static_cast<int64_t>(value.floats.size())}, value.floats);
  } else {
    context.unsupported_attribute(name, "is not supported as a constant's value", "a dense tensor");
  }
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
