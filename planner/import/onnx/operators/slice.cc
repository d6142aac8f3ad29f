// Imports Slice: starts, ends, axes and steps as attributes or as constant inputs.
#include <algorithm>
#include <limits>

#include "ops/attributes.h"
#include "planner/graph/names.h"
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/shapes.h"

namespace arenite::planner {
namespace {

struct Range {
  int64_t start, end, step;
};

struct Run {
  int64_t first, count, step;
};

// Counts from the end where negative; clamped to [low, high].
int64_t position(int64_t given, int64_t size, int64_t low, int64_t high) {
  // Ends may be as far out as int64 reaches: adding must not overflow.
  const int64_t from_start = given < 0 ? given + size : given;
  return std::clamp(from_start, low, high);
}

Run resolve(const Range& range, int64_t size) {
  const bool forward = range.step > 0;
  const int64_t low = forward ? 0 : -1;
  const int64_t high = forward ? size : size - 1;
  const int64_t start = forward ? position(range.start, size, 0, size)
                                : position(range.start, size, 0, std::max<int64_t>(size - 1, 0));
  const int64_t end = position(range.end, size, low, high);
  const int64_t distance = forward ? end - start : start - end;
  if (distance <= 0 || size == 0) return {0, 0, 1};
  // A step past the end takes one element; INT64_MIN has no magnitude.
  if (range.step >= distance || range.step <= -distance) return {start, 1, 1};
  const int64_t stride = forward ? range.step : -range.step;
  return {start, (distance + stride - 1) / stride, range.step};
}

}  // namespace

void import_slice(OpContext& context) {
  const bool inputs = context.decides(1);
  context.expect_operands(inputs ? 3 : 1, inputs ? 5 : 1);
  const ValueId x = context.input(0);
  Dims dims = context.dims(x);
  const auto list = [&](size_t input, const char* name) {
    return inputs ? context.constant_ints(input, name) : context.ints_attribute(name);
  };
  const std::optional<std::vector<int64_t>> starts = list(1, "starts");
  const std::optional<std::vector<int64_t>> ends = list(2, "ends");
  if (!starts || !ends) context.fail_attribute(starts ? "ends" : "starts", "is missing");
  const std::optional<std::vector<int64_t>> given = list(3, "axes");
  std::optional<std::vector<int64_t>> steps;
  if (inputs) steps = context.constant_ints(4, "steps");
  const size_t count = starts->size();
  if (ends->size() != count || (given && given->size() != count) ||
      (steps && steps->size() != count) || (!given && count > dims.size())) {
    context.fail("starts, ends, axes and steps differ in length or pass the rank of " +
                 dims_text(dims) + ": " + std::to_string(count) + " starts, " +
                 std::to_string(ends->size()) + " ends");
  }
  std::vector<uint32_t> axes;
  if (given) {
    axes = context.axes(*given, dims.size(), "axes");
  } else {
    for (uint32_t i = 0; i < count; ++i) axes.push_back(i);
  }
  SliceAttributes attributes{};
  std::fill(std::begin(attributes.step), std::end(attributes.step), 1);
  for (size_t i = 0; i < count; ++i) {
    const int64_t step = steps ? (*steps)[i] : 1;
    if (step == 0) context.fail_attribute("steps", "a step of 0 leads nowhere");
    const Run run =
        resolve({(*starts)[i], (*ends)[i], step}, baked(dims[axes[i]], "the ends of a slice"));
    attributes.start[axes[i]] = static_cast<int32_t>(run.first);
    attributes.step[axes[i]] = static_cast<int32_t>(run.step);
    dims[axes[i]] = run.count;
  }
  const ValueId y = context.add_output(0, context.dtype(x), dims);
  context.add_node(Op::kSlice, {x}, {y}, attributes);
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
