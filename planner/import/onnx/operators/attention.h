// Scaled dot product attention in steps, for the operators of ONNX and of com.microsoft. The passes
// join what needs no scores at run time (planner/passes/fuse_attention.cc).
#pragma once

#include <optional>

#include "planner/import/onnx/operators/steps.h"

namespace arenite::planner {

struct Attention {
  ValueId q = kNoValue, k = kNoValue, v = kNoValue;  // [N, heads, length, size]; k and v may have
                                                     // a divisor of q's heads
  std::vector<ValueId> biases;  // added to the scores, dims that repeat over [N, heads, L, K]
  std::optional<float> scale;   // 1 / sqrt(size) where it is not said
  float softcap = 0;            // 0: none
  bool causal = false;
  Dim past = 0;  // keys before the first query's own, of causal ones
};

// Intermediate results of attention, [N, heads, L, K].
struct Scores {
  ValueId plain, biased, capped, shares;
};

// [N, heads, L, size of v]. Refuses dims that do not agree.
ValueId add_attention(OpContext& context, const Attention& attention, Scores* scores = nullptr);

// [N, L, heads * size] as [N, heads, L, size], and back; refused where the heads do not divide it.
ValueId split_heads(OpContext& context, ValueId x, int64_t heads);
ValueId join_heads(OpContext& context, ValueId x);

// Input `i` [N, heads, past, size] and `x` behind it, along the lengths.
ValueId behind_past(OpContext& context, size_t i, ValueId x);

// The number that a mask adds to scores: 0 where the mask is true or not 0, else `out`.
ValueId mask_bias(OpContext& context, ValueId mask, double out);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
