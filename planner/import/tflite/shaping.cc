// Imports TensorFlow Lite's operators that are about shapes: new dims for the same elements, and
// constants that follow from dims.
#include <algorithm>
#include <cmath>
#include <type_traits>

#include "planner/graph/names.h"
#include "planner/import/tflite/operators.h"

namespace arenite::planner::tflite {
namespace {

namespace schema = tflite_schema;

Dims with_one_at(Dims dims, int64_t axis) {
  dims.insert(dims.begin() + axis, 1);
  return dims;
}

Dims without(Dims dims, int64_t axis) {
  dims.erase(dims.begin() + axis);
  return dims;
}

// Numbers as the integer type that an output is declared with.
void integers_to_output(Context& context, const Dims& dims, const std::vector<int64_t>& numbers) {
  if (context.output_tensor(0).dtype == DType::kInt64) {
    return context.result(0, context.constant(DType::kInt64, dims, numbers));
  }
  const std::vector<int32_t> narrow(numbers.begin(), numbers.end());
  context.result(0, context.constant(DType::kInt32, dims, narrow));
}

}  // namespace

// The shape is operand 1 or, in older models, an option. [0] means a scalar.
void reshape(Context& context) {
  context.expect_operands(1, 2);
  const ValueId x = context.stored(0);
  Dims dims;
  if (context.has_input(1)) {
    dims = context.integers(1, "shape");
  } else if (const auto* given = context.options<schema::ReshapeOptions>().new_shape()) {
    dims.assign(given->begin(), given->end());
  } else {
    context.fail("gives no shape, neither as input 1 nor as an option");
  }
  if (dims == Dims{0} && context.value(x).elements() == 1) dims.clear();
  context.result(0, context.add("Reshape", {x, context.list(dims)},
                                Attributes().with("allowzero", int64_t{1})));
}

void squeeze(Context& context) {
  context.expect_operands(1, 1);
  const ValueId x = context.stored(0);
  const Dims dims = context.dims(x);
  std::vector<bool> goes(dims.size(), false);
  const auto* given = context.options<schema::SqueezeOptions>().squeeze_dims();
  if (given == nullptr || given->size() == 0) {
    for (size_t i = 0; i < dims.size(); ++i) goes[i] = asked(dims[i] == 1);
  } else {
    for (const int32_t entry : *given) {
      const auto i = static_cast<size_t>(context.axis(entry, context.rank(x), "squeeze_dims"));
      if (dims[i] != 1) {
        context.fail("dimension " + std::to_string(i) + " of " + dims_text(dims) +
                     " is not 1: it cannot be squeezed");
      }
      goes[i] = true;
    }
  }
  Dims kept;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (!goes[i]) kept.push_back(dims[i]);
  }
  context.result(0, context.reshaped(x, kept));
}

void expand_dims(Context& context) {
  context.expect_operands(2, 2);
  const ValueId x = context.stored(0);
  const int64_t axis = context.axis(context.integer(1, "axis"), context.rank(x) + 1, "axis");
  context.result(0, context.reshaped(x, with_one_at(context.dims(x), axis)));
}

void transpose(Context& context) {
  context.expect_operands(2, 2);
  const ValueId x = context.stored(0);
  std::vector<int64_t> permutation = context.integers(1, "perm");
  for (int64_t& entry : permutation) entry = context.axis(entry, context.rank(x), "perm");
  context.result(0, context.add("Transpose", {x}, Attributes().with("perm", permutation)));
}

void shape(Context& context) {
  context.expect_operands(1, 1);
  const Dims dims = context.dims(context.stored(0));
  integers_to_output(context, {dims.size()}, baked(dims, "a shape as a constant"));
}

void rank(Context& context) {
  context.expect_operands(1, 1);
  integers_to_output(context, {}, {context.rank(context.stored(0))});
}

void zeros_like(Context& context) {
  context.expect_operands(1, 1);
  const ValueId x = context.stored(0);
  context.result(
      0, context.add("Expand", {context.zero_of(context.dtype(x)), context.list(context.dims(x))}));
}

