// Attention: a group does a query or four, or with tiles in shared memory 32.
#include "kernels/shaders/attention.h"

#include "kernels/dispatch/builder.h"
#include "kernels/dispatch/row_files.h"
#include "kernels/shaders/attention_tile.h"
#include "ops/attributes.h"

namespace arenite {
namespace {

// Fewer groups of four queries leave a large GPU idle; each reads k and v once for all of them.
constexpr uint64_t kManyGroups = 1024;

// Choice 1 is four queries a group.
uint32_t rows_each(const Step& step) { return step.record().choice == 0 ? 1 : 4; }

uint64_t count_groups(const Step& step, uint32_t rows) {
  const Operand y = output_operand(step, 0);
  const uint64_t queries = y.dims[y.rank - 2];
  uint64_t batches = 1;
  for (uint32_t d = 0; d + 2 < y.rank; ++d) batches *= y.dims[d];
  return batches * ((queries + rows - 1) / rows);
}

uint32_t choose_attention(const Step& step, const Capabilities&) {
  return count_groups(step, 4) >= kManyGroups ? 1 : 0;
}

bool accepts_attention(const Step& step) {
  const Operand y = output_operand(step, 0);
  return y.dims[y.rank - 1] <= kAttentionWidthMax;
}

shaders::AttentionParameters parameters_of(const Step& step, uint64_t groups) {
  const auto attributes = step.attributes<AttentionAttributes>();
  const Operand q = input_operand(step, 0);
  const Operand k = input_operand(step, 1);
  const Operand v = input_operand(step, 2);
  const Operand y = output_operand(step, 0);
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
  const auto matrix = [&](const Operand& operand) {
    return shaders::AttentionMatrix{.skip = operand.skip,
                                    .row_stride = operand.strides[rows],
                                    .column_stride = operand.strides[columns]};
  };
  const auto dim = [&](uint32_t d) {
    const auto strides = [&](uint32_t i) { return d < batch.rank ? batch.strides[i][d] : 0u; };
    return shaders::AttentionBatch{.dim = d < batch.rank ? batch.dims[d] : 1u, .strides = strides};
  };
  return {.groups = static_cast<uint32_t>(groups),
          .rows = y.dims[rows],
          .keys = k.dims[rows],
          .depth = q.dims[columns],
          .width = y.dims[columns],
          .batch_rank = batch.rank,
          .scale = attributes.scale,
          .offset = attributes.offset,
          .matrices = {matrix(q), matrix(k), matrix(v), matrix(y)},
          .batch = {dim(0), dim(1), dim(2), dim(3), dim(4), dim(5)}};
}

Status run_attention(const Step& step, DispatchBuilder& builder, uint64_t groups,
                     const DispatchSink& sink) {
  builder.buffer(input_operand(step, 0)).buffer(input_operand(step, 1));
  builder.buffer(input_operand(step, 2)).buffer(output_operand(step, 0));
  return builder.run_groups(sink, groups);
}

Status emit_attention(const Step& step, const DispatchSink& sink) {
  const auto attributes = step.attributes<AttentionAttributes>();
  const Operand q = input_operand(step, 0), k = input_operand(step, 1);
  const uint64_t groups = count_groups(step, rows_each(step));
  DispatchBuilder builder(shaders::Attention{
      .spec = {.causal = attributes.causal,
               .vectors = q.groups_of_four(q.rank - 1) && k.groups_of_four(k.rank - 1),
               .rows_each = rows_each(step)},
      .parameters = parameters_of(step, groups)});
  return run_attention(step, builder, groups, sink);
}

// The sizes of a group that brings what it reads into shared memory.
constexpr uint32_t kTileQueries = 32, kTileWidthMax = 64;
// With fewer groups or keys more of them read for themselves: on an H200 12 heads of 577 queries,
// 228 groups, take 97 us instead of 339.
constexpr uint64_t kTileGroupsMin = 96;
constexpr uint32_t kTileKeysMin = 64;

bool accepts_attention_tile(const Step& step) {
  const Operand y = output_operand(step, 0);
  const uint32_t columns = y.rank - 1;
  return step.attributes<AttentionAttributes>().causal == 0 && y.dims[columns] <= kTileWidthMax &&
         y.groups_of_four(columns) && input_operand(step, 0).groups_of_four(columns) &&
         input_operand(step, 1).groups_of_four(columns) &&
         input_operand(step, 2).groups_of_four(columns);
}

uint32_t choose_attention_tile(const Step& step, const Capabilities&) {
  const Operand k = input_operand(step, 1);
  const bool many = count_groups(step, kTileQueries) >= kTileGroupsMin;
  return many && k.dims[k.rank - 2] >= kTileKeysMin ? 0 : kNotSuitable;
}

Status emit_attention_tile(const Step& step, const DispatchSink& sink) {
  const uint64_t groups = count_groups(step, kTileQueries);
  DispatchBuilder builder(shaders::AttentionTile{.parameters = parameters_of(step, groups)});
  return run_attention(step, builder, groups, sink);
}

constexpr DispatchRow kRows[] = {
    {.form = 1,
     .shader = Shader::kAttentionTile,
     .types = types::kFloat32,
     .accepts = accepts_attention_tile,
     .emit = emit_attention_tile,
     .choose = choose_attention_tile},
    {.form = 0,
     .shader = Shader::kAttention,
     .types = types::kFloat32,
     .accepts = accepts_attention,
     .emit = emit_attention,
     .choices = 2,
     .choose = choose_attention},
};

}  // namespace

std::span<const DispatchRow> attention_rows(Op) { return kRows; }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
