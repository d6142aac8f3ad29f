// Imports Attention of opsets 23 and 24, and has what it shares with those of com.microsoft.
#include "planner/import/onnx/operators/attention.h"

#include <cmath>
#include <limits>

#include "planner/graph/names.h"
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/shapes.h"

namespace arenite::planner {
namespace {

// The queries' heads as groups that share one of k and v.
struct Grouping {
  Dim shared = 0, each = 1;
};

Grouping grouping_of(OpContext& context, const Attention& a) {
  const Dims q = context.dims(a.q), k = context.dims(a.k), v = context.dims(a.v);
  const bool ranks = q.size() == 4 && k.size() == 4 && v.size() == 4;
  const bool good = ranks && k[0] == q[0] && v[0] == q[0] && k[3] == q[3] && v[1] == k[1] &&
                    v[2] == k[2] && k[1] != 0 && q[1] % k[1] == 0;
  if (!good) {
    context.fail("expected queries, keys and values [N, heads, length, size] that agree, found " +
                 dims_text(q) + ", " + dims_text(k) + " and " + dims_text(v));
  }
  return {k[1], q[1] / k[1]};
}

// -infinity for keys behind a query's own.
ValueId causal_bias(Steps& steps, const Dim& queries_of, const Dim& keys_of, const Dim& past_of) {
  const char* const why = "a causal mask";
  const int64_t queries = baked(queries_of, why), keys = baked(keys_of, why);
  const int64_t past = baked(past_of, why);
  steps.expect_room(
      {static_cast<uint64_t>(queries), static_cast<uint64_t>(keys), 2 * sizeof(float)});
  std::vector<float> elements;
  elements.reserve(static_cast<size_t>(queries * keys));
  for (int64_t i = 0; i < queries; ++i) {
    for (int64_t j = 0; j < keys; ++j) {
      elements.push_back(j > i + past ? -std::numeric_limits<float>::infinity() : 0.0f);
    }
  }
  return steps.constant({queries, keys}, elements);
}

}  // namespace

ValueId add_attention(OpContext& context, const Attention& a, Scores* scores) {
  Steps steps(context);
  const Grouping groups = grouping_of(context, a);
  const Dims q = steps.dims(a.q), k = steps.dims(a.k), v = steps.dims(a.v);
  const Dims all = {q[0], q[1], q[2], k[2]};
  // With groups, all values have a dim more: of the heads that share.
  const bool grouped{groups.each != 1};
  const auto apart = [&](ValueId x, bool of_queries) {
    Dims dims = steps.dims(x);
    if (!grouped) return x;
    dims[1] = groups.shared;
    dims.insert(dims.begin() + 2, of_queries ? groups.each : Dim(1));
    return steps.reshape(x, dims);
  };
  const auto joined = [&](ValueId x) {
    Dims dims = steps.dims(x);
    if (!grouped) return x;
    dims.erase(dims.begin() + 2);
    dims[1] = q[1];
    return steps.reshape(x, dims);
  };
  const auto usual = [&] {
    return 1.0f / std::sqrt(static_cast<float>(baked(q[3], "the scale of scores")));
  };
  const float scale = a.scale ? *a.scale : usual();
  const std::vector<uint32_t> swap =
      grouped ? std::vector<uint32_t>{0, 1, 2, 4, 3} : std::vector<uint32_t>{0, 1, 3, 2};
  ValueId s = steps.matmul(apart(a.q, true), steps.transpose(apart(a.k, false), swap), scale);
  if (scores != nullptr) scores->plain = joined(s);
  const auto add = [&](ValueId bias) {
    Dims dims = steps.dims(bias);
    if (broadcast_dims(context, context.dims(bias), {all.begin(), all.end()}) != all) {
      context.fail("a mask " + dims_text(dims) + " cannot be repeated over " + dims_text(all));
    }
    if (grouped && dims.size() >= 3) {
      const auto head = dims.end() - 3;
      const bool one{*head == 1};
      *head = one ? Dim(1) : groups.shared;
      dims.insert(head + 1, one ? Dim(1) : groups.each);
      bias = steps.reshape(bias, dims);
    }
    s = steps.binary(Op::kAdd, s, bias);
  };
  for (const ValueId bias : a.biases) add(bias);
  if (a.causal) add(causal_bias(steps, q[2], k[2], a.past));
  if (scores != nullptr) scores->biased = joined(s);
  if (a.softcap != 0) {
    const ValueId cap = steps.scalar(steps.dtype(s), double{a.softcap});
    s = steps.binary(Op::kMul, steps.unary(Op::kTanh, steps.binary(Op::kDiv, s, cap)), cap);
  }
  if (scores != nullptr) scores->capped = joined(s);
  s = steps.softmax(s, 1u << (steps.dims(s).size() - 1));
  if (scores != nullptr) scores->shares = joined(s);
  return joined(steps.matmul(s, apart(a.v, false)));
}

ValueId split_heads(OpContext& context, ValueId x, int64_t heads) {
  Steps steps(context);
  const Dims dims = steps.dims(x);
  if (dims.size() != 3 || heads < 1 || dims[2] % heads != 0) {
    context.fail("expected [N, length, hidden] for " + std::to_string(heads) + " heads, found " +
                 dims_text(dims));
  }
  return steps.transpose(steps.reshape(x, {dims[0], dims[1], heads, dims[2] / heads}),
                         {0, 2, 1, 3});
}

ValueId join_heads(OpContext& context, ValueId x) {
  Steps steps(context);
  const Dims dims = steps.dims(x);
  return steps.reshape(steps.transpose(x, {0, 2, 1, 3}), {dims[0], dims[2], dims[1] * dims[3]});
}

ValueId behind_past(OpContext& context, size_t i, ValueId x) {
  const ValueId past = context.input(i);
  Dims dims = context.dims(past);
  const Dims like = context.dims(x);
  if (dims.size() == 4 && like.size() == 4) dims[2] = like[2];
  if (dims.size() != 4 || dims != like || context.dtype(past) != context.dtype(x)) {
    context.fail("input " + std::to_string(i) + " has dims " + dims_text(context.dims(past)) +
                 ", expected those of " + dims_text(like) + " but for the length");
  }
  return Steps(context).concat({past, x}, 2);
}

ValueId mask_bias(OpContext& context, ValueId mask, double out) {
  Steps steps(context);
  const ValueId in = steps.cast(mask, DType::kBool);
  return steps.where(in, steps.scalar(DType::kFloat32, 0), steps.scalar(DType::kFloat32, out));
}

namespace {

// Refuses the padding of opset 24: a number of keys that count for each item of the batch, and
// masks of the first keys alone.
void refuse_padding(OpContext& context, ValueId k) {
  if (context.opset() < 24) return;
  if (context.has_input(6)) {
    context.unsupported("input 6, 'nonpad_kv_seqlen', of Attention since opset 24 is not supported",
                        "a mask");
  }
  if (!context.has_input(3)) return;
  const Dims mask = context.dims(context.input(3)), keys = context.dims(k);
  if (mask.empty() || keys.size() != 4 || mask.back() == keys[2]) return;
  context.unsupported("a mask " + dims_text(mask) + " for " + dim_text(keys[2]) +
                          " keys, which Attention since opset 24 pads, is not supported",
                      "a mask of all keys");
}

}  // namespace

// Q, K, V, mask, past key, past value -> Y, present key, present value, scores.
void import_attention(OpContext& context) {
  context.expect_operands(3, context.opset() >= 24 ? 7 : 6, 4);
  const bool flat = context.dims(context.input(0)).size() == 3;
  const int64_t q_heads = context.int_attribute("q_num_heads", 0);
  const int64_t kv_heads = context.int_attribute("kv_num_heads", 0);
  context.ignore_attribute("softmax_precision");  // ours is float32
  Attention a;
  a.q = flat ? split_heads(context, context.input(0), q_heads) : context.input(0);
  a.k = flat ? split_heads(context, context.input(1), kv_heads) : context.input(1);
  a.v = flat ? split_heads(context, context.input(2), kv_heads) : context.input(2);
  if (context.has_input(4) != context.has_input(5)) {
    context.fail("expected both a past key and a past value, or none");
  }
  if (context.has_input(4)) {
    const ValueId k = behind_past(context, 4, a.k);
    a.past = context.dims(k)[2] - context.dims(a.k)[2];
    a.k = k;
    a.v = behind_past(context, 5, a.v);
  }
  refuse_padding(context, a.k);
  if (context.has_input(3)) {
    const ValueId mask = context.input(3);
    const bool bools = context.dtype(mask) == DType::kBool;
    a.biases.push_back(bools ? mask_bias(context, mask, -std::numeric_limits<double>::infinity())
                             : mask);
  }
  if (context.find_attribute("scale") != nullptr) {
    a.scale = context.float_attribute("scale", 0);
  }
  a.softcap = context.float_attribute("softcap", 0);
  a.causal = context.flag_attribute("is_causal", false);
  const int64_t mode = context.int_attribute("qk_matmul_output_mode", 0);
  Scores scores{};
  const ValueId y = add_attention(context, a, context.wants_output(3) ? &scores : nullptr);
  copy_to_output(context, 0, flat ? join_heads(context, y) : y);
  if (context.wants_output(1)) copy_to_output(context, 1, a.k);
  if (context.wants_output(2)) copy_to_output(context, 2, a.v);
  if (!context.wants_output(3)) return;
  const ValueId by_mode[] = {scores.plain, scores.biased, scores.capped, scores.shares};
  if (mode < 0 || mode > 3) {
    context.fail_attribute("qk_matmul_output_mode",
                           "is " + std::to_string(mode) + ", expected 0 to 3");
  }
  copy_to_output(context, 3, by_mode[mode]);
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
