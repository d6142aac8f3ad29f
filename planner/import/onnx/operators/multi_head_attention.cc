// Imports Attention, MultiHeadAttention and QAttention of com.microsoft.
#include "planner/graph/names.h"
#include "planner/import/onnx/operators/attention.h"
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/scaled_numbers.h"
#include "planner/import/onnx/operators/shapes.h"

namespace arenite::planner {
namespace {

// Reads the attributes about scores that both operators have.
void read_attributes(OpContext& context, Attention& a) {
  if (context.find_attribute("scale") != nullptr) {
    const float scale = context.float_attribute("scale", 0);
    if (scale != 0) a.scale = scale;
  }
  a.causal = context.flag_attribute("unidirectional", false);
}

// Input `i`, a mask of keys: which of [N, K] or [N, L, K] count, or how many of each sequence.
void read_mask(OpContext& context, size_t i, const Dim& keys, Attention& a) {
  const double out = double{context.float_attribute("mask_filter_value", -10000.0f)};
  if (!context.has_input(i)) return;
  Steps steps(context);
  ValueId mask = context.input(i);
  const Dims dims = steps.dims(mask);
  const Dim batch = context.dims(a.q)[0];
  if (dims == Dims{batch}) {
    const ValueId count = steps.reshape(steps.cast(mask, DType::kInt32), {batch, 1, 1, 1});
    mask = steps.compare(Op::kLess, steps.cast(steps.counting({keys}), DType::kInt32), count);
  } else if (dims.size() == 2 && dims[0] == batch && dims[1] == keys) {
    mask = steps.reshape(mask, {batch, 1, 1, keys});
  } else if (dims.size() == 3 && dims[0] == batch && dims[2] == keys) {
    mask = steps.reshape(mask, {batch, 1, dims[1], keys});
  } else {
    context.unsupported("a mask " + dims_text(dims) +
                            " is not supported, expected one number a sequence, [N, keys] or "
                            "[N, queries, keys]",
                        "one of these, or attention_bias");
  }
  a.biases.push_back(mask_bias(context, mask, out));
}

// Part `i` of `count` along an axis of that many, which goes.
struct Part {
  uint32_t axis;
  int64_t count, i;
};
ValueId part_of(OpContext& context, ValueId x, const Part& part) {
  Steps steps(context);
  Dims dims = steps.dims(x);
  const auto [axis, count, i] = part;
  if (dims.size() != 5 || dims[axis] != count) {
    context.fail("expected five dims, " + std::to_string(count) + " at axis " +
                 std::to_string(axis) + ", found " + dims_text(dims));
  }
  dims.erase(dims.begin() + axis);
  return steps.reshape(steps.slice(x, axis, i, 1), dims);
}

int64_t read_heads(OpContext& context) {
  const int64_t heads = context.int_attribute("num_heads", 0);
  if (heads < 1) context.fail_attribute("num_heads", "is missing or below 1");
  return heads;
}

}  // namespace

// query, key, value, bias, key_padding_mask, attention_bias, past_key, past_value.
void import_multi_head_attention(OpContext& context) {
  context.expect_operands(1, 8, 3);
  Steps steps(context);
  const int64_t heads = read_heads(context);
  Attention a;
  read_attributes(context, a);
  const ValueId query = context.input(0);
  const Dims dims = steps.dims(query);
  if (dims.size() != 3 && dims.size() != 5) {
    context.fail("expected a query [N, length, hidden] or [N, length, heads, 3, size], found " +
                 dims_text(dims));
  }
  if (dims.size() == 5) {
    // [N, L, heads, 3, size]: all three in one.
    if (context.has_input(1) || context.has_input(2) || context.has_input(3)) {
      context.unsupported("a packed query with keys, values or bias is not supported",
                          "query, key and value apart");
    }
    const auto third = [&](int64_t i) {
      return steps.transpose(part_of(context, query, {3, 3, i}), {0, 2, 1, 3});
    };
    a.q = third(0);
    a.k = third(1);
    a.v = third(2);
  } else {
    const ValueId key = context.input(1);
    ValueId bias[3] = {kNoValue, kNoValue, kNoValue};
    const bool packed = context.dims(key).size() == 5;
    if (context.has_input(3)) {
      const ValueId all = context.input(3);
      if (packed)
        context.unsupported("packed keys with a bias are not supported", "key and value apart");
      const Dim size = dims.back();
      if (context.dims(all).size() != 1 || context.dims(all)[0] < 2 * size) {
        context.fail("expected a bias of all hidden sizes, found " + dims_text(context.dims(all)));
      }
      bias[0] = steps.slice(all, 0, 0, size);
      bias[1] = steps.slice(all, 0, size, size);
      bias[2] = steps.slice(all, 0, 2 * size, context.dims(all)[0] - 2 * size);
    }
    const auto heads_of = [&](ValueId x, ValueId b) {
      if (context.dims(x).size() == 4) return x;  // of a cross attention: split already
      return split_heads(context, b == kNoValue ? x : steps.binary(Op::kAdd, x, b), heads);
    };
    a.q = heads_of(query, bias[0]);
    if (packed) {
      a.k = steps.transpose(part_of(context, key, {3, 2, 0}), {0, 2, 1, 3});
      a.v = steps.transpose(part_of(context, key, {3, 2, 1}), {0, 2, 1, 3});
    } else {
      a.k = heads_of(key, bias[1]);
      a.v = heads_of(context.input(2), bias[2]);
    }
  }
  if (context.has_input(6) && context.has_input(7)) {
    a.k = behind_past(context, 6, a.k);
    a.v = behind_past(context, 7, a.v);
  }
  // All have four dims now.
  const Dim keys = context.dims(a.k)[2];
  a.past = keys - context.dims(a.q)[2];
  read_mask(context, 4, keys, a);
  if (context.has_input(5)) a.biases.push_back(context.input(5));
  copy_to_output(context, 0, join_heads(context, add_attention(context, a)));
  if (context.wants_output(1)) copy_to_output(context, 1, a.k);
  if (context.wants_output(2)) copy_to_output(context, 2, a.v);
}

namespace {

void refuse_flag(OpContext& context, const char* name, const char* what, const char* instead) {
  if (context.flag_attribute(name, false)) {
    context.unsupported_attribute(name, std::string("1 (") + what + ") is not supported", instead);
  }
}

// Operands of operators that project an input to queries, keys and values themselves.
struct Projected {
  ValueId x = kNoValue, weights = kNoValue;  // numbers: [N, length, size], [size, hidden sizes]
  size_t mask, past;                         // inputs, behind the bias that is input 2
  std::optional<size_t> bias;                // of the scores
};

void attend(OpContext& context, const Projected& given) {
  Steps steps(context);
  const int64_t heads = read_heads(context);
  refuse_flag(context, "do_rotary", "rotary embedding", "RotaryEmbedding before it");
  Attention a;
  read_attributes(context, a);
  const Dims dims = steps.dims(given.x), w = steps.dims(given.weights);
  if (dims.size() != 3 || w.size() != 2 || w[0] != dims[2]) {
    context.fail("expected an input [N, length, size] and weights [size, 3 * hidden], found " +
                 dims_text(dims) + " and " + dims_text(w));
  }
  Dims sizes(3, w[1] / 3);
  if (const auto said = context.ints_attribute("qkv_hidden_sizes")) sizes = *said;
  if (sizes.size() != 3 || sizes[0] < 1 || sizes[1] < 1 || sizes[2] < 1 ||
      sizes[0] + sizes[1] + sizes[2] != w[1]) {
    context.fail("expected hidden sizes of " + dim_text(w[1]) + " in all, found " +
                 dims_text(sizes));
  }
  ValueId projected = steps.matmul(given.x, given.weights);
  if (context.has_input(2)) projected = steps.binary(Op::kAdd, projected, context.input(2));
  const auto third = [&](const Dim& start, const Dim& size) {
    return split_heads(context, steps.slice(projected, 2, start, size), heads);
  };
  a.q = third(0, sizes[0]);
  a.k = third(sizes[0], sizes[1]);
  a.v = third(sizes[0] + sizes[1], sizes[2]);
  if (context.has_input(given.past)) {
    const ValueId past = context.input(given.past);
    const auto behind = [&](int64_t i, ValueId more) {
      const ValueId before = part_of(context, past, {0, 2, i});
      Dims found = context.dims(before);
      found[2] = context.dims(more)[2];
      if (found != context.dims(more)) {
        context.fail("expected a past as " + dims_text(context.dims(more)) +
                     " but for the length, found " + dims_text(context.dims(before)));
      }
      return steps.concat({before, more}, 2);
    };
    a.k = behind(0, a.k);
    a.v = behind(1, a.v);
  }
  const Dim keys = context.dims(a.k)[2];
  a.past = keys - dims[1];
  read_mask(context, given.mask, keys, a);
  if (given.bias && context.has_input(*given.bias)) a.biases.push_back(context.input(*given.bias));
  copy_to_output(context, 0, join_heads(context, add_attention(context, a)));
  if (!context.wants_output(1)) return;
  const auto above = [&](ValueId part) {
    Dims with = steps.dims(part);
    with.insert(with.begin(), 1);
    return steps.reshape(part, with);
  };
  copy_to_output(context, 1, steps.concat({above(a.k), above(a.v)}, 0));
}

}  // namespace

// input, weights, bias, mask_index, past, attention_bias.
void import_microsoft_attention(OpContext& context) {
  context.expect_operands(2, 6, 2);
  attend(context,
         {.x = context.input(0), .weights = context.input(1), .mask = 3, .past = 4, .bias = 5});
}

// input, weights, bias, their scales, mask_index, their zero points, past: the projection of
// integers, the rest of numbers.
void import_qattention(OpContext& context) {
  context.expect_operands(5, 9, 2);
  refuse_flag(context, "past_present_share_buffer", "past and present in one buffer",
              "a past of the length that it has");
  const ScaledIntegers scaled_x = read_scaled(context, {0, 3, 6});
  const ScaledIntegers scaled_weights = read_scaled(context, {1, 4, 7}, {1});
  const ValueId x = dequantized(context, scaled_x);
  const ValueId weights = dequantized(context, scaled_weights);
  attend(context, {.x = x, .weights = weights, .mask = 5, .past = 8, .bias = std::nullopt});
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
