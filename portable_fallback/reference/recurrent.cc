// Family recurrent: a cell stepped through time. The products with the inputs are made for a few
// steps at once, so that their weights are read once for all of these; those with the state follow
// step by step. Sums keep their order whatever is done at once: bias last, products in the order of
// the inputs, then of the state.
#include "ops/recurrent.h"

#include <initializer_list>

#include "core/shape.h"
#include "ops/contracts.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/block.h"
#include "portable_fallback/shared/cell_function.h"
#include "portable_fallback/shared/split.h"

namespace arenite {
namespace {

// Steps whose inputs are multiplied at once: what they leave in the scratch is little, and weights
// in flash are read a quarter as often.
constexpr uint32_t kAhead = 4;

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
  float* ahead;  // [kAhead][gates]
  float *h, *c;  // [hidden]
  float* reset;  // [hidden], of gru
};

float* floats_at(std::byte* bytes) { return static_cast<float*>(static_cast<void*>(bytes)); }
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
void project(const Sequence& s, const uint32_t* times, uint32_t count) {
  const Recurrent& task = s.task;
  for (uint32_t i = 0; i < count * task.gates; ++i) s.ahead[i] = 0.0f;
  for (uint32_t first = 0; first < task.gates; first += kBlock) {
    const uint32_t columns = task.gates - first < kBlock ? task.gates - first : kBlock;
    for (uint32_t i = 0; i < count; ++i) {
      const Row row = {task.x.read<float>() + times[i] * size_t{task.x.strides[0]} +
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

// A row of the state from or to [D, B, H]; zeros from nothing.
void load_state(const Sequence& s, const Tensor& from, float* to) {
  const uint32_t hidden = s.task.n.hidden;
  if (from.data == nullptr) {
    for (uint32_t i = 0; i < hidden; ++i) to[i] = 0.0f;
    return;
  }
  Src<float> row =
      from.read<float>() + s.d * size_t{from.strides[0]} + s.b * size_t{from.strides[1]};
  for (uint32_t i = 0; i < hidden; ++i) to[i] = row[i * size_t{from.strides[2]}];
}

void store_state(const Sequence& s, const OutTensor& to, const float* from) {
  if (to.out == nullptr) return;
  Dst<float> row = to.write<float>() + s.d * size_t{to.strides[0]} + s.b * size_t{to.strides[1]};
  for (uint32_t i = 0; i < s.task.n.hidden; ++i) row[i * size_t{to.strides[2]}] = from[i];
}

// Stores time step `time` of y; zeros for a null row.
void store_output(const Sequence& s, uint32_t time, const float* from) {
  const OutTensor& y = s.task.outputs[kY];
  if (y.out == nullptr) return;
  Dst<float> row = y.write<float>() + time * size_t{y.strides[0]} + s.d * size_t{y.strides[1]} +
                   s.b * size_t{y.strides[2]};
  for (uint32_t i = 0; i < s.task.n.hidden; ++i) {
    row[i * size_t{y.strides[3]}] = from == nullptr ? 0.0f : from[i];
  }
}

// Computes the time steps [first, first + kAhead) of a sequence; the states stay in the scratch.
template <Op kOp>
void run_times(const Sequence& s, uint32_t first) {
  const Recurrent& task = s.task;
  if (first == 0) {
    load_state(s, task.initial_h, s.h);
    if constexpr (kOp == Op::kLSTM) load_state(s, task.initial_c, s.c);
  }
  const uint32_t length = task.length(s.b);
  if (first < length) {
    const uint32_t count = length - first < kAhead ? length - first : kAhead;
    uint32_t times[kAhead];
    for (uint32_t i = 0; i < count; ++i) {
      times[i] = task.reverse(s.d) ? length - 1 - (first + i) : first + i;
    }
    project(s, times, count);
    for (uint32_t i = 0; i < count; ++i) {
      step_cell<kOp>(s, s.ahead + size_t{i} * task.gates);
      store_output(s, times[i], s.h);
    }
  }
  if (task.n.steps - first > kAhead) return;
  for (uint32_t time = length; time < task.n.steps; ++time) store_output(s, time, nullptr);
  store_state(s, task.outputs[kYH], s.h);
  if constexpr (kOp == Op::kLSTM) store_state(s, task.outputs[kYC], s.c);
}

// Items: the groups of time steps of each sequence in each direction. Those of a sequence run in
// their order on one thread.
template <Op kOp>
void recurrent_time_items(void* argument, uint32_t first, uint32_t last, uint32_t thread) {
  const auto& task = *static_cast<const Recurrent*>(argument);
  float* rows = floats_at(task.scratch + size_t{thread} * task.thread_bytes);
  float* states = rows + size_t{kAhead} * task.gates;
  const uint32_t hidden = task.n.hidden;
  for (uint32_t item = first; item < last; ++item) {
    const uint32_t of = item / task.groups;
    const Sequence sequence = {task,   of / task.n.batch, of % task.n.batch, rows,
                               states, states + hidden,   states + hidden};
    run_times<kOp>(sequence, item % task.groups * kAhead);
  }
}

// Items: each sequence in each direction.
template <Op kOp>
void recurrent_items(void* argument, uint32_t first, uint32_t last, uint32_t thread) {
  const uint32_t groups = static_cast<const Recurrent*>(argument)->groups;
  recurrent_time_items<kOp>(argument, first * groups, last * groups, thread);
}

// Scratch for a gate's rows, h, and c of lstm or the reset part of gru.
ScratchNeed recurrent_scratch(const Step& step) {
  const RecurrentSizes n = recurrent_sizes(step);
  const uint32_t rows = kAhead * gates_of(step.op()) + (step.op() == Op::kRNN ? 1 : 2);
  return {.thread_bytes = rows * n.hidden * static_cast<uint32_t>(sizeof(float))};
}

Status check_lengths(const Step& step, const Recurrent& task) {
  if (task.lengths.data == nullptr) return ok_status();
  for (uint32_t b = 0; b < task.n.batch; ++b) {
    const int32_t length = task.lengths.read<int32_t>()[b * size_t{task.lengths.strides[0]}];
    if (length < 0 || static_cast<uint32_t>(length) > task.n.steps) {
      return {Code::kIndexOutOfRange, step.index(), step.input_value(kLengths)};
    }
  }
  return ok_status();
}

template <Op kOp>
Status run_recurrent(const Step& step, const Platform& platform) {
  Recurrent task = {};
  task.n = recurrent_sizes(step);
  task.attributes = step.attributes<RecurrentAttributes>();
  task.gates = task.n.hidden * gates_of(kOp);
  Tensor* const inputs[] = {&task.x,       &task.w,         &task.r,         &task.bias,
                            &task.lengths, &task.initial_h, &task.initial_c, &task.peepholes};
  for (uint32_t i = 0; i < 8; ++i) {
    if (step.has_input(i)) *inputs[i] = step.input(i);
  }
  for (const RecurrentOutput output : {kY, kYH, kYC}) {
    const uint32_t place = place_of_output(task.attributes.outputs, output);
    if (place != kNoIndex) task.outputs[output] = step.output(place);
  }
  ARENITE_TRY(check_lengths(step, task));
  task.scratch = step.scratch().out;
  task.thread_bytes = recurrent_scratch(step).thread_bytes;
  const uint64_t sums = uint64_t{task.n.steps} * task.n.batch * task.n.directions * task.gates;
  task.groups = (task.n.steps + kAhead - 1) / kAhead;
  if (task.groups == 0) task.groups = 1;
  const uint64_t work = sums * (task.n.inputs + task.n.hidden);
  const uint32_t sequences = task.n.directions * task.n.batch;
  if (platform.parallel_for != nullptr) {
    split(platform, sequences, work, recurrent_items<kOp>, &task);
  } else {
    split(platform, sequences * task.groups, work, recurrent_time_items<kOp>, &task);
  }
  return ok_status();
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