void fill(Context& context) {
  context.expect_operands(2, 2);
  const Dims dims = context.integers(0, "dims");
  const ValueId value = context.stored(1);
  if (context.value(value).elements() != 1) {
    context.fail("expected one element to fill with, found " + dims_text(context.dims(value)));
  }
  context.result(0, context.add("Expand", {context.reshaped(value, {}), context.list(dims)}));
}

namespace {

// start, start + delta, ... up to but without limit.
template <typename T>
void fill_range(Context& context, DType dtype) {
  const auto number = [&](size_t i) {
    const Value& value = context.value(context.stored(i));
    if (value.constant == nullptr) {
      context.unsupported("input " + std::to_string(i) +
                              " decides a shape: it must be constant, not computed at run time",
                          "a constant");
    }
    if (value.dtype != dtype || value.elements() != 1) {
      context.fail("expected one " + dtype_name(dtype) + " as input " + std::to_string(i));
    }
    T read{};
    std::memcpy(&read, value.constant->data(), sizeof read);
    return read;
  };
  const T start = number(0);
  const T delta = number(2);
  const double steps =
      (static_cast<double>(number(1)) - static_cast<double>(start)) / static_cast<double>(delta);
  constexpr double kMost = 1 << 28;
  if (delta == T{0} || !(steps <= kMost)) context.fail("has no end, or too many elements");
  const auto count = static_cast<size_t>(std::max(0.0, std::ceil(steps)));
  context.expect_room({count, 2 * sizeof(T)});
  std::vector<T> elements(count);
  if constexpr (std::is_integral_v<T>) {
    // Unsigned: the product may be beyond T where the sum is not.
    for (size_t i = 0; i < count; ++i) {
      elements[i] = static_cast<T>(static_cast<uint64_t>(start) + i * static_cast<uint64_t>(delta));
    }
  } else {
    T next = start;
    for (T& element : elements) {
      element = next;
      next += delta;
    }
  }
  context.result(0, context.constant(dtype, {static_cast<int64_t>(count)}, elements));
}

}  // namespace

void range(Context& context) {
  context.expect_operands(3, 3);
  const DType dtype = context.dtype(context.stored(0));
  if (dtype == DType::kFloat32) return fill_range<float>(context, dtype);
  if (dtype == DType::kInt32) return fill_range<int32_t>(context, dtype);
  if (dtype == DType::kInt64) return fill_range<int64_t>(context, dtype);
  context.unsupported("ranges of " + dtype_name(dtype) + " are not supported",
                      "float32, int32 or int64");
}

// Each input gets a dimension of 1, along which they are joined.
void pack(Context& context) {
  const auto& options = context.options<schema::PackOptions>();
  context.expect_operands(1, context.input_count());
  const int64_t rank = context.rank(context.stored(0)) + 1;
  const int64_t axis = context.axis(options.axis(), rank, "axis");
  std::vector<ValueId> parts;
  for (size_t i = 0; i < context.input_count(); ++i) {
    const ValueId x = context.stored_as_output(i);
    context.expect_rank(x, rank - 1);
    parts.push_back(context.reshaped(x, with_one_at(context.dims(x), axis)));
  }
  if (parts.size() == 1) return context.result(0, parts[0]);
  context.result(0, context.add("Concat", parts, Attributes().with("axis", axis)));
}

void unpack(Context& context) {
  const auto& options = context.options<schema::UnpackOptions>();
  context.expect_operands(1, 1, context.output_count());
  const ValueId x = context.stored(0);
  const int64_t axis = context.axis(options.axis(), context.rank(x), "axis");
  const Dims dims = context.dims(x);
  const auto count = static_cast<int64_t>(context.output_count());
  if (dims[static_cast<size_t>(axis)] != count) {
    context.fail("expected as many outputs as dimension " + std::to_string(axis) + " of " +
                 dims_text(dims) + " has, found " + std::to_string(count));
  }
  const Dims kept = without(dims, axis);
  if (count == 1) return context.result(0, context.reshaped(x, kept));
  const std::vector<ValueId> parts =
      context.add("Split", {x}, Attributes().with("axis", axis).with("num_outputs", count),
                  context.output_count());
  for (size_t i = 0; i < parts.size(); ++i) context.result(i, context.reshaped(parts[i], kept));
}

}  // namespace arenite::planner::tflite
// SPDX-License-Identifier: Apache-2.0
