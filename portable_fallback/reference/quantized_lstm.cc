// quantized_lstm: the cell of TensorFlow Lite's reference kernels for microcontrollers, bit for
// bit.
#include "ops/quantized_lstm.h"

#include "ops/attributes.h"
#include "ops/contracts.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/modular.h"
#include "portable_fallback/shared/requantization.h"
#include "portable_fallback/shared/split.h"

namespace arenite {
namespace {

struct Lstm {
  Tensor x, w, r, bias, h, c, table;
  OutTensor y, next_h, next_c;
  QuantizedLstmAttributes by;
  std::byte* scratch;
  uint32_t thread_bytes;

  uint32_t hidden() const { return h.dims[1]; }
  // At least one, so that states are handed on where there is none.
  uint32_t times() const { return x.dims[0] != 0 ? x.dims[0] : 1; }
};

// A thread's data for one sequence: the cell, and the state before and after a step.
struct Sequence {
  const Lstm& task;
  uint32_t b;
  int16_t* cell;
  int8_t *before, *after;
};

int16_t saturated_16(int32_t value) {
  if (value < -32768) return -32768;
  return value > 32767 ? int16_t{32767} : static_cast<int16_t>(value);
}

int16_t requantized_16(int32_t sum, int32_t multiplier, int32_t shift, Rounding rounding) {
  return saturated_16(requantized(sum, multiplier, shift, rounding));
}

// Between two entries of the table, `bits` bits of the place; entries get as many fraction bits.
uint32_t interpolated(const Tensor& table, uint32_t place, uint32_t bits) {
  const uint32_t at = place >> bits;
  const auto entries = table.read<uint16_t>();
  const uint32_t low = entries[at * size_t{table.strides[0]}];
  const uint32_t high = entries[(at + 1) * size_t{table.strides[0]}];
  // Bytes that another bus master changes meanwhile wrap.
  return (low << bits) + (place & ((1u << bits) - 1)) * (high - low);
}

constexpr uint32_t kLastPlace = kLstmTableSize - 1;

// 1 / (1 + e^-x), x with 12 fraction bits: a 24th of the table is 512 / (3 * 2^12).
int16_t logistic(const Lstm& task, int16_t x) {
  const int32_t scaled = x * 3;
  const auto place = static_cast<uint32_t>(scaled < 0 ? -scaled : scaled);
  const uint32_t result =
      (place >> 9) >= kLastPlace ? 0x7fffu << 10 : interpolated(task.table, place, 9);
  constexpr uint32_t kHalf = 1u << 9;
  const uint32_t moved = scaled >= 0 ? result + kHalf : (1u << 25) - result + kHalf - 1;
  return static_cast<int16_t>(moved >> 10);
}

// tanh(x) = 2 / (1 + e^(-2x)) - 1: the same table at twice the place.
int16_t tanh(const Lstm& task, int16_t x, int32_t multiplier, int32_t shift) {
  const int64_t half = shift > 0 ? int64_t{1} << (shift - 1) : 0;
  const auto scaled = static_cast<int32_t>((int64_t{x} * multiplier + half) >> shift);
  const auto place = wrapped_negative(static_cast<uint32_t>(scaled));
  const uint32_t magnitude = scaled < 0 ? place : static_cast<uint32_t>(scaled);
  const uint32_t result =
      (magnitude >> 8) >= kLastPlace ? 0xffffu << 8 : interpolated(task.table, magnitude, 8);
  constexpr int32_t kOne = 1 << 23, kHalf = 1 << 7;
  const auto from_half = static_cast<int32_t>(result) - kOne;
  return static_cast<int16_t>((scaled >= 0 ? from_half + kHalf : kHalf - 1 - from_half) >> 8);
}

// The sum of gate `gate` and unit `unit` at time `t`, before its function.
int16_t gate_sum(const Sequence& s, uint32_t gate, uint32_t unit, uint32_t t) {
  const Lstm& task = s.task;
  auto x = task.x.read<int8_t>() + t * size_t{task.x.strides[0]} + s.b * size_t{task.x.strides[1]};
  auto w =
      task.w.read<int8_t>() + gate * size_t{task.w.strides[0]} + unit * size_t{task.w.strides[1]};
  int32_t of_x = 0;
  for (uint32_t i = 0; i < task.x.dims[2]; ++i) {
    of_x = wrapped_sum(of_x, int32_t{*w} * (int32_t{*x} - task.by.x_zero_point));
    x += task.x.strides[2];
    w += task.w.strides[2];
  }
  const auto bias = task.bias.read<int32_t>();
  of_x = wrapped_sum(
      of_x,
      int32_t{bias[gate * size_t{task.bias.strides[0]} + unit * size_t{task.bias.strides[1]}]});
  auto r =
      task.r.read<int8_t>() + gate * size_t{task.r.strides[0]} + unit * size_t{task.r.strides[1]};
  int32_t of_h = 0;
  for (uint32_t i = 0; i < task.hidden(); ++i) {
    of_h = wrapped_sum(of_h, int32_t{*r} * (s.before[i] - task.by.output.zero_point));
    r += task.r.strides[2];
  }
  const Rounding rounding = task.by.output.rounding;
  const int32_t input =
      requantized_16(of_x, task.by.w_multipliers[gate], task.by.w_shifts[gate], rounding);
  const int32_t recurrent =
      requantized_16(of_h, task.by.r_multipliers[gate], task.by.r_shifts[gate], rounding);
  return saturated_16(input + recurrent);
}

void step_unit(const Sequence& s, uint32_t unit, uint32_t t) {
  const Lstm& task = s.task;
  const QuantizedLstmAttributes& by = task.by;
  const Rounding rounding = by.output.rounding;
  constexpr int32_t kFactor = 3;
  const int32_t i = logistic(task, gate_sum(s, 0, unit, t));
  const int32_t f = logistic(task, gate_sum(s, 1, unit, t));
  const int32_t g = tanh(task, gate_sum(s, 2, unit, t), kFactor, 0);
  const int32_t o = logistic(task, gate_sum(s, 3, unit, t));
  const int32_t kept =
      requantized_16(f * s.cell[unit], by.cell_multipliers[0], by.cell_shifts[0], rounding);
  const int32_t added = requantized_16(i * g, by.cell_multipliers[1], by.cell_shifts[1], rounding);
  int16_t cell = saturated_16(kept + added);
  if (by.cell_clip != 0) {
    const auto clip = static_cast<int16_t>(by.cell_clip);
    if (cell > clip) cell = clip;
    if (cell < -clip) cell = static_cast<int16_t>(-clip);
  }
  s.cell[unit] = cell;
  const int32_t bent = tanh(task, cell, by.tanh_multiplier, by.tanh_shift);
  s.after[unit] = static_cast<int8_t>(finished(bent * o, by.h_multiplier, by.h_shift, by.output));
}

// A time step of a sequence; cell and state stay in the scratch.
void run_time(const Sequence& s, uint32_t t) {
  const Lstm& task = s.task;
  const uint32_t hidden = task.hidden();
  for (uint32_t k = 0; k < hidden && t == 0; ++k) {
    s.before[k] =
        task.h.read<int8_t>()[s.b * size_t{task.h.strides[0]} + k * size_t{task.h.strides[1]}];
    s.cell[k] =
        task.c.read<int16_t>()[s.b * size_t{task.c.strides[0]} + k * size_t{task.c.strides[1]}];
  }
  const int8_t* last = s.before;
  if (t < task.x.dims[0]) {
    for (uint32_t k = 0; k < hidden; ++k) step_unit(s, k, t);
    auto y =
        task.y.write<int8_t>() + t * size_t{task.y.strides[0]} + s.b * size_t{task.y.strides[1]};
    for (uint32_t k = 0; k < hidden; ++k) y[k * size_t{task.y.strides[2]}] = s.after[k];
    last = s.after;
  }
  if (t + 1 != task.times()) return;
  for (uint32_t k = 0; k < hidden; ++k) {
    task.next_h.write<int8_t>()[s.b * size_t{task.next_h.strides[0]} +
                                k * size_t{task.next_h.strides[1]}] = last[k];
    task.next_c.write<int16_t>()[s.b * size_t{task.next_c.strides[0]} +
                                 k * size_t{task.next_c.strides[1]}] = s.cell[k];
  }
}

// Items: the time steps of each sequence, which run in their order on one thread.
void time_items(void* argument, uint32_t first, uint32_t last, uint32_t thread) {
  const auto& task = *static_cast<const Lstm*>(argument);
  std::byte* const own = task.scratch + size_t{thread} * task.thread_bytes;
  const uint32_t hidden = task.hidden();
  auto* const cell = static_cast<int16_t*>(static_cast<void*>(own));
  auto* const state = static_cast<int8_t*>(static_cast<void*>(own)) + 2 * size_t{hidden};
  for (uint32_t item = first; item < last; ++item) {
    // Each time step begins with the state that the one before left.
    const uint32_t t = item % task.times();
    int8_t* const before = state + (t % 2 != 0 ? hidden : 0);
    int8_t* const after = state + (t % 2 != 0 ? 0 : hidden);
    run_time({task, item / task.times(), cell, before, after}, t);
  }
}

void sequence_items(void* argument, uint32_t first, uint32_t last, uint32_t thread) {
  const uint32_t times = static_cast<const Lstm*>(argument)->times();
  time_items(argument, first * times, last * times, thread);
}

// The cell in 16 bits and two states in 8, so that each thread's are aligned.
ScratchNeed lstm_scratch(const Step& step) {
  const uint64_t bytes = (uint64_t{step.input(kLstmH).dims[1]} * 4 + 15) / 16 * 16;
  constexpr uint64_t kMost = 0xfffffff0u;
  return {0, static_cast<uint32_t>(bytes < kMost ? bytes : kMost)};
}

Status run_quantized_lstm(const Step& step, const Platform& platform) {
  Lstm task = {step.input(kLstmX),
               step.input(kLstmW),
               step.input(kLstmR),
               step.input(kLstmBias),
               step.input(kLstmH),
               step.input(kLstmC),
               step.input(kLstmTable),
               step.output(0),
               step.output(1),
               step.output(2),
               step.attributes<QuantizedLstmAttributes>(),
               step.scratch().out,
               lstm_scratch(step).thread_bytes};
  const uint32_t batch = task.h.dims[0];
  const uint64_t each =
      uint64_t{task.x.dims[0]} * task.hidden() * kLstmGates * (task.x.dims[2] + task.hidden());
  if (platform.parallel_for != nullptr) {
    split(platform, batch, batch * each, sequence_items, &task);
  } else {
    split(platform, batch * task.times(), batch * each, time_items, &task);
  }
  return ok_status();
}

}  // namespace

constexpr Form kQuantizedLstmForm1 =
    make_form(Op::kQuantizedLstm, 1,
              {.parallel = true,
               .alignment = alignof(int16_t),  // of the scratch too
               .scratch = lstm_scratch,
               .run = run_quantized_lstm});
ARENITE_FORM_CODE(QuantizedLstm, 1)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
