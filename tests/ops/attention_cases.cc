// Cases of attention: batch dims that repeat, odd sizes, more keys than a block, causal ones.
#include <cmath>
#include <limits>

#include "tests/ops/cases.h"
#include "tests/ops/oracle.h"

namespace arenite::ops_test {
namespace {

OpCase attention(const char* name, Operand q, Operand k, Operand v,
                 AttentionAttributes attributes = {0.5f, 0, 0}) {
  OpCase c;
  c.name = name;
  c.tolerance = 1e-5;
  c.attributes = words(attributes);
  Operand y = tensor(q.dims);
  y.dims.back() = v.dims.back();
  c.inputs = {ranged(std::move(q), -2, 2), ranged(std::move(k), -2, 2), std::move(v)};
  c.outputs = {std::move(y)};
  return c;
}

OpCase with_output_order(OpCase c, std::vector<uint32_t> order) {
  c.outputs[0] = ordered(c.outputs[0], std::move(order));
  return c;
}

OpCase holding(OpCase c, std::vector<Number> values) {
  c.inputs[0].values = std::move(values);
  return c;
}

}  // namespace

std::vector<OpCase> attention_cases() {
  constexpr Number kHuge = 3e38L;
  const Operand heads = tensor({2, 3, 5, 8});
  return {
      attention("matrix", tensor({4, 6}), tensor({7, 6}), tensor({7, 5})),
      attention("heads", heads, heads, heads),
      // Projections give heads in the order [N, L, H, D].
      with_output_order(attention("heads_inside", ordered(heads, {0, 2, 1, 3}),
                                  ordered(heads, {0, 2, 1, 3}), ordered(heads, {0, 2, 1, 3})),
                        {0, 2, 1, 3}),
      attention("keys_transposed", heads, ordered(heads, {0, 1, 3, 2}), heads),
      attention("one_key_head", heads, tensor({2, 1, 9, 8}), tensor({2, 1, 9, 6})),
      attention("groups_of_heads", tensor({2, 2, 3, 4, 5}), tensor({2, 2, 1, 6, 5}),
                tensor({2, 2, 1, 6, 7})),
      attention("many_keys", tensor({2, 3, 17}), tensor({2, 131, 17}), tensor({2, 131, 9})),
      attention("wide_values", tensor({3, 4}), tensor({6, 4}), tensor({6, 256})),
      attention("wider_values", tensor({3, 4}), tensor({6, 4}), tensor({6, 257})),
      attention("rank_8", tensor({1, 2, 1, 1, 2, 1, 3, 4}), tensor({1, 2, 1, 1, 1, 1, 5, 4}),
                tensor({1, 1, 1, 1, 2, 1, 5, 3})),
      attention("repeated_batch", repeated(heads, 0b01), heads, repeated(heads, 0b11)),
      attention("causal", tensor({2, 70, 5}), tensor({2, 70, 5}), tensor({2, 70, 5}), {0.4f, 1, 0}),
      attention("causal_behind", tensor({3, 5}), tensor({8, 5}), tensor({8, 4}), {1, 1, 5}),
      attention("causal_none_seen", tensor({3, 5}), tensor({4, 5}), tensor({4, 4}), {1, 1, -2}),
      attention("scale", tensor({4, 6}), tensor({7, 6}), tensor({7, 5}), {-3, 0, 0}),
      attention("falling_scores", tensor({4, 6}), tensor({77, 6}), tensor({77, 5}), {9, 0, 0}),
      holding(
          attention("infinite_scores", tensor({2, 1}), tensor({3, 1}), tensor({3, 2}), {9, 0, 0}),
          {kHuge, 1}),
      attention("one_query", tensor({1, 64}), tensor({33, 64}), tensor({33, 64})),
      attention("no_keys", tensor({2, 3}), tensor({0, 3}), tensor({0, 4})),
      attention("no_depth", tensor({2, 0}), tensor({3, 0}), tensor({3, 4})),
      attention("no_queries", tensor({0, 3}), tensor({5, 3}), tensor({5, 4})),
      attention("no_width", tensor({2, 3}), tensor({5, 3}), tensor({5, 0})),
      // These reach the edges of the forms with vectors: blocks of queries that are not of the same
      // number, more keys than products added at once, panels of keys and values that are not full.
      attention("blocks_of_queries", tensor({131, 24}), tensor({21, 24}), tensor({21, 48})),
      attention("keys_by_chunks", tensor({2, 9, 40}), tensor({2, 300, 40}), tensor({2, 300, 33})),
      attention("causal_blocks", tensor({2, 150, 7}), tensor({2, 170, 7}), tensor({2, 170, 16}),
                {0.4f, 1, 20}),
      attention("causal_from_none", tensor({100, 6}), tensor({90, 6}), tensor({90, 5}),
                {0.7f, 1, -10}),
      attention("keys_in_columns", tensor({2, 30, 20}), ordered(tensor({2, 48, 20}), {0, 2, 1}),
                ordered(tensor({2, 48, 32}), {0, 2, 1})),
      with_output_order(
          attention("results_in_columns", tensor({70, 12}), tensor({35, 12}), tensor({35, 20})),
          {1, 0}),
      attention("large", tensor({2, 2, 40, 16}), tensor({2, 2, 40, 16}), tensor({2, 2, 40, 16})),
  };
}

std::vector<Numbers> attention_oracle(const OpCase& c, const std::vector<Numbers>& inputs) {
  const auto a = attributes_of<AttentionAttributes>(c);
  const Numbers &q = inputs[0], &k = inputs[1], &v = inputs[2];
  Numbers y = blank_output(c, 0);
  const size_t rank = y.dims.size();
  const uint32_t keys = k.dims[rank - 2], depth = k.dims[rank - 1];
  Index place(rank);
  const auto element = [&](const Numbers& from, const Index& index, uint32_t row, uint32_t column) {
    for (size_t d = 0; d + 2 < rank; ++d) place[d] = from.dims[d] == 1 ? 0 : index[d];
    place[rank - 2] = row;
    place[rank - 1] = column;
    return at(from, place);
  };
  for (uint64_t p = 0; p < y.values.size(); ++p) {
    const Index index = index_of(y.dims, p);
    const uint32_t row = index[rank - 2];
    std::vector<Number> scores(keys, -std::numeric_limits<Number>::infinity());
    Number most = -std::numeric_limits<Number>::infinity();
    for (uint32_t j = 0; j < keys; ++j) {
      if (a.causal != 0 && int64_t{j} > int64_t{row} + a.offset) continue;
      Number sum = 0;
      for (uint32_t d = 0; d < depth; ++d)
        sum += element(q, index, row, d) * element(k, index, j, d);
      // A score is a float: it may be infinite.
      scores[j] =
          nearest(DType::kFloat32, static_cast<Number>(a.scale) * nearest(DType::kFloat32, sum));
      most = std::fmax(most, scores[j]);
    }
    Number sum = 0, result = 0;
    for (uint32_t j = 0; j < keys; ++j) {
      const Number share = std::exp(scores[j] - most);
      sum += share;
      result += share * element(v, index, j, index[rank - 1]);
    }
    y.values[p] = keys == 0 ? 0 : result / sum;
  }
  return {y};
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
