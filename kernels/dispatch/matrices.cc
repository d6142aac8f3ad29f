// Tells which strides of the operands are rows, columns and batches.
#include "kernels/dispatch/matrices.h"

#include "kernels/dispatch/binary.h"

namespace arenite {
namespace {

// Whether all matrices of a batch are multiplied by one.
bool shares_b(const Matrices& m) {
  for (uint32_t d = 0; d + 2 < m.rank; ++d) {
    if (!m.panels && m.y.dims[d] != 1 && m.b.strides[d] != 0) return false;
  }
  return true;
}

// Operand `index` of a dispatch whose first element is the offset-th.
shaders::Matrix matrix_of(const Matrices& m, const Operand& operand, uint32_t index,
                          uint32_t offset) {
  return {.skip = operand.skip + offset,
          .row = m.row_strides[index],
          .column = operand.strides[m.rank - 1],
          .inner_batch = m.batch.rank > 0 ? m.batch.strides[index][0] : 0u,
          .outer_batch = m.batch.rank > 1 ? m.batch.strides[index][1] : 0u};
}

}  // namespace

bool are_matrices(const Step& step) { return output_operand(step, 0).rank >= 2; }

Matrices describe(const Step& step, uint32_t batch_rank_max) {
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

bool has_vectors_of_b(const Matrices& m) {
  return m.panels ? m.b.skip % 4 == 0 : m.b.groups_of_four(m.rank - 1);
}

shaders::MatMulPush push_of(const Matrices& m, uint64_t count, const uint32_t* offsets) {
  return {.count = static_cast<uint32_t>(count),
          .rows = m.rows,
          .columns = m.columns,
          .depth = m.depth,
          .inner_batch = m.batch.rank > 0 ? m.batch.dims[0] : 1u,
          .a = matrix_of(m, m.a, 0, offsets[0]),
          .b = matrix_of(m, m.b, 1, offsets[1]),
          .c = matrix_of(m, m.c, 2, offsets[2]),
          .y = matrix_of(m, m.y, 3, offsets[3]),
          .alpha = m.attributes.alpha,
          .beta = m.attributes.beta,
          .activation_a = m.attributes.activation.a,
          .activation_b = m.attributes.activation.b};
}

Status emit_rest(const Step& step, const Matrices& m, const DispatchSink& sink) {
  if (!m.has_residual) return ok_status();
  return emit_residual(step, step.attributes<MatMulAttributes>().activation, sink);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
