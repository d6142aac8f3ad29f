// Imports Range: a constant, since what it counts decides a shape.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "planner/graph/names.h"
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/shapes.h"
#include "planner/import/onnx/operators/steps.h"

namespace arenite::planner {
namespace {

constexpr int64_t kElementsMax = INT32_MAX;

// Counts the numbers start, start + delta, ... before limit; at most one more than a tensor holds.
template <typename T>
int64_t count_of(T start, T limit, T delta) {
  if constexpr (std::is_floating_point_v<T>) {
    const double count = std::ceil((double{limit} - double{start}) / double{delta});
    return std::isnan(count) ? 0 : static_cast<int64_t>(std::clamp(count, 0.0, 0x1p31));
  } else {
    if (delta > 0 ? start >= limit : start <= limit) return 0;
    // The distance of two int64 fits 64 bits without a sign.
    const auto low = static_cast<uint64_t>(int64_t{delta > 0 ? start : limit});
    const auto high = static_cast<uint64_t>(int64_t{delta > 0 ? limit : start});
    const uint64_t step = delta > 0 ? static_cast<uint64_t>(delta)
                                    : uint64_t{0} - static_cast<uint64_t>(int64_t{delta});
    const uint64_t count = (high - low - 1) / step + 1;
    return static_cast<int64_t>(std::min<uint64_t>(count, uint64_t{1} << 31u));
  }
}

template <typename T>
void add_range(OpContext& context) {
  T given[3];
  for (size_t i = 0; i < 3; ++i) {
    const std::vector<T> number = context.elements<T>(context.input(i));
    if (number.size() != 1) context.fail("expected single numbers");
    given[i] = number[0];
  }
  const auto [start, limit, delta] = given;
  if (delta == T{0}) context.fail("input 'delta' is 0: it leads nowhere");
  const int64_t count = count_of(start, limit, delta);
  if (count > kElementsMax) context.fail("the range has more elements than a tensor holds");
  const ValueId y = context.add_output(0, context.dtype(context.input(0)), {count});
  context.count_constant(y);
  std::vector<std::byte> bytes(static_cast<size_t>(count) * sizeof(T));
  for (int64_t i = 0; i < count; ++i) {
    T element{};
    if constexpr (std::is_floating_point_v<T>) {
      element = static_cast<T>(start + static_cast<T>(i) * delta);
    } else {
      // The numbers lie before the limit: intermediate results may wrap, they do not.
      element = static_cast<T>(static_cast<uint64_t>(int64_t{start}) +
                               static_cast<uint64_t>(i) * static_cast<uint64_t>(int64_t{delta}));
    }
    std::memcpy(bytes.data() + static_cast<size_t>(i) * sizeof(T), &element, sizeof(T));
  }
  context.set_constant(y, std::move(bytes));
}

// 0, 1, 2 and so on up to a count: as many numbers as there may be. Whether it is that.
bool add_rows(OpContext& context) {
  const std::optional<Dims> start = context.sizes(context.input(0));
  const std::optional<Dims> limit = context.sizes(context.input(1));
  const std::optional<Dims> delta = context.sizes(context.input(2));
  if (!start || !limit || !delta || !multiple_of((*limit)[0])) return false;
  if (!always((*start)[0] == 0) || !always((*delta)[0] == 1)) return false;
  const DType type = context.dtype(context.input(0));
  const ValueId y = context.add_output(0, type, {(*limit)[0]});
  Steps steps(context);
  const ValueId numbers = steps.cast(steps.counting({bound((*limit)[0])}), type);
  context.add_node(Op::kCopy, {numbers}, {y});
  return true;
}

}  // namespace

void import_range(OpContext& context) {
  context.expect_operands(3, 3);
  if (add_rows(context)) return;
  constexpr const char* kNames[] = {"start", "limit", "delta"};
  for (size_t i = 0; i < 3; ++i) {
    const Value& operand = context.value(context.input(i));
    if (operand.dtype != context.dtype(context.input(0))) context.fail("operands differ in type");
    context.expect_constant(i, kNames[i]);
  }
  switch (context.dtype(context.input(0))) {
    case DType::kFloat32:
      return add_range<float>(context);
    case DType::kFloat64:
      return add_range<double>(context);
    case DType::kInt16:
      return add_range<int16_t>(context);
    case DType::kInt32:
      return add_range<int32_t>(context);
    case DType::kInt64:
      return add_range<int64_t>(context);
    default:
      context.fail("operands are " + dtype_name(context.dtype(context.input(0))) +
                   ", expected float, double, int16, int32 or int64");
  }
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
