// Batched matrix products, through matmul.comp.
#include "kernels/dispatch/builder.h"
#include "kernels/dispatch/rules.h"
#include "ops/attributes.h"

namespace arenite {
namespace {

constexpr uint32_t kBatchRankMax = 2;  // what the matrices' strides leave of the push words

struct Matrices {
  Operand a, b, c, y;
  bool has_c, panels;
  uint32_t rank, rows, columns, depth;
  Loops batch, outer;  // operands in the order above
};

Matrices describe(const Step& step) {
  Matrices m;
  m.a = input_operand(step, 0);
  m.b = input_operand(step, 1);
  m.has_c = step.has_input(2);
  m.c = m.has_c ? input_operand(step, 2) : m.a;
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
  collapse_dims(m.batch, 3);
  split_outer(m.batch, kBatchRankMax, m.outer);
  return m;
}

// The rows an invocation computes; the choice is their logarithm.
uint32_t rows_of_choice(const Step& step) { return 1u << step.record().choice; }

void push_matrix(DispatchBuilder& builder, const Matrices& m, const Operand& operand,
                 uint32_t index, uint32_t offset) {
  builder.push(operand.skip + offset);
  builder.push(operand.strides[m.rank - 2]).push(operand.strides[m.rank - 1]);
  builder.push(m.batch.rank > 0 ? m.batch.strides[index][0] : 0u);
  builder.push(m.batch.rank > 1 ? m.batch.strides[index][1] : 0u);
}

uint64_t invocations(const Matrices& m, uint32_t rows) {
  const uint64_t quads = (uint64_t{m.columns} + 3) / 4;
  const uint64_t strips = (uint64_t{m.rows} + rows - 1) / rows;
  const uint64_t one = quads * strips;
  return one < kMaxInvocations ? one * m.batch.count() : kMaxInvocations;
}

}  // namespace

bool supports_matmul(const Step& step) {
  for (uint32_t i = 0; i < step.input_count(); ++i) {
    if (step.has_input(i) && !is_float(input_operand(step, i))) return false;
  }
  const Operand y = output_operand(step, 0);
  if (!is_float(y) || y.rank < 2) return false;
  if (y.count() == 0) return true;
  const Matrices m = describe(step);
  return m.outer.count() <= kMaxStepDispatches &&
         invocations(m, rows_of_choice(step)) < kMaxInvocations;
}

uint32_t choose_matmul(const Step& step, const Capabilities&) {
  const uint32_t rows = describe(step).rows;
  if (rows >= 4) return 2;
  return rows >= 2 ? 1 : 0;
}

Status emit_matmul(const Step& step, const DispatchSink& sink) {
  const Matrices m = describe(step);
  const auto attributes = step.attributes<MatMulAttributes>();
  const uint32_t rows = rows_of_choice(step);
  const bool vectors_a = m.a.groups_of_four(m.rank - 1);
  const bool vectors_b = m.panels ? m.b.skip % 4 == 0 : m.b.groups_of_four(m.rank - 1);
  const bool vectors_y = m.y.groups_of_four(m.rank - 1);
  return for_each_outer(m.outer, [&](const uint32_t* offsets) {
    DispatchBuilder builder(Shader::kMatMul);
    builder.buffer(m.a).buffer(m.b).buffer(m.c).buffer(m.y);
    builder.spec(rows).spec(static_cast<uint32_t>(attributes.activation.kind)).spec(m.has_c);
    builder.spec(m.panels).spec(vectors_a).spec(vectors_b).spec(vectors_y);
    builder.push(static_cast<uint32_t>(invocations(m, rows)));
    builder.push(m.rows).push(m.columns).push(m.depth);
    builder.push(m.batch.rank > 0 ? m.batch.dims[0] : 1u);
    push_matrix(builder, m, m.a, 0, offsets[0]);
    push_matrix(builder, m, m.b, 1, offsets[1]);
    push_matrix(builder, m, m.c, 2, offsets[2]);
    push_matrix(builder, m, m.y, 3, offsets[3]);
    builder.push(attributes.alpha).push(attributes.beta);
    builder.push(attributes.activation.a).push(attributes.activation.b);
    return builder.run_invocations(sink, invocations(m, rows));
  });
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
