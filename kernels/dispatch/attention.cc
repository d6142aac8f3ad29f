// Attention through attention.comp: a group does a query.
#include "kernels/dispatch/builder.h"
#include "kernels/dispatch/rules.h"
#include "ops/attributes.h"

namespace arenite {
namespace {

constexpr uint32_t kBatchDims = kMaxRank - 2;

}  // namespace

bool supports_attention(const Step& step) {
  for (uint32_t i = 0; i < step.input_count(); ++i) {
    if (!is_float(input_operand(step, i))) return false;
  }
  const Operand y = output_operand(step, 0);
  return is_float(y) && y.dims[y.rank - 1] <= kAttentionWidthMax;
}

Status emit_attention(const Step& step, const DispatchSink& sink) {
  const auto attributes = step.attributes<AttentionAttributes>();
  const Operand q = input_operand(step, 0);
  const Operand k = input_operand(step, 1);
  const Operand v = input_operand(step, 2);
  const Operand y = output_operand(step, 0);
  const Operand* const operands[Loops::kOperands] = {&q, &k, &v, &y};
  // A dim of 1 is one matrix for all of y's.
  const auto stride = [&](const Operand& operand, uint32_t d) {
    return operand.dims[d] == 1 ? 0 : operand.strides[d];
  };
  Loops batch;
  for (uint32_t d = 0; d + 2 < y.rank; ++d) {
    batch.add(y.dims[d], stride(q, d), stride(k, d), stride(v, d), y.strides[d]);
  }
  collapse_dims(batch, 0);
  const uint32_t rows = y.rank - 2, columns = y.rank - 1;
  DispatchBuilder builder(Shader::kAttention);
  for (const Operand* operand : operands) builder.buffer(*operand);
  builder.spec(attributes.causal);
  builder.parameter(static_cast<uint32_t>(batch.count() * y.dims[rows])).parameter(y.dims[rows]);
  builder.parameter(k.dims[rows]).parameter(q.dims[columns]).parameter(y.dims[columns]);
  builder.parameter(batch.rank).parameter(attributes.scale);
  builder.parameter(static_cast<uint32_t>(attributes.offset));
  for (const Operand* operand : operands) {
    builder.parameter(operand->skip).parameter(operand->strides[rows]);
    builder.parameter(operand->strides[columns]);
  }
  for (uint32_t d = 0; d < kBatchDims; ++d) {
    builder.parameter(d < batch.rank ? batch.dims[d] : 1);
    for (const uint32_t(&strides)[Loops::kDims] : batch.strides) {
      builder.parameter(d < batch.rank ? strides[d] : 0);
    }
  }
  builder.fill_parameters();
  return builder.run_groups(sink, batch.count() * y.dims[rows]);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
