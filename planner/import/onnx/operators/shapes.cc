// Shape arithmetic of operators, in signed 64-bit numbers that can't overflow.
#include "planner/import/onnx/operators/shapes.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "planner/graph/names.h"
#include "portable_fallback/shared/typed.h"

namespace arenite::planner {

Dims broadcast_dims(const OpContext& context, const Dims& a, const Dims& b) {
  Dims result(std::max(a.size(), b.size()), 1);
  const auto dim_of = [&](const Dims& dims, size_t i) -> Dim {
    const size_t missing = result.size() - dims.size();
    return i < missing ? Dim(1) : dims[i - missing];
  };
  for (size_t i = 0; i < result.size(); ++i) {
    const Dim left = dim_of(a, i);
    const Dim right = dim_of(b, i);
    if (left != right && left != 1 && right != 1) {
      context.fail("shapes " + dims_text(a) + " and " + dims_text(b) +
                   " do not broadcast: expected equal dimensions or 1, found " + dim_text(left) +
                   " and " + dim_text(right));
    }
    result[i] = left == 1 ? right : left;
  }
  return result;
}

ValueId reshaped(OpContext& context, ValueId x, const Dims& dims, const char* suffix) {
  if (context.dims(x) == dims) return x;
  const ValueId y = context.add_between(suffix, context.dtype(x), dims);
  context.add_node(Op::kReshape, {x}, {y});
  return y;
}

void reshape_to_output(OpContext& context, ValueId x, const Dims& dims) {
  const ValueId y = context.add_output(0, context.dtype(x), dims);
  if (context.value(x).elements() != context.value(y).elements()) {
    context.fail("expected dims of " + std::to_string(context.value(x).elements()) +
                 " elements as input " + dims_text(context.dims(x)) + " has, found " +
                 dims_text(dims));
  }
  context.add_node(Op::kReshape, {x}, {y});
}

double constant_number(const OpContext& context, size_t input, const char* what) {
  const Value& operand = context.value(context.input(input));
  const std::string name = std::string("input '") + what + "' ('" + printable(operand.name) + "') ";
  if (operand.elements() != 1) {
    context.fail(name + "has dims " + dims_text(operand.dims) + ", expected a single number");
  }
  context.expect_constant(input, what);
  double number = 0;
  for_number<types::kAnyNumber>(operand.dtype, [&]<typename T>() {
    auto element = static_cast<T>(Computed<T>{0});
    std::memcpy(&element, operand.constant->data(), sizeof(T));
    number = static_cast<double>(static_cast<Computed<T>>(element));
  });
  return number;
}

uint32_t attribute_word(const OpContext& context, const char* name, int64_t number, int64_t least) {
  if (number < least || number > std::numeric_limits<int32_t>::max()) {
    context.fail_attribute(
        name, std::to_string(number) + " is not in " + std::to_string(least) + " to 2147483647");
  }
  return static_cast<uint32_t>(number);
}

std::vector<int64_t> attribute_numbers(OpContext& context, const char* name, size_t count,
                                       int64_t otherwise, int64_t least) {
  std::vector<int64_t> given =
      context.ints_attribute(name).value_or(std::vector<int64_t>(count, otherwise));
  if (given.size() != count) {
    context.fail_attribute(name, "expected " + std::to_string(count) + " numbers, found " +
                                     std::to_string(given.size()));
  }
  for (const int64_t number : given) attribute_word(context, name, number, least);
  return given;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
