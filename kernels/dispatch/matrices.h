// Matrix products as their shaders see them.
#pragma once

#include "kernels/dispatch/builder.h"
#include "kernels/shaders/shared/matrices.h"
#include "ops/attributes.h"

namespace arenite {

inline constexpr uint32_t kBatchRankMax = 2;  // what the matrices' strides leave of the push words

struct Matrices {
  Operand a, b, c, y;
  bool has_c, panels;
  bool has_residual;            // beside c: a dispatch behind adds it
  MatMulAttributes attributes;  // without the activation then
  uint32_t rank, rows, columns, depth;
  uint32_t row_strides[4];  // of a, b, c and y
  Loops batch, outer;       // operands in the order above
};

bool are_matrices(const Step& step);
Matrices describe(const Step& step, uint32_t batch_rank_max = kBatchRankMax);
// The rows of a batch whose matrices are multiplied by one are those of one matrix, if all lie one
// stride apart: so more of them share what is loaded of b.
Matrices describe_tall(const Step& step);

// Whether four columns of a row of b are an aligned vector.
bool has_vectors_of_b(const Matrices& m);
// The words of a dispatch of `count` invocations or groups, whose operands begin `offsets` further.
shaders::MatMulPush push_of(const Matrices& m, uint64_t count, const uint32_t* offsets);
// Adds the residual that stands beside c, in a dispatch of its own.
Status emit_rest(const Step& step, const Matrices& m, const DispatchSink& sink);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
