// Imports the normalizations of com.microsoft: of a sum with what a block of a network skips, of
// embeddings, and of groups of channels that lie last.
#include "planner/graph/names.h"
#include "planner/import/onnx/operators/normalization.h"
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/shapes.h"

namespace arenite::planner {
namespace {

// y = normalized x over its last dim, as output 0, and the outputs that tell how.
void normalize_last(OpContext& context, ValueId x, ValueId scale, ValueId bias,
                    const NormalizeAttributes& attributes) {
  std::vector<ValueId> inputs = {x, scale};
  if (bias != kNoValue) inputs.push_back(bias);
  const Dims dims = context.dims(x);
  for (size_t i = 1; i < inputs.size(); ++i) {
    if (context.dims(inputs[i]) != Dims{dims.back()}) {
      context.fail("expected gamma and beta of " + dim_text(dims.back()) + " elements, found " +
                   dims_text(context.dims(inputs[i])));
    }
  }
  const ValueId y = context.add_output(0, context.dtype(x), dims);
  context.add_node(Op::kNormalize, inputs, {y}, attributes);
}

// `total` plus input i, where there is one.
ValueId plus(OpContext& context, ValueId total, size_t i) {
  if (!context.has_input(i)) return total;
  const ValueId next = context.input(i);
  const ValueId sum = Steps(context).binary(Op::kAdd, total, next);
  if (context.dims(sum) != context.dims(total)) {
    context.fail("input " + std::to_string(i) + " has dims " + dims_text(context.dims(next)) +
                 ", which cannot be repeated over " + dims_text(context.dims(total)));
  }
  return sum;
}

}  // namespace

// input, skip, gamma, beta (of the deviation alone), bias.
void import_skip_layer_normalization(OpContext& context, const LayerKind& kind) {
  const bool deviation = kind.norm == Norm::kDeviation;
  context.expect_operands(3, deviation ? 5 : 4, 4);
  const ValueId x = context.input(0);
  if (context.dims(x).empty()) context.fail("expected an input of rank 1 or more, found a scalar");
  const size_t rank = context.dims(x).size();
  const NormalizeAttributes attributes = {1u << (rank - 1), kind.norm,
                                          context.float_attribute("epsilon", 1e-12f), 0, 0};
  const ValueId sum = plus(context, plus(context, x, 1), deviation ? 4 : 3);
  const ValueId beta = deviation && context.has_input(3) ? context.input(3) : kNoValue;
  normalize_last(context, sum, context.input(2), beta, attributes);
  add_statistics(context, sum, attributes, 1, 2);
  if (context.wants_output(3)) copy_to_output(context, 3, sum);
}

// input_ids, segment_ids, word_embedding, position_embedding, segment_embedding, gamma, beta, mask,
// position_ids.
void import_embed_layer_normalization(OpContext& context) {
  context.expect_operands(1, 9, 3);
  const ValueId ids = context.input(0);
  const Dims dims = context.dims(ids);
  if (dims.size() != 2) context.fail("expected [batch, sequence], found " + dims_text(dims));
  Steps steps(context);
  const auto looked_up = [&](ValueId table, ValueId rows) {
    Dims result = steps.dims(rows);
    if (context.dims(table).size() != 2) {
      context.fail("expected a table of rows, found " + dims_text(context.dims(table)));
    }
    result.push_back(context.dims(table)[1]);
    const ValueId y = context.add_between("embedding", context.dtype(table), result);
    context.add_node(Op::kGather, {table, rows}, {y}, GatherAttributes{0});
    return y;
  };
  const ValueId positions = context.input(3);
  if (!context.has_input(8) &&
      (context.dims(positions).size() != 2 || context.dims(positions)[0] < dims[1])) {
    context.fail("expected positions for " + dim_text(dims[1]) + " places, found " +
                 dims_text(context.dims(positions)));
  }
  const ValueId position = context.has_input(8) ? looked_up(positions, context.input(8))
                                                : steps.slice(positions, 0, 0, dims[1]);
  ValueId sum = steps.binary(Op::kAdd, looked_up(context.input(2), ids), position);
  if (context.has_input(1) && context.has_input(4)) {
    sum = steps.binary(Op::kAdd, sum, looked_up(context.input(4), context.input(1)));
  }
  normalize_last(context, sum, context.input(5), context.input(6),
                 {0b100, Norm::kDeviation, context.float_attribute("epsilon", 1e-12f), 0, 0});
  // Output 1 counts the places of each sequence that the mask leaves.
  context.ignore_attribute("mask_index_type");
  if (context.wants_output(1)) {
    const ValueId y = context.add_output(1, DType::kInt32, {dims[0]});
    if (context.has_input(7)) {
      const ValueId count =
          steps.reduce(Op::kReduceSum, steps.cast(context.input(7), DType::kInt32), {1});
      context.add_node(Op::kReshape, {count}, {y});
    } else {
      context.set_constant(
          y, std::vector<std::byte>(static_cast<size_t>(baked(dims[0], "counts of no places")) *
                                    sizeof(int32_t)));
    }
  }
  if (context.wants_output(2)) copy_to_output(context, 2, sum);
}

// X, gamma, beta; with `skips` also what is added to X before, and a bias.
void import_microsoft_group_norm(OpContext& context, bool skips) {
  context.expect_operands(skips ? 4 : 3, skips ? 5 : 3, skips ? 2 : 1);
  Steps steps(context);
  Groups groups;
  groups.x = context.input(0);
  const Dims dims = steps.dims(groups.x);
  if (dims.size() < 3) context.fail("expected an image, found " + dims_text(dims));
  groups.channels_last = context.flag_attribute("channels_last", true);
  groups.count = context.int_attribute("groups", 0);
  groups.epsilon = context.float_attribute("epsilon", 1e-5f);
  groups.scale = context.input(1);
  groups.bias = context.input(2);
  const bool silu = context.flag_attribute("activation", false);
  const Dim channels = groups.channels_last ? dims.back() : dims[1];
  for (const ValueId vector : {groups.scale, groups.bias}) {
    if (steps.dims(vector) != Dims{channels}) {
      context.fail("expected gamma and beta of " + dim_text(channels) + " elements, found " +
                   dims_text(context.dims(vector)));
    }
  }
  if (skips) {
    ValueId skip = context.input(3);
    const Dims skip_dims = steps.dims(skip);
    // One number a channel of each image.
    if (skip_dims.size() == 2 && groups.channels_last) {
      Dims spread(dims.size(), 1);
      spread.front() = skip_dims[0];
      spread.back() = skip_dims[1];
      skip = steps.reshape(skip, spread);
    }
    groups.x = plus(context, steps.binary(Op::kAdd, groups.x, skip), 4);
    if (context.wants_output(1)) copy_to_output(context, 1, groups.x);
  }
  const ValueId normal = add_groups(context, groups);
  if (!silu) return copy_to_output(context, 0, normal);
  const ValueId y = context.add_output(0, context.dtype(normal), dims);
  context.add_node(Op::kSwish, {normal}, {y}, UnaryAttributes{1.0f, 0.0f});
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
