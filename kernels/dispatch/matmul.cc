// Batched matrix products: form matmul, where invocations share tiles if a device would have too
// little to do side by side.
#include "kernels/shaders/matmul.h"

#include "kernels/dispatch/matmul_tile.h"
#include "kernels/dispatch/matrices.h"
#include "kernels/dispatch/row_files.h"
#include "kernels/dispatch/slices.h"
#include "kernels/dispatch/weights.h"
#include "kernels/shaders/matmul_split.h"
#include "ops/attributes.h"

namespace arenite {
namespace {

// A step's choice says this of its tiles: it is 3 * slices_log + the logarithm of rows.
struct Tiles {
  uint32_t rows;  // an invocation computes
  uint32_t slices_log;
};
constexpr uint32_t kTileChoices = 3 * (kSlicesLogMax + 1);

Tiles tiles_of(uint32_t choice) { return {.rows = 1u << choice % 3, .slices_log = choice / 3}; }

uint32_t choose_matmul_rows(const Matrices& m) {
  if (m.rows >= 4) return 2;
  return m.rows >= 2 ? 1 : 0;
}

uint64_t invocations(const Matrices& m, uint32_t rows) {
  const uint64_t quads = (uint64_t{m.columns} + 3) / 4;
  const uint64_t strips = (uint64_t{m.rows} + rows - 1) / rows;
  const uint64_t one = quads * strips;
  return one < kMaxInvocations ? one * m.batch.count() : kMaxInvocations;
}

bool accepts_matmul(const Step& step) {
  if (!are_matrices(step)) return false;
  const Operand y = output_operand(step, 0);
  if (y.count() == 0) return true;
  const Matrices m = describe_tall(step);
  const Tiles tiles = tiles_of(step.record().choice);
  return m.outer.count() <= kMaxStepDispatches &&
         invocations(m, tiles.rows) < kMaxInvocations >> tiles.slices_log;
}

uint32_t choose_matmul(const Step& step, const Capabilities&) {
  const Matrices m = describe_tall(step);
  const uint32_t rows_log = choose_matmul_rows(m);
  const uint64_t loads = (uint64_t{m.depth} + 3) / 4;
  return rows_log + 3 * choose_slices(invocations(m, 1u << rows_log), loads, 1);
}

Status emit_matmul(const Step& step, const DispatchSink& sink) {
  const Matrices m = describe_tall(step);
  const Tiles tiles = tiles_of(step.record().choice);
  const uint64_t count = invocations(m, tiles.rows);
  ARENITE_TRY(for_each_outer(m.outer, [&](const uint32_t* offsets) {
    DispatchBuilder builder(shaders::MatMul{.spec = {.rows = tiles.rows,
                                                     .activation = m.attributes.activation.kind,
                                                     .has_c = m.has_c,
                                                     .panels = m.panels,
                                                     .vectors_a = m.a.groups_of_four(m.rank - 1),
                                                     .vectors_b = has_vectors_of_b(m),
                                                     .vectors_y = m.y.groups_of_four(m.rank - 1),
                                                     .weights = weights_type(m.b),
                                                     .slices = 1u << tiles.slices_log},
                                            .push = push_of(m, count, offsets)});
    builder.buffer(m.a).buffer(m.b).buffer(m.c).buffer(m.y);
    return builder.run_invocations(sink, count << tiles.slices_log);
  }));
  return emit_rest(step, m, sink);
}

constexpr uint32_t kSplitChoices = 5;  // 2, 4, ... 32 parts

uint32_t parts_of_choice(const Step& step) { return 2u << step.record().choice; }

// The parts are whole groups of four k; the last ones may be empty.
uint32_t part_depth(const Matrices& m, uint32_t parts) {
  const uint64_t depth = (uint64_t{m.depth} + parts - 1) / parts;
  return static_cast<uint32_t>((depth + 3) / 4 * 4);
}

// Invocations of the second pass, and vectors of four that a part leaves in the scratch.
uint64_t split_results(const Matrices& m) { return invocations(m, 1); }

struct SplitPass {
  bool add_parts;
  Operand left, right, result;
};

Status emit_split_pass(const Step& step, const Matrices& m, const SplitPass& pass,
                       const DispatchSink& sink) {
  constexpr uint32_t kBatchDims = kMaxRank - 2;
  const MatMulAttributes& attributes = m.attributes;
  const uint32_t parts = parts_of_choice(step);
  const auto matrix = [&](const Operand& operand) {
    return shaders::MatMulSplit::Matrix{.skip = operand.skip,
                                        .row_stride = operand.strides[m.rank - 2],
                                        .column_stride = operand.strides[m.rank - 1]};
  };
  const auto batch_stride = [&](uint32_t i) {
    const uint32_t operand = i / kBatchDims, d = i % kBatchDims;
    return d < m.batch.rank ? m.batch.strides[operand][d] : 0u;
  };
  DispatchBuilder builder(shaders::MatMulSplit{
      .spec = {.add_parts = pass.add_parts,
               .activation = attributes.activation.kind,
               .has_c = m.has_c,
               .panels = m.panels,
               .vectors_a = m.a.groups_of_four(m.rank - 1),
               .vectors_b = m.panels ? m.b.skip % 4 == 0 : m.b.groups_of_four(m.rank - 1),
               .weights = weights_type(m.b)},
      .parameters = {.rows = m.rows,
                     .columns = m.columns,
                     .depth = m.depth,
                     .parts = parts,
                     .part_depth = part_depth(m, parts),
                     .batches = static_cast<uint32_t>(m.batch.count()),
                     .batch_rank = m.batch.rank,
                     .alpha = attributes.alpha,
                     .beta = attributes.beta,
                     .activation_a = attributes.activation.a,
                     .activation_b = attributes.activation.b,
                     .matrices = {matrix(m.a), matrix(m.b), matrix(m.c), matrix(m.y)},
                     .batch_dims = shaders::dims_of(m.batch),
                     .batch_strides = batch_stride}});
  builder.buffer(pass.left).buffer(pass.right).buffer(pass.result);
  return builder.run_invocations(sink, split_results(m) * (pass.add_parts ? 1 : parts));
}

bool accepts_matmul_split(const Step& step) {
  if (!are_matrices(step) || output_operand(step, 0).count() == 0) return false;
  const Matrices m = describe(step, kMaxRank);
  const uint32_t parts = parts_of_choice(step);
  return m.depth >= parts && split_results(m) < kMaxInvocations / 64 &&
         split_results(m) * parts < kMaxInvocations / 16;
}

// Programs of before tiles had slices name this form; two dispatches for a product take longer than
// one that shares tiles: 64x1024 times 1024x256 16 us instead of 8 on an H200.
uint32_t choose_matmul_split(const Step&, const Capabilities&) { return kNotSuitable; }

uint64_t scratch_bytes_of_matmul_split(const Step& step) {
  return split_results(describe(step, kMaxRank)) * parts_of_choice(step) * 4 * sizeof(float);
}

Status emit_matmul_split(const Step& step, const DispatchSink& sink) {
  const Matrices m = describe(step, kMaxRank);
  const Operand scratch = scratch_operand(step);
  ARENITE_TRY(emit_split_pass(step, m, {false, m.a, m.b, scratch}, sink));
  ARENITE_TRY(emit_split_pass(step, m, {true, scratch, m.c, m.y}, sink));
  return emit_rest(step, m, sink);
}

constexpr DispatchRow kRows[] = {
    {.form = 2,
     .shader = Shader::kMatMulTile,
     .types = types::kFloat32,
     .accepts = accepts_matmul_tile,
     .emit = emit_matmul_tile,
     .choices = kMatMulTileChoices,
     .choose = choose_matmul_tile,
     .scratch_bytes = scratch_bytes_of_matmul_tile},
    {.form = 1,
     .shader = Shader::kMatMulSplit,
     .types = types::kFloat32,
     .accepts = accepts_matmul_split,
     .emit = emit_matmul_split,
     .choices = kSplitChoices,
     .choose = choose_matmul_split,
     .scratch_bytes = scratch_bytes_of_matmul_split},
    {.form = 0,
     .shader = Shader::kMatMul,
     .types = types::kFloat32,
     .accepts = accepts_matmul,
     .emit = emit_matmul,
     .choices = kTileChoices,
     .choose = choose_matmul},
};

}  // namespace

std::span<const DispatchRow> matmul_rows(Op) { return kRows; }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
