// Family recurrent: a cell stepped through time. Sums keep their order whatever is done at once:
// bias last, products in the order of the inputs, then of the state.
#include "portable_fallback/shared/recurrent.h"

#include "core/shape.h"
#include "ops/contracts.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/block.h"
#include "portable_fallback/shared/cell_function.h"

namespace arenite {
namespace {

Src<float> as_source(const float* row) {
  return as<float>(static_cast<const std::byte*>(static_cast<const void*>(row)));
}

// A vector that multiplies a matrix: its elements are `step` apart.
struct Row {
  Src<float> at;
  size_t step;
  uint32_t count;
};

// acc[n] += row * weights[..., first + n] of direction d, for `count` columns from `first` on.
void add_product(const Row& row, const Tensor& weights, uint32_t d, uint32_t first, uint32_t count,
                 float* acc) {
  BlockProduct block;
  block.x_k = row.step;
  block.w_k = weights.strides[1];
  block.w_n = weights.strides[2];
  block.k = row.count;
  Src<float> w = weights.read<float>() + size_t{d} * weights.strides[0] + size_t{first} * block.w_n;
  for (uint32_t n = 0; n < count; n += kBlock) {
    block.count = count - n < kBlock ? count - n : kBlock;
    block.full = block.w_n == 1 && block.count == kBlock;
    add_products(block, row.at, w + size_t{n} * block.w_n, acc + n);
  }
}

// The same for several rows of inputs, one of `acc` for each, block by block.
void project_inputs(const Sequence& s, uint32_t time, uint32_t count) {
  const Recurrent& task = s.task;
  for (uint32_t i = 0; i < count * task.gates; ++i) s.ahead[i] = 0.0f;
  for (uint32_t first = 0; first < task.gates; first += kBlock) {
    const uint32_t columns = task.gates - first < kBlock ? task.gates - first : kBlock;
    for (uint32_t i = 0; i < count; ++i) {
      const Row row = {task.x.read<float>() + (time + i) * size_t{task.x.strides[0]} +
                           s.b * size_t{task.x.strides[1]},
                       task.x.strides[2], task.n.inputs};
      add_product(row, task.w, s.d, first, columns, s.ahead + size_t{i} * task.gates + first);
    }
  }
}

void add_state_product(const Sequence& s, const float* state, uint32_t first, uint32_t count,
                       float* acc) {
  add_product({as_source(state), 1, s.task.n.hidden}, s.task.r, s.d, first, count, acc);
}

// Row `i` of a tensor [D, rows * hidden], such as the biases of one gate.
Row row_of(const Sequence& s, const Tensor& tensor, uint32_t i) {
  return {tensor.read<float>() + s.d * size_t{tensor.strides[0]} +
              size_t{i} * s.task.n.hidden * tensor.strides[1],
          tensor.strides[1], s.task.n.hidden};
}

// v[i] += the bias of gate `gate`: of w and r together, or of one of them.
enum class Bias : uint8_t { kBoth, kOfW, kOfR };
void add_bias(const Sequence& s, uint32_t gate, Bias which, float* v) {
  const Recurrent& task = s.task;
  if (task.bias.data == nullptr) return;
  const uint32_t count = task.gates / task.n.hidden;
  const Row of_w = row_of(s, task.bias, gate);
  const Row of_r = row_of(s, task.bias, count + gate);
  for (uint32_t i = 0; i < task.n.hidden; ++i) {
    const float w = of_w.at[i * of_w.step];
    const float r = of_r.at[i * of_r.step];
    v[i] += which == Bias::kBoth ? w + r : which == Bias::kOfW ? w : r;
  }
}

void add_peephole(const Sequence& s, uint32_t gate, const float* cell, float* v) {
  if (s.task.peepholes.data == nullptr) return;
  const Row p = row_of(s, s.task.peepholes, gate);
  for (uint32_t i = 0; i < s.task.n.hidden; ++i) v[i] += float{p.at[i * p.step]} * cell[i];
}

// A NaN stays.
float limited(float x, float bound) {
  const float v = x > bound ? bound : x;
  return v < -bound ? -bound : v;
}

// Function `i` of the cell over hidden units, after clipping.
void apply(const Sequence& s, uint32_t i, float* v) {
  const float bound = s.task.attributes.clip;
  const uint32_t count = s.task.n.hidden;
  if (bound != 0.0f) {
    for (uint32_t k = 0; k < count; ++k) v[k] = limited(v[k], bound);
  }
  apply_cell_function(s.task.function(s.d, i), v, count);
}

// Each makes the next state of `gates`, the products with the inputs, which it uses up.
template <Op kOp>
void step_cell(const Sequence& s, float* gates);

template <>
void step_cell<Op::kRNN>(const Sequence& s, float* gates) {
  const uint32_t hidden = s.task.n.hidden;
  add_state_product(s, s.h, 0, hidden, gates);
  add_bias(s, 0, Bias::kBoth, gates);
  apply(s, 0, gates);
  for (uint32_t i = 0; i < hidden; ++i) s.h[i] = gates[i];
}

template <>
void step_cell<Op::kGRU>(const Sequence& s, float* gates) {
  const uint32_t hidden = s.task.n.hidden;
  float* z = gates;
  float* r = gates + hidden;
  float* next = gates + 2 * size_t{hidden};
  add_state_product(s, s.h, 0, 2 * hidden, gates);
  for (uint32_t gate = 0; gate < 2; ++gate) {
    add_bias(s, gate, Bias::kBoth, gates + size_t{gate} * hidden);
    apply(s, 0, gates + size_t{gate} * hidden);
  }
  if (s.task.attributes.variant == 0) {
    for (uint32_t i = 0; i < hidden; ++i) s.reset[i] = r[i] * s.h[i];
    add_state_product(s, s.reset, 2 * hidden, hidden, next);
    add_bias(s, 2, Bias::kBoth, next);
  } else {
    for (uint32_t i = 0; i < hidden; ++i) s.reset[i] = 0.0f;
    add_state_product(s, s.h, 2 * hidden, hidden, s.reset);
    add_bias(s, 2, Bias::kOfR, s.reset);
    for (uint32_t i = 0; i < hidden; ++i) next[i] += r[i] * s.reset[i];
    add_bias(s, 2, Bias::kOfW, next);
  }
  apply(s, 1, next);
  for (uint32_t i = 0; i < hidden; ++i) s.h[i] = (1.0f - z[i]) * next[i] + z[i] * s.h[i];
}

template <>
void step_cell<Op::kLSTM>(const Sequence& s, float* gates) {
  const uint32_t hidden = s.task.n.hidden;
  float* in = gates;
  float* out = gates + hidden;
  float* forget = gates + 2 * size_t{hidden};
  float* cell = gates + 3 * size_t{hidden};
  add_state_product(s, s.h, 0, 4 * hidden, gates);
  for (uint32_t gate = 0; gate < 4; ++gate) {
    add_bias(s, gate, Bias::kBoth, gates + size_t{gate} * hidden);
  }
  add_peephole(s, 0, s.c, in);
  apply(s, 0, in);
  if (s.task.attributes.variant == 0) {
    add_peephole(s, 2, s.c, forget);
    apply(s, 0, forget);
  } else {
    for (uint32_t i = 0; i < hidden; ++i) forget[i] = 1.0f - in[i];
  }
  apply(s, 1, cell);
  for (uint32_t i = 0; i < hidden; ++i) s.c[i] = forget[i] * s.c[i] + in[i] * cell[i];
  add_peephole(s, 1, s.c, out);
  apply(s, 0, out);
  for (uint32_t i = 0; i < hidden; ++i) s.h[i] = s.c[i];
  apply(s, 2, s.h);
  for (uint32_t i = 0; i < hidden; ++i) s.h[i] = out[i] * s.h[i];
}

struct ReferenceCells : Recurrent {
  // What is made ahead in the scratch is little, and weights in flash are read a quarter as often.
  static constexpr uint32_t kAhead = 4;

  void project(const Sequence& s, uint32_t time, uint32_t count) const {
    project_inputs(s, time, count);
  }
  template <Op kOp>
  void step(const Sequence& s, float* sums) const {
    step_cell<kOp>(s, sums);
  }
};

ScratchNeed recurrent_scratch(const Step& step) {
  return {.thread_bytes = recurrent_bytes<ReferenceCells>(step)};
}

template <Op kOp>
Status run_recurrent(const Step& step, const Platform& platform) {
  ReferenceCells cells = {};
  return run_cells<ReferenceCells, kOp>(step, platform, recurrent_bytes<ReferenceCells>(step),
                                        cells);
}

template <Op kOp>
constexpr Form recurrent_form() {
  return make_form(kOp, 0,
                   {.parallel = true,
                    .alignment = sizeof(float),  // of the scratch too
                    .scratch = recurrent_scratch,
                    .run = run_recurrent<kOp>});
}

}  // namespace

#define ARENITE_OP_recurrent(number, name, Type, set)            \
  constexpr Form k##Type##Form0 = recurrent_form<Op::k##Type>(); \
  ARENITE_FORM_CODE(Type, 0)
#include "schema/ops.def"

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
