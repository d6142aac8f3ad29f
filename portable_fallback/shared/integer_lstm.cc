// Runs the time steps of each sequence in their order; cells and states stay in the scratch.
#include "portable_fallback/shared/integer_lstm.h"

#include "ops/attributes.h"
#include "ops/quantized_lstm.h"
#include "portable_fallback/fast/integer_dot.h"
#include "portable_fallback/shared/integer_rows.h"
#include "portable_fallback/shared/split.h"

namespace arenite {
namespace {

constexpr uint32_t kSizeMax = 1 << 24;  // so that scratch is a number of 32 bits

struct LstmWork {
  IntegerLstm lstm;
  LstmStep* compute;
  Tensor x, h, c;
  OutTensor y, next_h, next_c;
  uint32_t* scratch;
  uint32_t thread_words;

  // At least one, so that states are handed on where there is none.
  uint32_t times() const { return x.dims[0] != 0 ? x.dims[0] : 1; }
};

uint32_t thread_words(uint32_t inputs, uint32_t hidden) {
  return dot_words(inputs) + dot_words(hidden) + (3 * hidden + 3) / 4;
}

LstmMemory memory_of(const LstmWork& work, uint32_t thread) {
  LstmMemory memory = {};
  memory.x = work.scratch + size_t{thread} * work.thread_words;
  memory.h = memory.x + dot_words(work.lstm.inputs);
  void* const cell = memory.h + dot_words(work.lstm.hidden);
  memory.cell = static_cast<int16_t*>(cell);
  memory.state = static_cast<int8_t*>(cell) + 2 * size_t{work.lstm.hidden};
  return memory;
}

void run_time(const LstmWork& work, const LstmMemory& memory, uint32_t b, uint32_t t) {
  const uint32_t hidden = work.lstm.hidden;
  for (uint32_t k = 0; k < hidden && t == 0; ++k) {
    memory.state[k] =
        work.h.read<int8_t>()[b * size_t{work.h.strides[0]} + k * size_t{work.h.strides[1]}];
    memory.cell[k] =
        work.c.read<int16_t>()[b * size_t{work.c.strides[0]} + k * size_t{work.c.strides[1]}];
  }
  if (t < work.x.dims[0]) {
    const uint32_t* const xs = work.x.strides;
    const uint32_t* const ys = work.y.strides;
    work.compute(work.lstm, memory,
                 {work.x.read<int8_t>() + (t * size_t{xs[0]} + b * size_t{xs[1]}), xs[2],
                  work.y.write<int8_t>() + (t * size_t{ys[0]} + b * size_t{ys[1]}), ys[2]});
  }
  if (t + 1 != work.times()) return;
  for (uint32_t k = 0; k < hidden; ++k) {
    work.next_h
        .write<int8_t>()[b * size_t{work.next_h.strides[0]} + k * size_t{work.next_h.strides[1]}] =
        memory.state[k];
    work.next_c
        .write<int16_t>()[b * size_t{work.next_c.strides[0]} + k * size_t{work.next_c.strides[1]}] =
        memory.cell[k];
  }
}

// Items: the time steps of each sequence, which run in their order on one thread.
void time_items(void* argument, uint32_t first, uint32_t last, uint32_t thread) {
  const auto& work = *static_cast<const LstmWork*>(argument);
  const LstmMemory memory = memory_of(work, thread);
  for (uint32_t item = first; item < last; ++item) {
    run_time(work, memory, item / work.times(), item % work.times());
  }
}

void sequence_items(void* argument, uint32_t first, uint32_t last, uint32_t thread) {
  const uint32_t times = static_cast<const LstmWork*>(argument)->times();
  time_items(argument, first * times, last * times, thread);
}

template <typename T>
const T* elements(const Tensor& tensor) {
  return static_cast<const T*>(static_cast<const void*>(tensor.data));
}

IntegerLstm lstm_of(const Step& step) {
  const auto by = step.attributes<QuantizedLstmAttributes>();
  const Tensor w = step.input(kLstmW), r = step.input(kLstmR), bias = step.input(kLstmBias);
  IntegerLstm lstm = {};
  lstm.w = elements<int8_t>(w);
  lstm.r = elements<int8_t>(r);
  lstm.bias = elements<int32_t>(bias);
  lstm.table = elements<uint16_t>(step.input(kLstmTable));
  lstm.w_gate = w.strides[0];
  lstm.w_unit = w.strides[1];
  lstm.r_gate = r.strides[0];
  lstm.r_unit = r.strides[1];
  lstm.bias_gate = bias.strides[0];
  lstm.bias_unit = bias.strides[1];
  lstm.inputs = w.dims[2];
  lstm.hidden = r.dims[2];
  lstm.x_zero_point = by.x_zero_point;
  for (uint32_t g = 0; g < kLstmGates; ++g) {
    lstm.w_factors[g] = {by.w_multipliers[g], by.w_shifts[g]};
    lstm.r_factors[g] = {by.r_multipliers[g], by.r_shifts[g]};
  }
  lstm.kept = {by.cell_multipliers[0], by.cell_shifts[0]};
  lstm.added = {by.cell_multipliers[1], by.cell_shifts[1]};
  lstm.result = {by.h_multiplier, by.h_shift};
  lstm.tanh_multiplier = by.tanh_multiplier;
  lstm.tanh_shift = static_cast<uint32_t>(by.tanh_shift);
  lstm.cell_clip = by.cell_clip;
  lstm.zero_point = by.output.zero_point;
  lstm.low = by.output.low;
  lstm.high = by.output.high;
  return lstm;
}

bool has_dense_rows(const Tensor& w) { return w.strides[2] == 1 && w.dims[2] < kSizeMax; }

}  // namespace

bool takes_integer_lstm(const Step& step) {
  return step.attributes<QuantizedLstmAttributes>().output.rounding == Rounding::kTfliteDouble &&
         has_dense_rows(step.input(kLstmW)) && has_dense_rows(step.input(kLstmR)) &&
         step.input(kLstmTable).strides[0] == 1;
}

ScratchNeed integer_lstm_scratch(const Step& step) {
  return rows_scratch(thread_words(step.input(kLstmW).dims[2], step.input(kLstmR).dims[2]));
}

Status run_integer_lstm(const Step& step, const Platform& platform, LstmStep* compute) {
  LstmWork work = {
      lstm_of(step),  compute,        step.input(kLstmX), step.input(kLstmH), step.input(kLstmC),
      step.output(0), step.output(1), step.output(2),     rows_of(step),      0};
  const uint32_t inputs = work.lstm.inputs, hidden = work.lstm.hidden;
  work.thread_words = thread_words(inputs, hidden);
  const uint32_t batch = work.h.dims[0];
  // A unit takes about as long as so many products beside its own.
  constexpr uint32_t kWorkOfUnit = 160;
  const uint64_t of_unit = uint64_t{kLstmGates} * (inputs + hidden) + kWorkOfUnit;
  const uint64_t all = batch * of_unit * work.x.dims[0] * hidden;
  if (platform.parallel_for != nullptr) {
    split(platform, batch, all, sequence_items, &work);
  } else {
    split(platform, batch * work.times(), all, time_items, &work);
  }
  return ok_status();
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
