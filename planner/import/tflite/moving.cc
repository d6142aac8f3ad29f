// Imports TensorFlow Lite's operators that move elements: joined, split, padded, repeated,
// gathered.
#include <algorithm>
#include <limits>
#include <numeric>

#include "planner/graph/names.h"
#include "planner/import/tflite/operators.h"

namespace arenite::planner::tflite {
namespace {

namespace schema = tflite_schema;

// Operand `i` [dims, 2]: begin and end of each dim.
struct Ends {
  std::vector<int64_t> begin, end;
};

Ends ends_of(Context& context, size_t i, const char* what, size_t count) {
  const std::vector<int64_t> pairs = context.integers(i, what);
  if (pairs.size() != 2 * count) {
    context.fail(std::string(what) + " holds " + std::to_string(pairs.size()) +
                 " numbers, expected " + std::to_string(2 * count));
  }
  Ends ends;
  for (size_t n = 0; n < count; ++n) {
    if (pairs[2 * n] < 0 || pairs[2 * n + 1] < 0) {
      context.fail(std::string(what) + " of " + std::to_string(pairs[2 * n]) + " and " +
                   std::to_string(pairs[2 * n + 1]) + ", expected 0 or more");
    }
    ends.begin.push_back(pairs[2 * n]);
    ends.end.push_back(pairs[2 * n + 1]);
  }
  return ends;
}

// With `value`, or with zeros: of a quantized operand 0, that is its zero point.
ValueId padded(Context& context, ValueId x, const Ends& ends, ValueId value) {
  const std::optional<Quantization>& quantization = context.tensor(0).quantization;
  if (value == kNoValue && quantization) {
    value = context.integer_of(context.dtype(x), quantization->at(0).zero_point);
  }
  std::vector<int64_t> pads = ends.begin;
  pads.insert(pads.end(), ends.end.begin(), ends.end.end());
  return context.add("Pad", {x, context.list(pads), value});
}

// Elements `first`, `first + step`, ... of one axis, up to but without `last`.
struct Stretch {
  int64_t first, last, step;
};

ValueId cut(Context& context, ValueId x, int64_t axis, const Stretch& stretch) {
  return context.add("Slice", {x, context.list({stretch.first}), context.list({stretch.last}),
                               context.list({axis}), context.list({stretch.step})});
}

}  // namespace

void concatenation(Context& context) {
  context.expect_operands(1, context.input_count());
  const auto& options = context.options<schema::ConcatenationOptions>();
  std::vector<ValueId> parts;
  const bool bends = options.fused_activation_function() != schema::ActivationFunctionType_NONE;
  for (size_t i = 0; i < context.input_count(); ++i) {
    parts.push_back(bends ? context.input(i) : context.stored_as_output(i));
  }
  const int64_t axis = context.axis(options.axis(), context.rank(parts[0]), "axis");
  context.result(context.add("Concat", parts, Attributes().with("axis", axis)),
                 options.fused_activation_function());
}

void split(Context& context) {
  context.expect_operands(2, 2, context.output_count());
  const ValueId x = context.stored(1);
  const int64_t axis = context.axis(context.integer(0, "axis"), context.rank(x), "axis");
  const auto count = static_cast<int64_t>(context.output_count());
  const Dim size = context.dims(x)[static_cast<size_t>(axis)];
  if (count == 0 || size % count != 0) {
    context.fail("dimension " + std::to_string(axis) + " of " + dims_text(context.dims(x)) +
                 " does not split into " + std::to_string(count) + " equal parts");
  }
  const std::vector<ValueId> parts =
      context.add("Split", {x}, Attributes().with("axis", axis).with("num_outputs", count),
                  context.output_count());
  for (size_t i = 0; i < parts.size(); ++i) context.result(i, parts[i]);
}

// One of the sizes may be -1: what is left.
void split_v(Context& context) {
  context.expect_operands(3, 3, context.output_count());
  const ValueId x = context.stored(0);
  std::vector<int64_t> sizes = context.integers(1, "size_splits");
  const int64_t axis = context.axis(context.integer(2, "axis"), context.rank(x), "axis");
  if (sizes.size() != context.output_count()) {
    context.fail("size_splits holds " + std::to_string(sizes.size()) + " numbers, expected " +
                 std::to_string(context.output_count()));
  }
  int64_t left = baked(context.dims(x)[static_cast<size_t>(axis)], "the parts of a split");
  for (const int64_t size : sizes) left -= std::clamp<int64_t>(size, 0, left);
  const auto open = std::find(sizes.begin(), sizes.end(), -1);
  if (open != sizes.end()) *open = left;
  const std::vector<ValueId> parts = context.add(
      "Split", {x, context.list(sizes)}, Attributes().with("axis", axis), context.output_count());
  for (size_t i = 0; i < parts.size(); ++i) context.result(i, parts[i]);
}

// PAD with zeros, PADV2 with operand 2.
void pad(Context& context) {
  context.expect_operands(2, 3);
  const ValueId x = context.stored(0);
  const Ends ends = ends_of(context, 1, "paddings", static_cast<size_t>(context.rank(x)));
  context.result(0, padded(context, x, ends, context.has_input(2) ? context.stored(2) : kNoValue));
}

// Each axis gets its own elements around it, read backwards: SYMMETRIC repeats the outermost.
void mirror_pad(Context& context) {
  context.expect_operands(2, 2);
  const schema::MirrorPadMode mode = context.options<schema::MirrorPadOptions>().mode();
  const int64_t outermost = mode == schema::MirrorPadMode_REFLECT ? 1 : 0;
  ValueId x = context.stored(0);
  const Dims dims = context.dims(x);
  const Ends ends = ends_of(context, 1, "paddings", dims.size());
  for (size_t i = 0; i < dims.size(); ++i) {
    const int64_t begin = ends.begin[i];
    const int64_t end = ends.end[i];
    if (std::max(begin, end) > dims[i] - outermost) {
      context.fail("paddings of " + std::to_string(begin) + " and " + std::to_string(end) +
                   " are more than dimension " + std::to_string(i) + " of " + dims_text(dims) +
                   " mirrors");
    }
    if (begin == 0 && end == 0) continue;
    const auto axis = static_cast<int64_t>(i);
    std::vector<ValueId> parts;
    constexpr int64_t kBeforeFirst = std::numeric_limits<int64_t>::min();
    if (begin > 0) {
      const int64_t last = outermost == 1 ? 0 : kBeforeFirst;
      parts.push_back(cut(context, x, axis, {begin + outermost - 1, last, -1}));
    }
    parts.push_back(x);
    if (end > 0) {
      const int64_t first = baked(dims[i], "the ends of a mirrored border") - 1 - outermost;
      const int64_t last = first - end < 0 ? kBeforeFirst : first - end;
      parts.push_back(cut(context, x, axis, {first, last, -1}));
    }
    x = context.add("Concat", parts, Attributes().with("axis", axis));
  }
  context.result(0, x);
}

void tile(Context& context) {
  context.expect_operands(2, 2);
  const ValueId x = context.stored(0);
  context.result(0, context.add("Tile", {x, context.list(context.integers(1, "multiples"))}));
}

void broadcast_to(Context& context) {
  context.expect_operands(2, 2);
  const ValueId x = context.stored(0);
  const Dims dims = context.integers(1, "shape");
  const ValueId y = context.add("Expand", {x, context.list(dims)});
  if (context.dims(y) != dims) {
    context.fail("input " + dims_text(context.dims(x)) + " does not broadcast to " +
                 dims_text(dims));
  }
  context.result(0, y);
}

void reverse(Context& context) {
  context.expect_operands(2, 2);
  ValueId x = context.stored(0);
  for (const int64_t entry : context.integers(1, "axis")) {
    const int64_t axis = context.axis(entry, context.rank(x), "axis");
    x = cut(context, x, axis, {-1, std::numeric_limits<int64_t>::min(), -1});
  }
  context.result(0, x);
}

void reverse_sequence(Context& context) {
  context.expect_operands(2, 2);
  const auto& options = context.options<schema::ReverseSequenceOptions>();
  const ValueId x = context.stored(0);
  const ValueId lengths = context.converted(context.stored(1), DType::kInt64);
  context.result(0, context.add("ReverseSequence", {x, lengths},
                                Attributes()
                                    .with("time_axis", int64_t{options.seq_dim()})
                                    .with("batch_axis", int64_t{options.batch_dim()})));
}

// The first `batch_dims` dims of both operands go together.
void gather(Context& context) {
  context.expect_operands(2, 2);
  const auto& options = context.options<schema::GatherOptions>();
  const ValueId x = context.stored(0);
  const ValueId indices = context.stored(1);
  const int64_t axis = context.axis(options.axis(), context.rank(x), "axis");
  // Below 0 counted from the last dim of the indices.
  const int64_t batches =
      context.axis(options.batch_dims() < 0 ? options.batch_dims() + context.rank(indices)
                                            : options.batch_dims(),
                   context.rank(indices) + 1, "batch_dims");
  if (batches == 0) {
    return context.result(0, context.add("Gather", {x, indices}, Attributes().with("axis", axis)));
  }
  if (batches > axis) {
    context.fail("batch_dims " + std::to_string(batches) + " is beyond axis " +
                 std::to_string(axis));
  }
  // The axis comes right behind the batches, and goes back with the dims of the indices.
  std::vector<int64_t> front(static_cast<size_t>(context.rank(x)));
  std::iota(front.begin(), front.end(), int64_t{0});
  std::rotate(front.begin() + batches, front.begin() + axis, front.begin() + axis + 1);
  Dims index_dims = context.dims(indices);
  index_dims.push_back(1);
  const ValueId rows = context.converted(context.reshaped(indices, index_dims), DType::kInt64);
  const ValueId y = context.add("GatherND", {context.transposed(x, front), rows},
                                Attributes().with("batch_dims", batches));
  if (axis == batches) return context.result(0, y);
  std::vector<int64_t> back(static_cast<size_t>(context.rank(y)));
  std::iota(back.begin(), back.end(), int64_t{0});
  const int64_t looked_up = context.rank(indices) - batches;
  std::rotate(back.begin() + batches, back.begin() + batches + looked_up,
              back.begin() + looked_up + axis);
  context.result(0, context.transposed(y, back));
}

void gather_nd(Context& context) {
  context.expect_operands(2, 2);
  const ValueId x = context.stored(0);
  const ValueId indices = context.converted(context.stored(1), DType::kInt64);
  context.result(0, context.add("GatherND", {x, indices}));
}

// Rows of operand 1 by the numbers of operand 0.
void embedding_lookup(Context& context) {
  context.expect_operands(2, 2);
  const ValueId rows = context.stored(0);
  const bool as_numbers = context.output_tensor(0).dtype == DType::kFloat32;
  const ValueId table = as_numbers ? context.input(1) : context.stored(1);
  context.result(0, context.add("Gather", {table, rows}, Attributes().with("axis", int64_t{0})));
}

// Each index against 0, 1, ... along a new axis. One outside is nowhere.
void one_hot(Context& context) {
  context.expect_operands(4, 4);
  const ValueId indices = context.stored(0);
  const int64_t depth = context.integer(1, "depth");
  if (depth < 0 || depth > INT32_MAX) context.fail("depth is " + std::to_string(depth));
  context.expect_room({static_cast<uint64_t>(depth), 2 * sizeof(int64_t)});
  const int64_t rank = context.rank(indices) + 1;
  const int64_t axis = context.axis(context.options<schema::OneHotOptions>().axis(), rank, "axis");
  Dims index_dims = context.dims(indices);
  index_dims.insert(index_dims.begin() + axis, 1);
  std::vector<int64_t> numbers(static_cast<size_t>(depth));
  std::iota(numbers.begin(), numbers.end(), int64_t{0});
  Dims number_dims(static_cast<size_t>(rank - axis), 1);
  number_dims[0] = depth;
  const ValueId at = context.converted(context.reshaped(indices, index_dims), DType::kInt64);
  const ValueId hot =
      context.add("Equal", {at, context.constant(DType::kInt64, number_dims, numbers)});
  const ValueId on = context.reshaped(context.stored(2), {});
  context.result(0, context.add("Where", {hot, on, context.reshaped(context.stored(3), {})}));
}

namespace {

// Dims [batch, spatial..., rest...] of operand 0, and one block size for each spatial one.
struct Blocks {
  Dims dims;
  std::vector<int64_t> sizes;
  int64_t product = 1;
};

Blocks blocks_of(Context& context) {
  Blocks blocks;
  blocks.dims = context.dims(context.stored(0));
  blocks.sizes = context.integers(1, "block_shape");
  if (blocks.sizes.empty() || blocks.sizes.size() + 1 > blocks.dims.size()) {
    context.fail("block_shape holds " + std::to_string(blocks.sizes.size()) +
                 " numbers for input " + dims_text(blocks.dims));
  }
  for (const int64_t size : blocks.sizes) {
    constexpr int64_t kMost = 1 << 20;
    if (size < 1 || size > kMost || blocks.product * size > kMost) {
      context.fail("block_shape " + dims_text(blocks.sizes) +
                   " is no block of 1 to 1048576 elements");
    }
    blocks.product *= size;
  }
  return blocks;
}

}  // namespace

// Padded, then dims [b, s/B, B, ..., rest] become [B..., b, s/B..., rest].
void space_to_batch(Context& context) {
  context.expect_operands(3, 3);
  const Blocks blocks = blocks_of(context);
  const size_t spatial = blocks.sizes.size();
  Ends ends = ends_of(context, 2, "paddings", spatial);
  for (std::vector<int64_t>* side : {&ends.begin, &ends.end}) {
    side->insert(side->begin(), 0);
    side->resize(blocks.dims.size(), 0);
  }
  const ValueId x = padded(context, context.stored(0), ends, kNoValue);
  const Dims dims = context.dims(x);
  Dims split = {dims[0]};
  std::vector<int64_t> front;
  std::vector<int64_t> back = {0};
  Dims result = {dims[0] * blocks.product};
  for (size_t i = 0; i < spatial; ++i) {
    const int64_t block = blocks.sizes[i];
    if (dims[i + 1] % block != 0) {
      context.fail("padded dims " + dims_text(dims) + " are no whole blocks of " +
                   dims_text(blocks.sizes));
    }
    front.push_back(static_cast<int64_t>(split.size()) + 1);
    back.push_back(static_cast<int64_t>(split.size()));
    split.insert(split.end(), {dims[i + 1] / block, block});
    result.push_back(dims[i + 1] / block);
  }
  for (size_t i = spatial + 1; i < dims.size(); ++i) {
    back.push_back(static_cast<int64_t>(split.size()));
    split.push_back(dims[i]);
    result.push_back(dims[i]);
  }
  front.insert(front.end(), back.begin(), back.end());
  const ValueId moved = context.transposed(context.reshaped(x, split), front);
  context.result(0, context.reshaped(moved, result));
}

// Dims [B..., b, s..., rest] become [b, s, B, ..., rest], then are cropped.
void batch_to_space(Context& context) {
  context.expect_operands(3, 3);
  const Blocks blocks = blocks_of(context);
  const size_t spatial = blocks.sizes.size();
  const Ends crops = ends_of(context, 2, "crops", spatial);
  const Dims& dims = blocks.dims;
  if (dims[0] % blocks.product != 0) {
    context.fail("the batch of input " + dims_text(dims) + " is no multiple of the " +
                 std::to_string(blocks.product) + " elements of a block");
  }
  Dims split = blocks.sizes;
  split.push_back(dims[0] / blocks.product);
  split.insert(split.end(), dims.begin() + 1, dims.end());
  std::vector<int64_t> order = {static_cast<int64_t>(spatial)};
  Dims joined = {dims[0] / blocks.product};
  for (size_t i = 0; i < spatial; ++i) {
    order.push_back(static_cast<int64_t>(spatial + 1 + i));
    order.push_back(static_cast<int64_t>(i));
    joined.push_back(dims[i + 1] * blocks.sizes[i]);
  }
  for (size_t i = spatial + 1; i < dims.size(); ++i) {
    order.push_back(static_cast<int64_t>(spatial + i));
    joined.push_back(dims[i]);
  }
  ValueId y = context.reshaped(context.stored(0), split);
  y = context.reshaped(context.transposed(y, order), joined);
  for (size_t i = 0; i < spatial; ++i) {
    const auto axis = static_cast<int64_t>(i + 1);
    const int64_t last = baked(joined[i + 1], "the ends of a crop") - crops.end[i];
    if (crops.begin[i] >= last) context.fail("crops leave nothing of " + dims_text(joined));
    if (crops.begin[i] == 0 && crops.end[i] == 0) continue;
    y = cut(context, y, axis, {crops.begin[i], last, 1});
  }
  context.result(0, y);
}

}  // namespace arenite::planner::tflite
// SPDX-License-Identifier: Apache-2.0
