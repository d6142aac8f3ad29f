// Describes the inputs of several time steps to a kernel as one matrix product, which starts at the
// bias, and then each time step by itself.
#include "portable_fallback/shared/float_recurrent.h"

#include "portable_fallback/shared/float_work.h"
#include "portable_fallback/shared/math.h"
#include "portable_fallback/shared/recurrent.h"

namespace arenite {
namespace {

static_assert(static_cast<uint32_t>(CellFunctionKind::kHardSigmoid) ==
              static_cast<uint32_t>(FloatCellFunctionKind::kHardSigmoid));

struct FloatCells : Recurrent {
  static constexpr uint32_t kAhead = kCopiedRows;  // a tile of the widest vectors

  void project(const Sequence& s, uint32_t time, uint32_t count) const;
  template <Op kOp>
  void step(const Sequence& s, float* sums) const;

  void add_state(const Sequence& s, const float* state, uint32_t column, uint32_t count,
                 float* sums) const;
  FloatCell cell(const Sequence& s, const float* sums) const;
  // The memory behind the states, with which weights are copied.
  std::byte* copies_of(const Sequence& s) const {
    const uint32_t states = gates == n.hidden ? 1 : 2;  // h alone of rnn
    return static_cast<std::byte*>(static_cast<void*>(s.h + size_t{states} * n.hidden));
  }

  const FloatCellKernel* kernel = nullptr;
};

// The products of `rows` inputs with the weights of a direction.
FloatProducts input_products(const Tensor& x, const Tensor& w, uint32_t rows) {
  const uint32_t depth = w.dims[1];
  FloatProducts p = matrix_products(rows, depth, w.dims[2]);
  p.x_w = x.strides[0];
  p.x_c = x.strides[2];
  set_weights(w, w.strides[2], w.strides[1], depth, p);
  p.y_w = w.dims[2];
  p.y_c = 1;
  return p;
}

// Row `row` of direction d of a tensor [D, rows * hidden], null where it has no data.
const float* row_of(const Recurrent& task, const Tensor& tensor, uint32_t d, uint32_t row) {
  if (tensor.data == nullptr) return nullptr;
  return floats(tensor) + d * size_t{tensor.strides[0]} + size_t{row} * task.n.hidden;
}

void FloatCells::project(const Sequence& s, uint32_t time, uint32_t count) const {
  FloatProducts p = input_products(x, w, count);
  p.x = floats(x) + time * p.x_w + s.b * size_t{x.strides[1]};
  move_weights(p, s.d * size_t{w.strides[0]});
  p.bias = row_of(*this, bias, s.d, 0);
  p.y = s.ahead;
  kernel->add_inputs(with_copies(p, count, copies_of(s)), {0, count, 0, gates});
}

// sums[i] += state * r[..., column + i], for `count` of them.
void FloatCells::add_state(const Sequence& s, const float* state, uint32_t column, uint32_t count,
                           float* sums) const {
  const float* const weights = floats(r) + s.d * size_t{r.strides[0]} + column;
  kernel->add_state({state, weights, sums, r.strides[1], n.hidden, count});
}

FloatCell FloatCells::cell(const Sequence& s, const float* sums) const {
  FloatCell cell = {};
  cell.sums = sums;
  cell.bias = row_of(*this, bias, s.d, gates / n.hidden);
  cell.peepholes = row_of(*this, peepholes, s.d, 0);
  cell.h = s.h;
  cell.c = s.c;
  cell.reset = s.reset;
  cell.hidden = n.hidden;
  cell.clip = attributes.clip != 0.0f ? attributes.clip : kInfinity;
  cell.variant = attributes.variant != 0;
  for (uint32_t i = 0; i < 3; ++i) {
    const CellFunction& f = function(s.d, i);
    cell.functions[i] = {static_cast<FloatCellFunctionKind>(f.kind), f.a, f.b};
  }
  return cell;
}

template <>
void FloatCells::step<Op::kRNN>(const Sequence& s, float* sums) const {
  add_state(s, s.h, 0, gates, sums);
  kernel->step(FloatCellPart::kRnn, cell(s, sums));
}

template <>
void FloatCells::step<Op::kLSTM>(const Sequence& s, float* sums) const {
  add_state(s, s.h, 0, gates, sums);
  kernel->step(FloatCellPart::kLstm, cell(s, sums));
}

template <>
void FloatCells::step<Op::kGRU>(const Sequence& s, float* sums) const {
  const uint32_t last = 2 * n.hidden;
  add_state(s, s.h, 0, last, sums);
  const FloatCell cell = this->cell(s, sums);
  if (cell.variant) {
    for (uint32_t i = 0; i < n.hidden; ++i) s.reset[i] = 0.0f;
    add_state(s, s.h, last, n.hidden, s.reset);
  } else {
    kernel->step(FloatCellPart::kGruReset, cell);
    add_state(s, s.reset, last, n.hidden, sums + last);
  }
  kernel->step(FloatCellPart::kGru, cell);
}

uint32_t thread_bytes(const Step& step) {
  const uint32_t rows = rows_ahead<FloatCells>(recurrent_sizes(step));
  const FloatProducts p = input_products(step.input(kX), step.input(kW), rows);
  return recurrent_bytes<FloatCells>(step) + copied_bytes(p, rows);
}

bool has_neighbors(const Step& step, uint32_t input) {
  if (!step.has_input(input)) return true;
  const Tensor tensor = step.input(input);
  const uint32_t last = tensor.rank() - 1;
  return tensor.dims[last] == 1 || tensor.strides[last] == 1;
}

}  // namespace

bool takes_float_recurrent(const Step& step) {
  for (const RecurrentInput input : {kW, kR, kBias}) {
    if (!has_neighbors(step, input)) return false;
  }
  if (step.op() == Op::kLSTM && !has_neighbors(step, kPeepholes)) return false;
  const auto attributes = step.attributes<RecurrentAttributes>();
  for (uint32_t d = 0; d < recurrent_sizes(step).directions; ++d) {
    for (uint32_t i = 0; i < functions_of(step.op()); ++i) {
      if (attributes.functions[3 * d + i].kind > CellFunctionKind::kHardSigmoid) return false;
    }
  }
  return true;
}

ScratchNeed float_recurrent_scratch(const Step& step) {
  return {.thread_bytes = thread_bytes(step)};
}

Status run_float_recurrent(const Step& step, const Platform& platform,
                           const FloatCellKernel& kernel) {
  FloatCells task;
  task.kernel = &kernel;
  const uint32_t bytes = thread_bytes(step);
  switch (step.op()) {
    case Op::kLSTM:
      return run_cells<FloatCells, Op::kLSTM>(step, platform, bytes, task);
    case Op::kGRU:
      return run_cells<FloatCells, Op::kGRU>(step, platform, bytes, task);
    default:
      return run_cells<FloatCells, Op::kRNN>(step, platform, bytes, task);
  }
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
