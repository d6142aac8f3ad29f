// The contract of attention: queries, keys and values, whose batch dims may repeat.
#include "ops/check.h"
#include "ops/contracts.h"

namespace arenite {
namespace {

constexpr uint8_t kInputs = 3;

// The dims of input `i`: batch dims of y or 1, then `rows` and `columns`.
Status check_matrices(const Step& step, uint32_t i, uint32_t rows, uint32_t columns) {
  const OutTensor y = step.output(0);
  const Tensor x = step.input(i);
  bool good = x.rank() == y.rank();
  for (uint32_t d = 0; good && d + 2 < y.rank(); ++d) {
    good = x.dims[d] == y.dims[d] || x.dims[d] == 1;
  }
  good = good && x.dims[y.rank() - 2] == rows && x.dims[y.rank() - 1] == columns && matrix_fits(x);
  return good ? ok_status() : input_error(step, Code::kBadShape, i);
}

Status check_attention(const Step& step) {
  const OutTensor y = step.output(0);
  const uint32_t rank = y.rank();
  if (rank < 2) return output_error(step, Code::kBadShape);
  const Tensor k = step.input(1);
  if (k.rank() != rank) return input_error(step, Code::kBadShape, 1);
  const uint32_t keys = k.dims[rank - 2], depth = k.dims[rank - 1];
  ARENITE_TRY(check_matrices(step, 0, y.dims[rank - 2], depth));
  ARENITE_TRY(check_matrices(step, 1, keys, depth));
  ARENITE_TRY(check_matrices(step, 2, keys, y.dims[rank - 1]));
  const auto attributes = step.attributes<AttentionAttributes>();
  return attributes.causal <= 1 ? ok_status() : error(Code::kBadAttribute);
}

}  // namespace

constexpr Contract kAttentionContract = {
    .op = Op::kAttention,
    .max_inputs = kInputs,
    .min_inputs = kInputs,
    .attribute_words = words_of<AttentionAttributes>(),
    .work = Work::kKeys,
    .types = kAttentionTypes,
    .check = check_attention,
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
