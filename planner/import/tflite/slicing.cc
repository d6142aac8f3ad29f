// Imports SLICE and STRIDED_SLICE.
#include <limits>

#include "planner/graph/names.h"
#include "planner/import/tflite/operators.h"

namespace arenite::planner::tflite {
namespace {

namespace schema = tflite_schema;

constexpr const char* kEnds = "the ends of a slice";

// Operands of ONNX's Slice, one entry an axis.
struct Ranges {
  std::vector<int64_t> starts, ends, axes, steps;

  void add(int64_t axis, int64_t start, int64_t end, int64_t step) {
    starts.push_back(start);
    ends.push_back(end);
    axes.push_back(axis);
    steps.push_back(step);
  }
};

ValueId sliced(Context& context, ValueId x, const Ranges& ranges) {
  if (ranges.axes.empty()) return x;
  return context.add("Slice", {x, context.list(ranges.starts), context.list(ranges.ends),
                               context.list(ranges.axes), context.list(ranges.steps)});
}

bool bit(int32_t mask, size_t i) { return ((static_cast<uint32_t>(mask) >> i) & 1u) != 0; }

// The i-th entry of STRIDED_SLICE's operands and masks.
struct Spec {
  std::vector<int64_t> begin, end, step;
  const schema::StridedSliceOptions& options;

  bool is_ellipsis(size_t i) const { return bit(options.ellipsis_mask(), i); }
  bool is_new(size_t i) const { return !is_ellipsis(i) && bit(options.new_axis_mask(), i); }
  // Dims of the input that entries take; the ellipsis takes what is left.
  size_t taken() const {
    size_t count = 0;
    for (size_t i = 0; i < begin.size(); ++i) count += is_ellipsis(i) || is_new(i) ? 0u : 1u;
    return count;
  }
};

Spec read_spec(Context& context) {
  Spec spec{context.integers(1, "begin"), context.integers(2, "end"),
            context.integers(3, "strides"), context.options<schema::StridedSliceOptions>()};
  const size_t count = spec.begin.size();
  constexpr size_t kMost = 32;  // bits of a mask
  if (spec.end.size() != count || spec.step.size() != count || count > kMost) {
    context.fail("begin, end and strides differ in length: " + std::to_string(count) + ", " +
                 std::to_string(spec.end.size()) + " and " + std::to_string(spec.step.size()));
  }
  return spec;
}

// Entry `i` about dim `axis` of `size` elements. True where the dim goes.
bool add_entry(Context& context, const Spec& spec, size_t i, int64_t axis, int64_t size,
               Ranges& ranges) {
  constexpr int64_t kFar = std::numeric_limits<int64_t>::max();
  const int64_t step = spec.step[i];
  if (step == 0) context.fail("a stride of 0 leads nowhere");
  if (bit(spec.options.shrink_axis_mask(), i)) {
    const int64_t at = spec.begin[i] < 0 ? spec.begin[i] + size : spec.begin[i];
    if (at < 0 || at >= size) {
      context.fail("index " + std::to_string(spec.begin[i]) + " lies outside dimension " +
                   std::to_string(axis) + " of " + std::to_string(size));
    }
    ranges.add(axis, at, at + 1, 1);
    return true;
  }
  const bool from_edge = bit(spec.options.begin_mask(), i);
  const bool to_edge = bit(spec.options.end_mask(), i);
  const int64_t start = !from_edge ? spec.begin[i] : (step > 0 ? 0 : kFar);
  int64_t end = spec.end[i];
  if (spec.options.offset() && __builtin_add_overflow(end, spec.begin[i], &end)) {
    context.fail("an end of " + std::to_string(spec.end[i]) + " behind " +
                 std::to_string(spec.begin[i]) + " is too far");
  }
  if (to_edge) end = step > 0 ? kFar : std::numeric_limits<int64_t>::min();
  ranges.add(axis, start, end, step);
  return false;
}

}  // namespace

// A size of -1 reaches to the end.
void slice(Context& context) {
  context.expect_operands(3, 3);
  const ValueId x = context.stored(0);
  const Dims dims = context.dims(x);
  const std::vector<int64_t> begin = context.integers(1, "begin");
  const std::vector<int64_t> size = context.integers(2, "size");
  if (begin.size() != dims.size() || size.size() != dims.size()) {
    context.fail("begin and size hold " + std::to_string(begin.size()) + " and " +
                 std::to_string(size.size()) + " numbers, expected " + std::to_string(dims.size()));
  }
  Ranges ranges;
  for (size_t i = 0; i < dims.size(); ++i) {
    const bool inside = begin[i] >= 0 && begin[i] <= dims[i] &&
                        (size[i] == -1 || (size[i] >= 0 && size[i] <= dims[i] - begin[i]));
    if (!inside) {
      context.fail("begin " + dims_text(begin) + " and size " + dims_text(size) +
                   " lie outside input " + dims_text(dims));
    }
    ranges.add(static_cast<int64_t>(i), begin[i],
               size[i] == -1 ? baked(dims[i], kEnds) : begin[i] + size[i], 1);
  }
  context.result(0, sliced(context, x, ranges));
}

// One entry a dim; an ellipsis stands for the dims that have none, a new axis for none.
void strided_slice(Context& context) {
  context.expect_operands(4, 4);
  const ValueId x = context.stored(0);
  const Dims dims = context.dims(x);
  const Spec spec = read_spec(context);
  if (spec.taken() > dims.size()) {
    context.fail("has " + std::to_string(spec.taken()) + " entries for input " + dims_text(dims));
  }
  Ranges ranges;
  std::vector<bool> goes(dims.size(), false);
  std::vector<size_t> news(dims.size() + 1, 0);  // new axes before each dim
  size_t at = 0;
  bool seen = false;
  for (size_t i = 0; i < spec.begin.size(); ++i) {
    if (spec.is_ellipsis(i)) {
      if (seen) context.fail("has two ellipses");
      seen = true;
      at += dims.size() - spec.taken();
    } else if (spec.is_new(i)) {
      ++news[at];
    } else {
      goes[at] =
          add_entry(context, spec, i, static_cast<int64_t>(at), baked(dims[at], kEnds), ranges);
      ++at;
    }
  }
  const ValueId y = sliced(context, x, ranges);
  const Dims cut = context.dims(y);
  Dims result;
  for (size_t i = 0; i <= cut.size(); ++i) {
    result.insert(result.end(), news[i], 1);
    if (i < cut.size() && !goes[i]) result.push_back(cut[i]);
  }
  context.result(0, context.reshaped(y, result));
}

}  // namespace arenite::planner::tflite
// SPDX-License-Identifier: Apache-2.0
