// Batched matrix products: form matmul, where invocations share tiles if a device would have too
// little to do side by side.
#include "kernels/shaders/matmul.h"

#include "kernels/dispatch/binary.h"
#include "kernels/dispatch/builder.h"
#include "kernels/dispatch/row_files.h"
#include "kernels/dispatch/slices.h"
#include "kernels/dispatch/weights.h"
#include "kernels/shaders/matmul_split.h"
#include "ops/attributes.h"

namespace arenite {
namespace {

constexpr uint32_t kBatchRankMax = 2;  // what the matrices' strides leave of the push words

struct Matrices {
  Operand a, b, c, y;
  bool has_c, panels;
  bool has_residual;            // beside c: a dispatch behind adds it
  MatMulAttributes attributes;  // without the activation then
  uint32_t rank, rows, columns, depth;
  uint32_t row_strides[4];  // of a, b, c and y
  Loops batch, outer;       // operands in the order above
};

Matrices describe(const Step& step, uint32_t batch_rank_max = kBatchRankMax) {
  Matrices m;
  m.a = input_operand(step, 0);
  m.b = input_operand(step, 1);
  m.attributes = step.attributes<MatMulAttributes>();
  m.has_c = step.has_input(2);
  m.has_residual = step.has_input(kResidualInput);
  m.c = m.has_c ? input_operand(step, 2) : m.a;
  if (m.has_residual && !m.has_c) {
    m.has_residual = false;
    m.has_c = true;
    m.c = input_operand(step, kResidualInput);
    m.attributes.beta = 1;
  }
  if (m.has_residual) m.attributes.activation = {};
  m.y = output_operand(step, 0);
  m.panels = m.b.layout == Layout::kPanel16;
  m.rank = m.y.rank;
  m.rows = m.y.dims[m.rank - 2];
  m.columns = m.y.dims[m.rank - 1];
  m.depth = m.a.dims[m.rank - 1];
  for (uint32_t d = 0; d + 2 < m.rank; ++d) {
    m.batch.add(m.y.dims[d], m.a.strides[d], m.panels ? 0 : m.b.strides[d],
                m.has_c ? m.c.strides[d] : 0, m.y.strides[d]);
  }
  const Operand* const operands[] = {&m.a, &m.b, &m.c, &m.y};
  for (uint32_t i = 0; i < 4; ++i) m.row_strides[i] = operands[i]->strides[m.rank - 2];
  collapse_dims(m.batch, 3);
  split_outer(m.batch, batch_rank_max, m.outer);
  return m;
}

// Whether all matrices of a batch are multiplied by one.
bool shares_b(const Matrices& m) {
  for (uint32_t d = 0; d + 2 < m.rank; ++d) {
    if (!m.panels && m.y.dims[d] != 1 && m.b.strides[d] != 0) return false;
  }
  return true;
}

// The rows of a batch whose matrices are multiplied by one are those of one matrix, if all lie one
// stride apart: so more of them share what is loaded of b.
Matrices describe_tall(const Step& step) {
  Matrices m = describe(step);
  if (!shares_b(m)) return m;
  Loops rows;
  for (uint32_t d = 0; d + 1 < m.rank; ++d) {
    rows.add(m.y.dims[d], m.a.strides[d], 0, m.has_c ? m.c.strides[d] : 0, m.y.strides[d]);
  }
  collapse_dims(rows, 3);
  if (rows.rank != 1) return m;
  m.batch = m.outer = {};
  m.rows = rows.dims[0];
  for (uint32_t i = 0; i < 4; ++i) {
    if (i != 1) m.row_strides[i] = rows.strides[i][0];
  }
  return m;
}

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

Status emit_rest(const Step& step, const Matrices& m, const DispatchSink& sink) {
  if (!m.has_residual) return ok_status();
  return emit_residual(step, step.attributes<MatMulAttributes>().activation, sink);
}

// Operand `index` of a dispatch whose first element is the offset-th.
shaders::MatMul::Matrix matrix_of(const Matrices& m, const Operand& operand, uint32_t index,
                                  uint32_t offset) {
  return {.skip = operand.skip + offset,
          .row = m.row_strides[index],
          .column = operand.strides[m.rank - 1],
          .inner_batch = m.batch.rank > 0 ? m.batch.strides[index][0] : 0u,
          .outer_batch = m.batch.rank > 1 ? m.batch.strides[index][1] : 0u};
}

uint64_t invocations(const Matrices& m, uint32_t rows) {
  const uint64_t quads = (uint64_t{m.columns} + 3) / 4;
  const uint64_t strips = (uint64_t{m.rows} + rows - 1) / rows;
  const uint64_t one = quads * strips;
  return one < kMaxInvocations ? one * m.batch.count() : kMaxInvocations;
}

bool are_matrices(const Step& step) { return output_operand(step, 0).rank >= 2; }

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
  const MatMulAttributes& attributes = m.attributes;
  const Tiles tiles = tiles_of(step.record().choice);
  const bool vectors_a = m.a.groups_of_four(m.rank - 1);
  const bool vectors_b = m.panels ? m.b.skip % 4 == 0 : m.b.groups_of_four(m.rank - 1);
  const bool vectors_y = m.y.groups_of_four(m.rank - 1);
  ARENITE_TRY(for_each_outer(m.outer, [&](const uint32_t* offsets) {
    DispatchBuilder builder(
        shaders::MatMul{.spec = {.rows = tiles.rows,
                                 .activation = attributes.activation.kind,
                                 .has_c = m.has_c,
                                 .panels = m.panels,
                                 .vectors_a = vectors_a,
                                 .vectors_b = vectors_b,
                                 .vectors_y = vectors_y,
                                 .weights = weights_type(m.b),
                                 .slices = 1u << tiles.slices_log},
                        .push = {.count = static_cast<uint32_t>(invocations(m, tiles.rows)),
                                 .rows = m.rows,
                                 .columns = m.columns,
                                 .depth = m.depth,
                                 .inner_batch = m.batch.rank > 0 ? m.batch.dims[0] : 1u,
                                 .a = matrix_of(m, m.a, 0, offsets[0]),
                                 .b = matrix_of(m, m.b, 1, offsets[1]),
                                 .c = matrix_of(m, m.c, 2, offsets[2]),
                                 .y = matrix_of(m, m.y, 3, offsets[3]),
                                 .alpha = attributes.alpha,
                                 .beta = attributes.beta,
                                 .activation_a = attributes.activation.a,
                                 .activation_b = attributes.activation.b}});
    builder.buffer(m.a).buffer(m.b).buffer(m.c).buffer(m.y);
    return builder.run_invocations(sink, invocations(m, tiles.rows) << tiles.slices_log);
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
