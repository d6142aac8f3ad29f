// Steps recurrent cells through time, for all forms of family recurrent: the products with the
// inputs are made for a few steps at once, so that their weights are read once for all of these;
// those with the state follow step by step.
//
// A form brings its cells, derived from Recurrent:
//   kAhead                        steps whose inputs are multiplied at once
//   project(s, time, count)       makes rows s.ahead of the products with the inputs from a time on
//   step<op>(s, gates)            makes the next state of such a row, which it uses up
#pragma once

#include <cstddef>
#include <initializer_list>

#include "core/form.h"
#include "core/step.h"
#include "ops/recurrent.h"
#include "portable_fallback/shared/split.h"

namespace arenite {

struct Recurrent {
  RecurrentSizes n;
  RecurrentAttributes attributes;
  Tensor x, w, r, bias, lengths, initial_h, initial_c, peepholes;  // without data where absent
  OutTensor outputs[3];
  uint32_t gates;   // of all hidden units
  uint32_t groups;  // of time steps, at least one
  std::byte* scratch;
  uint32_t thread_bytes;

  bool reverse(uint32_t d) const { return attributes.direction == 1 || d == 1; }
  const CellFunction& function(uint32_t d, uint32_t i) const {
    return attributes.functions[3 * d + i];
  }
  // Lengths were looked at before; what another master writes meanwhile leads nowhere else.
  uint32_t length(uint32_t b) const {
    if (lengths.data == nullptr) return n.steps;
    const int32_t given = lengths.read<int32_t>()[b * size_t{lengths.strides[0]}];
    return given < 0                                ? 0
           : static_cast<uint32_t>(given) > n.steps ? n.steps
                                                    : static_cast<uint32_t>(given);
  }
};

// One sequence in one direction, and the rows of floats of its state.
struct Sequence {
  const Recurrent& task;
  uint32_t d, b;
  float* ahead;  // [rows_ahead()][gates]
  float *h, *c;  // [hidden]
  float* reset;  // [hidden], of gru
};

// A row of the state from or to [D, B, H]; zeros from nothing.
inline void load_state(const Sequence& s, const Tensor& from, float* to) {
  const uint32_t hidden = s.task.n.hidden;
  if (from.data == nullptr) {
    for (uint32_t i = 0; i < hidden; ++i) to[i] = 0.0f;
    return;
  }
  Src<float> row =
      from.read<float>() + s.d * size_t{from.strides[0]} + s.b * size_t{from.strides[1]};
  for (uint32_t i = 0; i < hidden; ++i) to[i] = row[i * size_t{from.strides[2]}];
}

inline void store_state(const Sequence& s, const OutTensor& to, const float* from) {
  if (to.out == nullptr) return;
  Dst<float> row = to.write<float>() + s.d * size_t{to.strides[0]} + s.b * size_t{to.strides[1]};
  for (uint32_t i = 0; i < s.task.n.hidden; ++i) row[i * size_t{to.strides[2]}] = from[i];
}

// Stores time step `time` of y; zeros for a null row.
inline void store_output(const Sequence& s, uint32_t time, const float* from) {
  const OutTensor& y = s.task.outputs[kY];
  if (y.out == nullptr) return;
  Dst<float> row = y.write<float>() + time * size_t{y.strides[0]} + s.d * size_t{y.strides[1]} +
                   s.b * size_t{y.strides[2]};
  for (uint32_t i = 0; i < s.task.n.hidden; ++i) {
    row[i * size_t{y.strides[3]}] = from == nullptr ? 0.0f : from[i];
  }
}

// Computes the time steps [first, first + kAhead) of a sequence; the states stay in the scratch.
template <typename Cells, Op kOp>
void run_times(const Cells& cells, const Sequence& s, uint32_t first) {
  constexpr uint32_t kAhead = Cells::kAhead;
  if (first == 0) {
    load_state(s, cells.initial_h, s.h);
    if constexpr (kOp == Op::kLSTM) load_state(s, cells.initial_c, s.c);
  }
  const uint32_t length = cells.length(s.b);
  if (first < length) {
    const uint32_t count = length - first < kAhead ? length - first : kAhead;
    const bool reverse = cells.reverse(s.d);
    const uint32_t earliest = reverse ? length - first - count : first;
    cells.project(s, earliest, count);
    for (uint32_t i = 0; i < count; ++i) {
      const uint32_t row = reverse ? count - 1 - i : i;
      cells.template step<kOp>(s, s.ahead + size_t{row} * cells.gates);
      store_output(s, earliest + row, s.h);
    }
  }
  if (cells.n.steps - first > kAhead) return;
  for (uint32_t time = length; time < cells.n.steps; ++time) store_output(s, time, nullptr);
  store_state(s, cells.outputs[kYH], s.h);
  if constexpr (kOp == Op::kLSTM) store_state(s, cells.outputs[kYC], s.c);
}

// The time steps whose inputs are multiplied at once: a model that hears sound step by step has
// one.
template <typename Cells>
uint32_t rows_ahead(const RecurrentSizes& n) {
  return n.steps < Cells::kAhead ? n.steps : Cells::kAhead;
}

// Items: the groups of time steps of each sequence in each direction. Those of a sequence run in
// their order on one thread.
template <typename Cells, Op kOp>
void recurrent_time_items(void* argument, uint32_t first, uint32_t last, uint32_t thread) {
  const auto& cells = *static_cast<const Cells*>(argument);
  std::byte* const memory = cells.scratch + size_t{thread} * cells.thread_bytes;
  auto* const rows = static_cast<float*>(static_cast<void*>(memory));
  float* const states = rows + size_t{rows_ahead<Cells>(cells.n)} * cells.gates;
  const uint32_t hidden = cells.n.hidden;
  for (uint32_t item = first; item < last; ++item) {
    const uint32_t of = item / cells.groups;
    const Sequence sequence = {cells,  of / cells.n.batch, of % cells.n.batch, rows,
                               states, states + hidden,    states + hidden};
    run_times<Cells, kOp>(cells, sequence, item % cells.groups * Cells::kAhead);
  }
}

// Items: each sequence in each direction.
template <typename Cells, Op kOp>
void recurrent_items(void* argument, uint32_t first, uint32_t last, uint32_t thread) {
  const uint32_t groups = static_cast<const Cells*>(argument)->groups;
  recurrent_time_items<Cells, kOp>(argument, first * groups, last * groups, thread);
}

// A thread's scratch: rows of gates, h, and c of lstm or the reset part of gru.
template <typename Cells>
uint32_t recurrent_bytes(const Step& step) {
  const RecurrentSizes n = recurrent_sizes(step);
  const uint32_t rows =
      rows_ahead<Cells>(n) * gates_of(step.op()) + (step.op() == Op::kRNN ? 1 : 2);
  return rows * n.hidden * static_cast<uint32_t>(sizeof(float));
}

inline Status check_lengths(const Step& step, const Recurrent& task) {
  if (task.lengths.data == nullptr) return ok_status();
  for (uint32_t b = 0; b < task.n.batch; ++b) {
    const int32_t length = task.lengths.read<int32_t>()[b * size_t{task.lengths.strides[0]}];
    if (length < 0 || static_cast<uint32_t>(length) > task.n.steps) {
      return {Code::kIndexOutOfRange, step.index(), step.input_value(kLengths)};
    }
  }
  return ok_status();
}

// Runs cells whose form has filled in what is its own; `thread_bytes` of its scratch.
template <typename Cells, Op kOp>
Status run_cells(const Step& step, const Platform& platform, uint32_t thread_bytes, Cells& cells) {
  cells.n = recurrent_sizes(step);
  cells.attributes = step.attributes<RecurrentAttributes>();
  cells.gates = cells.n.hidden * gates_of(kOp);
  Tensor* const inputs[] = {&cells.x,       &cells.w,         &cells.r,         &cells.bias,
                            &cells.lengths, &cells.initial_h, &cells.initial_c, &cells.peepholes};
  for (uint32_t i = 0; i < 8; ++i) {
    if (step.has_input(i)) *inputs[i] = step.input(i);
  }
  for (const RecurrentOutput output : {kY, kYH, kYC}) {
    const uint32_t place = place_of_output(cells.attributes.outputs, output);
    if (place != kNoIndex) cells.outputs[output] = step.output(place);
  }
  ARENITE_TRY(check_lengths(step, cells));
  cells.scratch = step.scratch().out;
  cells.thread_bytes = thread_bytes;
  const uint64_t sums = uint64_t{cells.n.steps} * cells.n.batch * cells.n.directions * cells.gates;
  cells.groups = (cells.n.steps + Cells::kAhead - 1) / Cells::kAhead;
  if (cells.groups == 0) cells.groups = 1;
  const uint64_t work = sums * (cells.n.inputs + cells.n.hidden);
  const uint32_t sequences = cells.n.directions * cells.n.batch;
  if (platform.parallel_for != nullptr) {
    split(platform, sequences, work, recurrent_items<Cells, kOp>, &cells);
  } else {
    split(platform, sequences * cells.groups, work, recurrent_time_items<Cells, kOp>, &cells);
  }
  return ok_status();
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
